"""BattleGrid under the original's names: constants, Tank, the game class; run as a script it plays Blue against Red once."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ludus.agents import Stop
from ludus.core import LudusError
from ludus.engine import Table
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
    parser.add_argument("--terminal", action="store_true", help="show the turns in the terminal, not in a window")
    words = parser.parse_args(arguments)
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from agent_blue import AgentBlue
    from agent_red import AgentRed

    random.seed(words.seed)
    played = BattleGrid(AgentBlue("Blue"), AgentRed("Red"), words.seed)
    try:
        if not words.quiet and (words.terminal or not show_in_window(played, words.delay)):
            show(played, words.delay)
        print(played.run())
    except (KeyboardInterrupt, Stop):  # no score line then, as in the original
        print("\nthe game stops here")


def show_in_window(played: BattleGrid, delay: float) -> bool:
    """Play a game in a window, which stays open until it is closed; say why if none can be opened, and return whether."""
    from ludus.viewers import show_rows

    def rows() -> Iterator[Any]:
        yield played.s
        while not played.is_over:
            played.step_single_agent()
            yield played.s

    names = [str(getattr(agent, "name", "")) for agent in played.agents]
    try:
        show_rows(Table(_game, 0, "pure"), rows(), "BattleGrid Turn-Based with Items", names, 1 / max(delay, 0.05))
    except LudusError as error:
        print(f"{error}: turns are shown here")
        return False
    return True


def show(played: BattleGrid, delay: float) -> None:
    """Play a game turn by turn and draw it."""
    from ludus.viewers import Screen

    screen = Screen()
    while not played.is_over:
        played.step_single_agent()
        screen.show(_game.scene(played.s))
        if screen.is_live:
            time.sleep(delay)


if __name__ == "__main__":
    main()
