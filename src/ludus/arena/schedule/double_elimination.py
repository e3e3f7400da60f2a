"""Double elimination: who loses a second heat is out."""

from __future__ import annotations

from collections.abc import Iterator

from .elimination import eliminate
from .pairing import Field, Pairing


def double_elimination(field: Field) -> Iterator[list[Pairing]]:
    """Give the heats of a cup, round by round, in which everybody may lose one."""
    return eliminate(field, lives=2)
