"""`@rule`: plain Python functions that the engine may compile.

Marking costs nothing and imports nothing: the function stays what it is, for pdb, coverage and tests. The engine hands
what was marked to Numba when it first compiles (engine/compiled.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

# (the function as rules call it, the body that is compiled in its place); the engine takes them out.
WAITING: list[tuple[Callable[..., Any], Callable[..., Any]]] = []


def rule(function: F) -> F:
    """Mark a function of the kernel subset (CONTRIBUTING.md) as compilable."""
    WAITING.append((function, function))
    return function


def compiled_as(body: Callable[..., Any]) -> Callable[[F], F]:
    """Mark a function that is compiled from another body than the one that Python runs."""

    def mark(function: F) -> F:
        WAITING.append((function, body))
        return function

    return mark
