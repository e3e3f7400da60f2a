"""Unit's built-in bots, weak to strong. They see their view and the mask, and nothing else.

The styles judge the position after each action of the current stage of a turn: place, infuse, then the third action.
The planner, in planner.py, thinks in whole turns.
"""

import numpy as np

from ludus.core import any_marked, draw, is_better, rule

from .board import (
    ACTIONS,
    ATTACK,
    CORNER,
    END_TURN,
    FORCE_UNIT,
    INFUSE,
    MOVE,
    PINCER,
    SEATS,
    STEPS_TO,
    WORDS,
    table,
)
from .planner import Planner, plan, set_up
from .rules import State, apply, exerted, holds, lowest, possible_origins, power
from .worth import WIN
from .worth import side as side_worth

FAR = 8  # steps from which on a corner is not threatened

# What each style looks at, README, Bots. Twice the weights of the rules where those are halves.
PIECES, ENERGY, FORCE, TERRITORY, DEFENCE, THREAT, PINCERS = range(7)
GREEDY, AGGRESSOR, BANKER, SPREADER = range(4)
WEIGHTS = table(
    [
        # pieces, energy, force, territory, defence, threat, pincers
        (10, 15, 5, 0, 0, 40, 0),  # greedy
        (2, 2, 4, 1, 1, 10, 2),  # aggressor
        (8, 8, 2, 1, 6, 2, 1),  # banker
        (2, 2, 2, 6, 2, 2, 8),  # spreader
    ]
)
EARLY, LATE = 10, 40  # turns up to which `dynamic` spreads, and from which on it attacks
NEAR = 3  # steps from a home corner at which it fears an enemy

Scratch = np.dtype(
    [
        ("trial", State),  # the position after the action that is judged
        ("planner", Planner),
    ],
    align=True,
)


@rule
def uniform(view, mask, rng):
    """Play any legal action."""
    return any_marked(mask, rng)


@rule
def random(view, mask, rng):
    """Place, infuse, then draw the type of the third action, then one of that type."""
    if has(mask, END_TURN + 1, INFUSE):
        return pick(mask, END_TURN + 1, INFUSE, rng)
    if has(mask, INFUSE, MOVE):
        return pick(mask, INFUSE, MOVE, rng)
    moves, attacks, pincers = has(mask, MOVE, ATTACK), has(mask, ATTACK, PINCER), has(mask, PINCER, ACTIONS)
    types = int(moves) + int(attacks) + int(pincers) + int(mask[END_TURN])
    index = draw(rng, types)
    if moves:
        if index == 0:
            return pick(mask, MOVE, ATTACK, rng)
        index -= 1
    if attacks:
        if index == 0:
            return pick(mask, ATTACK, PINCER, rng)
        index -= 1
    if pincers and index == 0:
        return pick(mask, PINCER, ACTIONS, rng)
    return END_TURN


@rule
def greedy(view, mask, rng, scratch):
    """Count pieces, energy and force, and walk to the enemy's corners."""
    return best_by_style(view, mask, rng, scratch, GREEDY)


@rule
def aggressor(view, mask, rng, scratch):
    """Rush: nothing counts as much as being near the enemy's corners."""
    return best_by_style(view, mask, rng, scratch, AGGRESSOR)


@rule
def banker(view, mask, rng, scratch):
    """Hoard pieces and energy, and keep home strong."""
    return best_by_style(view, mask, rng, scratch, BANKER)


@rule
def spreader(view, mask, rng, scratch):
    """Occupy many vertices, and stand in twos beside enemies."""
    return best_by_style(view, mask, rng, scratch, SPREADER)


@rule
def dynamic(view, mask, rng, scratch):
    """Spread early, rush late; between the two bank while an enemy is near home, else rush."""
    style = AGGRESSOR
    if view.turn <= EARLY:
        style = SPREADER
    elif view.turn < LATE and nearest(view, 1 - view.me, view.me) <= NEAR:
        style = BANKER
    return best_by_style(view, mask, rng, scratch, style)


@rule
def planner(view, mask, rng, scratch):
    """Think in whole turns, the enemy's best reply included."""
    return plan(view, mask, rng, scratch.planner)


BOTS = {
    "uniform": uniform, "random": random, "banker": banker, "spreader": spreader, "dynamic": dynamic, "greedy": greedy,
    "aggressor": aggressor, "planner": planner,
}  # fmt: skip

SEARCH = {"playout": "aggressor", "cut": 30, "margin": 60.0}  # `mcts` lets it play ten turns on, then asks `judge`


@rule
def judge(s, points):
    """Write what the planner thinks of both seats' stacks, since points are 0 until the end."""
    for seat in range(SEATS):
        points[seat] = side_worth(s, seat)


@rule
def has(mask, first, last):
    """Say whether an id in first..last-1 is legal."""
    for action in range(first, last):
        if mask[action] != 0:
            return True
    return False


@rule
def pick(mask, first, last, rng):
    """Draw one of the legal ids in first..last-1."""
    count = 0
    for action in range(first, last):
        count += mask[action]
    index = draw(rng, count)
    for action in range(first, last):
        if mask[action] != 0:
            if index == 0:
                return action
            index -= 1
    return -1


@rule
def best_by_style(view, mask, rng, scratch, style):
    """Return the action of this stage of the turn whose next position the style likes best; draw among equals."""
    first, last = 0, ACTIONS
    if has(mask, END_TURN + 1, INFUSE):
        first, last = END_TURN + 1, INFUSE
    elif has(mask, INFUSE, MOVE):
        first, last = INFUSE, MOVE
    best, chosen, equals = -2 * WIN, -1, 0
    for action in range(first, last):
        if mask[action] != 0:
            set_up(view, scratch.trial)
            apply(scratch.trial, action, rng)
            value = liking(scratch.trial, view.me, style)
            if is_better(value, best, equals, rng):
                chosen = action
            equals = 1 if value > best else equals + int(value == best)
            best = max(best, value)
    return chosen


@rule
def liking(s, me, style):
    """Return how much a style likes a position: what it likes of its own side less what it dislikes of the other's."""
    if s.winner >= 0:
        return WIN if s.winner == me else -WIN
    total = 0
    for seat in range(SEATS):
        total += side(s, seat, style) if seat == me else -side(s, seat, style)
    return total


@rule
def side(s, seat, style):
    """Sum up what a style sees in one seat's stacks."""
    pieces, energy, force, territory = 0, 0, 0, 0
    for word in range(WORDS):
        bits = s.held[seat, word]
        while bits != 0:
            vertex = 32 * word + lowest(bits)
            bits &= bits - 1
            exerts = exerted(s, vertex)
            pieces += int(s.pieces[vertex])
            energy += int(s.energy[vertex])
            force += exerts // FORCE_UNIT
            territory += int(exerts > 0)
    value = pieces * int(WEIGHTS[style, PIECES]) + energy * int(WEIGHTS[style, ENERGY])
    value += force * int(WEIGHTS[style, FORCE]) + territory * int(WEIGHTS[style, TERRITORY])
    if WEIGHTS[style, DEFENCE] != 0:
        value += defence(s, seat) * int(WEIGHTS[style, DEFENCE])
    if WEIGHTS[style, PINCERS] != 0:
        value += chances(s, seat) * int(WEIGHTS[style, PINCERS])
    return value + threat(s, seat) * int(WEIGHTS[style, THREAT])


@rule
def defence(s, seat):
    """Return the force on the seat's own corners; one that the enemy holds counts against it."""
    value = 0
    for k in range(2):
        corner = int(CORNER[seat, k])
        force = exerted(s, corner) // FORCE_UNIT
        if holds(s, seat, corner):
            value += force
        elif holds(s, 1 - seat, corner):
            value -= 10 + force
    return value


@rule
def threat(s, seat):
    """Return how near the seat's stacks that can move are to each enemy corner."""
    value = 0
    for k in range(2):
        steps = FAR
        if holds(s, seat, int(CORNER[1 - seat, k])):
            steps = 0
        for word in range(WORDS):
            bits = s.held[seat, word]
            while bits != 0:
                vertex = 32 * word + lowest(bits)
                bits &= bits - 1
                if power(s, vertex) > 0:
                    steps = min(steps, int(STEPS_TO[1 - seat, k, vertex]))
        value += FAR - steps
    return value


@rule
def chances(s, seat):
    """Count the enemy stacks that two or more occupied stacks of the seat stand beside."""
    mover, count = s.seat, 0
    s.seat = seat  # possible_origins asks for the seat to move
    for word in range(WORDS):
        bits = s.held[1 - seat, word]
        while bits != 0:
            origins = possible_origins(s, 32 * word + lowest(bits))
            bits &= bits - 1
            count += int(origins & (origins - 1) != 0)
    s.seat = mover
    return count


@rule
def nearest(s, seat, home):
    """Return how many steps the seat's nearest stack is from a corner of `home`."""
    steps = FAR
    for word in range(WORDS):
        bits = s.held[seat, word]
        while bits != 0:
            vertex = 32 * word + lowest(bits)
            bits &= bits - 1
            for k in range(2):
                steps = min(steps, int(STEPS_TO[home, k, vertex]))
    return steps
