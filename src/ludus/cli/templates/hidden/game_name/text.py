"""Views of Game Name as plain data. Positions as text are Ludus' own: a line a field."""

from __future__ import annotations

from typing import Any

from .rules import DECK, LAID, NONE, SPEC, is_over


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages; cards are their numbers."""
    seats, table, where = SPEC.seats, view.table.tolist(), view.where.tolist()
    return {
        "me": seats[view.me],
        "to_move": seats[view.seat],
        "turn": int(view.turn),
        "over": bool(is_over(view)),
        "points": dict(zip(seats, view.points.tolist(), strict=True)),
        "hand": [card + 1 for card in range(DECK) if where[card] == view.me and table[view.me] != card],
        "table": {seats[seat]: card + 1 for seat, card in enumerate(table) if card != NONE},
        "gone": [card + 1 for card in range(DECK) if where[card] == LAID],
    }
