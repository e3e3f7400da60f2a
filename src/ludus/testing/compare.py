"""Compare arrays and rows field by field: aligned rows have gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from .breach import CheckFailed


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
    if a.tobytes() == b.tobytes():
        return ""
    for field in a.dtype.names or ():
        if not np.array_equal(a.array[field], b.array[field]):
            return str(field)
    return ""
