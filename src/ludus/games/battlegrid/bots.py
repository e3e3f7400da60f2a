"""BattleGrid's built-in bots, weak to strong. They see their view and the mask, and nothing else."""

import numpy as np

from ludus.core import draw, rule

from .paths import FAR, hits, is_in_line, is_in_view, is_inside, is_open, measure, step_towards, straight
from .rules import (
    DOUBLE_DAMAGE,
    DOUBLE_RELOAD,
    DOUBLE_SHOT,
    DX,
    DY,
    MINUS_ONE,
    QUIET_END,
    RELOAD,
    RIGHT,
    SHOOT,
    SHRINKS,
    SIZE,
    STUCK_LIMIT,
    decoded,
)

DEPTH = 4  # own turns that `tactician` looks ahead
LINES = 4**DEPTH
POINT = 100  # what one point of score is worth to `tactician`

# What `tactician` likes at the end of a line, in hundredths of a point.
ZONE_STEP_COST = 100  # a step still to go to the zone
EDGE_COST = 25  # a cell too near to the edge of a zone that shrinks soon
RELOAD_COST = 20  # a turn that a gun still needs, whoever's it is
POWER_GAIN = 40  # a power-up held, a handicap the other way round
ITEM_STEP_COST, ITEM_SIGHT = 3, 12  # a step to the nearest power-up; farther ones are all alike

# What a line of play consists of: one row of numbers per own turn.
MY_X, MY_Y, MY_FACING, MY_COOLDOWN, MY_STAY, MY_SHOT, MY_DAMAGE, MY_SLOW = range(8)
X, Y, FACING, COOLDOWN, STAY, VALUE = range(8, 14)

Scratch = np.dtype(
    [
        ("front", "i8", SIZE),  # cells that a flood reached last, bits by row
        ("reached", "i8", SIZE),  # cells that it may not enter any more
        ("to_zone", "i1", (SIZE, SIZE)),  # steps to the safe zone round known walls
        ("to_item", "i1", (SIZE, SIZE)),  # steps to the nearest item worth having
        ("lying", "i1", (SIZE, SIZE)),  # kind + 1 of an item that lies here, or 0
        ("line", "i4", (DEPTH + 1, 14)),  # the line that is looked at, turn by turn
        ("expected", "i4", 14),  # where the last decision thought that the next one would begin
        ("remembers", "i4"),  # 1 = `expected` is filled
        ("old_x", "i4"),  # where the enemy stood at the last decision
        ("old_y", "i4"),
    ],
    align=True,
)


@rule
def random(view, mask, rng):
    """Turn or drive anywhere, and shoot half the time."""
    return draw(rng, 2 * SHOOT)


@rule
def hunter(view, mask, rng, scratch):
    """Shoot at an enemy in line, walk towards one in view, else to power-ups, else to the middle of the zone."""
    begin_line(view, scratch)
    now = scratch.line[0]
    return hunt(view, scratch, now[MY_X], now[MY_Y], now[MY_FACING], now[X], now[Y])


@rule
def tactician(view, mask, rng, scratch):
    """Play the best line of four own turns against an enemy that is taken for a hunter."""
    map_board(view, scratch)
    begin_line(view, scratch)
    best, chosen, equals = -(1 << 30), 0, 0
    for number in range(LINES):
        for turn in range(first_new_turn(number), DEPTH):
            play_turn(view, scratch, turn, number >> 2 * (DEPTH - 1 - turn) & 3)
        value = scratch.line[DEPTH, VALUE] + worth(view, scratch)
        direction = number >> 2 * (DEPTH - 1)
        if value > best:
            best, chosen, equals = value, direction, 1
        elif value == best and direction != chosen:
            equals += 1
            if draw(rng, equals) == 0:
                chosen = direction
    return remember(view, scratch, chosen)


BOTS = {"random": random, "hunter": hunter, "tactician": tactician}
SEARCH = {"playout": "hunter", "cut": 20}  # `mcts` lets hunters play ten turns of each tank


@rule
def hunt(view, scratch, x, y, facing, prey_x, prey_y):
    """Return what a hunter on x, y plays against prey, which it sees within its range only."""
    goal_x, goal_y = prey_x, prey_y
    if is_in_view(view, x, y, prey_x, prey_y):
        if is_in_line(x, y, prey_x, prey_y, view.shoot_range):
            return straight(x, y, prey_x, prey_y, facing) + SHOOT
    else:
        nearest = nearest_power(view, x, y)
        if nearest >= 0:
            goal_x, goal_y = int(view.hint_x[nearest]), int(view.hint_y[nearest])
        else:
            goal_x, goal_y = (view.zone[0] + view.zone[2]) // 2, (view.zone[1] + view.zone[3]) // 2
    return step_towards(view, scratch, x, y, facing, goal_x, goal_y)


@rule
def nearest_power(view, x, y):
    """Return the number of the nearest hint at double shot or double damage, or -1."""
    nearest, best = FAR, -1
    for k in range(view.hint_count):
        kind = int(view.hint_kind[k])
        if kind < MINUS_ONE:  # the two power-ups come first
            steps = abs(int(view.hint_x[k]) - x) + abs(int(view.hint_y[k]) - y)
            if steps < nearest:
                nearest, best = steps, k
    return best


@rule
def map_board(view, scratch):
    """Measure every cell's way to the zone and to the nearest power-up, and note the items."""
    for y in range(SIZE):
        scratch.front[y], scratch.reached[y] = 0, view.wall[y]
        if view.zone[1] <= y <= view.zone[3]:
            scratch.front[y] = ((2 << int(view.zone[2])) - (1 << int(view.zone[0]))) & ~int(view.wall[y])
    enemy_x, enemy_y = enemy_cell(view)
    for y in range(SIZE):
        for x in range(SIZE):
            if abs(x - enemy_x) + abs(y - enemy_y) < view.min_tank_distance:
                scratch.reached[y] |= 1 << x
                scratch.front[y] &= ~(1 << x)
    measure(scratch, scratch.to_zone)
    scratch.lying[:, :] = 0
    for y in range(SIZE):
        scratch.front[y], scratch.reached[y] = 0, view.wall[y]
    for k in range(view.hint_count):
        x, y, kind = int(view.hint_x[k]), int(view.hint_y[k]), int(view.hint_kind[k])
        scratch.lying[y, x] = kind + 1
        if kind < MINUS_ONE:  # the two power-ups come first
            scratch.front[y] |= 1 << x
    measure(scratch, scratch.to_item)


@rule
def begin_line(view, scratch):
    """Set up the position as far as it is known; of the enemy, what the last decision expected and the eye confirms."""
    now, expected = scratch.line[0], scratch.expected
    now[MY_X], now[MY_Y], now[MY_FACING] = view.x, view.y, view.facing
    now[MY_COOLDOWN], now[MY_STAY] = view.cooldown + 1, view.stay
    now[MY_SHOT], now[MY_DAMAGE], now[MY_SLOW] = view.double_shot, view.double_damage, view.double_cooldown
    x, y = enemy_cell(view)
    now[VALUE] = 0
    now[X], now[Y], now[FACING], now[COOLDOWN], now[STAY] = x, y, RIGHT, 0, 0
    if scratch.remembers == 0:
        return
    now[FACING], now[COOLDOWN], now[STAY] = expected[FACING], expected[COOLDOWN], expected[STAY]
    if x == scratch.old_x and y == scratch.old_y and (x != expected[X] or y != expected[Y]):
        now[FACING], now[STAY] = straight(x, y, view.x, view.y, expected[FACING]), 1  # it turned, most likely to me
    for direction in range(4):
        if scratch.old_x + DX[direction] == x and scratch.old_y + DY[direction] == y:
            now[FACING], now[STAY] = direction, 0


@rule
def remember(view, scratch, direction):
    """Return the action for the chosen direction, and keep what the enemy is expected to do next."""
    before = scratch.line[0, VALUE]
    now = scratch.line[1]
    for k in range(14):
        now[k] = scratch.line[0, k]
    play_mine(view, scratch, now, direction)
    shoots = now[VALUE] > before
    scratch.old_x, scratch.old_y, scratch.remembers = now[X], now[Y], 1
    play_enemy(view, scratch, now)
    for k in range(14):
        scratch.expected[k] = now[k]
    return direction + SHOOT if shoots else direction


@rule
def enemy_cell(view):
    """Return where the enemy stands, which its area gives away."""
    return decoded(view.enemy_area[0], view.enemy_area[1]), decoded(view.enemy_area[2], view.enemy_area[3])


@rule
def first_new_turn(number):
    """Return the first own turn in which a line differs from the one before it."""
    if number == 0:
        return 0
    turn = DEPTH - 1
    while number & 3 == 0:
        number >>= 2
        turn -= 1
    return turn


@rule
def play_turn(view, scratch, turn, direction):
    """Play one own turn and the enemy's answer in the line that is looked at."""
    now = scratch.line[turn + 1]
    for k in range(14):
        now[k] = scratch.line[turn, k]
    play_mine(view, scratch, now, direction)
    play_enemy(view, scratch, now)
    if not is_inside(view, now[MY_X], now[MY_Y]):
        now[VALUE] -= POINT
    if not is_inside(view, now[X], now[Y]):
        now[VALUE] += POINT


@rule
def play_mine(view, scratch, now, direction):
    """Turn or drive, take items, and shoot if it hits."""
    now[MY_COOLDOWN] = max(0, now[MY_COOLDOWN] - 1)
    if direction != now[MY_FACING]:
        now[MY_FACING] = direction
        now[MY_STAY] += 1
    else:
        x, y = now[MY_X] + DX[direction], now[MY_Y] + DY[direction]
        if is_open(view, x, y, now[X], now[Y]):
            now[MY_X], now[MY_Y], now[MY_STAY] = x, y, 0
            take(scratch, now)
        else:
            now[MY_STAY] += 1
    if now[MY_STAY] > STUCK_LIMIT:
        now[VALUE] -= POINT // 3  # the forced move is left to chance
        now[MY_STAY] = 0
    elif now[MY_COOLDOWN] == 0 and hits(view, now[MY_X], now[MY_Y], now[MY_FACING], now[X], now[Y]):
        now[VALUE] += POINT + POINT * now[MY_DAMAGE]
        now[MY_DAMAGE] = 0
        if now[MY_SHOT]:
            now[MY_SHOT] = 0
        elif now[MY_SLOW]:
            now[MY_SLOW], now[MY_COOLDOWN] = 0, DOUBLE_RELOAD
        else:
            now[MY_COOLDOWN] = RELOAD


@rule
def take(scratch, now):
    """Pick up what lies on the own cell."""
    kind = int(scratch.lying[now[MY_Y], now[MY_X]]) - 1
    if kind == DOUBLE_SHOT:
        now[MY_SHOT] = 1
    elif kind == DOUBLE_DAMAGE:
        now[MY_DAMAGE] = 1
    elif kind == MINUS_ONE:
        now[VALUE] -= POINT
    elif kind >= 0:
        now[MY_SLOW] = 1


@rule
def play_enemy(view, scratch, now):
    """Let the enemy hunt."""
    now[COOLDOWN] = max(0, now[COOLDOWN] - 1)
    x, y = now[X], now[Y]
    action = hunt(view, scratch, x, y, now[FACING], now[MY_X], now[MY_Y])
    direction, shoots = action & 3, action >= SHOOT
    if direction != now[FACING]:
        now[FACING] = direction
        now[STAY] += 1
    elif is_open(view, x + DX[direction], y + DY[direction], now[MY_X], now[MY_Y]):
        now[X], now[Y], now[STAY] = x + DX[direction], y + DY[direction], 0
    else:
        now[STAY] += 1
    if now[STAY] > STUCK_LIMIT:
        now[STAY] = 0
        shoots = False  # it is driven off at random
    if shoots and now[COOLDOWN] == 0:
        now[COOLDOWN] = RELOAD
        if hits(view, now[X], now[Y], now[FACING], now[MY_X], now[MY_Y]):
            now[VALUE] -= POINT


@rule
def worth(view, scratch):
    """Judge the end of a line: the way to the zone, the coming shrink, the gun, power-ups held and near."""
    end = scratch.line[DEPTH]
    x, y = end[MY_X], end[MY_Y]
    value = RELOAD_COST * (end[COOLDOWN] - end[MY_COOLDOWN])
    value -= ZONE_STEP_COST * int(scratch.to_zone[y, x]) + edge_risk(view, x, y)
    value += POWER_GAIN * (end[MY_SHOT] + end[MY_DAMAGE] - end[MY_SLOW])
    return value - ITEM_STEP_COST * min(ITEM_SIGHT, int(scratch.to_item[y, x]))


@rule
def edge_risk(view, x, y):
    """Return what a place near the edge of the zone is likely to cost at the coming shrink."""
    gap = (view.max_turns - QUIET_END) // (2 * SHRINKS)
    if gap <= 0 or view.turn >= 2 * gap * SHRINKS:
        return 0
    left = 2 * gap - view.turn % (2 * gap)
    margin = min(min(x - view.zone[0], view.zone[2] - x), min(y - view.zone[1], view.zone[3] - y))
    if left > 30 or margin >= 2:
        return 0
    return (2 - margin) * EDGE_COST if left < 16 else (2 - margin) * EDGE_COST // 2
