"""Quantum Harvest's built-in bots, weak to strong. They see their view and the mask, and nothing else.

They answer for one unit at a time and leave units in the order in which they are offered.
"""

import numpy as np

from ludus.core import draw, rule

from .tables import (
    ATTACK,
    BARRIER,
    BOOSTED_RANGE,
    BOOSTS,
    DIRECTIONS,
    DONE,
    DX,
    DY,
    EMPTY,
    FIELD,
    FULL_ROW,
    GATE,
    HALVES,
    HARVEST,
    HARVESTER,
    HERE,
    MOVE,
    NODE,
    NOTHING,
    PICK,
    QUARTERS,
    RANGE,
    SCOUT,
    SIZE,
    SPAWN,
    TARGET_PRIORITY,
    TELEPORT,
    WARRIOR,
)

ACTIONS = TELEPORT + SIZE * SIZE
SHOT = 18 * QUARTERS  # what a shot costs that kills a fresh unit (boost 3)
GROWTH_HARVESTERS = 20  # what growth stops at
RAID_HARVESTERS, RAID_WARRIORS = 8, 3  # what the raider has before it attacks
BASE_HARVESTERS, ARMY = 24, 20  # what the commander wants
OPENING = 3  # harvesters until which scouts dig as well: they waste three quarters of a node
FLIGHT = 2  # tiles between a unit and a warrior that make it run

Scratch = np.dtype(
    [
        ("turn", "i4"),  # the turn that the rest was worked out for, plus 1
        ("workers", "i4"),  # own harvesters, promised ones too
        ("fighters", "i4"),  # own warriors, promised ones too
        ("scouts", "i4"),  # own scouts, promised ones too
        ("open", "i8", SIZE),  # [y] bit x: one may walk here
        ("nodes", "i8", SIZE),  # tiles with energy
        ("prey", "i8", SIZE),  # tiles with enemy units that are seen
        ("dark", "i8", SIZE),  # tiles not explored
        ("seen", "i8", SIZE),  # what a flood has reached
        ("front", "i8", SIZE),  # room for its next step
    ],
    align=True,
)


@rule
def random(view, mask, rng):
    """Give any sensible order; never pass units over."""
    count = 0
    for action in range(PICK):
        count += mask[action]
    count -= mask[DONE]
    if count == 0:
        return DONE
    index = draw(rng, count + teleports(view, mask))
    for action in range(PICK):
        if mask[action] and action != DONE:
            if index == 0:
                return action
            index -= 1
    for action in range(TELEPORT, ACTIONS):
        if mask[action]:
            if index == 0:
                return action
            index -= 1
    return NOTHING


@rule
def growth(view, mask, rng, scratch):
    """Breed harvesters and let them dig; never fight."""
    if view.slot < 0:
        return DONE
    look(view, scratch)
    kind = view.my_type[view.slot]
    if kind == SCOUT:
        if scratch.workers < GROWTH_HARVESTERS and mask[SPAWN + HARVESTER]:
            return breed(scratch, HARVESTER)
        if scratch.workers >= OPENING:
            return rest(view, mask)
    if kind == WARRIOR:
        return NOTHING
    return dig(view, mask, rng, scratch)


@rule
def raider(view, mask, rng, scratch):
    """Breed a few harvesters, then three warriors that hunt whatever is seen."""
    if view.slot < 0:
        return DONE
    look(view, scratch)
    kind = view.my_type[view.slot]
    if kind == WARRIOR:
        return hunt(view, mask, rng, scratch)
    if kind == SCOUT:
        if scratch.workers < RAID_HARVESTERS and mask[SPAWN + HARVESTER]:
            return breed(scratch, HARVESTER)
        ready = view.budget >= 100 * QUARTERS + SHOT * (scratch.fighters + 1)
        if scratch.fighters < RAID_WARRIORS and ready and mask[SPAWN + WARRIOR]:
            return breed(scratch, WARRIOR)
        if scratch.workers >= OPENING:
            return rest(view, mask)
    return dig(view, mask, rng, scratch)


@rule
def commander(view, mask, rng, scratch):
    """Breed many harvesters that run from warriors, scout the map, and send an army that grows as long as it can be paid."""
    if view.slot < 0:
        return DONE
    look(view, scratch)
    kind = view.my_type[view.slot]
    if kind == WARRIOR:
        return hunt(view, mask, rng, scratch)
    threat = nearest_threat(view)
    if kind == SCOUT:
        order = command(view, mask, scratch, threat)
        if order >= 0:
            return order
    if threat <= FLIGHT and view.slot < view.mine:
        return flee(view, mask)
    if kind == SCOUT and scratch.workers >= OPENING:
        if view.slot > 0 and scratch.scouts > 1:
            return walk(view, mask, rng, scratch, scratch.dark)
        return rest(view, mask)
    return dig(view, mask, rng, scratch)


BOTS = {"random": random, "growth": growth, "raider": raider, "commander": commander}


@rule
def command(view, mask, scratch, threat):
    """Let a scout call what is missing most: workers first, a second scout, then warriors, at once when enemies come."""
    if scratch.workers < OPENING and mask[SPAWN + HARVESTER]:
        return breed(scratch, HARVESTER)
    armed = view.budget >= 100 * QUARTERS + SHOT * (scratch.fighters + 1)
    if scratch.fighters == 0 and enemy_warriors(view) > 0:
        return breed(scratch, WARRIOR) if mask[SPAWN + WARRIOR] and armed else -1
    if scratch.workers >= RAID_HARVESTERS and scratch.scouts < 2 and mask[SPAWN + SCOUT]:
        return breed(scratch, SCOUT)
    if scratch.workers < BASE_HARVESTERS and mask[SPAWN + HARVESTER]:
        return breed(scratch, HARVESTER)
    if scratch.fighters < ARMY and armed and mask[SPAWN + WARRIOR]:
        return breed(scratch, WARRIOR)
    return -1


@rule
def teleports(view, mask):
    """Count the teleports that are marked: none unless the unit that is asked stands on a gate."""
    if view.slot < 0 or view.tile[view.my_y[view.slot], view.my_x[view.slot]] != GATE:
        return 0
    count = 0
    for action in range(TELEPORT, ACTIONS):
        count += mask[action]
    return count


@rule
def look(view, scratch):
    """Work out once a turn what all units need to know."""
    if scratch.turn == view.turn + 1:
        return
    scratch.turn = view.turn + 1
    scratch.workers, scratch.fighters, scratch.scouts = 0, 0, 0
    for k in range(view.mine):
        count_unit(scratch, view.my_type[k])
    for y in range(SIZE):
        nodes, open_tiles = 0, 0
        for x in range(SIZE):
            if view.tile[y, x] == NODE:
                nodes |= 1 << x
            if view.tile[y, x] != BARRIER:
                open_tiles |= 1 << x
        scratch.nodes[y], scratch.open[y], scratch.prey[y] = nodes, open_tiles, 0
        scratch.dark[y] = ~view.explored[y] & open_tiles
    for k in range(view.theirs):
        x, y = int(view.their_x[k]), int(view.their_y[k])
        scratch.prey[y] |= 1 << x
        if view.tile[y, x] != GATE:
            scratch.open[y] &= ~(1 << x)


@rule
def count_unit(scratch, kind):
    """Count one more own unit."""
    if kind == HARVESTER:
        scratch.workers += 1
    elif kind == WARRIOR:
        scratch.fighters += 1
    else:
        scratch.scouts += 1


@rule
def breed(scratch, kind):
    """Order a new unit, and count on it."""
    count_unit(scratch, kind)
    return SPAWN + kind


@rule
def rest(view, mask):
    """Stay, but not on a node, where harvesters should stand: step off it."""
    k = view.slot
    x, y = int(view.my_x[k]), int(view.my_y[k])
    if view.tile[y, x] == NODE:
        for d in range(DIRECTIONS):
            if mask[MOVE + d] and view.tile[y + DY[d], x + DX[d]] == EMPTY:
                return MOVE + d
    return NOTHING


@rule
def dig(view, mask, rng, scratch):
    """Harvest, or go to the nearest node; without nodes see more of the map."""
    if mask[HARVEST]:
        return HARVEST
    order = walk(view, mask, rng, scratch, scratch.nodes)
    return order if order != NOTHING else walk(view, mask, rng, scratch, scratch.dark)


@rule
def hunt(view, mask, rng, scratch):
    """Shoot if anybody is in range, else go to the nearest enemy that is seen, else to where nobody has looked."""
    order = best_shot(view, mask)
    if order >= 0:
        return order
    order = walk(view, mask, rng, scratch, scratch.prey)
    return order if order != NOTHING else walk(view, mask, rng, scratch, scratch.dark)


@rule
def walk(view, mask, rng, scratch, goal):
    """Take a step on a shortest way to the nearest goal: flood the map from all of them; NOTHING if there is no way."""
    k = view.slot
    x, y = int(view.my_x[k]), int(view.my_y[k])
    for row in range(SIZE):
        scratch.seen[row] = goal[row]
    first = draw(rng, DIRECTIONS)
    while True:
        for turn in range(DIRECTIONS):
            d = (first + turn) % DIRECTIONS
            if d != HERE and mask[MOVE + d] and scratch.seen[y + DY[d]] >> (x + DX[d]) & 1:
                return MOVE + d
        if not spread(scratch):
            return NOTHING


@rule
def spread(scratch):
    """Let a flood take one step in all eight directions; say whether it reached anything new."""
    for y in range(SIZE):
        row = int(scratch.seen[y])
        scratch.front[y] = row | (row << 1) | (row >> 1)
    is_spreading = False
    for y in range(SIZE):
        row = int(scratch.front[y])
        if y > 0:
            row |= int(scratch.front[y - 1])
        if y + 1 < SIZE:
            row |= int(scratch.front[y + 1])
        row = (row & int(scratch.open[y]) & FULL_ROW) | int(scratch.seen[y])
        if row != scratch.seen[y]:
            is_spreading = True
            scratch.seen[y] = row
    return is_spreading


@rule
def best_shot(view, mask):
    """Return the attack that kills the most dangerous enemy at the least price, else one that wounds, or -1."""
    k = view.slot
    if view.my_type[k] != WARRIOR:
        return -1
    best, best_score = -1, -1
    boosted = view.my_attacks[k] > 0
    for d in range(DIRECTIONS):
        if mask[ATTACK + d * BOOSTS]:
            target = target_of(view, d)
            on_field = view.tile[view.their_y[target], view.their_x[target]] == FIELD
            health, kind = int(view.their_health[target]), view.their_type[target]
            boost = cheapest_kill(health, boosted, on_field)
            score = (3 if kind == WARRIOR else 2 if kind == SCOUT else 1) + (4 if boost < BOOSTS else 0)
            boost = min(boost, BOOSTS - 1)
            while boost > 0 and not mask[ATTACK + d * BOOSTS + boost]:
                boost -= 1
            if score > best_score:
                best, best_score = ATTACK + d * BOOSTS + boost, score
    return best


@rule
def cheapest_kill(health, boosted, on_field):
    """Return the least boost that kills a target of so many halves of health; BOOSTS if none does."""
    for boost in range(BOOSTS):
        halves = 15 * HALVES * 2 + 6 * HALVES * boost
        if boosted:
            halves += halves // 2
        if on_field:
            halves //= 2
        if halves >= health:
            return boost
    return BOOSTS


@rule
def target_of(view, d):
    """Return which of the enemies that are seen a shot in this direction would hit."""
    k = view.slot
    x, y = int(view.my_x[k]), int(view.my_y[k])
    for _ in range(BOOSTED_RANGE if view.my_attacks[k] > 0 else RANGE):
        x += DX[d]
        y += DY[d]
        best, best_score = -1, 0
        for other in range(view.theirs):
            if view.their_x[other] == x and view.their_y[other] == y:
                score = 50 * HALVES * TARGET_PRIORITY[view.their_type[other]] - int(view.their_health[other])
                if best < 0 or score > best_score:
                    best, best_score = other, score
        if best >= 0:
            return best
    return 0


@rule
def enemy_warriors(view):
    """Count the warriors of the enemy that are seen."""
    count = 0
    for k in range(view.theirs):
        if view.their_type[k] == WARRIOR:
            count += 1
    return count


@rule
def nearest_threat(view):
    """Return how many steps the nearest enemy warrior is away from the unit that is asked."""
    x, y = int(view.my_x[view.slot]), int(view.my_y[view.slot])
    return threat_at(view, x, y)


@rule
def threat_at(view, x, y):
    """Return how many steps the nearest enemy warrior is away from a tile."""
    nearest = 2 * SIZE
    for k in range(view.theirs):
        if view.their_type[k] == WARRIOR:
            nearest = min(nearest, max(abs(x - int(view.their_x[k])), abs(y - int(view.their_y[k]))))
    return nearest


@rule
def flee(view, mask):
    """Take the step that leads farthest from enemy warriors; harvest on if none helps."""
    x, y = int(view.my_x[view.slot]), int(view.my_y[view.slot])
    best, best_distance = HARVEST if mask[HARVEST] else NOTHING, threat_at(view, x, y)
    for d in range(DIRECTIONS):
        if mask[MOVE + d]:
            distance = threat_at(view, x + DX[d], y + DY[d])
            if distance > best_distance:
                best, best_distance = MOVE + d, distance
    return best
