"""How long each kernel takes for a game: what a batch spends where.

usage: python benchmarks/kernels.py [--device=cpu|cuda] [--games=N] [GAME…]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

from ludus.engine import Batch
from ludus.engine.kernels import AFTER_ACTION, BEGIN, SEAT, STEPS
from ludus.engine.memory import ENCODE
from ludus.games import load, names

KERNELS = ("legal", "own_legal", "observe", *ENCODE, "result", "random_steps")
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


def times(game, device: str, games: int, rounds: int = ROUNDS, seconds: float = SECONDS):
    """Give each kernel and the seconds that it takes for so many games, in the middle of random play."""
    batch, last = Batch(game, games, 1, device), len(game.spec.seats) - 1
    batch.play_random(20)
    batch._plan((SEAT, -1))
    batch._plan((STEPS, 1))
    for kernel in KERNELS:
        if kernel != "clear_planes" or device == "cpu":  # a GPU needs none
            yield kernel, seconds_of(batch, partial(batch._run, kernel), rounds, seconds)
    batch.seat(last).reset()  # then that seat decides; what it plays is replaced where it is illegal
    batch._need("actions")
    batch._plan((BEGIN, AFTER_ACTION))
    yield "seat_step", seconds_of(batch, partial(batch._run, "seat_step"), rounds, seconds)


def seconds_of(batch: Batch, work: Callable[[], None], rounds: int, seconds: float) -> float:
    """Return the best time of some work on the batch's device, over rounds long enough to be timed."""
    work()  # compiles
    repeats, best = 1, float("inf")
    while _round(batch, work, repeats) < seconds:
        repeats *= 2
    for _ in range(rounds):
        best = min(best, _round(batch, work, repeats) / repeats)
    return best


def _round(batch: Batch, work: Callable[[], None], repeats: int) -> float:
    wait(batch)
    started = time.perf_counter()
    for _ in range(repeats):
        work()
    wait(batch)
    return time.perf_counter() - started


def wait(batch: Batch) -> None:
    """Wait until the batch's device has done all it was told to."""
    batch.host(batch._need("bad").bad)


if __name__ == "__main__":
    main(sys.argv[1:])
