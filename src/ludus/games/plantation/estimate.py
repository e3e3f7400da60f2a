# mypy: ignore-errors
"""What scry_and_die expects of its opponent: estimates by tile, a cycle of windows to scout, the best attack.

Probabilities and estimates are whole numbers, so that every device plays the same.
"""

from ludus.core import draw, rule

from .rules import (
    BOMB,
    CELLS,
    COLS,
    CROSS,
    CROSS_X,
    CROSS_Y,
    ERROR,
    NOWHERE,
    OCCUPIED,
    PLAYER1,
    ROWS,
    SCOUT,
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
