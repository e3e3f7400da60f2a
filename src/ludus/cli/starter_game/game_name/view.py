"""How Game Name looks: scenes, the text of a position, names and refusals of actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import BadRecord, Event, Piece, Scene, UnknownName

from .rules import CELLS, NOBODY, SIZE, SPEC, State, is_over, judge, row_through

COLUMNS, ROWS = "abcdefghi"[:SIZE], "123456789"[:SIZE]
CELL_NAMES = tuple(column + row for row in ROWS for column in COLUMNS)  # by action
SYMBOLS = "XO"  # by seat
FREE, NONE = ".", "-"  # in texts: a free cell, no cell


def why_not(s: Any, seat: int, action: int) -> str:
    """Return the reason for which a seat may not play this, or ""."""
    if is_over(s):
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    if not 0 <= action < SPEC.actions:
        return "bad_action"
    return "" if s.owner[action] == NOBODY else "claimed"


def action_name(action: int) -> str:
    """Return an action as people write it: the column's letter, then the row's number from the top."""
    return CELL_NAMES[action]


def parse_action(text: str) -> int:
    """Read an action in any case."""
    word = text.strip().lower()
    if word not in CELL_NAMES:
        raise UnknownName("cell", text, [f"{CELL_NAMES[0]} to {CELL_NAMES[-1]}"])
    return CELL_NAMES.index(word)


def scene(s: Any, seat: int = -1) -> Scene:
    """Return the position as a scene; every seat sees the same."""
    return Scene(
        title=SPEC.title,
        width=SIZE,
        height=SIZE,
        status=_status(s),
        columns=tuple(COLUMNS),
        rows=tuple(ROWS),
        pieces=tuple(
            Piece(CELL_NAMES[cell], cell % SIZE, cell // SIZE, f"seat{owner}", SYMBOLS[owner])
            for cell, owner in enumerate(s.owner)
            if owner != NOBODY
        ),
        numbers=(("in a row", str(s.opt_row)), ("move", str(s.moves))),
        events=_events(s),
    )


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages."""
    return {
        "me": SPEC.seats[view.me],
        "to_move": SPEC.seats[view.seat],
        "over": bool(is_over(view)),
        "size": SIZE,
        "row": int(view.row),
        "cells": {CELL_NAMES[cell]: SPEC.seats[owner] for cell, owner in enumerate(view.owner) if owner != NOBODY},
        "last": _last(view),
    }


def text(s: Any) -> str:
    """Return a position as a line of facts and a drawing, which `parse` reads back."""
    symbols = [FREE if owner == NOBODY else SYMBOLS[owner] for owner in s.owner]
    drawing = (" ".join(symbols[at : at + SIZE]) for at in range(0, CELLS, SIZE))
    return "\n".join([f"row {s.opt_row}; last {_last(s) or NONE}", *drawing]) + "\n"


def parse(drawing: str) -> Any:
    """Read a position; whose move it is and who has won follows from the cells and the last of them that was claimed."""
    facts, *rows = [line.split() for line in drawing.splitlines() if line.strip()] or [[]]
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows):
        raise BadRecord(f"a position is a line of facts and {SIZE} rows of {SIZE} cells; the option size sets another board")
    s = np.zeros(1, State).view(np.recarray)[0]
    _read_cells(s, [symbol for row in rows for symbol in row])
    _read_facts(s, " ".join(facts))
    _judge_again(s)
    return s


def _read_cells(s: Any, symbols: list[str]) -> None:
    for cell, symbol in enumerate(symbols):
        if symbol not in (FREE, *SYMBOLS):
            raise BadRecord(f"{symbol!r} on {CELL_NAMES[cell]} is none of: {FREE} {' '.join(SYMBOLS)}")
        s.owner[cell] = NOBODY if symbol == FREE else SYMBOLS.index(symbol)
    first, second = (symbols.count(symbol) for symbol in SYMBOLS)
    if first - second not in (0, 1):
        raise BadRecord(f"x begins, so there cannot be {first} X and {second} O")
    s.moves, s.seat = first + second, first - second


def _read_facts(s: Any, facts: str) -> None:
    match facts.replace(";", "").split():
        case ["row", length, "last", cell] if length.isdecimal():
            s.opt_row = SPEC.options[0].check(int(length))
            s.last_action = -1 if cell == NONE else parse_action(cell)
        case _:
            raise BadRecord(f"cannot read {facts!r}; facts are: row 4; last c3 (or {NONE})")
    if (s.last_action < 0) != (s.moves == 0) or (s.moves and s.owner[s.last_action] != 1 - s.seat):
        raise BadRecord(f"{facts!r} does not fit: {SPEC.seats[1 - s.seat]} claimed the last of {s.moves} cells")


def _judge_again(s: Any) -> None:
    """Let the last move win once more if it did; no row may be older, since nobody moves after the end."""
    s.winner = NOBODY
    if s.moves:
        s.seat = 1 - s.seat
        judge(s, s.last_action)
        s.seat = 1 - s.seat
    for cell, owner in enumerate(s.owner):
        if owner not in (NOBODY, s.winner) and row_through(s, cell, owner) >= s.opt_row:
            raise BadRecord(f"{SPEC.seats[owner]} had won before {_last(s)} was claimed")


def _status(s: Any) -> str:
    if s.winner != NOBODY:
        return f"{SPEC.seats[s.winner]} has {s.opt_row} in a row"
    return "the board is full, a draw" if is_over(s) else f"{SPEC.seats[s.seat]} to move"


def _events(s: Any) -> tuple[Event, ...]:
    """Tell the last move."""
    if not s.moves:
        return ()
    who = SPEC.seats[s.owner[s.last_action]]
    x, y = int(s.last_action) % SIZE, int(s.last_action) // SIZE
    return (Event("claim", f"{who} claims {_last(s)}", _last(s), x, y),)


def _last(board: Any) -> str:
    """Return the cell claimed last, of a position or a view, or ""."""
    return "" if board.last_action < 0 else CELL_NAMES[board.last_action]
