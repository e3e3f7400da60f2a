"""Game Name's built-in bots, weak to strong. They see their view and the mask, and nothing else; `random` comes by itself."""

from ludus.core import nth_marked, rule

from .rules import DECK, NONE, SEATS


@rule
def greedy(view, mask, rng):
    """Lay the lowest card that takes the trick as far as one sees, else the lowest: high ones are for late tricks."""
    best = NONE
    for seat in range(SEATS):
        best = max(best, view.table[seat])
    for card in range(best + 1, DECK):
        if mask[card]:
            return card
    return nth_marked(mask, 0)


BOTS = {"greedy": greedy}
