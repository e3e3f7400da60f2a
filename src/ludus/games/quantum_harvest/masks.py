"""What is sensible to order: the rules of section 6 as far as the seat can judge them from its view.

Enemy units count where the seat has explored, own orders so far count through the energy that they would leave. Nothing
here may look at what the view hides: a hidden unit must not show in the mask.
"""
# mypy: ignore-errors

from ludus.core import rule

from .tables import (
    ATTACK,
    ATTACK_COST,
    BARRIER,
    BARRIER_COST,
    BOOSTED_RANGE,
    BOOSTS,
    BUILD_BARRIER,
    BUILD_COST,
    BUILD_FIELD,
    BUILD_GATE,
    BUILD_ZONE,
    DIRECTIONS,
    DONE,
    DX,
    DY,
    EMPTY,
    GATE,
    HARVEST,
    HARVESTER,
    HEAL,
    HEAL_COST,
    HEALTH_CAP,
    MOVE,
    NODE,
    NOTHING,
    PICK,
    QUANTUM_COST,
    QUANTUM_MOVE,
    QUARTERS,
    RANGE,
    RUNNING,
    SCOUT,
    SIZE,
    SPAWN,
    SPAWN_COST,
    TELEPORT,
    TELEPORT_COST,
    UNITS,
    WARRIOR,
)


@rule
def legal(s, mask):
    """Mark the sensible orders of the unit asked, other units to pick, and the end of orders; return how many."""
    if s.end != RUNNING:
        return 0
    if s.slot < 0:
        mask[DONE] = 1
        return 1
    mask[NOTHING] = 1
    count = 1 + mark_steps(s, mask) + mark_on_tile(s, mask)
    kind = s.unit_type[s.seat, s.slot]
    if kind == WARRIOR:
        count += mark_attacks(s, mask)
    elif kind == SCOUT:
        count += mark_spawns(s, mask)
    if s.picked == 0:
        count += mark_picks(s, mask)
    return count


@rule
def is_seen(s, x, y):
    """Say whether the seat that decides sees an enemy on this tile."""
    return s.here[1 - s.seat, y, x] > 0 and s.explored[s.seat, y] >> x & 1 == 1


@rule
def mark_steps(s, mask):
    """Mark moves, quantum moves and buildings by direction."""
    seat, k = s.seat, s.slot
    from_x, from_y, energy = int(s.unit_x[seat, k]), int(s.unit_y[seat, k]), s.budget
    count = 0
    for d in range(DIRECTIONS):
        x, y = from_x + DX[d], from_y + DY[d]
        if 0 <= x < SIZE and 0 <= y < SIZE:
            tile, seen = s.tile[y, x], is_seen(s, x, y)
            if tile == GATE or not seen:
                if tile != BARRIER:
                    mask[MOVE + d] = 1
                    count += 1
                if energy >= QUANTUM_COST:
                    mask[QUANTUM_MOVE + d] = 1
                    count += 1
            if tile == EMPTY and energy >= BUILD_COST:
                count += mark_buildings(mask, d, energy, s.unit_type[seat, k] != HARVESTER and not seen)
    return count


@rule
def mark_buildings(mask, d, energy, zone_too):
    """Mark what may be built on an empty tile."""
    mask[BUILD_FIELD + d] = 1
    mask[BUILD_GATE + d] = 1
    count = 2
    if zone_too:
        mask[BUILD_ZONE + d] = 1
        count += 1
    if energy >= BARRIER_COST:
        mask[BUILD_BARRIER + d] = 1
        count += 1
    return count


@rule
def mark_on_tile(s, mask):
    """Mark what the tile under the unit offers: a harvest, or a gate's healing and journeys."""
    seat, k = s.seat, s.slot
    x, y = int(s.unit_x[seat, k]), int(s.unit_y[seat, k])
    tile, count = s.tile[y, x], 0
    if tile == NODE:
        if s.unit_type[seat, k] != WARRIOR:
            mask[HARVEST] = 1
            count += 1
    elif tile == GATE:
        if s.budget >= HEAL_COST and s.unit_health[seat, k] < HEALTH_CAP:
            mask[HEAL] = 1
            count += 1
        if s.budget >= TELEPORT_COST:
            count += mark_teleports(s, mask, x, y)
    return count


@rule
def mark_teleports(s, mask, from_x, from_y):
    """Mark every other gate."""
    count = -1
    for y in range(SIZE):
        row = s.gates[y]
        if row != 0:
            for x in range(SIZE):
                if row >> x & 1:
                    mask[TELEPORT + y * SIZE + x] = 1
                    count += 1
    mask[TELEPORT + from_y * SIZE + from_x] = 0
    return count


@rule
def mark_attacks(s, mask):
    """Mark the directions in which an enemy is seen within range, with every boost that can be paid."""
    if s.budget < ATTACK_COST:
        return 0
    boosts = min(BOOSTS, (s.budget - ATTACK_COST) // QUARTERS + 1)
    count = 0
    for d in range(DIRECTIONS):
        if sees_target(s, d):
            for boost in range(boosts):
                mask[ATTACK + d * BOOSTS + boost] = 1
            count += boosts
    return count


@rule
def sees_target(s, d):
    """Say whether a shot in this direction would hit an enemy that the seat sees, as far as it knows."""
    seat, k = s.seat, s.slot
    x, y = int(s.unit_x[seat, k]), int(s.unit_y[seat, k])
    for _ in range(BOOSTED_RANGE if s.unit_attacks[seat, k] > 0 else RANGE):
        x += DX[d]
        y += DY[d]
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            return False
        if is_seen(s, x, y):
            return True
        if s.tile[y, x] == BARRIER:
            return False
    return False


@rule
def mark_spawns(s, mask):
    """Mark the units that can be paid, while the roster has room."""
    if s.units[s.seat] + s.promised >= UNITS:
        return 0
    count = 0
    for kind in range(3):
        if s.budget >= SPAWN_COST[kind]:
            mask[SPAWN + kind] = 1
            count += 1
    return count


@rule
def mark_picks(s, mask):
    """Mark the other units that still have no order and, if there are any, the end of orders for all of them."""
    count = 0
    for k in range(s.units[s.seat] + s.promised):
        if s.ordered[k] == 0 and k != s.slot:
            mask[PICK + k] = 1
            count += 1
    if count > 0:
        mask[DONE] = 1
        count += 1
    return count
