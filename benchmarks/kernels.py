"""How long each kernel takes for a game: what a batch spends where.

usage: python benchmarks/kernels.py [--device=cpu|cuda] [--games=N] [GAME…]
"""

from __future__ import annotations

import sys
import time

from ludus.engine import Batch
from ludus.engine.batch import ENCODE, LONGEST_GAME
from ludus.engine.kernels import ENTER, SEAT, STEPS
from ludus.games import load, names

KERNELS = ("legal", "observe", *ENCODE, "result", "random_steps", "face")
ROUNDS, SECONDS = 5, 0.1  # the best round counts


def main(words: list[str]) -> None:
    """Print a line a kernel and game."""
    given = dict(word.removeprefix("--").split("=") for word in words if word.startswith("--"))
    device = given.get("device", "cpu")
    games = int(given.get("games", 512 if device == "cpu" else 2**20))
    for name in [word for word in words if not word.startswith("--")] or names():
        for kernel, seconds in times(load(name), device, games):
            print(
                f"{name}.{device}.{kernel}: {seconds / games * 1e9:.1f} ns a game, {seconds * 1e6:.0f} µs for {games}",
                flush=True,
            )


def times(game, device: str, games: int):
    """Give each kernel and the seconds that it takes for so many games, in the middle of random play."""
    batch, last = Batch(game, games, 1, device), len(game.spec.seats) - 1
    batch.set_bots(["random"] * last + [None])
    batch.enter(last)
    batch.play_random(20)
    for kernel in KERNELS:
        batch._plan(SEAT, last if kernel == "face" else -1)
        batch._plan(STEPS, LONGEST_GAME if kernel == "face" else 1)
        batch._plan(ENTER, 0)
        if kernel == "face":  # from positions in which that seat decides; what it plays is replaced where it is illegal
            batch.enter(last)
            batch._plan(ENTER, 0)
        yield kernel, _seconds(batch, kernel)


def _seconds(batch: Batch, kernel: str) -> float:
    """Return the best time of a run, over rounds long enough to be timed."""
    batch._run(kernel)  # compiles
    repeats, best = 1, float("inf")
    while _round(batch, kernel, repeats) < SECONDS:
        repeats *= 2
    for _ in range(ROUNDS):
        best = min(best, _round(batch, kernel, repeats) / repeats)
    return best


def _round(batch: Batch, kernel: str, repeats: int) -> float:
    _wait(batch)
    started = time.perf_counter()
    for _ in range(repeats):
        batch._run(kernel)
    _wait(batch)
    return time.perf_counter() - started


def _wait(batch: Batch) -> None:
    if batch.device == "cuda":
        from numba import cuda

        cuda.synchronize()


if __name__ == "__main__":
    main(sys.argv[1:])
