"""The bots of Bids."""

from ludus.core import any_marked, draw, rule

from .rules import PRIZES


@rule
def random(view, mask, rng):
    """Bid anything."""
    return any_marked(mask, rng)


@rule
def steady(view, mask, rng):
    """Bid what one has for the best prizes, and little for the others."""
    if view.prize[view.turn] >= PRIZES - 1:
        return view.coins[view.me] - draw(rng, 1 + view.coins[view.me] // 2)
    return draw(rng, 1 + view.coins[view.me] // 4)


BOTS = {"random": random, "steady": steady}
