"""Positions of Game Name as text, views as plain data."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ludus.core import BadRecord, plain

from .actions import CELL_NAMES
from .rules import CELLS, LETTERS, NOBODY, SEATS, SIZE, SPEC, State, is_over, judge, sound

SYMBOLS = "." + LETTERS  # a free cell, then by seat
NONE = "-"  # no cell was claimed yet
FACTS = re.compile(f"row ([3-{SIZE}]); last ({'|'.join(CELL_NAMES)}|{NONE})")


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages."""
    return {
        "me": SPEC.seats[view.me],
        "to_move": SPEC.seats[view.seat],
        "turn": int(view.turn),
        "over": bool(is_over(view)),
        "winner": None if view.winner == NOBODY else SPEC.seats[view.winner],
        "size": SIZE,
        "row": int(view.opt_row),
        "cells": {CELL_NAMES[cell]: SPEC.seats[owner] for cell, owner in enumerate(view.owner.tolist()) if owner != NOBODY},
        "last": CELL_NAMES[view.last_action] if view.turn else None,
    }


def text(s: Any) -> str:
    """Return a position as a line of facts and a drawing, which `parse` reads back."""
    symbols = [SYMBOLS[1 + owner] for owner in s.owner.tolist()]
    drawing = (" ".join(symbols[at : at + SIZE]) for at in range(0, CELLS, SIZE))
    return "\n".join([f"row {s.opt_row}; last {CELL_NAMES[s.last_action] if s.turn else NONE}", *drawing]) + "\n"


def parse(drawing: str) -> Any:
    """Read a position; whose move it is and who has won follows from the cells and the last of them that was claimed."""
    facts, *rows = [line.split() for line in drawing.splitlines() if line.strip()] or [[]]
    found, symbols = FACTS.fullmatch(" ".join(facts)), [symbol for row in rows for symbol in row]
    if not found or [len(row) for row in rows] != [SIZE] * SIZE or not set(symbols) <= set(SYMBOLS):
        raise BadRecord(
            f"a position is a line such as 'row 3; last a1' (at the start: {NONE}) and {SIZE} rows of {SIZE} cells, each "
            f"one of {' '.join(SYMBOLS)}; the option size sets another board"
        )
    s: Any = plain(np.zeros(1, State))
    s.owner[:] = [SYMBOLS.index(symbol) - 1 for symbol in symbols]
    s.opt_row, s.turn, s.winner = int(found[1]), CELLS - symbols.count(SYMBOLS[0]), NOBODY
    s.seat, s.last_action = s.turn % SEATS, 0 if found[2] == NONE else CELL_NAMES.index(found[2])
    if s.owner[s.last_action] != NOBODY:
        judge(s, s.last_action)
    if not sound(s):
        raise BadRecord("play cannot lead here: X begins, all claim in turn, the last cell is the last mover's, a row ends it")
    return s
