"""What one order does when it runs: README.md, section 6. A failing order changes nothing and pays 0."""
# mypy: ignore-errors

from ludus.core import rule

from .board import describe_new, enter, is_blocked, is_on_map, put, remove
from .tables import (
    ATTACK,
    ATTACK_COST,
    ATTACKS_PER_BOOST,
    BARRIER,
    BARRIER_COST,
    BARRIER_REWARD,
    BOOSTED_RANGE,
    BOOSTS,
    BUILD_BARRIER,
    BUILD_COST,
    BUILD_FIELD,
    BUILD_GATE,
    BUILD_ZONE,
    DIRECTIONS,
    DX,
    DY,
    EMPTY,
    EVENTS,
    FIELD,
    FIELD_REWARD,
    GATE,
    GATE_REWARD,
    HALVES,
    HARVEST,
    HARVESTER,
    HEAL,
    HEAL_COST,
    HEAL_REWARD,
    HEALING,
    HEALTH_CAP,
    KILL_REWARD,
    MOVE,
    MOVE_REWARD,
    NODE,
    PICK,
    POWER_PER_BOOST,
    QUANTUM_COST,
    QUANTUM_MOVE,
    QUANTUM_REWARD,
    QUARTERS,
    RANGE,
    SCOUT,
    SIZE,
    SPAWN,
    SPAWN_COST,
    SPAWN_REWARD,
    TARGET_PRIORITY,
    TELEPORT,
    TELEPORT_COST,
    TELEPORT_REWARD,
    UNITS,
    WARRIOR,
    YIELD,
    ZONE,
    ZONE_POWER,
    ZONE_REWARD,
)

SEARCH_STEPS = min(SIZE // 2, 10)  # how far from the corner a new unit may appear


@rule
def carry_out(s, seat, k, action):
    """Run one order of the unit in slot k; return what it pays in quarters."""
    if action < QUANTUM_MOVE:
        return move(s, seat, k, action - MOVE)
    if action < HARVEST:
        return quantum_move(s, seat, k, action - QUANTUM_MOVE)
    if action == HARVEST:
        return harvest(s, seat, k)
    if SPAWN <= action < HEAL:
        return spawn(s, seat, k, action - SPAWN)
    if action == HEAL:
        return heal(s, seat, k)
    if BUILD_ZONE <= action < ATTACK:
        return build(s, seat, k, action)
    if ATTACK <= action < PICK:
        return attack(s, seat, k, (action - ATTACK) // BOOSTS, (action - ATTACK) % BOOSTS)
    if action >= TELEPORT:
        return teleport(s, seat, k, (action - TELEPORT) % SIZE, (action - TELEPORT) // SIZE)
    return 0


@rule
def move(s, seat, k, direction):
    """Step onto a neighbouring tile, or in place, which counts as stepping onto it again (D10)."""
    x, y = s.unit_x[seat, k] + DX[direction], s.unit_y[seat, k] + DY[direction]
    if not is_on_map(x, y) or s.tile[y, x] == BARRIER or is_blocked(s, seat, x, y):
        return 0
    put(s, seat, k, x, y)
    if s.unit_type[seat, k] == WARRIOR:
        take_boost(s, seat, k, x, y)
        lose_boost(s, seat, k, x, y)
    return MOVE_REWARD


@rule
def quantum_move(s, seat, k, direction):
    """Step for energy, onto barriers too; a zone gives no boost then (D10)."""
    x, y = s.unit_x[seat, k] + DX[direction], s.unit_y[seat, k] + DY[direction]
    if not is_on_map(x, y) or is_blocked(s, seat, x, y) or s.energy[seat] < QUANTUM_COST:
        return 0
    s.energy[seat] -= QUANTUM_COST
    put(s, seat, k, x, y)
    lose_boost(s, seat, k, x, y)
    return QUANTUM_REWARD


@rule
def take_boost(s, seat, k, x, y):
    """Let a warrior draw on the zone that it steps on, whoever built it; an empty zone vanishes."""
    if s.tile[y, x] != ZONE or s.unit_attacks[seat, k] > 0 or s.amount[y, x] < POWER_PER_BOOST:
        return
    s.unit_attacks[seat, k] = ATTACKS_PER_BOOST
    s.amount[y, x] -= POWER_PER_BOOST
    if s.amount[y, x] <= 0:
        s.tile[y, x], s.amount[y, x] = EMPTY, 0


@rule
def lose_boost(s, seat, k, x, y):
    """A field strips the boost of who steps on it."""
    if s.tile[y, x] == FIELD:
        s.unit_attacks[seat, k] = 0


@rule
def harvest(s, seat, k):
    """Take 1 from the node under the unit, the last one in full (D36)."""
    kind = s.unit_type[seat, k]
    x, y = s.unit_x[seat, k], s.unit_y[seat, k]
    if kind == WARRIOR or s.tile[y, x] != NODE:
        return 0
    s.energy[seat] += YIELD[kind]
    s.amount[y, x] -= 1
    if s.amount[y, x] <= 0:
        s.tile[y, x], s.amount[y, x] = EMPTY, 0
    return YIELD[kind]


@rule
def spawn(s, seat, k, kind):
    """Let a scout call a new unit to its side's corner, or near it when the corner is taken (D13)."""
    count = s.units[seat]
    if s.unit_type[seat, k] != SCOUT or s.energy[seat] < SPAWN_COST[kind] or count >= UNITS:
        return 0
    place = spawn_place(s, seat)
    if place < 0:
        return 0
    s.energy[seat] -= SPAWN_COST[kind]
    s.units[seat] = count + 1
    describe_new(s, seat, count, kind, s.next_id[seat], place % SIZE, place // SIZE)
    s.unit_born[seat, count] = s.births
    s.births += 1
    s.next_id[seat] += 1
    enter(s, seat, place % SIZE, place // SIZE)
    return SPAWN_REWARD[kind]


@rule
def spawn_place(s, seat):
    """Find the free tile nearest to the seat's corner, as y * SIZE + x; -1 when all near ones are taken.

    A breadth-first search from a corner over left, right, up, down visits each distance from the longest x step down.
    """
    for steps in range(SEARCH_STEPS + 1):
        for dy in range(steps + 1):
            x, y = steps - dy, dy
            if seat == 1:
                x, y = SIZE - 1 - x, SIZE - 1 - y
            if s.tile[y, x] != BARRIER and not is_blocked(s, seat, x, y):
                return y * SIZE + x
    return -1


@rule
def heal(s, seat, k):
    """Buy health at a gate; it is paid for at the cap, too (D12)."""
    if s.tile[s.unit_y[seat, k], s.unit_x[seat, k]] != GATE or s.energy[seat] < HEAL_COST:
        return 0
    s.energy[seat] -= HEAL_COST
    s.unit_health[seat, k] = min(int(s.unit_health[seat, k]) + HEALING, HEALTH_CAP)
    return HEAL_REWARD


@rule
def teleport(s, seat, k, x, y):
    """Go from a gate to another gate anywhere; a boost stays (D7, D8)."""
    from_x, from_y = s.unit_x[seat, k], s.unit_y[seat, k]
    if s.tile[from_y, from_x] != GATE or s.tile[y, x] != GATE or (x == from_x and y == from_y):
        return 0
    if s.energy[seat] < TELEPORT_COST:
        return 0
    s.energy[seat] -= TELEPORT_COST
    put(s, seat, k, x, y)
    return TELEPORT_REWARD


@rule
def build(s, seat, k, action):
    """Turn an empty tile next to the unit, or under it, into a structure; only a zone minds enemies on it (D11)."""
    which, direction = (action - BUILD_ZONE) // DIRECTIONS, (action - BUILD_ZONE) % DIRECTIONS
    x, y = s.unit_x[seat, k] + DX[direction], s.unit_y[seat, k] + DY[direction]
    cost = BARRIER_COST if which == (BUILD_BARRIER - BUILD_ZONE) // DIRECTIONS else BUILD_COST
    if not is_on_map(x, y) or s.tile[y, x] != EMPTY or s.energy[seat] < cost:
        return 0
    if action < BUILD_FIELD:
        if s.unit_type[seat, k] == HARVESTER or s.here[1 - seat, y, x] > 0:
            return 0
        s.tile[y, x], s.amount[y, x] = ZONE, ZONE_POWER
        reward = ZONE_REWARD
    elif action < BUILD_BARRIER:
        s.tile[y, x] = FIELD
        reward = FIELD_REWARD
    elif action < BUILD_GATE:
        s.tile[y, x] = BARRIER
        reward = BARRIER_REWARD
    else:
        s.tile[y, x] = GATE
        s.gates[y] |= 1 << int(x)
        reward = GATE_REWARD
    s.energy[seat] -= cost
    return reward


@rule
def attack(s, seat, k, direction, boost):
    """Shoot at the first enemy along a direction; nothing is paid or used up when there is none (D5)."""
    cost = ATTACK_COST + boost * QUARTERS
    if s.unit_type[seat, k] != WARRIOR or s.energy[seat] < cost:
        return 0
    boosted = s.unit_attacks[seat, k] > 0
    target = find_target(s, seat, k, direction, boosted)
    if target < 0:
        return 0
    s.energy[seat] -= cost
    if boosted:
        s.unit_attacks[seat, k] -= 1
    enemy = 1 - seat
    on_field = s.tile[s.unit_y[enemy, target], s.unit_x[enemy, target]] == FIELD
    dealt = damage(boost, boosted, on_field)
    health = int(s.unit_health[enemy, target])
    note_attack(s, seat, k, target, boost, boosted, on_field, health <= dealt)
    if health <= dealt:
        remove(s, enemy, target)
        return KILL_REWARD
    s.unit_health[enemy, target] = health - dealt
    return dealt * (QUARTERS // HALVES)


@rule
def damage(boost, boosted, on_field):
    """Return the halves of health that an attack takes; every factor leaves a whole number."""
    halves = 15 * HALVES * 2 + 6 * HALVES * boost
    if boosted:
        halves += halves // 2
    return halves // 2 if on_field else halves


@rule
def find_target(s, seat, k, direction, boosted):
    """Return the slot of the enemy that a shot would hit, or -1; friends do not stop it, barriers do (D29)."""
    x, y = int(s.unit_x[seat, k]), int(s.unit_y[seat, k])
    for _ in range(BOOSTED_RANGE if boosted else RANGE):
        x += DX[direction]
        y += DY[direction]
        if not is_on_map(x, y):
            return -1
        if s.here[1 - seat, y, x] > 0:
            return best_target(s, 1 - seat, x, y)
        if s.tile[y, x] == BARRIER:
            return -1
    return -1


@rule
def best_target(s, enemy, x, y):
    """Return the slot of the unit on a tile that draws the fire: weak and useful ones, the oldest of equals."""
    best, best_score = -1, 0
    for k in range(s.units[enemy]):
        if s.unit_x[enemy, k] == x and s.unit_y[enemy, k] == y:
            score = 50 * HALVES * TARGET_PRIORITY[s.unit_type[enemy, k]] - int(s.unit_health[enemy, k])
            if best < 0 or score > best_score:
                best, best_score = k, score
    return best


@rule
def note_attack(s, seat, k, target, boost, boosted, on_field, killed):
    """Keep what happened for the record."""
    n = s.last_events
    if n >= EVENTS:
        return
    enemy = 1 - seat
    s.event_seat[n] = seat
    s.event_unit[n], s.event_target[n] = s.unit_id[seat, k], s.unit_id[enemy, target]
    s.event_x[n], s.event_y[n] = s.unit_x[seat, k], s.unit_y[seat, k]
    s.event_to_x[n], s.event_to_y[n] = s.unit_x[enemy, target], s.unit_y[enemy, target]
    s.event_health[n], s.event_boost[n] = s.unit_health[enemy, target], boost
    s.event_boosted[n], s.event_field[n], s.event_killed[n] = boosted, on_field, killed
    s.last_events = n + 1
