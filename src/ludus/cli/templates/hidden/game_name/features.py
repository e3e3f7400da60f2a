"""Game Name as a few numbers, for learners that look at no planes: the cards as I know them, and how the game stands."""

from ludus.core import rule

from .rules import DECK, HAND, LAID, NONE, SEATS

FEATURES = (  # one name a number
    "tricks taken",
    "highest card on the table",
    *(f"points of the {k}. after me" if k else "my points" for k in range(SEATS)),
    *(f"card {card + 1} is mine" for card in range(DECK)),
    *(f"card {card + 1} is gone" for card in range(DECK)),
)
MOST_POINTS = HAND * (HAND + 1) // 2  # all tricks


@rule
def features(view, out):
    """Write the numbers from -1 to 1, as the seat `view.me` sees them; what is 0 stands there already."""
    out[0] = view.turn / HAND
    highest = NONE
    for seat in range(SEATS):
        highest = max(highest, int(view.table[seat]))
        out[2 + (seat - view.me + SEATS) % SEATS] = min(int(view.points[seat]), MOST_POINTS) / MOST_POINTS
    out[1] = (highest + 1) / DECK
    for card in range(DECK):
        if view.where[card] == view.me:
            out[2 + SEATS + card] = 1
        elif view.where[card] == LAID:
            out[2 + SEATS + DECK + card] = 1
