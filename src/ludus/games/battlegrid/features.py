"""BattleGrid as a few numbers: the own tank, the enemy, the zone, and what each of the four directions would bring.

Directions are those of the actions: a direction that the tank faces drives it on, another one turns it; then it may shoot.
"""

from ludus.core import rule

from .rules import DX, DY, ITEM_PERIOD, MINUS_ONE, QUIET_END, SHRINKS, SIZE, decoded, show_board, show_enemy, show_own_tank

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

ACROSS = 1 / (SIZE - 1)
FAR = 1 / (2 * SIZE - 2)
NEAR = 1 / 4  # what a step counts where few matter
FACING, GUN, ENEMY, ZONE, ITEMS = 3, 7, 14, 19, 28
CLOSED, HIT, LINE, TO_GOOD, TO_BAD = 34, 38, 42, 46, 50
NONE = 4 * SIZE  # farther than any item


@rule
def features(view, out):
    """Write the numbers."""
    x, y, facing = int(view.x), int(view.y), int(view.facing)
    enemy_x = int(decoded(view.enemy_area[0], view.enemy_area[1]))
    enemy_y = int(decoded(view.enemy_area[2], view.enemy_area[3]))
    tell_time(view, out)
    tell_tank(view, out, facing)
    tell_enemy(out, enemy_x - x, enemy_y - y)
    tell_zone(view, out, x, y, enemy_x, enemy_y)
    tell_items(view, out, x, y)
    tell_ways(view, out, x, y, facing, enemy_x, enemy_y)


@rule
def glance(s, seat, view):
    """Write what `features` reads of a view, as `observe` would: hints alone that there are, and nothing of the last turn."""
    view.turn, view.max_turns = s.turn, s.opt_max_turns
    view.shoot_range, view.min_tank_distance = s.opt_shoot_range, s.opt_min_tank_distance
    show_own_tank(s, seat, view)
    show_enemy(s, seat, view)
    show_board(s, seat, view)
    view.hint_count = s.item_count
    for k in range(s.item_count):
        cell = int(s.item_cell[k])
        view.hint_x[k], view.hint_y[k] = min(cell % SIZE, SIZE - 2), min(cell // SIZE, SIZE - 2)
        view.hint_kind[k] = s.item_kind[k]


@rule
def tell_time(view, out):
    """Write how far the game is, and when the next shrink and the next items come."""
    out[0] = view.turn / view.max_turns
    gap = 2 * ((int(view.max_turns) - QUIET_END) // (2 * SHRINKS))
    if gap > 0 and view.turn < gap * SHRINKS:
        out[1] = (gap - view.turn % gap) / gap
    out[2] = (ITEM_PERIOD - view.turn % ITEM_PERIOD) / ITEM_PERIOD


@rule
def tell_tank(view, out, facing):
    """Write what the own tank is up to."""
    out[FACING + facing] = 1
    out[GUN] = view.cooldown == 0
    out[GUN + 1] = view.cooldown / 8
    out[GUN + 2] = view.double_shot
    out[GUN + 3] = view.double_damage
    out[GUN + 4] = view.double_cooldown
    out[GUN + 5] = min(int(view.stay), 2) / 2
    out[GUN + 6] = max(-32, min(32, int(view.score))) / 32


@rule
def tell_enemy(out, across, down):
    """Write where the enemy stands as seen from here."""
    out[ENEMY] = across * ACROSS
    out[ENEMY + 1] = down * ACROSS
    out[ENEMY + 2] = (abs(across) + abs(down)) * FAR
    out[ENEMY + 3] = across == 0
    out[ENEMY + 4] = down == 0


@rule
def tell_zone(view, out, x, y, enemy_x, enemy_y):
    """Write how far the edges of the zone are, below 0 on the wrong side of them and near ones exactly; and its middle."""
    left, up, right, down = x - view.zone[0], y - view.zone[1], view.zone[2] - x, view.zone[3] - y
    out[ZONE] = max(-4, min(4, left)) * NEAR
    out[ZONE + 1] = max(-4, min(4, up)) * NEAR
    out[ZONE + 2] = max(-4, min(4, right)) * NEAR
    out[ZONE + 3] = max(-4, min(4, down)) * NEAR
    out[ZONE + 4] = min(min(left, right), min(up, down)) < 0
    out[ZONE + 5] = (right - left) * FAR
    out[ZONE + 6] = (down - up) * FAR
    is_inside = view.zone[0] <= enemy_x <= view.zone[2] and view.zone[1] <= enemy_y <= view.zone[3]
    out[ZONE + 7] = not is_inside
    out[ZONE + 8] = -(min(0, min(left, right)) + min(0, min(up, down))) * FAR


@rule
def tell_items(view, out, x, y):
    """Write where the nearest item worth having lies, and the nearest that is not; and which lie one step away."""
    good, bad, good_at, bad_at = NONE, NONE, -1, -1
    for k in range(view.hint_count):
        across, down = int(view.hint_x[k]) - x, int(view.hint_y[k]) - y
        steps = abs(across) + abs(down)
        is_good = view.hint_kind[k] < MINUS_ONE  # the two power-ups come first
        if is_good and steps < good:
            good, good_at = steps, k
        if not is_good and steps < bad:
            bad, bad_at = steps, k
        if steps == 1:
            way = (3 if across > 0 else 2) if down == 0 else (1 if down > 0 else 0)
            out[(TO_GOOD if is_good else TO_BAD) + way] = 1
    tell_item(view, out, ITEMS, good_at, x, y)
    tell_item(view, out, ITEMS + 3, bad_at, x, y)


@rule
def tell_item(view, out, at, k, x, y):
    """Write where an item lies; far away without one."""
    out[at + 2] = 1
    if k >= 0:
        across, down = int(view.hint_x[k]) - x, int(view.hint_y[k]) - y
        out[at] = across * ACROSS
        out[at + 1] = down * ACROSS
        out[at + 2] = (abs(across) + abs(down)) * FAR


@rule
def tell_ways(view, out, x, y, facing, enemy_x, enemy_y):
    """Write for each direction whether it is closed, whether a shot after it hits, and whether the enemy is in line then."""
    reach = int(view.shoot_range)
    is_here = in_line(view, x, y, enemy_x, enemy_y, reach)
    for way in range(4):
        next_x, next_y = x + DX[way], y + DY[way]
        is_closed = not (0 <= next_x < SIZE and 0 <= next_y < SIZE) or view.wall[next_y] >> next_x & 1 != 0
        is_closed = is_closed or abs(next_x - enemy_x) + abs(next_y - enemy_y) < view.min_tank_distance
        out[CLOSED + way] = is_closed
        drives = way == facing and not is_closed
        line = in_line(view, next_x, next_y, enemy_x, enemy_y, reach) if drives else is_here
        out[HIT + way] = line == way + 1
        out[LINE + way] = line > 0


@rule
def in_line(view, x, y, goal_x, goal_y, reach):
    """Return 1 + the direction in which a shot from here reaches a goal as far as walls are known; 0 if none does."""
    across, down = goal_x - x, goal_y - y
    steps = abs(across) + abs(down)
    if (across != 0 and down != 0) or steps == 0 or steps > reach:
        return 0
    way = (3 if across > 0 else 2) if down == 0 else (1 if down > 0 else 0)
    for _ in range(steps - 1):
        x, y = x + DX[way], y + DY[way]
        if view.wall[y] >> x & 1 != 0:
            return 0
    return way + 1
