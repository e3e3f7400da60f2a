"""Plantation's built-in bots, weak to strong. They see their view and the mask, and nothing else."""

import numpy as np

from ludus.core import any_marked, draw, is_better, rule

from .choice import HIGHEST, grow, marked, play_weighted
from .estimate import CENTRES, GROWING_TURNS, KILL, best_attack, next_centre, plan_turn, shuffle_cycle, take_in
from .rules import (
    BOMB,
    CELLS,
    COLONISE,
    COLS,
    CROSS,
    CROSS_X,
    CROSS_Y,
    FERTILISE,
    NOWHERE,
    PLANT,
    PLAYER1,
    ROWS,
    SCOUT,
    SOURCE,
    SPRAY,
    WINDOW,
    beside,
)

EARLY = 30  # tracker: turns in which the opponent's half is looked at first

Scratch = np.dtype(
    [
        ("is_ready", "i8"),  # 1 once the cycle is shuffled; of 8 bytes, so that whole words make up the row
        ("is_waiting", "i4"),  # 1 while the answer to the last command is not taken in
        ("plan", "i4"),  # GROW or KILL, for the turn
        ("next_centre", "i4"),  # place in the cycle
        ("cycle", "i2", CENTRES),  # cells to scout, in turn
        ("seen_turn", "i2", CELLS),  # when a cell was last scouted
        ("estimate", "i4", CELLS),  # the opponent's score when last known, in UNITs
        ("expected", "i4", CELLS),  # the same now
    ],
    align=True,
)


@rule
def random_player_dumb(view, mask, rng):
    """Play any command but scout on any tile, mostly errors; with a single move left fertilise or plant."""
    if view.pending >= 0:
        return SOURCE * CELLS + draw(rng, CELLS)
    kind = draw(rng, 2) if view.moves < 2 else draw(rng, 5)
    if kind >= SCOUT:
        kind += 1
    return kind * CELLS + draw(rng, CELLS)


@rule
def random(view, mask, rng):
    """Play any decision that is marked."""
    return any_marked(mask, rng)


@rule
def random_player(view, mask, rng):
    """Choose a command that can work, all five alike, then one of its tiles."""
    return play_weighted(view, mask, rng, 1, 1, 1, 1, 1)


@rule
def scry_and_die(view, mask, rng, scratch):
    """Grow 5 turns, scout a turn, then each turn grow, or scout and attack where most is expected."""
    take_in(view, scratch)
    if scratch.is_ready == 0:
        shuffle_cycle(view, rng, scratch)
    is_first = view.moves == view.opt_moves and view.pending < 0
    if is_first:
        plan_turn(view, rng, scratch)
    if view.turn == GROWING_TURNS + 1 or (scratch.plan == KILL and is_first):
        kind, cell = SCOUT, next_centre(scratch)
    elif scratch.plan == KILL and view.moves >= 2:
        kind, cell, _ = best_attack(view, scratch)
    else:
        kind, cell = grow(view, rng)
    action = marked(mask, rng, kind, cell)
    scratch.is_waiting = action // CELLS != COLONISE
    return action


@rule
def tracker(view, mask, rng):
    """Keep tiles apart and low, scout a turn in four, and attack whatever is known to give 3 or more."""
    left = view.opt_max_turns - view.turn
    kind, cell, gain = known_attack(view)
    if view.moves < 2 or not (gain >= 3 or (gain == 2 and left == 0)):
        kind, cell = PLANT, NOWHERE
        if view.moves == view.opt_moves and view.turn > 4 and left > 1 and draw(rng, 4) == 0:
            kind, cell = SCOUT, stalest_centre(view, rng)
        if cell < 0:
            cell = safe_plant(view, mask, rng)
        if cell < 0:
            kind, cell = FERTILISE, lowest_tile(view, rng)
    return marked(mask, rng, kind, cell)


BOTS = {
    "random_player_dumb": random_player_dumb,
    "random": random,
    "random_player": random_player,
    "scry_and_die": scry_and_die,
    "tracker": tracker,
}


@rule
def known_attack(view):
    """Return the attack that takes most of what is known: its command, its cell, and how much."""
    own, known, damage = view.own, view.known, int(view.opt_bomb_damage)
    kind, target, best = SPRAY, NOWHERE, 0
    for cell in range(CELLS):
        taken = min(int(known[cell]), damage)
        if own[cell] == 0 and taken > best:
            kind, target, best = BOMB, cell, taken
        hits = 0
        for k in range(CROSS):
            near = beside(cell, CROSS_X[k], CROSS_Y[k])
            if near >= 0 and known[near] > 0:
                hits += 1
        if hits > best:
            kind, target, best = SPRAY, cell, hits
    return kind, target, best


@rule
def stalest_centre(view, rng):
    """Return the window off the edge of which least is known, the opponent's half first while it is early."""
    best, chosen, equals = -1, NOWHERE, 0
    for cell in range(CELLS):
        y, x = cell // COLS, cell % COLS
        if (ROWS > 2 and (y == 0 or y == ROWS - 1)) or (COLS > 2 and (x == 0 or x == COLS - 1)):
            continue
        age = 0
        for k in range(WINDOW):
            near = beside(cell, k % 3 - 1, k // 3 - 1)
            if near >= 0 and view.own[near] == 0:
                age += view.turn - int(view.known_turn[near])
        depth = x if view.me == PLAYER1 else COLS - 1 - x
        if view.turn <= EARLY:
            age = age * (COLS + 2 * depth)
        if is_better(age, best, equals, rng):
            chosen = cell
        equals = 1 if age > best else equals + int(age == best)
        best = max(best, age)
    return chosen


@rule
def safe_plant(view, mask, rng):
    """Return a cell to plant after which no spray takes more than 3, best where own tiles are fewest, or NOWHERE."""
    best, chosen, equals = -1, NOWHERE, 0
    for cell in range(CELLS):
        if mask[PLANT * CELLS + cell] == 0 or view.known[cell] > 0:
            continue
        value = 2 - most_in_a_cross(view, cell)
        if value >= 0:
            if is_better(value, best, equals, rng):
                chosen = cell
            equals = 1 if value > best else equals + int(value == best)
            best = max(best, value)
    return chosen


@rule
def most_in_a_cross(view, cell):
    """Return the largest number of own tiles in a cross that reaches this cell."""
    most = 0
    for k in range(CROSS):
        centre = beside(cell, CROSS_X[k], CROSS_Y[k])
        if centre >= 0:
            most = max(most, own_in_cross(view, centre))
    return most


@rule
def own_in_cross(view, centre):
    """Count own tiles in a cross."""
    count = 0
    for k in range(CROSS):
        near = beside(centre, CROSS_X[k], CROSS_Y[k])
        if near >= 0 and view.own[near] > 0:
            count += 1
    return count


@rule
def lowest_tile(view, rng):
    """Return the own tile of the lowest score, drawn among equals, or NOWHERE."""
    best, chosen, equals = -HIGHEST - 1, NOWHERE, 0
    for cell in range(CELLS):
        value = -int(view.own[cell])
        if value < 0:
            if is_better(value, best, equals, rng):
                chosen = cell
            equals = 1 if value > best else equals + int(value == best)
            best = max(best, value)
    return chosen
