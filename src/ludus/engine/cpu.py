"""The compiled backend: the same kernels as machine code, on as many threads as there are cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from ludus.core.errors import BadValue
from ludus.games import Game

from . import pure
from .compiled import compiled, kernels_of
from .desk import Desk
from .kernels import Kernel

NAME = "cpu"
SMALL = 128  # games that one thread steps faster than it wakes another one


class Backend(pure.Backend):
    """Run compiled kernels over NumPy arrays; threads share the games, and Python's lock is released."""

    device = NAME

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._tables: dict[int, tuple[Desk, np.ndarray[Any, Any]]] = {}

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        return kernels_of(self.game)[name]

    def run(self, name: str, desk: Desk, n: int) -> None:
        """Run a kernel on games 0..n-1."""
        loop, table = compiled(self.game, name), self.address(desk)
        if n <= SMALL or threads() == 1:
            loop(0, n, table)
        else:
            share(loop, n, table)

    def address(self, desk: Desk) -> int:
        """Return where the addresses of the desk's arrays stand; arrays may come later, none moves."""
        if id(desk) not in self._tables or self._tables[id(desk)][0] is not desk:
            table = np.array([0 if array is None else array.ctypes.data for array in desk], np.int64)
            self._tables = {id(desk): (desk, table)}
        return int(self._tables[id(desk)][1].ctypes.data)


@cache
def threads() -> int:
    """Return how many threads share a batch: LUDUS_THREADS, or the cores this process may use."""
    given = os.environ.get("LUDUS_THREADS", "")
    if given and not (given.isdecimal() and int(given) > 0):
        raise BadValue(f"LUDUS_THREADS must be a whole number above 0, not {given!r}")
    return int(given) if given else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """The other threads of this process; a forked child needs its own."""
    return ThreadPoolExecutor(threads() - 1, "ludus")


def share(loop: Callable[[int, int, int], None], n: int, table: int) -> None:
    """Split the games between this thread and the pool, in several pieces so that none waits long for another."""
    pieces = min(4 * threads(), n // SMALL + 1)
    edges = [n * k // pieces for k in range(pieces + 1)]
    todo = iter(zip(edges, edges[1:], strict=False))

    def work() -> None:
        for first, last in todo:  # next() on one iterator is atomic under the GIL
            loop(first, last, table)

    others = [_pool(os.getpid()).submit(work) for _ in range(min(threads(), pieces) - 1)]
    work()
    for other in others:
        other.result()
