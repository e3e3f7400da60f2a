"""The compiled backend: the same kernels as machine code, on as many threads as there are cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np

from ludus.core.errors import BadValue
from ludus.games import Game

from . import pure
from .compiled import address, compiled, kernels_of
from .crew import crew
from .desk import Desk
from .kernels import Kernel

NAME = "cpu"
SMALL = 128  # games that one thread steps faster than it wakes another one
ALONE = 1024  # games that a lone thread steps before it listens for Ctrl-C again
MOST_THREADS = 1024
LIGHT = {"check_legal", "check_range", "result"}  # a few instructions a game: never worth waking a thread


class Backend(pure.Backend):
    """Run compiled kernels over NumPy arrays; threads share the games, and Python's lock is released."""

    device = NAME

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._desk: Desk | None = None
        self._table = np.zeros(len(Desk._fields), np.int64)  # never moves: bound kernels hold its address
        self._address = int(self._table.ctypes.data)

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        return kernels_of(self.game)[name]

    def run(self, names: tuple[str, ...], desk: Desk, n: int) -> None:
        """Run kernels on games 0..n-1; each share of the games goes through all of them while it is in the cache."""
        table = self.address(desk)
        if n > SMALL and threads() > 1 and not LIGHT.issuperset(names):
            pieces = min(4 * threads(), -(-n // SMALL))  # several, so that none waits long for another
            if crew(threads() - 1).share([address(self.game, name) for name in names], n, pieces, table):
                return
        loops = [compiled(self.game, name) for name in names]
        for first in range(0, n, ALONE):
            for loop in loops:
                loop(first, min(first + ALONE, n), table)

    def bound(self, name: str, desk: Desk) -> Callable[[], None]:
        """Return a call that runs a kernel on game 0, with as little as possible between the two."""
        return partial(compiled(self.game, name), 0, 1, self.address(desk))

    def address(self, desk: Desk) -> int:
        """Return where the addresses of the desk's arrays stand; arrays may come later, none moves."""
        if desk is not self._desk:
            self._desk = desk
            self._table[:] = [0 if array is None else array.ctypes.data for array in desk]
        return self._address


@cache
def threads() -> int:
    """Return how many threads share a batch: LUDUS_THREADS, or the cores this process may use, where that can be known."""
    given = os.environ.get("LUDUS_THREADS", "")
    if given and not (given.isdecimal() and 0 < int(given) <= MOST_THREADS):
        raise BadValue(f"LUDUS_THREADS must be a whole number from 1 to {MOST_THREADS}, not {given!r}")
    if given:
        return int(given)
    return min(len(os.sched_getaffinity(0)), _allowance()) if hasattr(os, "sched_getaffinity") else 1


def _allowance() -> int:
    """Return how many cores' time a container may use; threads beyond that would only wait for each other."""
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return MOST_THREADS if quota == "max" else max(1, int(quota) // int(period))
    except (OSError, ValueError):
        return MOST_THREADS
