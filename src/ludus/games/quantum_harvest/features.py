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
NOWHERE, NO_UNIT = 1 << 30, -2 * SIZE  # no place; a column and row that nothing is next to


@rule
def features(view, out):
    """Write the numbers."""
    me, slot, x, y = int(view.me), int(view.slot), NO_UNIT, NO_UNIT
    tell_turn(out, view.turn, view.max_turns, view.picked, int(view.orders))
    tell_energy(out, int(view.energy[me]), int(view.energy[1 - me]), int(view.budget))
    tell_territory(out, me, view.territory, view.streak, int(view.territory_goal), int(view.territory_turns))
    tell_counts(out, COUNTS, view.my_type, view.mine)
    if slot >= 0:
        x, y = int(view.my_x[slot]), int(view.my_y[slot])
        tell_unit(out, view.my_type[slot], int(view.my_health[slot]), int(view.my_attacks[slot]))
        tell_place(out, me, view.tile, x, y)
    tell_enemies(out, view.tile, view.explored, x, y, view.their_type, view.their_x, view.their_y, view.theirs)


@rule
def glance(s, seat, out):
    """Write the same straight from a position."""
    mine, its, slot, x, y = s.seat == seat, 1 - seat, -1, NO_UNIT, NO_UNIT
    if mine:
        slot = int(s.slot)
    tell_turn(out, s.turn, s.opt_max_turns, s.picked if mine else 0, int(s.orders[seat]))
    tell_energy(out, int(s.energy[seat]), int(s.energy[its]), int(s.budget) if mine else 0)
    tell_territory(out, seat, s.territory, s.streak, int(s.opt_territory_goal), int(s.opt_territory_turns))
    tell_counts(out, COUNTS, s.unit_type[seat], s.units[seat])
    if slot >= 0:
        x, y = int(s.unit_x[seat, slot]), int(s.unit_y[seat, slot])
        tell_unit(out, s.unit_type[seat, slot], int(s.unit_health[seat, slot]), int(s.unit_attacks[seat, slot]))
        tell_place(out, seat, s.tile, x, y)
    tell_enemies(out, s.tile, s.explored[seat], x, y, s.unit_type[its], s.unit_x[its], s.unit_y[its], s.units[its])


@rule
def tell_turn(out, turn, max_turns, picked, orders):
    """Write how far the game and the turn are."""
    out[0] = turn / max_turns
    out[2] = picked
    out[3] = OF_UNITS[orders & 255]


@rule
def tell_energy(out, mine, its, budget):
    """Write the energy of both sides, and what can be spent."""
    out[FUNDS] = mine / (mine + HALF_RICH)
    out[FUNDS + 1] = its / (its + HALF_RICH)
    out[FUNDS + 2] = (mine - its) / (abs(mine - its) + HALF_RICH)
    budget = max(0, budget)
    out[FUNDS + 7] = budget / (budget + HALF_RICH)
    out[FUNDS + 8] = int(budget >= SPAWN_COST[0])
    out[FUNDS + 9] = int(budget >= HEAL_COST)
    out[FUNDS + 10] = int(budget >= BUILD_COST)


@rule
def tell_territory(out, me, territory, streak, goal, turns):
    """Write the territory of both sides."""
    goal, turns = max(1, goal), max(1, turns)
    out[FUNDS + 3] = min(int(territory[me]), goal) / goal
    out[FUNDS + 4] = min(int(territory[1 - me]), goal) / goal
    if streak[me] + streak[1 - me] > 0:  # seldom
        out[FUNDS + 5] = min(int(streak[me]), turns) / turns
        out[FUNDS + 6] = min(int(streak[1 - me]), turns) / turns


@rule
def tell_unit(out, kind, health, attacks):
    """Write the unit that is asked."""
    out[1] = 1
    out[UNIT + kind] = 1
    out[UNIT + 5] = min(health, FULL_HEALTH) / FULL_HEALTH
    out[UNIT + 6] = min(attacks, 2) / 2


@rule
def tell_place(out, me, tile, x, y):
    """Write where it stands, the map around it, and the nearest node."""
    out[UNIT + 3] = ACROSS[x & 255]
    out[UNIT + 4] = ACROSS[y & 255]
    out[TILE + tile[y, x]] = 1
    corner = me * (SIZE - 1)
    out[HOME] = ACROSS[corner - x & 255]
    out[HOME + 1] = ACROSS[corner - y & 255]
    for way in range(DIRECTIONS):
        to_x, to_y = x + DX[way], y + DY[way]
        if 0 <= to_x < SIZE and 0 <= to_y < SIZE:
            out[CLOSED + way] = int(tile[to_y, to_x] == BARRIER)
            out[NODES + way] = int(tile[to_y, to_x] == NODE)
        else:
            out[CLOSED + way] = 1
    point_to(out, NEAREST, nearest_node(tile, x, y), x, y)


@rule
def nearest_node(tile, x, y):
    """Return moves × SIZE² + place of the nearest node, or NOWHERE: one ring of tiles after the other, in reading order."""
    for away in range(SIZE):
        left, right = max(0, x - away), min(SIZE - 1, x + away)
        for row in range(max(0, y - away), min(SIZE - 1, y + away) + 1):
            step = 1 if abs(row - y) == away else right - left  # of the rows in between the two ends alone
            column = left
            while column <= right:
                if tile[row, column] == NODE:
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
def tell_enemies(out, tile, explored, x, y, types, columns, rows, count):
    """Write how many enemies of each type are seen, and where they are as seen from the unit that is asked, if one is."""
    harvesters, warriors, seen, best, is_warrior = 0, 0, 0, NOWHERE, False
    for k in range(count):
        enemy_x, enemy_y, kind = int(columns[k]), int(rows[k]), int(types[k])
        if explored[enemy_y] >> enemy_x & 1 == 0:
            continue
        seen, harvesters, warriors = seen + 1, harvesters + int(kind == HARVESTER), warriors + int(kind == WARRIOR)
        away = max(abs(enemy_x - x), abs(enemy_y - y))
        key = away * SIZE * SIZE + enemy_y * SIZE + enemy_x
        if key < best:
            best, is_warrior = key, kind == WARRIOR
        if away <= 1:
            way = 3 * (enemy_y - y + 1) + enemy_x - x + 1
            out[ENEMIES + way] = 1
            if tile[enemy_y, enemy_x] != GATE:  # which both sides may stand on
                out[CLOSED + way] = 1
    tell_sums(out, COUNTS + 3, harvesters, warriors, seen)
    if x != NO_UNIT:
        point_to(out, ENEMY, best, x, y)
        out[ENEMY + 4] = is_warrior


@rule
def tell_counts(out, at, types, count):
    """Write how many units of each type there are."""
    harvesters, warriors = 0, 0
    for k in range(count):
        harvesters += int(types[k] == HARVESTER)
        warriors += int(types[k] == WARRIOR)
    tell_sums(out, at, harvesters, warriors, count)


@rule
def tell_sums(out, at, harvesters, warriors, count):
    """Write how many there are of each type; scouts are the rest."""
    out[at] = OF_UNITS[harvesters & 255]
    out[at + 1] = OF_UNITS[warriors & 255]
    out[at + 2] = OF_UNITS[count - harvesters - warriors & 255]
