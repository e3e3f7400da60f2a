"""The compiled backend: the same kernels as machine code, on as many threads as there are cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np

from ludus.core import BadValue
from ludus.games import Game

from . import pure
from .buffers import Buffers
from .compiled import Loop, address, compiled, kernels_of
from .kernels import Kernel
from .playout_kernels import GROW
from .pool import worker_pool

NAME = "cpu"
SMALL = 128  # games that one thread steps faster than it wakes another one
ALONE = 1024  # games that a lone thread steps before it listens for Ctrl-C again
MOST_THREADS = 1024
LONG = {"bot_game", "random_game"}  # whole games; so are the playouts of a search
LIGHT = {
    "check_actions",
    "from_own",
    "to_own",
    "result",
    "forget_ended",
}  # never worth waking a thread


class Backend(pure.Backend):
    """Run compiled kernels over NumPy arrays; threads share the games, and Python's lock is released."""

    device = NAME

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._buffers: Buffers | None = None
        self._loops: dict[tuple[str, ...], list[Loop]] = {}
        self._table = np.zeros(len(Buffers._fields), np.int64)  # never moves: bound kernels hold its address
        self._address = int(self._table.ctypes.data)

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        return kernels_of(self.game)[name]

    def run(self, names: tuple[str, ...], buffers: Buffers, n: int) -> None:
        """Run kernels on games 0..n-1; each share of the games goes through all of them while it is in the cache."""
        table, (is_long, is_light) = self.address(buffers), nature(names)
        if n > (1 if is_long else SMALL) and threads() > 1 and not is_light:
            # Several, so that none waits long for another; whole games take long, and Ctrl-C is heard between pieces.
            pieces = n if is_long else min(4 * threads(), -(-n // SMALL))
            if worker_pool(threads() - 1).share([address(self.game, name) for name in names], n, pieces, table):
                return
        if names not in self._loops:
            self._loops[names] = [compiled(self.game, name) for name in names]
        loops, alone = self._loops[names], 1 if is_long else ALONE
        for first in range(0, n, alone):
            for loop in loops:
                loop(first, min(first + alone, n), table)

    def bound(self, name: str, buffers: Buffers) -> Callable[[], None]:
        """Return a call that runs a kernel on game 0, with as little as possible between the two."""
        return partial(compiled(self.game, name), 0, 1, self.address(buffers))

    def address(self, buffers: Buffers) -> int:
        """Return where the addresses of the buffers's arrays stand; arrays may come later, none moves."""
        if buffers is not self._buffers:
            self._buffers = buffers
            self._table[:] = [0 if array is None else array.ctypes.data for array in buffers]
        return self._address


@cache
def nature(names: tuple[str, ...]) -> tuple[bool, bool]:
    """Say whether kernels take long, and whether they are too light for several threads."""
    return any(name in LONG or name.startswith(GROW) for name in names), LIGHT.issuperset(names)


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
