"""BattleGrid's built-in bots, weak to strong. They see their view and the mask, and nothing else."""

import numpy as np

from ludus.core import draw, rule

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
    sight,
)

DEPTH = 4  # own turns that `tactician` looks ahead
LINES = 4**DEPTH
FAR = 100  # steps to what cannot be reached
FULL_ROW = (1 << SIZE) - 1
POINT = 100  # what one point of score is worth to `tactician`

W_ZONE = 100
W_ENEMY_ZONE = 0
W_GUN = 20
W_ENEMY_GUN = 20
W_POWER = 40
W_ITEM = 3
W_EDGE = 25

# What a line of play consists of: one row of numbers per own turn.
MY_X, MY_Y, MY_FACING, MY_COOLDOWN, MY_STAY, MY_SHOT, MY_DAMAGE, MY_SLOW = range(8)
X, Y, FACING, COOLDOWN, STAY, VALUE = range(8, 14)

Scratch = np.dtype(
    [
        ("front", "i8", SIZE),  # cells that a flood reached last, bits by row
        ("reached", "i8", SIZE),  # cells that it may not enter any more
        ("to_zone", "i1", (SIZE, SIZE)),  # steps to the safe zone round known walls
        ("to_item", "i1", (SIZE, SIZE)),  # steps to the nearest item worth having
        ("item", "i1", (SIZE, SIZE)),  # kind + 1 of an item that lies here, or 0
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


@rule
def is_in_line(x, y, goal_x, goal_y, reach):
    """Say whether two cells lie in one row or column, not farther apart than this."""
    return (x == goal_x or y == goal_y) and abs(x - goal_x) + abs(y - goal_y) <= reach


@rule
def straight(x, y, goal_x, goal_y, facing):
    """Return the direction of the longer way to a goal; the present one if the goal is here."""
    across, down = goal_x - x, goal_y - y
    if across == 0 and down == 0:
        return facing
    if abs(across) >= abs(down):
        return 3 if across > 0 else 2
    return 1 if down > 0 else 0


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
def is_in_view(view, x, y, other_x, other_y):
    """Say whether a tank on x, y has a cell in view."""
    return sight(view.view_range, view.view_metric, x, y, other_y) >> int(other_x) & 1 != 0


@rule
def nearest_power(view, x, y):
    """Return the number of the nearest hint at double shot or double damage, or -1."""
    nearest, best = FAR, -1
    for k in range(view.hint_count):
        kind = int(view.hint_kind[k])
        if kind in (DOUBLE_SHOT, DOUBLE_DAMAGE):
            steps = abs(int(view.hint_x[k]) - x) + abs(int(view.hint_y[k]) - y)
            if steps < nearest:
                nearest, best = steps, k
    return best


@rule
def step_towards(view, scratch, x, y, facing, goal_x, goal_y):
    """Return the first direction of a shortest way inside the zone round known walls; without one, go straight."""
    inside = (2 << int(view.zone[2])) - (1 << int(view.zone[0]))
    for row in range(SIZE):
        scratch.front[row], scratch.reached[row] = 0, FULL_ROW
        if view.zone[1] <= row <= view.zone[3]:
            scratch.reached[row] = (FULL_ROW & ~inside) | view.wall[row]
    scratch.front[goal_y] = 1 << int(goal_x)
    while True:
        for direction in range(4):
            next_x, next_y = x + DX[direction], y + DY[direction]
            if 0 <= next_x < SIZE and 0 <= next_y < SIZE and scratch.front[next_y] >> next_x & 1 != 0:
                return direction
        if not spread(scratch):
            return straight(x, y, goal_x, goal_y, facing)


@rule
def spread(scratch):
    """Let a flood take one step; say whether it reached anything new."""
    is_spreading = False
    above = 0  # the row above, as it was before this step
    for y in range(SIZE):
        here = int(scratch.front[y])
        below = int(scratch.front[y + 1]) if y + 1 < SIZE else 0
        scratch.reached[y] |= here
        fresh = ((here << 1) | (here >> 1) | above | below) & FULL_ROW & ~int(scratch.reached[y])
        scratch.front[y] = fresh
        is_spreading = is_spreading or fresh != 0
        above = here
    return is_spreading


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
    scratch.item[:, :] = 0
    for y in range(SIZE):
        scratch.front[y], scratch.reached[y] = 0, view.wall[y]
    for k in range(view.hint_count):
        x, y, kind = int(view.hint_x[k]), int(view.hint_y[k]), int(view.hint_kind[k])
        scratch.item[y, x] = kind + 1
        if kind in (DOUBLE_SHOT, DOUBLE_DAMAGE):
            scratch.front[y] |= 1 << x
    measure(scratch, scratch.to_item)


@rule
def measure(scratch, steps):
    """Write how many steps each cell is from where the flood begins."""
    steps[:, :] = FAR
    for distance in range(FAR):
        for y in range(SIZE):
            row = int(scratch.front[y])
            if row != 0:
                for x in range(SIZE):
                    if row >> x & 1:
                        steps[y, x] = distance
        if not spread(scratch):
            return


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
    kind = int(scratch.item[now[MY_Y], now[MY_X]]) - 1
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
def is_open(view, x, y, other_x, other_y):
    """Say whether a tank may drive here as far as the view knows."""
    if not (0 <= x < SIZE and 0 <= y < SIZE) or view.wall[y] >> x & 1 != 0:
        return False
    return abs(x - other_x) + abs(y - other_y) >= view.min_tank_distance


@rule
def hits(view, x, y, facing, goal_x, goal_y):
    """Say whether a shot from here reaches the goal as far as the view knows."""
    for _ in range(view.shoot_range):
        x, y = x + DX[facing], y + DY[facing]
        if not (0 <= x < SIZE and 0 <= y < SIZE) or view.wall[y] >> x & 1 != 0:
            return False
        if x == goal_x and y == goal_y:
            return True
    return False


@rule
def is_inside(view, x, y):
    """Say whether a cell is in the safe zone."""
    return view.zone[0] <= x <= view.zone[2] and view.zone[1] <= y <= view.zone[3]


@rule
def worth(view, scratch):
    """Judge the end of a line: the way to the zone, the coming shrink, the gun, power-ups held and near."""
    end = scratch.line[DEPTH]
    x, y = end[MY_X], end[MY_Y]
    value = -W_ZONE * int(scratch.to_zone[y, x]) - edge_risk(view, x, y)
    value += W_ENEMY_ZONE * int(scratch.to_zone[end[Y], end[X]])
    value += W_ENEMY_GUN * end[COOLDOWN] - W_GUN * end[MY_COOLDOWN]
    value += W_POWER * (end[MY_SHOT] + end[MY_DAMAGE] - end[MY_SLOW])
    value -= W_ITEM * min(12, int(scratch.to_item[y, x]))
    return value


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
    return (2 - margin) * W_EDGE if left < 16 else (2 - margin) * W_EDGE // 2
