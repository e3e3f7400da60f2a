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
# What must be known of a vertex, [looking seat, seat of the stack, vertex], stands in one word, as it is read so often: a bit
# for the steps to each of the other's corners (of many stacks the lowest one tells the nearest), where its numbers stand, the
# power that exerts force there, and how much of it.
HIGH, PLACE, NEEDED, WORTH = 17, 34, 42, 54
_TO_LOW, _TO_HIGH = (np.minimum(STEPS_TO[::-1, corner], FARTHEST).astype(np.int64) for corner in range(2))
_HERE = np.array([[seen_from(seat, vertex) for vertex in range(VERTICES)] for seat in range(SEATS)], np.int64)
_ASKED = OCCUPIES.astype(np.int64) << NEEDED | FORCE_FACTOR.astype(np.int64) << WORTH
KNOWN = (1 << _TO_LOW | 1 << HIGH + _TO_HIGH) | _HERE[:, None] << PLACE | _ASKED
NO_STACK = 1 << FARTHEST | 1 << HIGH + FARTHEST
MOST_FORCE = FORCE_CAP * FORCE_UNIT
WIDE = -(-WORDS // 2)  # words of 64 bits
DE_BRUIJN = 0x03F79D71B4CB0A89  # times a single bit, its highest six bits tell which
BIT_PLACE = np.array([place for _, place in sorted((DE_BRUIJN << place >> 58 & 63, place) for place in range(64))], np.uint8)


@rule
def features(view, out):
    """Write the numbers of a view."""
    tell(view, view.me, out)


@rule
def glance(s, seat, out):
    """Write the same straight from a position: everything is seen by both."""
    tell(s, seat, out)


@rule
def tell(s, me, out):
    """Write the numbers of a position, or of a view, which has its fields."""
    me = int(me)
    out[0] = int(s.seat == me)
    out[1] = s.placed
    out[2] = s.infused
    out[3] = s.moved
    out[4] = s.actions / s.opt_max_actions if s.opt_max_actions > 0 else 0
    out[5] = SHARE[min(int(s.pool[me]), MOST)]
    out[6] = SHARE[min(int(s.pool[1 - me]), MOST)]
    tell_side(s, out, me, 0)
    tell_side(s, out, me, 1)
    for corner in range(2):
        here, there = int(CORNER[me, corner]), int(CORNER[1 - me, corner])
        out[GUESTS + corner], out[GUESTS + 2 + corner] = int(holds(s, me, there)), int(holds(s, 1 - me, here))
        out[HOSTS + corner], out[HOSTS + 2 + corner] = int(holds(s, me, here)), int(holds(s, 1 - me, there))


@rule
def tell_side(s, out, me, side):
    """Write the stacks of a side, 0 = mine, their sums and how far they have come; without jumps that chance decides."""
    seat, sign, sums, steps = me ^ side, 1 - 2 * side, 0, NO_STACK
    for word in range(WIDE):
        bits = wide_word(s, seat, word)
        while bits != 0:
            vertex = 64 * word + int(BIT_PLACE[(bits & -bits) * DE_BRUIJN >> 58 & 63])
            bits &= bits - 1
            pieces, energy, known = int(s.pieces[vertex]), int(s.energy[vertex]), int(KNOWN[me, seat, vertex])
            power, here = pieces * energy, known >> PLACE & 255
            is_strong = int(power >= known >> NEEDED & 4095)
            spare = MOST_FORCE - power * (known >> WORTH)  # below 0 above the cap
            force = (MOST_FORCE - spare + (spare & spare >> 63)) & -is_strong
            pieces, energy = min(pieces, MOST_IN_ALL), min(energy, MOST_IN_ALL)
            out[PIECES + here] = SHARE[sign * pieces & 255]
            out[ENERGY + here] = SHARE[energy & 255]
            out[FORCES + here] = FORCE[sign * force & 255]
            sums += pieces | energy << FIELD | 1 << 2 * FIELD | is_strong << 3 * FIELD
            steps |= known
    tell_sums(out, side, sums, steps)


@rule
def wide_word(s, seat, word):
    """Return two words of the vertices that a seat holds as one."""
    low, high = int(s.held[seat, 2 * word]), 0
    if 2 * word + 1 < WORDS:
        high = int(s.held[seat, 2 * word + 1])
    return low | high << 32


@rule
def tell_sums(out, side, sums, steps):
    """Write what the stacks of a side come to, and how far the foremost is from either corner."""
    at, field = SUMS + 4 * side, (1 << FIELD) - 1
    out[at] = SHARE_IN_ALL[min(sums & field, MOST_IN_ALL)]
    out[at + 1] = SHARE_IN_ALL[min(sums >> FIELD & field, MOST_IN_ALL)]
    out[at + 2] = SHARE[min(sums >> 2 * FIELD & field, MOST)]
    out[at + 3] = SHARE[min(sums >> 3 * FIELD, MOST)]
    out[STEPS + 2 * side] = SHARE[lowest(steps & ((1 << HIGH) - 1))]
    out[STEPS + 2 * side + 1] = SHARE[lowest(steps >> HIGH & ((1 << HIGH) - 1))]
