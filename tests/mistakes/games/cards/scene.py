"""How Cards looks: a row of cards a seat."""

from ludus.core import Piece, Scene

from .rules import CARDS, HAND, NONE, PLAYED, SPEC


def scene(view):
    mine = [Piece(f"c{card}", card, view.me, f"seat{view.me}", str(card)) for card in range(CARDS) if view.mine[card]]
    return _scene(view, mine)


def scene_all(s):
    hands = [
        Piece(f"c{card}", card, int(s.place[card]), f"seat{s.place[card]}", str(card))
        for card in range(CARDS)
        if s.place[card] < 2
    ]
    return _scene(s, hands)


def _scene(position, hands):
    table = [Piece("led", position.lead, 2, "neutral", str(position.lead))] if position.lead != NONE else []
    over = position.turn == HAND
    return Scene(
        title=SPEC.title,
        width=CARDS,
        height=PLAYED,
        status="over" if over else f"{SPEC.seats[position.seat]} to play",
        pieces=tuple(hands + table),
        numbers=tuple((SPEC.seats[seat], str(position.tricks[seat])) for seat in range(2)),
    )
