"""Cards as a few numbers: the hand, and what was played."""

from ludus.core import rule

from .rules import CARDS, PLAYED

FEATURES = (
    "it is my turn",
    *(f"card {card} is mine" for card in range(CARDS)),
    *(f"card {card} was played" for card in range(CARDS)),
)


@rule
def features(view, out):
    """Write the numbers."""
    out[0] = view.seat == view.me
    for card in range(CARDS):
        out[1 + card] = view.mine[card]
        out[1 + CARDS + card] = view.played[card]


@rule
def glance(s, seat, out):
    """Write the same straight from a position."""
    out[0] = s.seat == seat
    for card in range(CARDS):
        out[1 + card] = 1 if s.place[card] == seat else 0
        out[1 + CARDS + card] = 1 if s.place[card] == PLAYED else 0
