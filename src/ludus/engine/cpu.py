"""The compiled backend: the same kernels as machine code, on as many threads as there are cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

from ludus.core.errors import BadValue
from ludus.games import Game

from . import pure
from .compiled import Loop, compiled, kernels_of
from .desk import Desk
from .kernels import Kernel

NAME = "cpu"
SMALL = 128  # games that one thread steps faster than it wakes another one
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
        loops, table = [compiled(self.game, name) for name in names], self.address(desk)
        if n <= SMALL or threads() == 1 or LIGHT.issuperset(names):
            for loop in loops:
                loop(0, n, table)
        else:
            share(loops, n, table)

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
    """Return how many threads share a batch: LUDUS_THREADS, or the cores this process may use."""
    given = os.environ.get("LUDUS_THREADS", "")
    if given and not (given.isdecimal() and int(given) > 0):
        raise BadValue(f"LUDUS_THREADS must be a whole number above 0, not {given!r}")
    return int(given) if given else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def share(loops: list[Loop], n: int, table: int) -> None:
    """Split the games between this thread and the others, in several pieces so that none waits long for another."""
    pieces = min(4 * threads(), -(-n // SMALL))
    edges = [n * k // pieces for k in range(pieces + 1)]
    todo = iter(list(pairwise(edges)))
    finished: SimpleQueue[BaseException | None] = SimpleQueue()  # an entry a piece

    def work() -> None:
        for first, last in todo:  # asking one iterator for its next item is atomic
            try:
                for loop in loops:
                    loop(first, last, table)
                finished.put(None)
            except BaseException as error:  # Ctrl-C, above all
                finished.put(error)
                for _ in todo:  # nobody begins the rest
                    finished.put(None)

    for jobs in _helpers(os.getpid())[: pieces - 1]:
        jobs.put(work)
    work()
    # Pieces are waited for, not helpers: one that woke too late to get any costs nothing. All of them, even after an error:
    # the arrays must outlive whoever works on them.
    for error in [finished.get() for _ in range(pieces)]:
        if error:
            raise error


@cache
def _helpers(process: int) -> list[SimpleQueue[Any]]:
    """Start the other threads of this process, each waiting at a queue, which wakes them sooner than an executor does."""
    queues: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(threads() - 1)]
    for jobs in queues:
        Thread(target=_serve, args=(jobs,), name="ludus", daemon=True).start()
    return queues


def _serve(jobs: SimpleQueue[Callable[[], None]]) -> None:
    while True:
        jobs.get()()
