"""BattleGrid under the original's names: constants, Tank, the game class; run as a script it plays Blue against Red once."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from ludus.games import load

_compat = load("battlegrid").part("compat")
globals().update(_compat.CONSTANTS)
Agent, BattleGrid, Tank = _compat.Agent, _compat.BattleGrid, _compat.Tank


def main(arguments: list[str] | None = None) -> None:
    """Play AgentBlue("Blue") against AgentRed("Red") of this folder, whatever the working directory is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(2**31), help="the same seed gives the same game")
    parser.add_argument("--delay", type=float, default=0.1, help="seconds between turns")
    parser.add_argument("--quiet", action="store_true", help="print the score line only")
    words = parser.parse_args(arguments)
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from agent_blue import AgentBlue
    from agent_red import AgentRed

    from ludus.arena.match import Match
    from ludus.cli.play import show
    from ludus.engine import Table

    random.seed(words.seed)
    agents = [_compat.OriginalAgent(AgentBlue, "Blue"), _compat.OriginalAgent(AgentRed, "Red")]
    show(Match(Table("battlegrid", words.seed), agents, words.seed), words.delay, words.quiet)


if __name__ == "__main__":
    main()
