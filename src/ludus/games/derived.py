"""What follows from a game's rows alone, for all games: what a game leaves out, and digests.

The functions are rules like any other, so that they run compiled, too; their texts are written here from the dtypes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ludus.core import Spec, any_marked, compiled_as, rule

_STEP, _MIX_1, _MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_64 = 0xFFFFFFFFFFFFFFFF


@rule
def random_bot(view, mask, rng):  # type: ignore[no-untyped-def]
    """Play any legal action: the bot of a game that has none of its own."""
    return any_marked(mask, rng)


def open_view(state: np.dtype[Any]) -> np.dtype[Any]:
    """Return the View of a game that hides nothing: who looks (`me`), and every field of the row."""
    fields = [(name, *_shape(state[name])) for name in state.names or ()]
    return np.dtype([("me", "i4"), *fields], align=True)


def open_observe(state: np.dtype[Any]) -> Callable[..., None]:
    """Return `observe` of a game that hides nothing: it copies."""
    return written("observe(s, seat, view)", ["view.me = seat", *_copying(state, "s", "view")])


def open_sample(state: np.dtype[Any]) -> Callable[..., None]:
    """Return `sample` of a game that hides nothing: it copies back."""
    return written("sample(view, s, rng)", _copying(state, "view", "s"))


def clear_last(state: np.dtype[Any]) -> Callable[..., None]:
    """Return a rule that sets every `last_…` field to 0."""
    lines = [f"s.{name}{'[:]' if state[name].subdtype else ''} = 0" for name in state.names or () if name.startswith("last_")]
    return written("clear_last(s)", lines)


def clearing(verb: Callable[..., Any], clear: Callable[..., None], has_action: bool) -> Callable[..., Any]:
    """Return a verb that first forgets what happened before, for games that do not do so themselves."""
    arguments = "s, action, rng" if has_action else "s, rng"
    return written(f"{verb.__name__}({arguments})", ["clear(s)", f"verb({arguments})"], verb=verb, clear=clear)


def within_bounds(state: np.dtype[Any], spec: Spec) -> Callable[..., bool]:
    """Return the least that is asked of every row: options, seat and turn within their bounds.

    A game's own `sound` says the rest: see CONTRIBUTING.md.
    """
    tests = [f"{option.low} <= s.opt_{option.name} <= {option.high}" for option in spec.options]
    tests += [f"0 <= s.seat < {len(spec.seats)}"]
    return written("within_bounds(s)", [f"return {' and '.join(tests)}"])


@cache
def digest_rule(state: np.dtype[Any]) -> Callable[..., int]:
    """Return a rule that makes one number of a row, field by field: equal rows, whatever stands in their gaps, have equal ones.

    Each number is mixed with its place and all are added up, so that NumPy can do the same for many rows at once.
    """
    lines, place = ["total = zero"], 0
    for name in state.names or ():
        count = int(np.prod(state[name].shape, dtype=int))
        shape = state[name].shape
        if not shape:
            lines.append(f"total = add(total, s.{name}, {place})")
        else:
            index, indent = [], ""
            for axis, length in enumerate(shape):
                lines.append(f"{indent}for i{axis} in range({length}):")
                index.append(f"i{axis}")
                indent += "    "
            flat = "i0"
            for axis in range(1, len(shape)):
                flat = f"({flat}) * {shape[axis]} + i{axis}"
            lines.append(f"{indent}total = add(total, s.{name}[{', '.join(index)}], {place} + {flat})")
        place += count
    return written("digest(s)", [*lines, "return total"], add=add_mixed, zero=np.uint64(0))


def digest_rows(rows: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Return the digests of rows [n], the same numbers as `digest_rule` gives."""
    parts = [np.ascontiguousarray(rows[name]).reshape(len(rows), -1).astype(np.int64) for name in rows.dtype.names or ()]
    words = np.concatenate(parts, axis=1).view(np.uint64)
    words = words ^ ((np.arange(words.shape[1], dtype=np.uint64) + np.uint64(1)) * np.uint64(_STEP))
    for shift, factor in ((30, _MIX_1), (27, _MIX_2)):
        words ^= words >> np.uint64(shift)
        words *= np.uint64(factor)
    words ^= words >> np.uint64(31)
    digests: npt.NDArray[np.uint64] = words.sum(axis=1, dtype=np.uint64)
    return digests


def _add_compiled(total, value, place):  # type: ignore[no-untyped-def]
    word = np.uint64(np.int64(value)) ^ (np.uint64(place + 1) * np.uint64(_STEP))
    word = (word ^ (word >> np.uint64(30))) * np.uint64(_MIX_1)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(_MIX_2)
    return total + (word ^ (word >> np.uint64(31)))


@compiled_as(_add_compiled)
def add_mixed(total: int, value: int, place: int) -> int:
    """Add a number of a row, mixed with its place, to a digest."""
    word = (int(value) & _64) ^ ((place + 1) * _STEP & _64)
    word = ((word ^ (word >> 30)) * _MIX_1) & _64
    word = ((word ^ (word >> 27)) * _MIX_2) & _64
    return (int(total) + (word ^ (word >> 31))) & _64


def _shape(kind: np.dtype[Any]) -> tuple[Any, ...]:
    return (kind.base, kind.shape) if kind.shape else (kind,)


def _copying(state: np.dtype[Any], source: str, target: str) -> list[str]:
    """Return the lines that copy every field, arrays number by number (the kernel subset)."""
    lines = []
    for name in state.names or ():
        index, indent = [], ""
        for axis, length in enumerate(state[name].shape):
            lines.append(f"{indent}for i{axis} in range({length}):")
            index.append(f"i{axis}")
            indent += "    "
        place = f"[{', '.join(index)}]" if index else ""
        lines.append(f"{indent}{target}.{name}{place} = {source}.{name}{place}")
    return lines


def written(head: str, lines: list[str], **scope: Any) -> Callable[..., Any]:
    """Return the rule of this text."""
    exec("\n    ".join([f"def {head}:", *(lines or ["pass"])]), scope)
    function: Callable[..., Any] = scope[head.partition("(")[0]]
    return rule(function)


def both(one: Callable[..., bool], other: Callable[..., bool]) -> Callable[..., bool]:
    """Return a rule that asks for both."""
    return written("sound(s)", ["return one(s) and other(s)"], one=one, other=other)
