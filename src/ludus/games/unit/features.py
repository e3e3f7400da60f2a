"""Unit as a few hundred numbers: the turn, how near either side is to the other's corners, and every stack.

All is seen from the side of seat 0: for seat 1 the board is half-turned, as its planes are.
"""

from ludus.core import rule

from .board import CORNER, FORCE_CAP, FORCE_UNIT, STEPS_TO, VERTICES, WORDS
from .rules import exerted, holds, lowest, seen_from

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
MOST_PIECES, MOST_ENERGY, MOST_IN_ALL, FARTHEST = 16, 16, 64, 16  # what counts as 1
FULL_FORCE = 1 / (FORCE_CAP * FORCE_UNIT)


@rule
def features(view, out):
    """Write the numbers."""
    me = int(view.me)
    out[0] = view.seat == me
    out[1] = view.placed
    out[2] = view.infused
    out[3] = view.moved
    out[4] = view.actions / view.opt_max_actions if view.opt_max_actions > 0 else 0
    out[5] = share(int(view.pool[me]), MOST_PIECES)
    out[6] = share(int(view.pool[1 - me]), MOST_PIECES)
    tell_side(view, out, me, 0, 1)
    tell_side(view, out, 1 - me, 1, -1)


@rule
def share(number, most):
    """Return a number as a part of the most that is told apart."""
    return min(number, most) / most


@rule
def tell_side(view, out, seat, side, sign):
    """Write the stacks of a seat, their sums, and how far they have come."""
    pieces, energy, stacks, strong, low, high = 0, 0, 0, 0, FARTHEST, FARTHEST
    for word in range(WORDS):
        bits = int(view.held[seat, word])
        while bits != 0:
            vertex = 32 * word + lowest(bits)
            bits &= bits - 1
            force, here = exerted(view, vertex), seen_from(view.me, vertex)
            out[PIECES + here] = sign * min(int(view.pieces[vertex]), MOST_PIECES) / MOST_PIECES
            out[ENERGY + here] = share(int(view.energy[vertex]), MOST_ENERGY)
            out[FORCES + here] = sign * force * FULL_FORCE
            pieces, energy = pieces + int(view.pieces[vertex]), energy + int(view.energy[vertex])
            stacks, strong = stacks + 1, strong + int(force > 0)
            low = min(low, int(STEPS_TO[1 - seat, 0, vertex]))
            high = min(high, int(STEPS_TO[1 - seat, 1, vertex]))
    at = SUMS + 4 * side
    out[at], out[at + 1] = share(pieces, MOST_IN_ALL), share(energy, MOST_IN_ALL)
    out[at + 2], out[at + 3] = share(stacks, MOST_PIECES), share(strong, MOST_PIECES)
    out[STEPS + 2 * side], out[STEPS + 2 * side + 1] = low / FARTHEST, high / FARTHEST
    for corner in range(2):
        out[GUESTS + 2 * side + corner] = holds(view, seat, int(CORNER[1 - seat, corner]))
        out[HOSTS + 2 * side + corner] = holds(view, seat, int(CORNER[seat, corner]))
