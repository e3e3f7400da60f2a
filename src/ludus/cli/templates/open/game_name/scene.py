"""How Game Name looks. Nothing is hidden, so a scene is made from a position or a view."""

from __future__ import annotations

from typing import Any

from ludus.core import Event, Piece, Scene

from .actions import CELL_NAMES, COLUMNS, ROWS
from .rules import LETTERS, NOBODY, SIZE, SPEC, is_over


def scene(s: Any) -> Scene:
    """Return the position as a scene; every seat sees the same."""
    return Scene(
        title=SPEC.title,
        width=SIZE,
        height=SIZE,
        status=_status(s),
        columns=tuple(COLUMNS),
        rows=tuple(ROWS),
        pieces=tuple(
            Piece(CELL_NAMES[cell], cell % SIZE, cell // SIZE, f"seat{owner}", LETTERS[owner])
            for cell, owner in enumerate(s.owner.tolist())
            if owner != NOBODY
        ),
        numbers=(("in a row", str(s.opt_row)), ("turn", str(s.turn))),
        events=_events(s),
    )


def _status(s: Any) -> str:
    if s.winner != NOBODY:
        return f"{SPEC.seats[s.winner]} has {s.opt_row} in a row"
    return "the board is full, a draw" if is_over(s) else f"{SPEC.seats[s.seat]} to move"


def _events(s: Any) -> tuple[Event, ...]:
    """Tell the last move."""
    if not s.turn:
        return ()
    cell, who = int(s.last_action), SPEC.seats[s.owner[s.last_action]]
    return (Event("claim", f"{who} claims {CELL_NAMES[cell]}", CELL_NAMES[cell], cell % SIZE, cell // SIZE),)
