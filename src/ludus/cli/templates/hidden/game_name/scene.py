"""How Game Name looks: a row a seat, its card of the trick first, then its hand; what is not seen is fog."""

from __future__ import annotations

from typing import Any

from ludus.core import Cell, Event, Piece, Scene

from .rules import DECK, HAND, NONE, SEATS, SPEC, is_over


def scene(view: Any) -> Scene:
    """Return what a seat sees, made from its view alone."""
    pieces: list[Piece] = []
    fog: list[Cell] = []
    for seat in range(SEATS):
        hand = [card for card in range(DECK) if view.where[card] == seat and view.table[seat] != card]
        laid = int(view.table[seat]) if view.table[seat] != NONE else int(view.last_trick[seat]) - 1
        if laid != NONE:
            pieces.append(_card(laid, seat, 0))
        elif seat < view.seat:
            fog.append(Cell(0, seat, "fog"))
        pieces += [_card(card, seat, 1 + place) for place, card in enumerate(hand)]
        left = HAND - int(view.turn) - int(seat < view.seat)
        fog += [Cell(1 + place, seat, "fog") for place in range(len(hand), left)]
    return Scene(
        title=SPEC.title,
        width=1 + HAND,
        height=SEATS,
        status=_status(view),
        rows=SPEC.seats,
        pieces=tuple(pieces),
        cells=tuple(fog),
        numbers=tuple((name, f"{points} points") for name, points in zip(SPEC.seats, view.points.tolist(), strict=True)),
        events=_events(view),
    )


def scene_all(s: Any) -> Scene:
    """Return what a spectator sees: a position has the fields of a view, with nothing unseen."""
    return scene(s)


def _card(card: int, seat: int, x: int) -> Piece:
    return Piece(f"card{card + 1}", x, seat, f"seat{seat}", str(card + 1))


def _status(view: Any) -> str:
    if not is_over(view):
        return f"trick {view.turn + 1} of {HAND}, {SPEC.seats[view.seat]} to lay a card"
    most = max(view.points.tolist())
    best = [name for name, points in zip(SPEC.seats, view.points.tolist(), strict=True) if points == most]
    return f"the last trick is taken, {' and '.join(best)} with {most} points"


def _events(view: Any) -> tuple[Event, ...]:
    """Tell who took the last trick."""
    cards = view.last_trick.tolist()
    if not any(cards):
        return ()
    taker = cards.index(max(cards))
    return (Event("trick", f"{SPEC.seats[taker]} takes the trick with {max(cards)}", f"card{max(cards)}", 0, taker),)
