"""Quantum Harvest as a few numbers: how both sides stand, and the unit that is asked with what lies around it."""

from ludus.core import parts_of, rule

from .tables import (
    BARRIER,
    BUILD_COST,
    DIRECTIONS,
    DX,
    DY,
    GATE,
    HALVES,
    HARVESTER,
    HEAL_COST,
    NODE,
    QUARTERS,
    SEATS,
    SIZE,
    SPAWN_COST,
    WARRIOR,
)

TYPES = ("harvester", "warrior", "scout")
TILES = ("empty", "node", "barrier", "zone", "field", "gate")
WAYS = ("up-left", "up", "up-right", "left", "here", "right", "down-left", "down", "down-right")
SIDES = ("my", "its")

FEATURES = (
    "time used",
    "a unit is asked",
    "I picked it",
    "orders given in this turn",
    *(f"{side} energy" for side in SIDES),
    "my lead in energy",
    *(f"{side} territory, of the goal" for side in SIDES),
    *(f"{side} turns at the goal" for side in SIDES),
    "energy left to spend",
    *(f"it pays for a {what}" for what in ("harvester", "healing", "building or warrior")),
    *(f"{side} {kind}s" for side in SIDES for kind in TYPES),
    *(f"the unit is a {kind}" for kind in TYPES),
    "its column",
    "its row",
    "its health",
    "its boosted attacks",
    *(f"it stands on a tile that is {tile}" for tile in TILES),
    *(f"{what} the nearest node" for what in ("there is no node: else", "columns to", "rows to", "moves to")),
    *(f"{what} the nearest enemy" for what in ("no enemy is seen: else", "columns to", "rows to", "moves to")),
    "that enemy is a warrior",
    "columns to my corner",
    "rows to my corner",
    *(f"{way} is closed" for way in WAYS),
    *(f"{way} is a node" for way in WAYS),
    *(f"{way} are enemies" for way in WAYS),
)

FUNDS, COUNTS, UNIT, TILE, NEAREST, ENEMY, HOME = 4, 15, 21, 28, 34, 38, 43
CLOSED, NODES, ENEMIES = 45, 54, 63
HALF_RICH = 100 * QUARTERS  # the energy that counts as one half
MOST_UNITS, FULL_HEALTH = 16, 100 * HALVES  # what counts as 1
ACROSS, OF_UNITS = parts_of(SIZE - 1), parts_of(MOST_UNITS, MOST_UNITS)
NOWHERE = 1 << 30


@rule
def features(view, out):
    """Write the numbers."""
    me = int(view.me)
    out[0] = view.turn / view.max_turns
    out[2] = view.picked
    out[3] = OF_UNITS[int(view.orders) & 255]
    tell_sides(view, out, me, 1 - me)
    tell_funds(view, out)
    if view.slot >= 0:
        out[1] = 1
        tell_unit(view, out, int(view.slot))
    tell_units(view, out)


@rule
def glance(s, seat, view):
    """Write what `features` reads of a view, as `observe` would: the rest of a view is long."""
    mine = s.seat == seat
    view.me, view.turn, view.max_turns = seat, s.turn, s.opt_max_turns
    view.territory_goal, view.territory_turns = s.opt_territory_goal, s.opt_territory_turns
    for k in range(SEATS):
        view.energy[k], view.territory[k], view.streak[k] = s.energy[k], s.territory[k], s.streak[k]
    view.slot, view.picked, view.budget = s.slot if mine else -1, s.picked if mine else 0, s.budget if mine else 0
    view.orders, view.mine, view.theirs = s.orders[seat], s.units[seat], 0
    for k in range(s.units[seat]):
        view.my_type[k] = s.unit_type[seat, k]
    if view.slot >= 0:
        k = int(view.slot)
        view.my_type[k], view.my_health[k] = s.unit_type[seat, k], s.unit_health[seat, k]
        view.my_x[k], view.my_y[k], view.my_attacks[k] = s.unit_x[seat, k], s.unit_y[seat, k], s.unit_attacks[seat, k]
    for k in range(s.units[1 - seat]):
        x, y = int(s.unit_x[1 - seat, k]), int(s.unit_y[1 - seat, k])
        if s.explored[seat, y] >> x & 1:
            view.their_type[view.theirs] = s.unit_type[1 - seat, k]
            view.their_x[view.theirs], view.their_y[view.theirs] = x, y
            view.theirs += 1
    if view.slot >= 0:
        glance_at_map(s, view)


@rule
def glance_at_map(s, view):
    """Copy the tiles, four at a time: read before any is written, they pass as one word."""
    for y in range(SIZE):
        for x in range(0, SIZE - 3, 4):
            one, two, three, four = s.tile[y, x], s.tile[y, x + 1], s.tile[y, x + 2], s.tile[y, x + 3]
            view.tile[y, x], view.tile[y, x + 1], view.tile[y, x + 2], view.tile[y, x + 3] = one, two, three, four
        for x in range(SIZE // 4 * 4, SIZE):
            view.tile[y, x] = s.tile[y, x]


@rule
def tell_sides(view, out, me, other):
    """Write energy and territory of both sides."""
    mine, its = int(view.energy[me]), int(view.energy[other])
    out[FUNDS] = mine / (mine + HALF_RICH)
    out[FUNDS + 1] = its / (its + HALF_RICH)
    out[FUNDS + 2] = (mine - its) / (abs(mine - its) + HALF_RICH)
    goal, turns = max(1, int(view.territory_goal)), max(1, int(view.territory_turns))
    out[FUNDS + 3] = min(int(view.territory[me]), goal) / goal
    out[FUNDS + 4] = min(int(view.territory[other]), goal) / goal
    if view.streak[me] + view.streak[other] > 0:  # seldom
        out[FUNDS + 5] = min(int(view.streak[me]), turns) / turns
        out[FUNDS + 6] = min(int(view.streak[other]), turns) / turns


@rule
def tell_funds(view, out):
    """Write what can be spent."""
    budget = max(0, int(view.budget))
    out[FUNDS + 7] = budget / (budget + HALF_RICH)
    out[FUNDS + 8] = int(budget >= SPAWN_COST[0])
    out[FUNDS + 9] = int(budget >= HEAL_COST)
    out[FUNDS + 10] = int(budget >= BUILD_COST)


@rule
def tell_unit(view, out, slot):
    """Write the unit that is asked, the map around it, and the nearest node."""
    x, y = int(view.my_x[slot]), int(view.my_y[slot])
    out[UNIT + int(view.my_type[slot])] = 1
    out[UNIT + 3] = ACROSS[x & 255]
    out[UNIT + 4] = ACROSS[y & 255]
    out[UNIT + 5] = min(int(view.my_health[slot]), FULL_HEALTH) / FULL_HEALTH
    out[UNIT + 6] = min(int(view.my_attacks[slot]), 2) / 2
    out[TILE + int(view.tile[y, x])] = 1
    corner = int(view.me) * (SIZE - 1)
    out[HOME] = ACROSS[corner - x & 255]
    out[HOME + 1] = ACROSS[corner - y & 255]
    for way in range(DIRECTIONS):
        to_x, to_y = x + DX[way], y + DY[way]
        if 0 <= to_x < SIZE and 0 <= to_y < SIZE:
            out[CLOSED + way] = int(view.tile[to_y, to_x] == BARRIER)
            out[NODES + way] = int(view.tile[to_y, to_x] == NODE)
        else:
            out[CLOSED + way] = 1
    point_to(out, NEAREST, nearest_node(view, x, y), x, y)


@rule
def nearest_node(view, x, y):
    """Return moves × SIZE² + place of the nearest node, or NOWHERE: one ring of tiles after the other, in reading order."""
    for away in range(SIZE):
        left, right = max(0, x - away), min(SIZE - 1, x + away)
        for row in range(max(0, y - away), min(SIZE - 1, y + away) + 1):
            step = 1 if abs(row - y) == away else right - left  # of the rows in between the two ends alone
            column = left
            while column <= right:
                if view.tile[row, column] == NODE:
                    return away * SIZE * SIZE + row * SIZE + column  # what lies nearer was none
                column += step
    return NOWHERE


@rule
def point_to(out, at, key, x, y):
    """Write where the nearest of a kind is."""
    if key == NOWHERE:
        out[at] = 1
        return
    place = key % (SIZE * SIZE)
    out[at + 1] = ACROSS[place % SIZE - x & 255]
    out[at + 2] = ACROSS[place // SIZE - y & 255]
    out[at + 3] = ACROSS[key // (SIZE * SIZE) & 255]


@rule
def tell_units(view, out):
    """Write how many units of each type either side has, and where enemies are as seen from the unit that is asked."""
    tell_counts(out, COUNTS, view.my_type, view.mine)
    tell_counts(out, COUNTS + 3, view.their_type, view.theirs)
    if view.slot < 0:
        return
    x, y = int(view.my_x[view.slot]), int(view.my_y[view.slot])
    best, is_warrior = NOWHERE, False
    for k in range(view.theirs):
        enemy_x, enemy_y = int(view.their_x[k]), int(view.their_y[k])
        away = max(abs(enemy_x - x), abs(enemy_y - y))
        key = away * SIZE * SIZE + enemy_y * SIZE + enemy_x
        if key < best:
            best, is_warrior = key, view.their_type[k] == WARRIOR
        if away <= 1:
            way = 3 * (enemy_y - y + 1) + enemy_x - x + 1
            out[ENEMIES + way] = 1
            if view.tile[enemy_y, enemy_x] != GATE:  # which both sides may stand on
                out[CLOSED + way] = 1
    point_to(out, ENEMY, best, x, y)
    out[ENEMY + 4] = is_warrior


@rule
def tell_counts(out, at, types, count):
    """Write how many units of each type there are."""
    harvesters, warriors = 0, 0
    for k in range(count):
        harvesters += int(types[k] == HARVESTER)
        warriors += int(types[k] == WARRIOR)
    out[at] = OF_UNITS[harvesters & 255]
    out[at + 1] = OF_UNITS[warriors & 255]
    out[at + 2] = OF_UNITS[count - harvesters - warriors & 255]
