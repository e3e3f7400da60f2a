"""Chase's built-in bots, weak to strong. They see their view and the mask, and nothing else."""

import numpy as np

from ludus.core import draw, is_better, rule

from .perfect import LARGEST, perfect, prepare
from .rules import ACTIONS, CHASER1, CHASER2, DX, DY, FULL_ROW, RUNNER, SEATS, SIZE, STAY, is_open

DEPTH = 7  # moves that `search` looks ahead
FAR = SIZE * SIZE  # farther than any cell that can be reached
CAPTURE = 1000 * FAR  # worth more than any distance

Scratch = np.dtype(
    [
        ("front", "i8", SIZE),  # cells that a flood reached last, bits by row
        ("seen", "i8", SIZE),  # cells that it has reached or may not enter
        ("x", "i4", SEATS),  # where the agents stand in the line that is searched
        ("y", "i4", SEATS),
        ("next", "i4", DEPTH),  # by ply: the action to try next
        ("played", "i4", DEPTH),  # the action that led to the next ply
        ("best", "i4", DEPTH),  # the value found so far, as the mover likes it
        ("alpha", "i4", DEPTH),  # what the runner has for sure
        ("beta", "i4", DEPTH),  # what the chasers have for sure
        ("spare", "i4"),
    ],
    align=True,
)


@rule
def random(view, mask, rng):
    """Play any legal step."""
    count = 0
    for action in range(ACTIONS):
        count += mask[action]
    return pick(mask, draw(rng, count))


@rule
def careful(view, mask, rng):
    """Play at random, but as runner never step onto a chaser, and as chaser never miss a capture."""
    wanted = 0
    for action in range(ACTIONS):
        if mask[action] and is_wise(view, action):
            wanted += 1
    if wanted == 0:
        return random(view, mask, rng)
    index = draw(rng, wanted)
    for action in range(ACTIONS):
        if mask[action] and is_wise(view, action):
            if index == 0:
                return action
            index -= 1
    return -1


@rule
def greedy(view, mask, rng, scratch):
    """Take the step after which the nearest chaser is farthest, or the runner nearest; draw among equals."""
    best, chosen, equals = -FAR - 1, -1, 0
    for action in range(ACTIONS):
        if mask[action]:
            set_up(view, scratch)
            move(scratch, view.me, action)
            value = nearest(view, scratch) if view.me == RUNNER else -distance_to(view, scratch, view.me)
            if is_better(value, best, equals, rng):
                chosen = action
            equals = 1 if value > best else equals + int(value == best)
            best = max(best, value)
    return chosen


@rule
def search(view, mask, rng, scratch):
    """Look 7 moves ahead; the runner likes distance and exits, the chasers do not; draw among equals."""
    best, chosen, equals = -CAPTURE * 2, -1, 0
    sign = 1 if view.me == RUNNER else -1
    for action in range(ACTIONS):
        if mask[action]:
            set_up(view, scratch)
            move(scratch, view.me, action)
            value = sign * value_of(view, scratch, (view.me + 1) % SEATS)
            if is_better(value, best, equals, rng):
                chosen = action
            equals = 1 if value > best else equals + int(value == best)
            best = max(best, value)
    return chosen


BOTS = {"random": random, "careful": careful, "greedy": greedy, "search": search}
PREPARE = {}  # by bot: what makes the tables that it needs
if SIZE <= LARGEST:
    BOTS["perfect"], PREPARE["perfect"] = perfect, prepare


@rule
def pick(mask, index):
    """Return the index-th legal action; no early return, since a jump that chance decides costs more than the rest."""
    found = -1
    for action in range(ACTIONS):
        found = action if mask[action] and index == 0 else found
        index -= mask[action]
    return found


@rule
def is_wise(view, action):
    """Say whether a step meets nobody, if the runner takes it, or meets the runner, if a chaser does."""
    x, y = view.x[view.me] + DX[action], view.y[view.me] + DY[action]
    if view.me != RUNNER:
        return x == view.x[RUNNER] and y == view.y[RUNNER]
    for chaser in range(CHASER1, SEATS):
        if x == view.x[chaser] and y == view.y[chaser]:
            return False
    return True


@rule
def set_up(view, scratch):
    """Copy where everybody stands."""
    for seat in range(SEATS):
        scratch.x[seat], scratch.y[seat] = view.x[seat], view.y[seat]


@rule
def move(scratch, seat, action):
    """Move an agent in the line that is searched."""
    scratch.x[seat] += DX[action]
    scratch.y[seat] += DY[action]


@rule
def take_back(scratch, seat, action):
    """Undo `move`."""
    scratch.x[seat] -= DX[action]
    scratch.y[seat] -= DY[action]


@rule
def nearest(view, scratch):
    """Return how many steps the nearer chaser is away from the runner."""
    return min(distance_to(view, scratch, CHASER1), distance_to(view, scratch, CHASER2))


@rule
def distance_to(view, scratch, chaser):
    """Return the length of the shortest path between the runner and a chaser: flood the board, a row at a time."""
    for y in range(SIZE):
        scratch.front[y] = 0
        scratch.seen[y] = view.wall[y] | ~FULL_ROW
    scratch.front[scratch.y[RUNNER]] = 1 << int(scratch.x[RUNNER])
    goal_y, goal = scratch.y[chaser], 1 << int(scratch.x[chaser])
    for steps in range(FAR):
        if scratch.front[goal_y] & goal:
            return steps
        if not spread(scratch):
            return FAR
    return FAR


@rule
def spread(scratch):
    """Let a flood take one step; say whether it reached anything new. Faster than the kit's, since SIZE is a constant."""
    is_spreading = False
    above = 0  # the row above, as it was before this step
    for y in range(SIZE):
        here = int(scratch.front[y])
        below = int(scratch.front[y + 1]) if y + 1 < SIZE else 0
        scratch.seen[y] |= here
        reached = ((here << 1) | (here >> 1) | above | below) & ~int(scratch.seen[y])
        scratch.front[y] = reached
        is_spreading = is_spreading or reached != 0
        above = here
    return is_spreading


@rule
def value_of(view, scratch, seat):
    """Return the worth to the runner of the searched position, `seat` to move: alpha-beta without recursion."""
    if is_over(scratch):
        return -CAPTURE
    ply = 0
    open_ply(scratch, 0, seat, -CAPTURE * 2, CAPTURE * 2)
    while True:
        mover = (seat + ply) % SEATS
        action = next_action(view, scratch, ply, mover)
        if action < 0 or scratch.alpha[ply] >= scratch.beta[ply]:
            if ply == 0:
                return int(scratch.best[0])
            ply -= 1
            mover = (seat + ply) % SEATS
            take_back(scratch, mover, scratch.played[ply])
            keep(scratch, ply, mover, int(scratch.best[ply + 1]))
            continue
        scratch.next[ply], scratch.played[ply] = action + 1, action
        move(scratch, mover, action)
        if is_over(scratch) or ply + 2 == DEPTH:
            value = -CAPTURE + ply if is_over(scratch) else worth(view, scratch)
            take_back(scratch, mover, action)
            keep(scratch, ply, mover, value)
        else:
            open_ply(scratch, ply + 1, (mover + 1) % SEATS, scratch.alpha[ply], scratch.beta[ply])
            ply += 1


@rule
def open_ply(scratch, ply, mover, alpha, beta):
    """Begin the search of a ply."""
    scratch.next[ply], scratch.alpha[ply], scratch.beta[ply] = 0, alpha, beta
    scratch.best[ply] = -CAPTURE * 2 if mover == RUNNER else CAPTURE * 2


@rule
def keep(scratch, ply, mover, value):
    """Take the value of a move into account: the runner wants more, the chasers less."""
    if mover == RUNNER:
        scratch.best[ply] = max(int(scratch.best[ply]), value)
        scratch.alpha[ply] = max(int(scratch.alpha[ply]), value)
    else:
        scratch.best[ply] = min(int(scratch.best[ply]), value)
        scratch.beta[ply] = min(int(scratch.beta[ply]), value)


@rule
def next_action(view, scratch, ply, mover):
    """Return the next step to try at a ply, STAY if the mover has no step at all, or -1."""
    x, y = scratch.x[mover], scratch.y[mover]
    for action in range(scratch.next[ply], STAY):
        if is_open(view, x + DX[action], y + DY[action]):
            return action
    if scratch.next[ply] == 0:
        return STAY
    return -1


@rule
def is_over(scratch):
    """Say whether a chaser stands on the runner."""
    x, y = scratch.x[RUNNER], scratch.y[RUNNER]
    return (scratch.x[CHASER1] == x and scratch.y[CHASER1] == y) or (scratch.x[CHASER2] == x and scratch.y[CHASER2] == y)


@rule
def worth(view, scratch):
    """Judge a position for the runner: 4 × the nearer distance, the farther one, and the exits of its cell."""
    first, second = distance_to(view, scratch, CHASER1), distance_to(view, scratch, CHASER2)
    exits = 0
    for action in range(STAY):
        exits += is_open(view, scratch.x[RUNNER] + DX[action], scratch.y[RUNNER] + DY[action])
    return 4 * min(first, second) + max(first, second) + exits
