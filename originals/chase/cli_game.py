"""Chase in the terminal, with the flags of the original program."""

from __future__ import annotations

import argparse
import random
import sys
import time

from ludus.core import LudusError
from ludus.engine import Table
from ludus.games import load

RULER = "=" * 50


def main(arguments: list[str] | None = None) -> int:
    """Play one game between random agents and people."""
    parser = argparse.ArgumentParser(description=__doc__)
    for seat in ("runner", "chaser1", "chaser2"):
        parser.add_argument(f"--{seat}", choices=["random", "manual"], default="random")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--max-turns", type=int, default=300)
    parser.add_argument("--delay", type=float, default=0.1, help="seconds after each random move")
    words = parser.parse_args(arguments)
    try:
        game = load("chase", max_turns=words.max_turns)
    except LudusError as error:
        print(error, file=sys.stderr)
        return 2
    seed = random.randrange(2**31) if words.seed is None else words.seed
    kinds = [words.runner, words.chaser1, words.chaser2]
    print(f"Chase: {', '.join(f'{seat} {kind}' for seat, kind in zip(game.spec.seats, kinds, strict=True))}; seed {seed}")
    table = Table(game, device="pure", position=game.part("original").original_start(seed, words.max_turns))
    return play(table, kinds, seed, words.delay)


def play(table: Table, kinds: list[str], seed: int, delay: float) -> int:
    """Ask agents in turn until the game ends or the input does."""
    original, scene = table.game.part("original"), table.game.part("scene")
    agents = [
        original.ManualAgent(seat) if kind == "manual" else original.RandomAgent(seat)
        for seat, kind in zip(table.spec.seats, kinds, strict=True)
    ]
    random.seed(seed)
    try:
        while not table.over:
            print(f"\n{scene.board(table.s)}\n{scene.status(table.s)}")
            seat = table.seat
            table.apply(agents[seat].decide_move(original.observation(table.observe()), table.legal()))
            if kinds[seat] == "random":
                time.sleep(delay)
    except EOFError:
        print("\nEnd of input: the game stops here.")
        return 0
    except KeyboardInterrupt:
        print("\nInterrupted: the game stops here.")
        return 0
    print(f"\n{RULER}\n{scene.board(table.s)}\n{scene.status(table.s)}\n{RULER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
