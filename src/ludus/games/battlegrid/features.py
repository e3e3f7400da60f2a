"""BattleGrid as a few numbers: the own tank, the enemy, the zone, and what each of the four directions would bring.

Directions are those of the actions: a direction that the tank faces drives it on, another one turns it; then it may shoot.
"""

import numpy as np

from ludus.core import parts_of, rule

from .rules import (
    CAPACITY,
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
# An item as one number, so that the least is the nearest: whether it is a bad one, its steps, its place in the list, its hint.
KIND, STEPS, PLACE = 40, 24, 16
OTHER = 1 << KIND  # with this bit turned over, the nearest of the other kind
WIDE = 1 << SIZE.bit_length() + 1  # a hint is WIDE * row + column: the difference of two tells how far apart they are

ACROSS = parts_of(SIZE - 1)
FAR = parts_of(2 * SIZE - 2)
NEAR = parts_of(4, most=4)  # where few steps matter
TO_ITEMS = np.array([(ITEM_PERIOD - turn) / ITEM_PERIOD for turn in range(ITEM_PERIOD)], np.float32)
CELL_BITS = (1 << CELLS.bit_length()) - 1  # any cell's: what is never below 0 need not be asked
HINT = np.array([min(cell // SIZE, SIZE - 2) * WIDE + min(cell % SIZE, SIZE - 2) for cell in range(CELLS)], np.int16)
_OFFSETS = np.arange(1 - SIZE, SIZE)
APART = np.zeros(WIDE * WIDE, np.uint8)
APART[np.add.outer(_OFFSETS * WIDE, _OFFSETS) % APART.size] = np.add.outer(abs(_OFFSETS), abs(_OFFSETS))


@rule
def features(view, out):
    """Write the numbers; where chance decides, without jumps, which a processor would guess wrong."""
    x, y = int(view.x), int(view.y)
    across = int(decoded(view.enemy_area[0], view.enemy_area[1])) - x
    down = int(decoded(view.enemy_area[2], view.enemy_area[3])) - y
    tell_time(out, int(view.turn), int(view.max_turns))
    tell_gun(out, view.cooldown, view.double_shot, view.double_damage, view.double_cooldown)
    tell_tank(out, view.facing, int(view.stay), int(view.score))
    tell_enemy(out, across, down)
    tell_zone(out, view.zone, x, y, across, down)
    tell_hints(out, view, x, y)
    tell_ways(out, view.wall, view.wall, x, y, across, down, view.min_tank_distance)
    tell_lines(out, view.wall, view.wall, x, y, across, down, int(view.facing), int(view.shoot_range))


@rule
def glance(s, seat, out):
    """Write the same straight from a position; the gun of a tank that acts next is shown as it will be when it does (D22)."""
    x, y, seen = int(s.x[seat]), int(s.y[seat]), s.seen[seat]
    across, down = int(s.x[1 - seat]) - x, int(s.y[1 - seat]) - y
    loads = (seat == s.seat) & (s.turn < s.opt_max_turns) & (s.cooldown[seat] > 0)
    tell_time(out, int(s.turn), int(s.opt_max_turns))
    tell_gun(out, s.cooldown[seat] - int(loads), s.double_shot[seat], s.double_damage[seat], s.double_cooldown[seat])
    tell_tank(out, s.facing[seat], int(s.stay[seat]), int(s.score[seat]))
    tell_enemy(out, across, down)
    tell_zone(out, s.zone, x, y, across, down)
    tell_items(out, s, x, y)
    tell_ways(out, s.wall, seen, x, y, across, down, s.opt_min_tank_distance)
    tell_lines(out, s.wall, seen, x, y, across, down, int(s.facing[seat]), int(s.opt_shoot_range))


@rule
def tell_time(out, turn, max_turns):
    """Write how far the game is, and when the next shrink and the next items come."""
    out[0] = turn / max_turns
    gap = 2 * ((max_turns - QUIET_END) // (2 * SHRINKS))
    if gap > 0 and turn < gap * SHRINKS:
        out[1] = (gap - turn % gap) / gap
    out[2] = TO_ITEMS[turn % ITEM_PERIOD]


@rule
def tell_gun(out, cooldown, double_shot, double_damage, double_cooldown):
    """Write what the gun can do, and when."""
    out[GUN] = is_zero(cooldown)
    out[GUN + 1] = cooldown / 8
    out[GUN + 2] = double_shot
    out[GUN + 3] = double_damage
    out[GUN + 4] = double_cooldown


@rule
def tell_tank(out, facing, stay, score):
    """Write what the own tank is up to."""
    out[FACING + facing] = 1
    out[GUN + 5] = min(stay, 2) / 2
    out[GUN + 6] = max(-32, min(32, score)) / 32


@rule
def tell_enemy(out, across, down):
    """Write where the enemy stands as seen from here."""
    out[ENEMY] = ACROSS[across & 255]
    out[ENEMY + 1] = ACROSS[down & 255]
    out[ENEMY + 2] = FAR[abs(across) + abs(down) & 255]
    out[ENEMY + 3] = is_zero(abs(across))
    out[ENEMY + 4] = is_zero(abs(down))


@rule
def is_zero(number):
    """Return 1 for 0 and 0 for more; a comparison of numbers that become fractions would be a jump."""
    return int(number) - 1 >> 63 & 1


@rule
def tell_zone(out, zone, x, y, across, down):
    """Write how far the edges of the zone are, below 0 on the wrong side of them and near ones exactly; and its middle."""
    left, up, right, low = x - zone[0], y - zone[1], zone[2] - x, zone[3] - y
    out[ZONE] = NEAR[left & 255]
    out[ZONE + 1] = NEAR[up & 255]
    out[ZONE + 2] = NEAR[right & 255]
    out[ZONE + 3] = NEAR[low & 255]
    out[ZONE + 4] = int(min(min(left, right), min(up, low)) < 0)
    out[ZONE + 5] = FAR[right - left & 255]
    out[ZONE + 6] = FAR[low - up & 255]
    out[ZONE + 7] = int((across < -left) | (across > right) | (down < -up) | (down > low))  # the enemy
    out[ZONE + 8] = FAR[-(min(0, min(left, right)) + min(0, min(up, low))) & 255]


@rule
def tell_hints(out, view, x, y):
    """Write where the nearest item worth having lies, and the nearest that is not; and which lie one step away."""
    here = y * WIDE + x
    good = bad = nothing(here)
    for k in range(int(view.hint_count)):
        item = ranked(k, int(view.hint_y[k]) * WIDE + int(view.hint_x[k]), int(view.hint_kind[k]), here)
        good, bad = min(good, item), min(bad, item ^ OTHER)
    tell_item(out, ITEMS, good, x, y)
    tell_item(out, ITEMS + 3, bad, x, y)
    if min(good, bad) < 2 << STEPS:
        for k in range(view.hint_count):
            tell_next(out, int(view.hint_x[k]) - x, int(view.hint_y[k]) - y, int(view.hint_kind[k]))


@rule
def tell_items(out, s, x, y):
    """Write the same of the items themselves, as their hints would tell."""
    here = y * WIDE + x
    good = bad = nothing(here)
    for k in range(int(s.item_count)):
        item = ranked(k, int(HINT[s.item_cell[k] & CELL_BITS]), int(s.item_kind[k]), here)
        good, bad = min(good, item), min(bad, item ^ OTHER)
    tell_item(out, ITEMS, good, x, y)
    tell_item(out, ITEMS + 3, bad, x, y)
    if min(good, bad) < 2 << STEPS:
        for k in range(s.item_count):
            hint = int(HINT[s.item_cell[k] & CELL_BITS])
            tell_next(out, hint % WIDE - x, hint // WIDE - y, int(s.item_kind[k]))


@rule
def ranked(k, hint, kind, here):
    """Return an item as one number."""
    steps = int(APART[hint - here & WIDE * WIDE - 1])
    return int(kind >= MINUS_ONE) << KIND | steps << STEPS | k << PLACE | hint  # the two power-ups come first


@rule
def nothing(here):
    """Return an item that all others are nearer than: the farthest, and no way to go."""
    return 2 * SIZE - 2 << STEPS | CAPACITY << PLACE | here


@rule
def tell_item(out, at, item, x, y):
    """Write where an item lies; far away without one."""
    out[at] = ACROSS[item % WIDE - x & 255]
    out[at + 1] = ACROSS[item // WIDE % WIDE - y & 255]
    out[at + 2] = FAR[item >> STEPS & 255]


@rule
def tell_next(out, across, down, kind):
    """Write which direction leads to an item if it is one step away."""
    if abs(across) + abs(down) == 1:
        out[(TO_GOOD if kind < MINUS_ONE else TO_BAD) + direction(across, down)] = 1


@rule
def direction(across, down):
    """Return the direction of what lies straight away."""
    return (RIGHT if across > 0 else LEFT) if down == 0 else (DOWN if down > 0 else UP)


@rule
def tell_ways(out, wall, seen, x, y, across, down, least):
    """Write for each direction whether it is closed: by the edge, a wall, or the enemy, nearer than `least` then."""
    above, here, below = max(0, y - 1), wall[y] & seen[y], min(SIZE - 1, y + 1)
    out[CLOSED + UP] = (wall[above] & seen[above]) >> x & 1 | int(y == 0)
    out[CLOSED + DOWN] = (wall[below] & seen[below]) >> x & 1 | int(y == SIZE - 1)
    out[CLOSED + LEFT] = (here << 1 | 1) >> x & 1
    out[CLOSED + RIGHT] = (here | 1 << SIZE) >> x + 1 & 1
    if abs(across) + abs(down) <= least:
        for way in range(4):
            if abs(across - DX[way]) + abs(down - DY[way]) < least:
                out[CLOSED + way] = 1


@rule
def tell_lines(out, wall, seen, x, y, across, down, facing, reach):
    """Write for each direction whether a shot after it hits, and whether the enemy is in line then."""
    to_x, to_y = (facing == RIGHT) - int(facing == LEFT), (facing == DOWN) - int(facing == UP)
    is_straight = (across == 0) | (down == 0) | (across == to_x) | (down == to_y)  # now, or after a step
    if is_straight & (abs(across) + abs(down) <= reach + 1):
        tell_line(out, wall, seen, x, y, across, down, facing, reach)


@rule
def tell_line(out, wall, seen, x, y, across, down, facing, reach):
    """Write what is in line here, and, if the tank can drive on in the direction that it faces, after that."""
    line = in_line(wall, seen, x, y, across, down, reach)
    if line > 0:
        for way in range(4):
            out[LINE + way] = 1
        out[HIT + line - 1] = 1
    if out[CLOSED + facing] == 0:
        to_x, to_y = DX[facing], DY[facing]
        line = in_line(wall, seen, x + to_x, y + to_y, across - to_x, down - to_y, reach)
        out[HIT + facing] = line == facing + 1
        out[LINE + facing] = line > 0


@rule
def in_line(wall, seen, x, y, across, down, reach):
    """Return 1 + the direction in which a shot from here reaches a goal as far as walls are known; 0 if none does."""
    steps = abs(across) + abs(down)
    if (across != 0 and down != 0) or steps == 0 or steps > reach:
        return 0
    way = direction(across, down)
    for _ in range(steps - 1):
        x, y = x + DX[way], y + DY[way]
        if (wall[y] & seen[y]) >> x & 1 != 0:
            return 0
    return way + 1
