"""Unit as a few hundred numbers: the turn, how near either side is to the other's corners, and every stack.

All is seen from the side of seat 0: for seat 1 the board is half-turned, as its planes are.
"""

import numpy as np

from ludus.core import parts_of, rule

from .board import CORNER, FORCE_CAP, FORCE_FACTOR, FORCE_UNIT, OCCUPIES, SEATS, STEPS_TO, VERTICES, WORDS
from .rules import holds, lowest, seen_from

CORNERS = ("low", "high")  # the home corner on the lowest layer, and on the highest
SIDES = ("my", "its")

FEATURES = (
    "it is my turn",
    "I have placed",
    "I have infused",
    "I have moved",
    "time used",
    "my pool",
    "its pool",
    *(f"{side} {what}" for side in SIDES for what in ("pieces", "energy", "stacks", "stacks that exert force")),
    *(f"{side} steps to the other's {corner} corner" for side in SIDES for corner in CORNERS),
    *(f"{side} stack is on the other's {corner} corner" for side in SIDES for corner in CORNERS),
    *(f"{side} stack is on its own {corner} corner" for side in SIDES for corner in CORNERS),
    *(f"pieces on {vertex}, the other's below 0" for vertex in range(VERTICES)),
    *(f"force on {vertex}, the other's below 0" for vertex in range(VERTICES)),
    *(f"energy on {vertex}" for vertex in range(VERTICES)),
)

SUMS, STEPS, GUESTS, HOSTS = 7, 15, 19, 23
PIECES = 27
FORCES, ENERGY = PIECES + VERTICES, PIECES + 2 * VERTICES
MOST, MOST_IN_ALL, FARTHEST = 16, 64, 16  # what counts as 1: of one stack, of all, of steps
SHARE, SHARE_IN_ALL = parts_of(MOST, MOST), parts_of(MOST_IN_ALL, MOST_IN_ALL)
FORCE = parts_of(FORCE_CAP * FORCE_UNIT)
FIELD = 16  # bits of each sum, all four of which stand in one word
HIGH = 32  # from this bit on, the steps to the high corner
# [seat, vertex] a bit for the steps to each of that seat's corners: of many stacks the lowest one tells the nearest.
STEP_BITS = (1 << np.minimum(STEPS_TO[:, 0], FARTHEST).astype(np.int64)) | (
    1 << HIGH + np.minimum(STEPS_TO[:, 1], FARTHEST).astype(np.int64)
)
NO_STACK = 1 << FARTHEST | 1 << HIGH + FARTHEST


@rule
def features(view, out):
    """Write the numbers."""
    me = int(view.me)
    out[0] = int(view.seat == me)
    out[1] = view.placed
    out[2] = view.infused
    out[3] = view.moved
    out[4] = view.actions / view.opt_max_actions if view.opt_max_actions > 0 else 0
    out[5] = SHARE[min(int(view.pool[me]), MOST)]
    out[6] = SHARE[min(int(view.pool[1 - me]), MOST)]
    tell_stacks(view, out, me)
    for corner in range(2):
        here, there = int(CORNER[me, corner]), int(CORNER[1 - me, corner])
        out[GUESTS + corner], out[GUESTS + 2 + corner] = int(holds(view, me, there)), int(holds(view, 1 - me, here))
        out[HOSTS + corner], out[HOSTS + 2 + corner] = int(holds(view, me, here)), int(holds(view, 1 - me, there))


@rule
def glance(s, seat, view):
    """Write what `features` reads of a view, as `observe` would: stacks alone, which are few."""
    view.me, view.seat, view.placed, view.infused, view.moved = seat, s.seat, s.placed, s.infused, s.moved
    view.actions, view.opt_max_actions = s.actions, s.opt_max_actions
    for k in range(SEATS):
        view.pool[k] = s.pool[k]
        for word in range(WORDS):
            view.held[k, word] = s.held[k, word]
    for word in range(WORDS):
        bits = int(s.held[0, word]) | int(s.held[1, word])
        while bits != 0:
            vertex = 32 * word + (lowest(bits) & 31)
            bits &= bits - 1
            view.pieces[vertex], view.energy[vertex] = s.pieces[vertex], s.energy[vertex]


@rule
def tell_stacks(view, out, me):
    """Write every stack, and for both sides their sums and how far they have come; one pass, without a jump for whose it is."""
    mine, both, my_steps, its_steps = 0, 0, NO_STACK, NO_STACK
    for word in range(WORDS):
        my_bits = int(view.held[me, word])
        bits = my_bits | int(view.held[1 - me, word])
        while bits != 0:
            is_mine = -int(my_bits & bits & -bits != 0)  # all bits set, or none
            vertex = 32 * word + (lowest(bits) & 31)
            bits &= bits - 1
            pieces, energy = min(int(view.pieces[vertex]), MOST_IN_ALL), min(int(view.energy[vertex]), MOST_IN_ALL)
            power, here = int(view.pieces[vertex]) * int(view.energy[vertex]), seen_from(me, vertex) & 255
            is_strong = int(power >= OCCUPIES[vertex])
            force = min(FORCE_CAP * FORCE_UNIT, power * int(FORCE_FACTOR[vertex])) & -is_strong  # as rules say, without a jump
            sign = -1 - 2 * is_mine
            out[PIECES + here] = SHARE[sign * pieces & 255]
            out[ENERGY + here] = SHARE[energy]
            out[FORCES + here] = FORCE[sign * force & 255]
            sums = pieces | energy << FIELD | 1 << 2 * FIELD | is_strong << 3 * FIELD
            mine, both = mine + (sums & is_mine), both + sums
            my_steps |= int(STEP_BITS[1 - me, vertex]) & is_mine
            its_steps |= int(STEP_BITS[me, vertex]) & ~is_mine
    tell_sums(out, 0, mine, my_steps)
    tell_sums(out, 1, both - mine, its_steps)


@rule
def tell_sums(out, side, sums, steps):
    """Write what the stacks of a side come to, and how far the foremost is from either corner."""
    at, field = SUMS + 4 * side, (1 << FIELD) - 1
    out[at] = SHARE_IN_ALL[min(sums & field, MOST_IN_ALL)]
    out[at + 1] = SHARE_IN_ALL[min(sums >> FIELD & field, MOST_IN_ALL)]
    out[at + 2] = SHARE[min(sums >> 2 * FIELD & field, MOST)]
    out[at + 3] = SHARE[min(sums >> 3 * FIELD, MOST)]
    out[STEPS + 2 * side] = SHARE[lowest(steps & ((1 << HIGH) - 1))]
    out[STEPS + 2 * side + 1] = SHARE[lowest(steps >> HIGH)]
