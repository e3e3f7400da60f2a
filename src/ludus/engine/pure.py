"""The uncompiled backend: the rules as Python runs them, and the judge of the others. It needs no Numba."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from ludus.core import BadValue, LudusError, Rows
from ludus.games import Game

from .buffers import Buffers
from .kernels import Kernel, kernels
from .memory import array_of

NAME = "pure"


@cache
def kernels_of(game: Game) -> dict[str, Kernel]:
    return kernels(game)


class Backend:
    """Run kernels in a plain loop over NumPy arrays."""

    device = NAME

    def __init__(self, game: Game) -> None:
        self.game, self.seated = game, frozenset[str]()  # the bots that play, for cuda
        self._plain: tuple[Buffers, Buffers] | None = None  # a buffers, and the same with plain rows

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        return kernels_of(self.game)[name]

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """Make an array; rows are records, so that rules may write `s.field`."""
        check_memory(shape, dtype)
        array = np.zeros(shape, dtype)
        return array.view(np.recarray) if dtype.names else array

    def run(self, names: tuple[str, ...], buffers: Buffers, n: int) -> None:
        """Run kernels, one after the other, on games 0..n-1."""
        if self._plain is None or self._plain[0] is not buffers:
            self._plain = (buffers, plain_buffers(buffers))
        plain = self._plain[1]
        for name in names:
            kernel = self.kernel(name)
            for i in range(n):
                kernel(i, plain)

    def bound(self, name: str, buffers: Buffers) -> Callable[[], None]:
        """Return a call that runs a kernel on game 0, with as little as possible between the two."""
        return partial(self.kernel(name), 0, plain_buffers(buffers))

    def zero(self, array: Any) -> None:
        """Set an array to zero."""
        array.fill(0)

    @staticmethod
    def narrowed(array: Any) -> Any:
        """Return actions of any whole type as the buffers hold them; what does not fit becomes what no action is."""
        host = np.asarray(array)
        if host.dtype == np.int32:
            return host
        narrow = host.astype(np.int32)
        fits = narrow == host
        return narrow if np.logical_and.reduce(fits) else np.where(fits, narrow, -1)

    @staticmethod
    def places(index: Any, n: int, source: int) -> Any:
        """Return an index into `source` games, one for each of n, that is surely inside."""
        array = array_of(index)
        if array.shape != (n,) or array.dtype.kind not in "iu" or (n and not 0 <= array.min() <= array.max() < source):
            raise BadValue(f"an index has {n} whole numbers from 0 to {source - 1}, not {array.dtype} {array.shape}")
        return array

    @staticmethod
    def gather(source: Any, index: Any, target: Any) -> None:
        """Copy rows of one array to another."""
        target[:] = source[index]

    @staticmethod
    def fill(row: Any, target: Any) -> None:
        """Copy one row to all places of an array."""
        target[:] = row

    @staticmethod
    def total(array: Any) -> Any:
        """Return the sums of the columns."""
        return array.sum(axis=0)

    @staticmethod
    def column(array: Any, k: int) -> Any:
        """Return a column of an array, in its own memory."""
        return array[:, k]

    @staticmethod
    def read_only(array: Any) -> Any:
        """Return an array that nobody can write to, in the same memory."""
        shown = array.view()
        shown.flags.writeable = False
        return shown

    @staticmethod
    def to_host(array: Any) -> Any:
        """Return the array in ordinary memory."""
        return array

    def within(self, array: Any) -> Any:
        """Return an array where kernels reach it: itself, if it lies in one piece."""
        return np.ascontiguousarray(array)

    @staticmethod
    def from_host(array: Any, target: Any) -> None:
        """Copy into an array of this backend."""
        np.copyto(target, array)


def check_memory(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Refuse an array that this machine cannot hold: the system might promise it and kill the process later."""
    size = dtype.itemsize * math.prod(shape)
    if size > 2**30 and size > (most := _memory()):
        raise LudusError(f"{shape[0]} games need {size / 1e9:.0f} GB in one array alone; this machine has {most / 1e9:.0f}")


@cache
def _memory() -> float:
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):  # no such system
        return math.inf


def plain_buffers(buffers: Buffers) -> Buffers:
    """Return the buffers with their records as plain objects."""
    return Buffers(*(Rows(a) if a is not None and a.dtype.names else a for a in buffers))
