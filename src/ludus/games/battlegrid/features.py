"""BattleGrid as a few numbers: the own tank, the enemy, the zone, and what each of the four directions would bring.

Directions are those of the actions: a direction that the tank faces drives it on, another one turns it; then it may shoot.
"""

import numpy as np

from ludus.core import parts_of, rule

from .rules import (
    CELLS,
    DOWN,
    DX,
    DY,
    ITEM_PERIOD,
    LEFT,
    MINUS_ONE,
    QUIET_END,
    RIGHT,
    SHRINKS,
    SIZE,
    UP,
    decoded,
)

DIRECTIONS = ("up", "down", "left", "right")
GOOD, BAD = "double shot or double damage", "minus one or double cooldown"

FEATURES = (
    "time used",
    "turns to the next shrink",
    "turns to the next items",
    *(f"I face {way}" for way in DIRECTIONS),
    "my gun is loaded",
    "turns until it is",
    "double shot",
    "double damage",
    "double cooldown",
    "turns without a move",
    "my score",
    "columns to the enemy",
    "rows to the enemy",
    "steps to the enemy",
    "the enemy is in my column",
    "the enemy is in my row",
    "columns from the zone's left edge",
    "rows from its upper edge",
    "columns to its right edge",
    "rows to its lower edge",
    "I am outside",
    "columns to its middle",
    "rows to its middle",
    "the enemy is outside",
    "steps to the zone",
    *(
        f"{what} {kind}"
        for kind in (GOOD, BAD)
        for what in ("columns to the nearest", "rows to the nearest", "steps to the nearest")
    ),
    *(f"{way} is closed" for way in DIRECTIONS),
    *(f"{way} and a shot would hit" for way in DIRECTIONS),
    *(f"after {way} the enemy has me in line" for way in DIRECTIONS),
    *(f"{way} leads to {GOOD}" for way in DIRECTIONS),
    *(f"{way} leads to {BAD}" for way in DIRECTIONS),
)

FACING, GUN, ENEMY, ZONE, ITEMS = 3, 7, 14, 19, 28
CLOSED, HIT, LINE, TO_GOOD, TO_BAD = 34, 38, 42, 46, 50
STEPS, NONE = 7, 1 << 20  # an item as one number: its steps from this bit on, then its place in the list; above any

ACROSS = parts_of(SIZE - 1)
FAR = parts_of(2 * SIZE - 2)
NEAR = parts_of(4, most=4)  # where few steps matter
TO_ITEMS = np.array([(ITEM_PERIOD - turn) / ITEM_PERIOD for turn in range(ITEM_PERIOD)], np.float32)
HINT_X = np.array([min(cell % SIZE, SIZE - 2) for cell in range(CELLS)], np.int8)
HINT_Y = np.array([min(cell // SIZE, SIZE - 2) for cell in range(CELLS)], np.int8)


@rule
def features(view, out):
    """Write the numbers; where chance decides, without jumps, which a processor would guess wrong."""
    x, y, facing = int(view.x), int(view.y), int(view.facing)
    enemy_x = int(decoded(view.enemy_area[0], view.enemy_area[1]))
    enemy_y = int(decoded(view.enemy_area[2], view.enemy_area[3]))
    tell_time(view, out)
    tell_tank(view, out, facing)
    tell_enemy(out, enemy_x - x, enemy_y - y)
    tell_zone(view, out, x, y, enemy_x, enemy_y)
    tell_items(view, out, x, y)
    tell_ways(view, out, x, y, enemy_x - x, enemy_y - y)
    tell_lines(view, out, x, y, enemy_x - x, enemy_y - y)


@rule
def glance(s, seat, view):
    """Write what `features` reads of a view, as `observe` would: the walls that may matter, and hints alone that there are."""
    view.turn, view.max_turns = s.turn, s.opt_max_turns
    view.shoot_range, view.min_tank_distance = s.opt_shoot_range, s.opt_min_tank_distance
    glance_at_tank(s, seat, view)
    x, y = s.x[1 - seat], s.y[1 - seat]
    view.enemy_area[0], view.enemy_area[1] = max(0, x - 1), min(SIZE - 1, x + 2)
    view.enemy_area[2], view.enemy_area[3] = max(0, y - 1), min(SIZE - 1, y + 2)
    view.zone[0], view.zone[1], view.zone[2], view.zone[3] = s.zone[0], s.zone[1], s.zone[2], s.zone[3]
    glance_at_walls(s, seat, view, (abs(x - s.x[seat]) <= 1) & (abs(y - s.y[seat]) <= s.opt_shoot_range + 1))
    view.hint_count = s.item_count
    for k in range(s.item_count):
        cell = int(s.item_cell[k])
        view.hint_x[k], view.hint_y[k], view.hint_kind[k] = HINT_X[cell], HINT_Y[cell], s.item_kind[k]


@rule
def glance_at_tank(s, seat, view):
    """Show the own tank; if it acts next, its gun is shown as it will be when it does (D22)."""
    view.x, view.y, view.facing = s.x[seat], s.y[seat], s.facing[seat]
    loads = (seat == s.seat) & (s.turn < s.opt_max_turns) & (s.cooldown[seat] > 0)
    view.cooldown = s.cooldown[seat] - int(loads)
    view.double_shot, view.double_damage = s.double_shot[seat], s.double_damage[seat]
    view.double_cooldown = s.double_cooldown[seat]
    view.stay, view.score = s.stay[seat], s.score[seat]


@rule
def glance_at_walls(s, seat, view, in_column):
    """Show the walls of the rows next to the tank, and all of them if the enemy is near its column and may be shot at."""
    y = int(s.y[seat])
    above, below = max(0, y - 1), min(SIZE - 1, y + 1)
    view.wall[above] = s.wall[above] & s.seen[seat, above]
    view.wall[y] = s.wall[y] & s.seen[seat, y]
    view.wall[below] = s.wall[below] & s.seen[seat, below]
    if in_column:
        for row in range(SIZE):
            view.wall[row] = s.wall[row] & s.seen[seat, row]


@rule
def tell_time(view, out):
    """Write how far the game is, and when the next shrink and the next items come."""
    out[0] = view.turn / view.max_turns
    gap = 2 * ((int(view.max_turns) - QUIET_END) // (2 * SHRINKS))
    if gap > 0 and view.turn < gap * SHRINKS:
        out[1] = (gap - view.turn % gap) / gap
    out[2] = TO_ITEMS[view.turn % ITEM_PERIOD]


@rule
def tell_tank(view, out, facing):
    """Write what the own tank is up to."""
    out[FACING + facing] = 1
    out[GUN] = int(view.cooldown == 0)
    out[GUN + 1] = view.cooldown / 8
    out[GUN + 2] = view.double_shot
    out[GUN + 3] = view.double_damage
    out[GUN + 4] = view.double_cooldown
    out[GUN + 5] = min(int(view.stay), 2) / 2
    out[GUN + 6] = max(-32, min(32, int(view.score))) / 32


@rule
def tell_enemy(out, across, down):
    """Write where the enemy stands as seen from here."""
    out[ENEMY] = ACROSS[across & 255]
    out[ENEMY + 1] = ACROSS[down & 255]
    out[ENEMY + 2] = FAR[abs(across) + abs(down) & 255]
    out[ENEMY + 3] = int(across == 0)
    out[ENEMY + 4] = int(down == 0)


@rule
def tell_zone(view, out, x, y, enemy_x, enemy_y):
    """Write how far the edges of the zone are, below 0 on the wrong side of them and near ones exactly; and its middle."""
    left, up, right, down = x - view.zone[0], y - view.zone[1], view.zone[2] - x, view.zone[3] - y
    out[ZONE] = NEAR[left & 255]
    out[ZONE + 1] = NEAR[up & 255]
    out[ZONE + 2] = NEAR[right & 255]
    out[ZONE + 3] = NEAR[down & 255]
    out[ZONE + 4] = int(min(min(left, right), min(up, down)) < 0)
    out[ZONE + 5] = FAR[right - left & 255]
    out[ZONE + 6] = FAR[down - up & 255]
    is_beside = (enemy_x < view.zone[0]) | (enemy_x > view.zone[2])
    out[ZONE + 7] = int(is_beside | (enemy_y < view.zone[1]) | (enemy_y > view.zone[3]))
    out[ZONE + 8] = FAR[-(min(0, min(left, right)) + min(0, min(up, down))) & 255]


@rule
def tell_items(view, out, x, y):
    """Write where the nearest item worth having lies, and the nearest that is not; and which lie one step away."""
    good, bad = NONE, NONE
    for k in range(view.hint_count):
        item = abs(int(view.hint_x[k]) - x) + abs(int(view.hint_y[k]) - y) << STEPS | k
        is_good = view.hint_kind[k] < MINUS_ONE  # the two power-ups come first
        good = min(good, item if is_good else NONE)
        bad = min(bad, NONE if is_good else item)
    tell_item(view, out, ITEMS, good, x, y)
    tell_item(view, out, ITEMS + 3, bad, x, y)
    if min(good, bad) < 2 << STEPS:
        tell_next_items(view, out, x, y)


@rule
def tell_item(view, out, at, item, x, y):
    """Write where an item lies; far away without one."""
    out[at + 2] = 1
    if item != NONE:
        k = item & ((1 << STEPS) - 1)
        out[at] = ACROSS[int(view.hint_x[k]) - x & 255]
        out[at + 1] = ACROSS[int(view.hint_y[k]) - y & 255]
        out[at + 2] = FAR[item >> STEPS & 255]


@rule
def tell_next_items(view, out, x, y):
    """Write to which items each direction leads."""
    for k in range(view.hint_count):
        across, down = int(view.hint_x[k]) - x, int(view.hint_y[k]) - y
        if abs(across) + abs(down) == 1:
            way = (RIGHT if across > 0 else LEFT) if down == 0 else (DOWN if down > 0 else UP)
            out[(TO_GOOD if view.hint_kind[k] < MINUS_ONE else TO_BAD) + way] = 1


@rule
def tell_ways(view, out, x, y, across, down):
    """Write for each direction whether it is closed: by the edge, a wall, or the enemy, who stands so far across and down."""
    here, least = int(view.wall[y]), int(view.min_tank_distance)
    above, below = int(view.wall[max(0, y - 1)]), int(view.wall[min(SIZE - 1, y + 1)])
    out[CLOSED + UP] = above >> x & 1 | int(y == 0) | int(abs(across) + abs(down + 1) < least)
    out[CLOSED + DOWN] = below >> x & 1 | int(y == SIZE - 1) | int(abs(across) + abs(down - 1) < least)
    out[CLOSED + LEFT] = (here << 1 | 1) >> x & 1 | int(abs(across + 1) + abs(down) < least)
    out[CLOSED + RIGHT] = (here | 1 << SIZE) >> x + 1 & 1 | int(abs(across - 1) + abs(down) < least)


@rule
def tell_lines(view, out, x, y, across, down):
    """Write for each direction whether a shot after it hits, and whether the enemy is in line then."""
    facing = int(view.facing)
    to_x, to_y = (facing == RIGHT) - int(facing == LEFT), (facing == DOWN) - int(facing == UP)
    is_straight = (across == 0) | (down == 0) | (across == to_x) | (down == to_y)  # now, or after a step
    if is_straight & (abs(across) + abs(down) <= view.shoot_range + 1):
        tell_line(view, out, x, y, across, down)


@rule
def tell_line(view, out, x, y, across, down):
    """Write what is in line here, and, if the tank can drive on in the direction that it faces, after that."""
    facing, reach = int(view.facing), int(view.shoot_range)
    line = in_line(view, x, y, across, down, reach)
    if line > 0:
        for way in range(4):
            out[LINE + way] = 1
        out[HIT + line - 1] = 1
    if out[CLOSED + facing] == 0:
        to_x, to_y = DX[facing], DY[facing]
        line = in_line(view, x + to_x, y + to_y, across - to_x, down - to_y, reach)
        out[HIT + facing] = line == facing + 1
        out[LINE + facing] = line > 0


@rule
def in_line(view, x, y, across, down, reach):
    """Return 1 + the direction in which a shot from here reaches a goal as far as walls are known; 0 if none does."""
    steps = abs(across) + abs(down)
    if (across != 0 and down != 0) or steps == 0 or steps > reach:
        return 0
    way = (RIGHT if across > 0 else LEFT) if down == 0 else (DOWN if down > 0 else UP)
    for _ in range(steps - 1):
        x, y = x + DX[way], y + DY[way]
        if view.wall[y] >> x & 1 != 0:
            return 0
    return way + 1
