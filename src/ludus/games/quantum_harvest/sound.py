"""What holds in every position: numbers within their bounds, counts as the map and the lists have them, unused places 0.

A row from outside passes `sound` once; after that the rules check nothing. Whatever is played from a sound row leads to sound
rows: what grows in play may grow with the turn.
"""
# mypy: ignore-errors
# ruff: noqa: SIM109, SIM110 (kernels know no generators and few tuples)

from ludus.core import rule

from .tables import (
    ACTIONS,
    ATTACKS_PER_BOOST,
    BOOSTS,
    ELIMINATION,
    EMPTY,
    ENERGY,
    EVENTS,
    FULL_ROW,
    GATE,
    HARVESTER,
    HEALTH,
    HEALTH_CAP,
    LIMIT_DRAW,
    NOBODY,
    NODE,
    QUARTERS,
    RUNNING,
    SCOUT,
    SEATS,
    SIZE,
    SKIPPED,
    UNITS,
    ZONE,
)

HIGHEST = 1 << 30  # of what grows in play, at turn 0: a million turns later it is still below 2**31


@rule
def sound(s):
    """Say whether a row, its options and seat within their bounds, is a position."""
    if not (has_sound_end(s) and has_sound_counters(s) and has_sound_map(s)):
        return False
    for seat in range(SEATS):
        if not (has_sound_units(s, seat) and has_sound_places(s, seat) and has_sound_orders(s, seat)):
            return False
    return has_sound_sharing(s) and has_sound_decision(s) and has_sound_events(s)


@rule
def has_sound_end(s):
    """A game that runs has turns left and no winner; one that is over has the winner that its end calls for."""
    if not 0 <= s.turn <= s.opt_max_turns:
        return False
    if s.end == RUNNING:
        return s.winner == NOBODY and s.turn < s.opt_max_turns
    if s.end == ELIMINATION:
        return NOBODY <= s.winner < SEATS
    if s.end == LIMIT_DRAW:
        return s.winner == NOBODY
    return ENERGY <= s.end < LIMIT_DRAW and 0 <= s.winner < SEATS


@rule
def has_sound_counters(s):
    """Energies, ids and streaks leave room for what a game can add to them."""
    for seat in range(SEATS):
        if not 0 <= s.energy[seat] <= HIGHEST + s.turn * UNITS * QUARTERS:
            return False
        if not (0 <= s.next_id[seat] <= HIGHEST + s.turn * UNITS and 0 <= s.streak[seat] <= HIGHEST + s.turn):
            return False
        if not 0 <= s.territory[seat] <= SIZE * SIZE:
            return False
    return 0 <= s.births <= HIGHEST + s.turn * SEATS * UNITS


@rule
def has_sound_map(s):
    """Tiles are known ones; nodes and zones alone hold something; bits of gates are where gates are."""
    for y in range(SIZE):
        gates = 0
        for x in range(SIZE):
            tile, amount = s.tile[y, x], s.amount[y, x]
            if not EMPTY <= tile <= GATE or amount < 0 or (amount > 0) != (tile == NODE or tile == ZONE):
                return False
            if tile == GATE:
                gates |= 1 << x
        if s.gates[y] != gates or (s.explored[0, y] | s.explored[1, y]) & ~FULL_ROW != 0:
            return False
    return True


@rule
def has_sound_units(s, seat):
    """Living units stand in the order of creation, promised ones of the seat that decides follow, then nothing does."""
    count, promised = s.units[seat], s.promised if s.seat == seat else 0
    if not (0 <= count <= UNITS and 0 <= promised <= UNITS - count):
        return False
    unit, born = -1, -1
    for k in range(UNITS):
        if k < count:
            if s.unit_id[seat, k] <= unit or s.unit_born[seat, k] <= born or not is_sound_unit(s, seat, k):
                return False
            unit, born = s.unit_id[seat, k], s.unit_born[seat, k]
        elif k < count + promised:
            if not is_sound_promise(s, seat, k, s.next_id[seat] + k - count):
                return False
        elif not is_blank_slot(s, seat, k):
            return False
    return unit < s.next_id[seat] and born < s.births


@rule
def is_sound_unit(s, seat, k):
    """Say whether a living unit is of a known type, on the map, and as healthy and strong as units can be."""
    if not (0 <= s.unit_x[seat, k] < SIZE and 0 <= s.unit_y[seat, k] < SIZE and HARVESTER <= s.unit_type[seat, k] <= SCOUT):
        return False
    return 0 < s.unit_health[seat, k] <= HEALTH_CAP and 0 <= s.unit_attacks[seat, k] <= ATTACKS_PER_BOOST


@rule
def is_sound_promise(s, seat, k, unit):
    """Say whether a promised unit is a fresh one in its side's corner."""
    corner = seat * (SIZE - 1)
    if s.unit_x[seat, k] != corner or s.unit_y[seat, k] != corner or s.unit_id[seat, k] != unit or s.unit_born[seat, k] != 0:
        return False
    return HARVESTER <= s.unit_type[seat, k] <= SCOUT and s.unit_health[seat, k] == HEALTH and s.unit_attacks[seat, k] == 0


@rule
def is_blank_slot(s, seat, k):
    """Say whether a slot that no unit has is clear."""
    if s.unit_id[seat, k] != 0 or s.unit_born[seat, k] != 0 or s.unit_type[seat, k] != 0 or s.unit_health[seat, k] != 0:
        return False
    return s.unit_x[seat, k] == 0 and s.unit_y[seat, k] == 0 and s.unit_attacks[seat, k] == 0


@rule
def has_sound_places(s, seat):
    """`here` counts the seat's units tile by tile, `held` the tiles that they stand on."""
    count = s.units[seat]
    for k in range(count):
        x, y, together = s.unit_x[seat, k], s.unit_y[seat, k], 0
        for other in range(count):
            if s.unit_x[seat, other] == x and s.unit_y[seat, other] == y:
                together += 1
        if s.here[seat, y, x] != together:
            return False
    held = 0
    for y in range(SIZE):
        for x in range(SIZE):
            if s.here[seat, y, x] < 0:
                return False
            count -= s.here[seat, y, x]
            if s.here[seat, y, x] > 0:
                held += 1
    return count == 0 and s.held[seat] == held


@rule
def has_sound_sharing(s):
    """`shared` counts the tiles that units of both seats stand on."""
    shared = 0
    for y in range(SIZE):
        for x in range(SIZE):
            if s.here[0, y, x] > 0 and s.here[1, y, x] > 0:
                shared += 1
    return s.shared == shared


@rule
def has_sound_orders(s, seat):
    """A list holds orders of this turn or of the last one, each unit once; a seat gives none before its time."""
    given, ran, slots = s.orders[seat], s.last_orders[seat], 0
    if not (0 <= given <= UNITS and 0 <= ran <= UNITS):
        return False
    if (given > 0 and (ran > 0 or seat > s.seat)) or (ran > 0 and seat < s.seat):
        return False
    for n in range(UNITS):
        slot, reward = int(s.order_slot[seat, n]), s.order_reward[seat, n]
        if n >= given and n >= ran:
            if s.order_unit[seat, n] != 0 or s.order_action[seat, n] != 0 or slot != 0 or reward != 0:
                return False
        elif not (0 <= slot < UNITS and 0 <= s.order_action[seat, n] < ACTIONS and s.order_unit[seat, n] >= 0):
            return False
        elif n < given:
            alive = s.units[seat]
            unit = s.unit_id[seat, slot] if slot < alive else s.next_id[seat] + slot - alive
            if s.order_unit[seat, n] != unit or slots >> slot & 1 or reward != 0:
                return False
            slots |= 1 << slot
        elif reward < SKIPPED:
            return False
    return True


@rule
def has_sound_decision(s):
    """The unit that is asked has no order, and is the first without one unless it was picked; orders are marked."""
    seat = s.seat
    count = s.units[seat] + s.promised
    if not (0 <= s.picked <= 1 and 0 <= s.budget <= s.energy[seat] + QUARTERS * s.orders[seat]):
        return False
    if s.slot < 0:  # a seat without units
        return s.slot == -1 and count == 0 and s.picked == 0 and s.orders[seat] == 0 and has_no_marks(s, 0)
    if s.slot >= count or s.ordered[s.slot] != 0 or not has_no_marks(s, count):
        return False
    marked = 0
    for k in range(count):
        if not 0 <= s.ordered[k] <= 1 or (k < s.slot and s.ordered[k] == 0 and s.picked == 0):
            return False
        marked += s.ordered[k]
    for n in range(s.orders[seat]):
        if s.ordered[s.order_slot[seat, n]] != 1:
            return False
    return marked == s.orders[seat]


@rule
def has_no_marks(s, first):
    """Say whether no slot from this one on is marked as ordered."""
    for k in range(first, UNITS):
        if s.ordered[k] != 0:
            return False
    return True


@rule
def has_sound_events(s):
    """Attacks are possible ones; where the attacker is not known, neither its place nor its id is."""
    if not 0 <= s.last_events <= EVENTS:
        return False
    for n in range(EVENTS):
        if not (is_sound_event(s, n) if n < s.last_events else is_blank_event(s, n)):
            return False
    return True


@rule
def is_sound_event(s, n):
    """Say whether an attack of the last turn is a possible one."""
    x, y, unit = s.event_x[n], s.event_y[n], s.event_unit[n]
    if not ((0 <= x < SIZE and 0 <= y < SIZE and unit >= 0) or (x == -1 and y == -1 and unit == -1)):
        return False
    if not (0 <= s.event_to_x[n] < SIZE and 0 <= s.event_to_y[n] < SIZE and 0 <= s.event_seat[n] < SEATS):
        return False
    if not (0 <= s.event_boost[n] < BOOSTS and 0 <= s.event_boosted[n] <= 1 and 0 <= s.event_field[n] <= 1):
        return False
    return 0 <= s.event_killed[n] <= 1 and s.event_target[n] >= 0 and 0 < s.event_health[n] <= HEALTH_CAP


@rule
def is_blank_event(s, n):
    """Say whether a place of an attack that did not happen is clear."""
    if s.event_unit[n] != 0 or s.event_target[n] != 0 or s.event_health[n] != 0 or s.event_seat[n] != 0:
        return False
    if s.event_x[n] != 0 or s.event_y[n] != 0 or s.event_to_x[n] != 0 or s.event_to_y[n] != 0:
        return False
    return s.event_boost[n] == 0 and s.event_boosted[n] == 0 and s.event_field[n] == 0 and s.event_killed[n] == 0
