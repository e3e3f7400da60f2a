"""A view as a few numbers: what a game's features.py says, or what follows from the fields of its view."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ludus.core import LudusError

from .derived import written

NEEDED = ("FEATURES", "features")  # what a features.py must have
MOST_CELLS = 256  # of a field that becomes numbers by itself; larger ones are boards, which planes show
HALF_WAY = 4  # the number that becomes 0.5 in features that nobody wrote
NOT_TOLD = ("opt_", "me")  # fields that say nothing that changes in a game


class Features(NamedTuple):
    """The rule that fills in the numbers, and what each of them is called."""

    names: tuple[str, ...]
    fill: Callable[..., None]  # (view, out): sets what is not 0 in `out`, float32 [names], which arrives zeroed
    glance: Callable[..., None] | None = None  # (s, seat, out): the same straight from a position, if there is a way


def features(game: Any) -> Features:
    """Return a game's features."""
    if not game.has("features"):
        return _of_fields(game.rules.SPEC, game.view_type)
    try:
        names, fill = (game.says("features", name) for name in NEEDED)
    except Exception as error:  # whatever an unfinished file does
        raise LudusError(f"features.py of {game.name} cannot be read: {type(error).__name__}: {error}") from error
    for name, value in zip(NEEDED, (names, fill), strict=True):
        if value is None:
            raise LudusError(f"features.py of {game.name} has no {name}; it needs {' and '.join(NEEDED)}: see CONTRIBUTING.md")
    if not isinstance(names, tuple) or not names or not all(isinstance(name, str) for name in names):
        raise LudusError(f"features.py of {game.name}: FEATURES is a tuple that names each number, and has one at least")
    return Features(names, fill, game.says("features", "glance"))


def _of_fields(spec: Any, view: np.dtype[Any]) -> Features:
    """Return the features of a game that writes none: every field of its view, number by number, drawn into -1 to 1."""
    if spec.own_ids:
        raise LudusError(
            f"{spec.title} turns its board for a seat and its view does not: features need a features.py, see CONTRIBUTING.md"
        )
    names: list[str] = []
    lines: list[str] = []
    for field in view.names or ():
        shape = view[field].shape
        if field.startswith(NOT_TOLD) or int(np.prod(shape, dtype=int)) > MOST_CELLS:
            continue
        for place in product(*(range(length) for length in shape)):
            names.append(f"{field}{list(place)}" if place else field)
        lines += _squashing(field, shape, len(names) - int(np.prod(shape, dtype=int)))
    return Features(tuple(names), written("features(view, out)", lines))


def _squashing(field: str, shape: tuple[int, ...], first: int) -> list[str]:
    """Return the lines that write a field's numbers from place `first` on; each is one operation, alike on every device."""
    lines, indent, flat = [], "", "0"
    for axis, length in enumerate(shape):
        lines.append(f"{indent}for i{axis} in range({length}):")
        flat = f"({flat}) * {length} + i{axis}" if axis else "i0"
        indent += "    "
    cell = f"view.{field}" + (f"[{', '.join(f'i{axis}' for axis in range(len(shape)))}]" if shape else "")
    return [*lines, f"{indent}value = int({cell})", f"{indent}out[{first} + {flat}] = value / (abs(value) + {HALF_WAY})"]
