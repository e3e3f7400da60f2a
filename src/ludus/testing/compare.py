"""Compare arrays and rows field by field: aligned rows have gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from .breach import CheckFailed

_known: dict[int, tuple[Any, Any]] = {}  # by the identity of a dtype: to hash one takes microseconds


def same(a: Any, b: Any, where: str) -> int:
    """Compare two arrays, records field by field; return how many values."""
    if a.dtype.names:
        return sum(same(a[field], b[field], f"{where}, {field}") for field in a.dtype.names)
    if a.shape != b.shape:
        raise CheckFailed(f"{where} differ in shape: {a.shape} against {b.shape}")
    if not np.array_equal(a, b):
        spot = tuple(int(place) for place in np.argwhere(np.asarray(a != b))[0])
        at_spot = f" at {list(spot)}" if spot else ""
        raise CheckFailed(f"{where} differ{at_spot}: {a[spot]} against {b[spot]}")
    return int(a.size)


def different(a: Any, b: Any) -> str:
    """Return the first field in which two rows differ, or ""."""
    one, other = (np.frombuffer(row.bytes, np.uint8) for row in (a, b))
    if not (one != other)[_field_bytes(a.dtype)].any():
        return ""
    for field in a.dtype.names or ():
        if not np.array_equal(a.array[field], b.array[field]):
            return str(field)
    return ""


def _field_bytes(dtype: np.dtype[Any]) -> Any:
    """Return which bytes of a row [bytes] are in a field, not in a gap."""
    if id(dtype) not in _known or _known[id(dtype)][0] is not dtype:
        inside = np.zeros(dtype.itemsize, bool)
        for kind, offset, *_ in (dtype.fields or {}).values():
            inside[offset : offset + kind.itemsize] = True
        _known[id(dtype)] = dtype, inside
    return _known[id(dtype)][1]
