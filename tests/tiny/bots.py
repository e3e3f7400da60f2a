"""Bots of Tiny: one that remembers, and one that is broken."""

import numpy as np

from ludus.core import any_marked, nth_marked, rule

Scratch = np.dtype([("calls", "i8")])  # how often the bot was asked in this game


@rule
def random(view, mask, rng):
    """Play anything."""
    return any_marked(mask, rng)


@rule
def counting(view, mask, rng, scratch):
    """Play the first marked action when asked first, then the last ones: who forgets plays otherwise."""
    scratch.calls += 1
    if scratch.calls == 1:
        return nth_marked(mask, 0)
    action = 3
    while mask[action] == 0:
        action -= 1
    return action


@rule
def broken(view, mask, rng):
    """Answer what no action is."""
    return -1


BOTS = {"random": random, "counting": counting, "broken": broken}
