"""Tiny, a game for tests: three seats, two of one side, add 1 to 4 to a sum, twice a turn; who makes it full wins.

It has what the shared code must get right: sides, ids of its own for a seat, turns of several decisions, chance in set-up and
play, a default, and no file of words.
"""

import numpy as np

from ludus.core import Option, Spec, draw, rule

SEATS, ADDENDS, A_TURN, NOBODY = 3, 4, 2, -1

SPEC = Spec(
    title="Tiny",
    version=1,
    seats=("one", "two", "three"),
    actions=ADDENDS,  # id k adds k + 1
    planes=(1, 1, ADDENDS),
    options=(Option("goal", 30, 5, 1000, "the sum that ends a game"),),
    sides=(0, 1, 1),
    own_ids=((0, 1, 2, 3), (3, 2, 1, 0), (0, 1, 2, 3)),
)

State = np.dtype(
    [
        ("opt_goal", "i4"),
        ("seat", "i4"),  # to move
        ("turn", "i4"),  # turns that are over
        ("left", "i4"),  # decisions of this turn, with the one to come
        ("total", "i4"),
        ("banned", "i4"),  # the id that was played last, not to be repeated while there is room; or NOBODY
        ("luck", "i4"),  # a die thrown with every decision; it decides nothing
        ("winner", "i4"),  # a seat, or NOBODY
        ("last_reward", "i4", SEATS),
    ],
    align=True,
)


@rule
def new(s, rng):
    """Begin with a sum of 0 to 2."""
    s.seat, s.turn, s.left = 0, 0, A_TURN
    s.total, s.banned, s.luck, s.winner = draw(rng, 3), NOBODY, 0, NOBODY


@rule
def legal(s, mask):
    """Mark what does not pass the goal."""
    count = 0
    for action in range(ADDENDS):
        if may_play(s, action):
            mask[action] = 1
            count += 1
    return count


@rule
def apply(s, action, rng):
    """Add, throw the die, pass the turn on after the second time."""
    s.total += action + 1
    s.banned, s.luck = action, draw(rng, 6)
    s.last_reward[s.seat] = action + 1
    if s.total >= s.opt_goal:
        s.winner = s.seat
    s.left -= 1
    if s.left == 0:
        s.seat, s.turn, s.left = (s.seat + 1) % SEATS, s.turn + 1, A_TURN


@rule
def encode(view, planes):
    """Show what may be played, as the seat numbers it."""
    for action in range(ADDENDS):
        if may_play(view, action):
            planes[0, 0, ADDENDS - 1 - action if view.me == 1 else action] = 1


@rule
def result(s, outcome, points):
    """Let the side win that made the sum full."""
    for seat in range(SEATS):
        outcome[seat] = 0
        if s.winner != NOBODY:
            outcome[seat] = 1 if (seat == 0) == (s.winner == 0) else -1
        points[seat] = outcome[seat] * s.total
    return 1 if s.winner != NOBODY else 0


@rule
def default(s):
    """Add as little as may be."""
    return 0 if may_play(s, 0) else 1


@rule
def sound(s):
    """Say whether the numbers fit each other."""
    fits = 0 <= s.total <= s.opt_goal and 1 <= s.left <= A_TURN and 0 <= s.turn < 10_000 and 0 <= s.luck < 6
    return fits and NOBODY <= s.banned < ADDENDS and NOBODY <= s.winner < SEATS and (s.winner >= 0) == (s.total == s.opt_goal)


@rule
def may_play(s, action):
    """Say whether an addend fits, and is not the last one again while there is room for all."""
    return s.total + action + 1 <= s.opt_goal and (action != s.banned or s.total + ADDENDS >= s.opt_goal)
