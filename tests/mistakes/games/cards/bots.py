"""The bots of Cards."""

import numpy as np

from ludus.core import any_marked, rule

from .rules import CARDS, NONE

Scratch = np.dtype([("asked", "i4"), ("low", "i4")], align=True)


@rule
def random(view, mask, rng):
    """Play any card."""
    return any_marked(mask, rng)


@rule
def thrifty(view, mask, rng, scratch):
    """Take a trick as cheaply as it can be taken, else throw the lowest card away; lead the highest."""
    scratch.asked += 1
    lowest, highest, cheapest = NONE, NONE, NONE
    for card in range(CARDS):
        if mask[card]:
            if lowest == NONE:
                lowest = card
            highest = card
            if view.lead != NONE and card > view.lead and cheapest == NONE:
                cheapest = card
    scratch.low = lowest
    if view.lead == NONE:
        return highest
    return cheapest if cheapest != NONE else lowest


BOTS = {"random": random, "thrifty": thrifty}
