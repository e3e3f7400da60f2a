"""Tangle, a game for tests of search: places that lead to places by chance of a table; some of them end the game.

Who moves at a place, what is legal there and who wins where it ends stand in tables, so that another search can have the same.
"""

import numpy as np

from ludus.core import Spec, rule

PLACES, ACTIONS, SEATS = 2048, 6, 2
_chance = np.random.default_rng(15)
NEXT = _chance.integers(0, PLACES, (PLACES, ACTIONS)).astype(np.int16)
MOVER = _chance.integers(0, SEATS, PLACES).astype(np.int8)  # one seat may move several times in a row
LEGAL = (_chance.random((PLACES, ACTIONS)) < 0.7).astype(np.int8)
LEGAL[np.arange(PLACES), _chance.integers(0, ACTIONS, PLACES)] = 1
ENDS = (_chance.random(PLACES) < 0.1).astype(np.int8)
OUTCOME = _chance.integers(-1, 2, PLACES).astype(np.int8)  # for seat 0, at a place that ends the game

SPEC = Spec(
    title="Tangle",
    version=1,
    seats=("left", "right"),
    actions=ACTIONS,
    planes=(1, 1, 1),
    plane_high=PLACES,
    own_ids=(tuple(range(ACTIONS)), tuple(reversed(range(ACTIONS)))),
)

State = np.dtype(
    [
        ("seat", "i4"),  # to move
        ("turn", "i4"),  # decisions so far
        ("place", "i4"),
        ("last_reward", "i4", SEATS),
    ],
    align=True,
)


@rule
def new(s, rng):
    """Begin at the first place."""
    s.turn, s.place, s.seat = 0, 0, MOVER[0]


@rule
def legal(s, mask):
    """Mark what the table says, until the end."""
    count = 0
    if ENDS[s.place] == 0:
        for action in range(ACTIONS):
            mask[action] = LEGAL[s.place, action]
            count += int(LEGAL[s.place, action])
    return count


@rule
def apply(s, action, rng):
    """Go to the next place."""
    s.place = NEXT[s.place, action]
    s.turn += 1
    s.seat = MOVER[s.place]


@rule
def encode(view, planes):
    """Tell the place."""
    planes[0, 0, 0] = view.place


@rule
def result(s, outcome, points):
    """Say who won where the game ends."""
    for seat in range(SEATS):
        outcome[seat] = 0
        if ENDS[s.place] != 0:
            outcome[seat] = OUTCOME[s.place] if seat == 0 else -OUTCOME[s.place]
        points[seat] = outcome[seat]
    return int(ENDS[s.place])


@rule
def twin(s, other):
    """Nobody asks for it here."""
    other.place = s.place
