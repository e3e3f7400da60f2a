"""Rows, arrays and tables that check what uncompiled rules do: NumPy wraps negative indices and casts silently."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from ludus.core import Row, draw, plain, row_class

from .breach import Misuse
from .work import work

LARGEST_TABLE = 64 * 1024  # bytes of an array of a module: a kernel keeps it as a constant
KINDS = [np.dtype(code) for code in "bBhHiIlLqQ"]
WHOLE = {int, *(kind.type for kind in KINDS)}  # types of whole numbers; truth values are none
LIMITS: dict[np.dtype[Any], tuple[float, float]] = {kind: (int(np.iinfo(kind).min), int(np.iinfo(kind).max)) for kind in KINDS}
# By what a cell holds: types of which it holds every number.
FITTING = {kind: {other.type for other in KINDS if np.can_cast(other, kind)} for kind in KINDS}
NUMBERS = {*WHOLE, float, np.float32, np.float64, bool, np.bool_}
get_cell, set_cell, get_number = np.ndarray.__getitem__, np.ndarray.__setitem__, tuple.__getitem__


class Cells(np.ndarray[Any, Any]):
    """An array whose indices and values are checked, quickly where nothing is wrong: rules touch millions of cells."""

    name = "an array"
    low, high = -inf, inf  # what a cell can hold
    fitting = NUMBERS

    def __array_finalize__(self, source: Any) -> None:
        if type(source) is Cells:
            self.__dict__.update(source.__dict__)

    def __getitem__(self, index: Any) -> Any:
        work.done += 1
        if type(index) is tuple:
            for part in index:
                if type(part) not in WHOLE or part < 0:
                    check_index(index, self.shape, self.name)
                    break
        elif type(index) not in WHOLE or index < 0:
            check_index(index, self.shape, self.name)
        try:
            return get_cell(self, index)
        except IndexError:
            check_index(index, self.shape, self.name)
            raise

    def __setitem__(self, index: Any, value: Any) -> None:
        work.done += 1
        if type(index) is tuple:
            for part in index:
                if type(part) not in WHOLE or part < 0:
                    check_index(index, self.shape, self.name)
                    break
        elif type(index) not in WHOLE or index < 0:
            check_index(index, self.shape, self.name)
        if (type(value) is not int or not self.low <= value <= self.high) and type(value) not in self.fitting:
            self._check_value(value)
        try:
            set_cell(self, index, value)
        except IndexError:
            check_index(index, self.shape, self.name)
            raise

    def _check_value(self, value: Any) -> None:
        if (isinstance(value, np.ndarray) and value.ndim) or isinstance(value, list | tuple):
            raise Misuse(f"copies a whole array into {self.name}: loop over its cells instead")
        if self.dtype.kind in "iu":
            check_value(value, self.dtype, self.name)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **more: Any) -> Any:
        raise Misuse(f"calculates with the whole array {self.name} ({ufunc.__name__}): loop over its cells instead")

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise Misuse(f"calls np.{function.__name__} with the whole array {self.name}: loop over its cells instead")

    def copy(self, order: Any = "C") -> Any:
        """Refuse: rules allocate nothing."""
        raise Misuse(f"copies the array {self.name}: rules allocate nothing")


class Numbers(tuple[Any, ...]):
    """A tuple of numbers, a constant of a module, whose indices are checked."""

    name = "a tuple"

    def __getitem__(self, index: Any) -> Any:
        if type(index) not in WHOLE or not 0 <= index < len(self):
            check_index(index, (len(self),), self.name)
        return get_number(self, index)


def check_index(index: Any, shape: tuple[int, ...], name: str) -> None:
    """Refuse what is no place of an array."""
    parts = index if isinstance(index, tuple) else (index,)
    if len(parts) > len(shape):
        raise Misuse(f"{len(parts)} indices are too many for {name}, which has {len(shape)} axes")
    for axis, part in enumerate(parts):
        if isinstance(part, slice) or part is Ellipsis:
            continue
        if isinstance(part, bool | np.bool_) or not isinstance(part, int | np.integer):
            raise Misuse(f"{part!r} of the type {type(part).__name__} is no index of {name}")
        if not 0 <= part < shape[axis]:
            of_axis = f" on axis {axis}" if len(shape) > 1 else ""
            raise Misuse(f"index {int(part)} of {name}{of_axis} is not from 0 to {shape[axis] - 1}")


def check_value(value: Any, kind: np.dtype[Any], name: str) -> None:
    """Refuse a value that a field of whole numbers cannot hold."""
    if isinstance(value, float | np.floating):
        raise Misuse(f"writes the float {value!r} to {name}: rows hold whole numbers")
    if not isinstance(value, int | np.integer | np.bool_):
        raise Misuse(f"writes {value!r} to {name}: rows hold whole numbers")
    low, high = LIMITS[kind]
    if not low <= int(value) <= high:
        raise Misuse(f"writes {int(value)} to {name}, whose type {kind.str[1:]} ends at {low if value < 0 else high}")


_classes: dict[tuple[int, str], type[Row]] = {}


def checked(source: Any, name: str) -> Row:
    """Return a row over the same memory whose fields are checked; `name` is State, View or Scratch."""
    row = plain(source)
    key = id(row.dtype), name
    if key not in _classes or _classes[key].dtype is not row.dtype:
        _classes[key] = _class(row.dtype, name)
    return _classes[key].over(row.bytes)


def cells(array: Any, name: str) -> Any:
    """Return an array over the same memory that is checked."""
    view = array.view(Cells)
    view.name = name
    if array.dtype in LIMITS:
        (view.low, view.high), view.fitting = LIMITS[array.dtype], FITTING[array.dtype]
    return view


class _Field:
    """A field that is an array, or a row itself: checked when it is first looked at, then an ordinary attribute."""

    def __init__(self, field: str, row_name: str) -> None:
        self.field, self.row_name = field, row_name

    def __get__(self, row: Any, owner: Any = None) -> Any:
        array, is_row = row.array[self.field], row.dtype[self.field].names
        made = checked(array, f"{self.row_name}.{self.field}") if is_row else cells(array[0], f"the field {self.field}")
        row.__dict__[self.field] = made
        return made


def _class(dtype: np.dtype[Any], name: str) -> type[Row]:
    numbers = {field: LIMITS[dtype[field]] for field in dtype.names or () if dtype[field] in LIMITS}
    others = {field: _Field(field, name) for field in dtype.names or () if field not in numbers}

    def write(row: Any, field: str, value: Any) -> None:
        if field in numbers:
            low, high = numbers[field]
            if type(value) not in WHOLE or not low <= int(value) <= high:
                check_value(value, dtype[field], f"the field {field}")
        elif field in others:
            raise Misuse(f"assigns the whole field {field}: loop over its cells instead")
        elif not field.startswith("_"):
            raise Misuse(f"{name} has no field {field}")
        object.__setattr__(row, field, value)

    def missing(row: Any, field: str) -> Any:
        if field.startswith("_"):  # memory that is looked at for the first time
            raise AttributeError(field)
        raise Misuse(f"{name} has no field {field}")

    return type("CheckedRow", (row_class(dtype),), {**others, "__setattr__": write, "__getattr__": missing})


@contextmanager
def checked_tables(package: str, files: list[Path]) -> Iterator[None]:
    """Let the arrays and tuples of a game's modules check their indices, and refuse writing, while uncompiled rules run."""
    names = {file.stem for file in files}
    modules = [module for key, module in sys.modules.items() if key.startswith(f"{package}.")]
    changed: list[tuple[dict[str, Any], str, Any]] = []
    for module in modules:
        if module.__name__.removeprefix(f"{package}.") in names:
            for name, value in list(vars(module).items()):
                other = _guard(name, value)
                if other is not value:
                    changed.append((vars(module), name, value))
                    vars(module)[name] = other
    try:
        yield
    finally:
        for space, name, value in changed:
            space[name] = value


def _guard(name: str, value: Any) -> Any:
    if type(value) is np.ndarray and not value.dtype.names:
        table = cells(value, f"the table {name}")
        table.flags.writeable = False
        return table
    if type(value) is tuple and value and all(isinstance(v, int | float) for v in value):
        numbers = Numbers(value)
        numbers.name = f"the tuple {name}"
        return numbers
    return checked_draw if value is draw else value


def checked_draw(rng: Any, n: int) -> int:
    """Draw as `draw` does; a draw among nothing is refused."""
    if isinstance(n, float) or not 1 <= n < 2**32:
        raise Misuse(f"draw(rng, {n!r}): the second number is from 1 to 2^32 - 1")
    return draw(rng, n)
