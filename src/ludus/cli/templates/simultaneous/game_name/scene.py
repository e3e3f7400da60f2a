"""How Game Name looks: heads are capital letters, trails small ones, × is where somebody went out."""

from __future__ import annotations

from typing import Any

from ludus.core import Event, Piece, Scene

from .rules import NOBODY, SEATS, SIZE, SPEC, is_over


def scene(view: Any) -> Scene:
    """Return what a seat sees, made from its view alone."""
    return Scene(
        title=SPEC.title,
        width=SIZE,
        height=SIZE,
        status=_status(view),
        pieces=tuple(_piece(view, cell, owner) for cell, owner in enumerate(view.owner.tolist()) if owner != NOBODY),
        numbers=tuple((name, "out" if view.out[seat] else "in") for seat, name in enumerate(SPEC.seats)),
        events=tuple(_fall(view, seat) for seat in range(SEATS) if view.out[seat] and view.out[seat] == view.turn),
    )


def scene_all(s: Any) -> Scene:
    """Return what a spectator sees: a position has the fields of a view, and plans are not drawn."""
    return scene(s)


def _id(cell: int) -> str:
    return f"{cell % SIZE},{cell // SIZE}"


def _piece(view: Any, cell: int, owner: int) -> Piece:
    letter = SPEC.seats[owner][0]
    if cell == view.head[owner]:
        letter = "×" if view.out[owner] else letter.upper()
    return Piece(_id(cell), cell % SIZE, cell // SIZE, f"seat{owner}", letter)


def _status(view: Any) -> str:
    if not is_over(view):
        return f"turn {view.turn}, {SPEC.seats[view.seat]} to step"
    left = [name for seat, name in enumerate(SPEC.seats) if not view.out[seat]]
    return f"{left[0]} is the last one" if left else "nobody is left, a draw of the last ones"


def _fall(view: Any, seat: int) -> Event:
    cell = int(view.head[seat])
    return Event("out", f"{SPEC.seats[seat]} is out", _id(cell), cell % SIZE, cell // SIZE)
