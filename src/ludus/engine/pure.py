"""The uncompiled backend: the rules as Python runs them, and the judge of the others. It needs no Numba."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from ludus.games import Game

from .desk import Desk
from .kernels import Kernel, kernels

NAME = "pure"


@cache
def _kernels(game: Game) -> dict[str, Kernel]:
    return kernels(game)


class Backend:
    """Run kernels in a plain loop over NumPy arrays."""

    device = NAME

    def __init__(self, game: Game) -> None:
        self.game = game

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        return _kernels(self.game)[name]

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """Make an array; rows are records, so that rules may write `s.field`."""
        array = np.zeros(shape, dtype)
        return array.view(np.recarray) if dtype.names else array

    def run(self, names: tuple[str, ...], desk: Desk, n: int) -> None:
        """Run kernels, one after the other, on games 0..n-1."""
        for name in names:
            kernel = self.kernel(name)
            for i in range(n):
                kernel(i, desk)

    def bound(self, name: str, desk: Desk) -> Callable[[], None]:
        """Return a call that runs a kernel on game 0, with as little as possible between the two."""
        return partial(self.kernel(name), 0, desk)

    def zero(self, array: Any) -> None:
        """Set an array to zero."""
        array.fill(0)

    @staticmethod
    def to_host(array: Any) -> Any:
        """Return the array in ordinary memory."""
        return array

    @staticmethod
    def from_host(array: Any, target: Any) -> None:
        """Copy into an array of this backend."""
        np.copyto(target, array)
