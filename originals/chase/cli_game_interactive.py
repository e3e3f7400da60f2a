"""Chase in the terminal, set up by questions, as in the original program."""

from __future__ import annotations

import random
import sys

from cli_game import play

from ludus.engine import Table
from ludus.games import load

PAUSE = 0.3  # seconds after a random move


def main() -> int:
    """Ask for the set-up, then play."""
    game = load("chase")
    seed = random.randrange(2**31)
    try:
        position, kinds = game.part("original").ask(input, print, ["random"], seed)
    except (EOFError, KeyboardInterrupt):
        print("\nEnd of input: no game.")
        return 0
    table = Table(game, device="pure", position=position)
    return play(table, ["manual" if kind == "human" else kind for kind in kinds], seed, PAUSE)


if __name__ == "__main__":
    sys.exit(main())
