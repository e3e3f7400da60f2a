"""Rows as plain objects: `row.field` costs tens of nanoseconds, where a field of a NumPy record costs microseconds.

A Row shares the memory that it was made from. Single numbers are read as Python's own and written in place; arrays are NumPy
arrays, made when they are first asked for. The uncompiled backend plays on rows, texts and pictures read them.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

_CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}


class Row:
    """One row; its fields are attributes, and items under their names."""

    dtype: np.dtype[np.void]  # of the class
    _bytes: memoryview

    if TYPE_CHECKING:  # the fields are those of the dtype

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    @property
    def bytes(self) -> memoryview:
        """The memory of the row."""
        return self._bytes

    @cached_property
    def array(self) -> Any:
        """The row as a NumPy array [1] that shares its memory."""
        return np.frombuffer(self._bytes, self.dtype)

    def cell(self, name: str) -> memoryview:
        """Return the place of a single number, for whoever reads it again and again."""
        assert self.dtype.fields is not None
        kind, offset = self.dtype.fields[name][:2]
        return self._bytes[offset : offset + kind.itemsize].cast(_CODES[kind.str[1:]])  # type: ignore[call-overload,no-any-return]

    @classmethod
    def over(cls, cells: memoryview) -> Row:
        """Return the row of these bytes."""
        row = cls()
        row._bytes = cells
        return row

    def __eq__(self, other: object) -> bool:
        """Compare field by field: rows have gaps."""
        if not isinstance(other, Row) or other.dtype != self.dtype:
            return NotImplemented
        return all(np.array_equal(self.array[name], other.array[name]) for name in self.dtype.names or ())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Row({', '.join(f'{name}={self.array[name][0]}' for name in self.dtype.names or ())})"

    def __deepcopy__(self, memo: Any) -> Row:
        return self.copy()

    def __reduce__(self) -> Any:
        return plain, (self.array.copy(),)

    def tobytes(self) -> builtins.bytes:
        """Return the bytes of the row, gaps included."""
        return self._bytes.tobytes()

    def copy(self) -> Row:
        """Return the row as one of its own."""
        return self.over(memoryview(bytearray(self._bytes)))


class Rows:
    """The rows of an array as plain objects, made when they are first asked for."""

    def __init__(self, array: Any) -> None:
        self._array = array.view(np.ndarray)
        self._made: dict[Any, Row] = {}

    def __getitem__(self, index: Any) -> Row:
        row = self._made.get(index)
        if row is None:
            *before, last = index if isinstance(index, tuple) else (index,)
            row = self._made[index] = plain(self._array[(*before, slice(last, last + 1))])  # not [last]: that would be a copy
        return row


def plain(record: Any) -> Row:
    """Return an array of one record as a row that shares its memory, a single record as a row of its own, a row as it is."""
    if isinstance(record, Row):
        return record
    if isinstance(record, np.ndarray):
        return row_class(record.dtype).over(memoryview(record.view(np.ndarray).reshape(1).view(np.uint8)))  # type: ignore[arg-type]
    return row_class(record.dtype).over(memoryview(bytearray(record.tobytes())))


_classes: dict[int, type[Row]] = {}  # by the identity of the dtype, which its class keeps: to hash one takes microseconds


def blank(dtype: np.dtype[Any], spec: Any, options: Mapping[str, int] | None = None) -> Row:
    """Return a row of zeros with the options of a Spec written: those given, and the defaults of the others."""
    row = plain(np.zeros(1, dtype))
    for option in spec.options:
        row[f"opt_{option.name}"] = (options or {}).get(option.name, option.default)
    return row


def row_class(dtype: np.dtype[Any]) -> type[Row]:
    """Return the class of a dtype's rows."""
    found = _classes.get(id(dtype))
    if found is None or found.dtype is not dtype:
        found = _classes[id(dtype)] = _made(dtype)
    return found


def _made(dtype: np.dtype[Any]) -> type[Row]:
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
    return type("Row", (Row,), {**fields, "dtype": dtype})


class _Array:
    """A field that is an array: looked up once, then an ordinary attribute."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, row: Any, owner: Any = None) -> Any:
        array = row.__dict__[self.name] = row.array[self.name][0]
        return array


class _Inner(_Array):
    """A field that is a row itself (a position in a bot's scratch)."""

    def __get__(self, row: Any, owner: Any = None) -> Any:
        inner = row.__dict__[self.name] = plain(row.array[self.name])
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
        row.array[name][0] = value

    return property(lambda row: int(row.array[name][0]), write)
