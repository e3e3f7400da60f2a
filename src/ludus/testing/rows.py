"""Rows, arrays and tables that check what uncompiled rules do: NumPy wraps negative indices and casts silently."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ludus.core import Row, draw, plain, row_class

from .breach import Misuse

LARGEST_TABLE = 64 * 1024  # bytes of an array of a module: a kernel keeps it as a constant


class Cells(np.ndarray[Any, Any]):
    """An array whose indices and values are checked."""

    name = "an array"

    def __array_finalize__(self, source: Any) -> None:
        self.name = getattr(source, "name", self.name)

    def __getitem__(self, index: Any) -> Any:
        check_index(index, self.shape, self.name)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        check_index(index, self.shape, self.name)
        if (isinstance(value, np.ndarray) and value.ndim) or isinstance(value, list | tuple):
            raise Misuse(f"copies a whole array into {self.name}: loop over its cells instead")
        if self.dtype.kind in "iu":
            check_value(value, self.dtype, self.name)
        super().__setitem__(index, value)

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
        check_index(index, (len(self),), self.name)
        return super().__getitem__(index)


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
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    if not low <= int(value) <= high:
        raise Misuse(f"writes {int(value)} to {name}, whose type {kind.str[1:]} ends at {low if value < 0 else high}")


_classes: dict[tuple[int, str], type[Row]] = {}


def checked(source: Any, name: str) -> Row:
    """Return a row over the same memory whose fields are checked; `name` is State, View or Scratch."""
    row = plain(source)
    key = id(row.dtype), name
    if key not in _classes or _classes[key].dtype is not row.dtype:
        _classes[key] = _class(row.dtype, name)
    made = _classes[key].over(row.bytes)
    for field in row.dtype.names or ():
        kind = row.dtype[field]
        if kind.names:
            made.__dict__[field] = checked(made.array[field], f"{name}.{field}")
        elif kind.subdtype:
            made.__dict__[field] = cells(made.array[field][0], f"the field {field}")
    return made


def cells(array: Any, name: str) -> Any:
    """Return an array over the same memory that is checked."""
    view = array.view(Cells)
    view.name = name
    return view


def _class(dtype: np.dtype[Any], name: str) -> type[Row]:
    def write(row: Any, field: str, value: Any) -> None:
        if not field.startswith("_"):
            if field not in (dtype.names or ()):
                raise Misuse(f"{name} has no field {field}")
            if dtype[field].names or dtype[field].subdtype:
                raise Misuse(f"assigns the whole field {field}: loop over its cells instead")
            check_value(value, dtype[field], f"the field {field}")
        object.__setattr__(row, field, value)

    def missing(row: Any, field: str) -> Any:
        if field.startswith("_"):  # memory that is looked at for the first time
            raise AttributeError(field)
        raise Misuse(f"{name} has no field {field}")

    return type("CheckedRow", (row_class(dtype),), {"__setattr__": write, "__getattr__": missing})


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
