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
        self.game, self.seated = game, frozenset[str]()  # the bots that play, for cuda
        self._plain: tuple[Desk, Desk] | None = None  # a desk, and the same with plain rows

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        return _kernels(self.game)[name]

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """Make an array; rows are records, so that rules may write `s.field`."""
        array = np.zeros(shape, dtype)
        return array.view(np.recarray) if dtype.names else array

    def run(self, names: tuple[str, ...], desk: Desk, n: int) -> None:
        """Run kernels, one after the other, on games 0..n-1."""
        if self._plain is None or self._plain[0] is not desk:
            self._plain = (desk, plain_desk(desk))
        plain = self._plain[1]
        for name in names:
            kernel = self.kernel(name)
            for i in range(n):
                kernel(i, plain)

    def bound(self, name: str, desk: Desk) -> Callable[[], None]:
        """Return a call that runs a kernel on game 0, with as little as possible between the two."""
        return partial(self.kernel(name), 0, plain_desk(desk))

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


class Rows:
    """The rows of an array as plain objects that share its memory: a field of a NumPy record takes microseconds to reach."""

    def __init__(self, array: Any) -> None:
        self._array, self._type = array.view(np.ndarray), _row_type(array.dtype)
        self._made: dict[Any, Any] = {}

    def __getitem__(self, index: Any) -> Any:
        row = self._made.get(index)
        if row is None:
            row = self._made[index] = self._type(self._array, index)
        return row


def plain_desk(desk: Desk) -> Desk:
    """Return the desk with its records as plain objects."""
    return Desk(*(Rows(a) if a is not None and a.dtype.names else a for a in desk))


@cache
def _row_type(dtype: np.dtype[Any]) -> type:
    """Return a class whose attributes are the fields of a row: arrays as they are, single numbers through properties.

    A field that is a row itself (a position in a bot's scratch) becomes such an object, too.
    """
    names = dtype.names or ()
    rows = [name for name in names if dtype[name].names]
    single = [name for name in names if dtype[name].subdtype is None and name not in rows]

    def __init__(self: Any, array: Any, index: Any) -> None:  # noqa: N807
        for name in names:
            field = array[name]
            if name in rows:
                setattr(self, name, _row_type(dtype[name])(field, index))
            elif name in single:
                setattr(self, f"_{name}", field[(*index, ...) if isinstance(index, tuple) else (index, ...)])
            else:
                setattr(self, name, field[index])

    return type("Row", (), {"__init__": __init__, **{name: _number(f"_{name}") for name in single}})


def _number(place: str) -> property:
    """Return a property that reads and writes a single number."""

    def write(row: Any, value: Any) -> None:
        getattr(row, place)[()] = value

    return property(lambda row: getattr(row, place)[()], write)
