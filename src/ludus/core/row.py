"""Rows as plain objects: `row.field` costs tens of nanoseconds, where a field of a NumPy record costs microseconds.

A Row shares the memory that it was made from. Single numbers are read as Python's own and written in place; arrays are NumPy
arrays, made when they are first asked for. The uncompiled backend plays on rows, texts and pictures read them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

_CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}


class Row:
    """One row; its fields are attributes, and items under their names."""

    _array: Any  # [1] the row
    _bytes: memoryview

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The dtype of the row."""
        dtype: np.dtype[np.void] = self._array.dtype
        return dtype

    @property
    def array(self) -> Any:
        """The row as a NumPy array [1] that shares its memory."""
        return self._array

    def copy(self) -> Row:
        """Return the row as one of its own."""
        return plain(self._array.copy())


class Rows:
    """The rows of an array as plain objects, made when they are first asked for."""

    def __init__(self, array: Any) -> None:
        self._array = array.view(np.ndarray)
        self._made: dict[Any, Row] = {}

    def __getitem__(self, index: Any) -> Row:
        row = self._made.get(index)
        if row is None:
            row = self._made[index] = plain(self._array[index] if isinstance(index, tuple) else self._array[index : index + 1])
        return row


def plain(record: Any) -> Row:
    """Return a record, or an array of one, as a row that shares its memory; a row comes back as it is."""
    if isinstance(record, Row):
        return record
    array = np.asarray(record).view(np.ndarray).reshape(1)  # a record is a view of its array
    if not np.shares_memory(array, record):
        array = np.frombuffer(record, array.dtype) if not isinstance(record, np.ndarray) else array
    row = row_class(array.dtype)()
    row._array = array
    row._bytes = memoryview(array.view(np.uint8))
    return row


@cache
def row_class(dtype: np.dtype[Any]) -> type[Row]:
    """Return the class of a dtype's rows."""
    fields: dict[str, Any] = {}
    for name, (kind, offset, *_) in (dtype.fields or {}).items():
        if kind.names:
            fields[name] = _Inner(name)
        elif kind.subdtype is None and offset % kind.itemsize == 0:
            fields[name] = _number(_CODES[kind.str[1:]], offset, kind.itemsize)
        elif kind.subdtype is None:
            fields[name] = _loose_number(name)
        else:
            fields[name] = _Array(name)
    return type("Row", (Row,), fields)


class _Array:
    """A field that is an array: looked up once, then an ordinary attribute."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, row: Any, owner: Any = None) -> Any:
        array = row.__dict__[self.name] = row._array[self.name][0]
        return array


class _Inner(_Array):
    """A field that is a row itself (a position in a bot's scratch)."""

    def __get__(self, row: Any, owner: Any = None) -> Any:
        inner = row.__dict__[self.name] = plain(row._array[self.name])
        return inner


def _number(code: str, offset: int, size: int) -> property:
    """Return a property that reads and writes a single number through a view of the row as numbers of its type."""
    words, place = f"_{code}", offset // size

    def read(row: Any) -> int:
        try:
            number: int = getattr(row, words)[place]
        except AttributeError:
            number = _words(row, code)[place]
        return number

    def write(row: Any, value: Any) -> None:
        cells = getattr(row, words, None) or _words(row, code)
        try:
            cells[place] = value
        except TypeError:  # a truth value of NumPy's, or a float that rules made
            cells[place] = int(value)

    return property(read, write)


def _words(row: Any, code: str) -> Any:
    size = np.dtype(code).itemsize
    whole = len(row._bytes) // size * size  # a row ends with a gap where its largest number is smaller
    words = row.__dict__[f"_{code}"] = row._bytes[:whole].cast(code)
    return words


def _loose_number(name: str) -> property:
    """The same for a number that is not aligned, which only a broken game has."""

    def write(row: Any, value: Any) -> None:
        row._array[name][0] = value

    return property(lambda row: int(row._array[name][0]), write)
