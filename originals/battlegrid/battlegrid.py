"""BattleGrid under the original's names: constants, Tank, the game class; run as a script it plays Blue against Red once."""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

from ludus.games import load

_game = load("battlegrid")
_original = _game.part("original")
globals().update(_original.CONSTANTS)
Agent, BattleGrid, Tank = _original.Agent, _original.BattleGrid, _original.Tank


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

    random.seed(words.seed)
    played = BattleGrid(AgentBlue("Blue"), AgentRed("Red"), words.seed)
    try:
        if not words.quiet:
            show(played, words.delay)
        print(played.run())
    except KeyboardInterrupt:  # no score line then, as in the original
        print("\nthe game stops here")


def show(played: BattleGrid, delay: float) -> None:
    """Play a game turn by turn and draw it."""
    from rich.console import Console

    from ludus.viewers.terminal import draw

    console = Console(highlight=False)
    while not played.is_over:
        played.step_single_agent()
        console.print(draw(_game.scene(played.s)))
        if console.is_terminal:
            time.sleep(delay)


if __name__ == "__main__":
    main()
