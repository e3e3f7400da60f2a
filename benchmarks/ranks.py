"""How much faster several processes learn together: decisions a second of all ranks, games and learning.

usage: python -m torch.distributed.run --standalone --nproc-per-node N benchmarks/ranks.py [GAME] [--minutes=0.3]
       [--games=256] [--device=cpu]

Each rank has one thread unless LUDUS_THREADS says otherwise; compare N = 1, 2, 4 … on cores that nothing else wants.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("LUDUS_THREADS", "1")

from ludus.school import LearnArguments, learn_by_play, settle


def main(words: list[str]) -> None:
    """Learn for a while, and print the pace of the last look."""
    given = dict(word.removeprefix("--").split("=") for word in words if word.startswith("--"))
    game = next((word for word in words if not word.startswith("--")), "chase")
    is_first = settle()
    arguments = LearnArguments(
        game, minutes=float(given.get("minutes", 0.3)), games=int(given.get("games", 256)), device=given.get("device", "cpu"),
        against="random", evaluated=8, evaluate_every=20, save_every=10**9,
    )  # fmt: skip
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as folder:  # that of the first rank alone is written to
        learn_by_play(arguments, Path(folder), lines.append)
    if is_first:
        said = lines[-2] if len(lines) > 1 else lines[-1]  # the last look may come soon after the one before
        print(f"{os.environ.get('WORLD_SIZE', '1')} ranks, {game}, {arguments.games} games each: {said}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
