"""Plantation's built-in bots, weak to strong. They see their view and the mask, and nothing else.

Where a probability is needed, whole numbers stand for it, so that every device plays the same.
"""

import numpy as np

from ludus.core import draw, rule

from .rules import (
    ACTIONS,
    BOMB,
    CELLS,
    COLONISE,
    COLS,
    CROSS,
    CROSS_X,
    CROSS_Y,
    ERROR,
    FERTILISE,
    LEAST_SOURCE,
    NOWHERE,
    OCCUPIED,
    PLANT,
    PLAYER1,
    ROWS,
    SCOUT,
    SOURCE,
    SPRAY,
    WINDOW,
    beside,
)

# Windows that cover the board: every third line from the edge, the last one also a step away from its edge.
CENTRE_ROWS = (*range(min(1, ROWS - 1), max(ROWS - 2, 0), 3), max(ROWS - 2, 0))
CENTRE_COLS = (*range(min(1, COLS - 1), max(COLS - 2, 0), 3), max(COLS - 2, 0))  # from the own home
FAR_CENTRES = len(CENTRE_ROWS)  # those at the opponent's home come first
CENTRES = len(CENTRE_ROWS) * len(CENTRE_COLS)
UNIT = 2 * CELLS  # a whole score in estimates: a tile grows by 1.5 / CELLS a turn, which is 3 of these
GROW, KILL = 1, 2
GROWING_TURNS = 5  # scry_and_die: then it scouts a turn, then it decides
TRIES = 10  # random_player: for a tile with a place to plant beside it
HIGHEST = 32767  # no tile scores more
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
def marked(mask, rng, kind, cell):
    """Return that command if it is marked, else any decision that is; a colonise that waits has only its sources."""
    if kind >= 0 and cell >= 0 and mask[kind * CELLS + cell]:
        return kind * CELLS + cell
    return any_marked(mask, rng)


@rule
def any_marked(mask, rng):
    """Draw a decision among those that are marked."""
    count = 0
    for action in range(ACTIONS):
        count += int(mask[action])
    index = draw(rng, count)
    for action in range(ACTIONS):
        if mask[action]:
            if index == 0:
                return action
            index -= 1
    return -1


@rule
def play_weighted(view, mask, rng, fertilise, plant, colonise, spray, bomb):
    """Choose a command that can work by these weights, then one of its tiles; scout the corner if there is none."""
    kind, cell = SOURCE, NOWHERE
    if view.pending < 0:
        kind = weighted_command(view, rng, fertilise, plant, colonise, spray, bomb)
    if kind == PLANT:
        for _ in range(TRIES):
            if cell < 0:
                cell = pick_beside(view, pick_tile(view, rng, PLANT), rng)
    elif kind != NOWHERE:
        cell = pick_tile(view, rng, kind)
    if cell < 0:
        kind, cell = SCOUT, 0
    return marked(mask, rng, kind, cell)


@rule
def weighted_command(view, rng, fertilise, plant, colonise, spray, bomb):
    """Draw a command by weight among those that can work, or NOWHERE; a scout is never drawn."""
    own, strong = count_own(view, 1), count_own(view, LEAST_SOURCE)
    others, can_pay = CELLS - own, view.moves >= 2
    fertilise = fertilise if own > 0 else 0
    plant = plant if own > 0 and others > 0 else 0
    colonise = colonise if can_pay and others > 0 and strong > 0 else 0
    spray = spray if can_pay and others > 0 else 0
    bomb = bomb if can_pay and others > 0 else 0
    total = fertilise + plant + colonise + spray + bomb
    if total == 0:
        return NOWHERE
    index = draw(rng, total)
    if index < fertilise:
        return FERTILISE
    if index < fertilise + plant:
        return PLANT
    if index < fertilise + plant + colonise:
        return COLONISE
    return SPRAY if index < fertilise + plant + colonise + spray else BOMB


@rule
def grow(view, rng):
    """Fertilise and plant alike, colonise now and then; scout if there is nothing to grow."""
    kind = SOURCE if view.pending >= 0 else weighted_command(view, rng, 5, 5, 1, 0, 0)
    if kind == NOWHERE:
        return SCOUT, 0
    cell = pick_tile(view, rng, kind)
    if kind == PLANT:
        cell = pick_beside(view, cell, rng)
    if cell < 0:
        kind, cell = FERTILISE, pick_tile(view, rng, FERTILISE)
    return kind, cell


@rule
def count_own(view, least):
    """Count own tiles of at least this score."""
    count, own = 0, view.own
    for cell in range(CELLS):
        count += own[cell] >= least
    return count


@rule
def pick_tile(view, rng, kind):
    """Draw a tile for a command: an own one to fertilise or plant beside, a source, else one that is not own."""
    low, high = 0, 0
    if kind in (FERTILISE, PLANT, SOURCE):
        low, high = LEAST_SOURCE if kind == SOURCE else 1, HIGHEST
    chosen, found, own = NOWHERE, 0, view.own
    for cell in range(CELLS):
        found += low <= own[cell] <= high
    index = draw(rng, found) if found > 0 else NOWHERE
    for cell in range(CELLS):
        if low <= own[cell] <= high:
            if index == 0:
                chosen = cell
            index -= 1
    return chosen


@rule
def pick_beside(view, tile, rng):
    """Draw a neighbour of a tile that is not own, or NOWHERE."""
    chosen, found = NOWHERE, 0
    for k in range(1, CROSS):
        near = beside(tile, CROSS_X[k], CROSS_Y[k])
        if near >= 0 and view.own[near] == 0:
            found += 1
            if draw(rng, found) == 0:
                chosen = near
    return chosen


@rule
def take_in(view, scratch):
    """Take the answer to the last command into the estimates; the numbers of attacks are not used."""
    if scratch.is_waiting == 0:
        return
    scratch.is_waiting = 0
    kind, cell = view.told_kind, view.told_cell
    if view.told_answer == ERROR:
        return
    if view.told_answer == OCCUPIED:
        scratch.estimate[cell], scratch.seen_turn[cell] = abs(view.told_value) * UNIT, view.told_turn
    elif kind == SCOUT:
        take_in_window(view, scratch)
    elif kind == BOMB:
        scratch.estimate[cell] = max(int(scratch.estimate[cell]) - view.opt_bomb_damage * UNIT, 0)
    elif kind == SPRAY:
        for k in range(CROSS):
            near = beside(cell, CROSS_X[k], CROSS_Y[k])
            if near >= 0:
                scratch.estimate[near] = max(int(scratch.estimate[near]) - UNIT, 0)


@rule
def take_in_window(view, scratch):
    """Take in the answer of a scout; own tiles count 0."""
    sign = -1 if view.me == PLAYER1 else 1  # of the opponent's tiles
    for k in range(WINDOW):
        near = beside(view.told_cell, k % 3 - 1, k // 3 - 1)
        if near >= 0:
            scratch.estimate[near] = max(int(view.told_window[k]) * sign, 0) * UNIT
            scratch.seen_turn[near] = view.told_turn


@rule
def shuffle_cycle(view, rng, scratch):
    """Put the windows at the opponent's home first, then the others, each group shuffled."""
    for k in range(CENTRES):
        y, x = CENTRE_ROWS[k % FAR_CENTRES], CENTRE_COLS[len(CENTRE_COLS) - 1 - k // FAR_CENTRES]
        scratch.cycle[k] = y * COLS + (x if view.me == PLAYER1 else COLS - 1 - x)
    for k in range(1, CENTRES):
        first = 0 if k < FAR_CENTRES else FAR_CENTRES
        other = first + draw(rng, k - first + 1)
        cell = int(scratch.cycle[k])
        scratch.cycle[k] = scratch.cycle[other]
        scratch.cycle[other] = cell
    scratch.is_ready = 1


@rule
def next_centre(scratch):
    """Return the next cell of the cycle."""
    cell = int(scratch.cycle[scratch.next_centre])
    scratch.next_centre = (scratch.next_centre + 1) % CENTRES
    return cell


@rule
def plan_turn(view, rng, scratch):
    """Decide what the turn is for: kill the more probably, the more the best attack is expected to take."""
    scratch.plan = GROW
    if view.turn == GROWING_TURNS + 1:
        expect_home(view, scratch)
    if view.turn > GROWING_TURNS + 1:
        _, _, gain = best_attack(view, scratch)
        hundredths = gain * 100 // UNIT
        # 3 / (3 + gain), sharpened to p³ / (p³ + (1 - p)³), is 27 / (27 + gain³).
        if draw(rng, 27_000_000 + hundredths * hundredths * hundredths) >= 27_000_000:
            scratch.plan = KILL


@rule
def expect_home(view, scratch):
    """Expect 8 scores in eleven tiles of the opponent's home column, 5 in the one beside it."""
    for y in range(ROWS):
        for step in range(2):
            x = COLS - 1 - step if view.me == PLAYER1 else step
            scratch.estimate[y * COLS + x] = (8 - 3 * step) * UNIT // 11
            scratch.seen_turn[y * COLS + x] = view.turn


@rule
def expect(view, scratch):
    """Write the estimates of the opponent's scores now, in UNITs."""
    own, estimate, seen, turn, expected = view.own, scratch.estimate, scratch.seen_turn, view.turn, scratch.expected
    for cell in range(CELLS):
        expected[cell] = 0 if own[cell] > 0 else int(estimate[cell]) + 3 * (turn - int(seen[cell]))


@rule
def best_attack(view, scratch):
    """Return the attack that is expected to take most: its command, its cell, and how much in UNITs."""
    expect(view, scratch)
    own, expected, most = view.own, scratch.expected, int(view.opt_bomb_damage) * UNIT
    bomb, bomb_cell, spray, spray_cell = -1, NOWHERE, -1, NOWHERE
    for cell in range(CELLS):
        taken = min(int(expected[cell]), most)
        if taken > bomb and own[cell] == 0:
            bomb, bomb_cell = taken, cell
        taken = 0
        for k in range(CROSS):
            near = beside(cell, CROSS_X[k], CROSS_Y[k])
            if near >= 0:
                taken += min(int(expected[near]), UNIT)
        if taken > spray:
            spray, spray_cell = taken, cell
    if bomb > spray:
        return BOMB, bomb_cell, bomb
    return SPRAY, spray_cell, spray


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
        if age > best:
            best, chosen, equals = age, cell, 1
        elif age == best:
            equals += 1
            if draw(rng, equals) == 0:
                chosen = cell
    return chosen


@rule
def safe_plant(view, mask, rng):
    """Return a cell to plant after which no spray takes more than 3, best where own tiles are fewest, or NOWHERE."""
    best, chosen, equals = -1, NOWHERE, 0
    for cell in range(CELLS):
        if mask[PLANT * CELLS + cell] and view.known[cell] == 0:
            crowd = most_in_a_cross(view, cell)
            if crowd <= 2:
                value = 2 - crowd
                if value > best:
                    best, chosen, equals = value, cell, 1
                elif value == best:
                    equals += 1
                    if draw(rng, equals) == 0:
                        chosen = cell
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
    best, chosen, equals = HIGHEST + 1, NOWHERE, 0
    for cell in range(CELLS):
        score = int(view.own[cell])
        if 0 < score < best:
            best, chosen, equals = score, cell, 1
        elif score == best:
            equals += 1
            if draw(rng, equals) == 0:
                chosen = cell
    return chosen
