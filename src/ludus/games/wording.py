"""The words of a game that writes none: its positions, views and actions as they follow from the dtypes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ludus.core import BadRecord, BadValue, LudusError, Row, UnknownName, one_line, plain, streams


def parse_number(text: str, actions: int) -> int:
    """Read an action that has no name but its number."""
    word = text.strip()
    if not word.isdecimal() or len(word) > 9 or int(word) >= actions:
        raise UnknownName("action", text, [f"0 to {actions - 1}"])
    return int(word)


def why_not(game: Any, s: Row, seat: int, action: int) -> str:
    """Return the reason that can be told of any game."""
    mask = np.zeros(8 * -(-game.spec.actions // 8), np.int8)
    if game.verbs.legal(s, mask) == 0:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    if not 0 <= action < game.spec.actions:
        return "bad_action"
    return "" if mask[action] or not game.spec.refuses else "illegal"


def text(s: Row) -> str:
    """Return a row as lines `field number number …`."""
    lines = []
    for name in s.dtype.names or ():
        numbers = np.asarray(s.array[name]).reshape(-1).tolist()
        lines.append(" ".join([name, *map(str, numbers)]))
    return "\n".join(lines) + "\n"


def parse(game: Any, written: str) -> Row:
    """Read what `text` wrote; every field must be there once, with as many numbers as it has."""
    s = plain(game.empty(1))
    left = dict.fromkeys(s.dtype.names or ())
    for line in written.split("\n"):
        name, *words = line.split() or [""]
        if not name:
            continue
        if name not in left:
            raise BadRecord(
                f"{name[:40]!r} is no field of {game.spec.title}, or stands there twice; fields are: {', '.join(left)}"
            )
        del left[name]
        _read_field(s, name, words)
    if left:
        raise BadRecord(f"a position of {game.spec.title} needs a line for each field; missing: {', '.join(left)}")
    return s


def _read_field(s: Row, name: str, words: list[str]) -> None:
    field = s.array[name].reshape(-1)
    low, high = np.iinfo(field.dtype).min, np.iinfo(field.dtype).max
    if len(words) != field.size:
        raise BadRecord(f"{name} has {field.size} numbers, not {len(words)}")
    for place, word in enumerate(words):
        if not re.fullmatch(r"-?\d{1,20}", word) or not low <= int(word) <= high:
            raise BadRecord(f"{name}: a whole number from {low} to {high} is needed, not {word[:40]!r}")
        field[place] = int(word)


def public(game: Any, view: Row) -> dict[str, Any]:
    """Return a view's fields by name; seats by their names, a field `is_over` as `over`."""
    seats = game.spec.seats
    shown: dict[str, Any] = {name: view.array[name][0].tolist() for name in view.dtype.names or ()}
    mask = np.zeros(8 * -(-game.spec.actions // 8), np.int8)
    if not game.hidden:  # then the view is the row, and tells whether the game is over
        shown["over"] = game.verbs.legal(view, mask) == 0
    elif "is_over" in shown:
        shown["over"] = bool(shown.pop("is_over"))
    for name, key in (("me", "me"), ("seat", "to_move")):
        if isinstance(seat := shown.pop(name, None), int):
            shown[key] = seats[seat] if 0 <= seat < len(seats) else None
    return shown


# What Python says of numbers that do not fit a row.
MISFITS = (KeyError, ValueError, TypeError, IndexError, AttributeError, ArithmeticError, StopIteration)


def read_view(game: Any, shown: Mapping[str, Any], view: Row) -> None:
    """Write a view of zeros from what `public` told of it."""
    seats, names = game.spec.seats, {"me": "me", "seat": "to_move", "is_over": "over"}
    for name in view.dtype.names or ():
        value = shown[names.get(name, name)]
        view.array[name][0] = seats.index(value) if isinstance(value, str) else value


def view_of(game: Any, shown: Mapping[str, Any]) -> Row:
    """Return the view that plain data tell, if a position can be made from it that is sound and looks the same."""
    view = plain(np.zeros(1, game.view_type))
    own = game.says("text", "read_view")
    try:
        own(shown, view) if own else read_view(game, shown, view)
        if not (game.public(view) == shown and is_view(game, view)):
            raise ValueError("its numbers do not fit each other")
    except (*MISFITS, LudusError) as error:
        raise BadValue(f"this is no view of {game.spec.title} as public tells it: {one_line(repr(error))}") from None
    return view


def is_view(game: Any, view: Row) -> bool:
    """Say whether a position that is sound looks so; uncompiled, which comes to no harm whatever stands in the view."""
    s = plain(game.empty(1))
    try:
        with np.errstate(all="ignore"):
            game.verbs.sample(view, s, streams(0, 1)[0])
        return bool(game.verbs.sound(s)) and bool(game.look(s, view.me) == view)
    except MISFITS:
        return False
