"""What happened in the last turn, as events and lines of a frame: attacks, orders that were carried out, the end."""
# mypy: ignore-errors

from ludus.core import NOBODY, SEAT_ROLE, add_event, add_link, event_from, event_to, rule

from .orders import damage
from .tables import (
    ATTACK,
    BARRIER,
    BUILD_BARRIER,
    BUILD_FIELD,
    BUILD_GATE,
    BUILD_ZONE,
    DIRECTIONS,
    DX,
    DY,
    EVENTS,
    FIELD,
    GATE,
    HALVES,
    HARVEST,
    HEAL,
    HERE,
    NOTHING,
    QUANTUM_MOVE,
    RUNNING,
    SKIPPED,
    SPAWN,
    TELEPORT,
    ZONE,
)
from .words import (
    APPEARED,
    BOOSTED_SHOT,
    BUILT,
    ENDED,
    FAILED,
    GAME_ENDED,
    HALVED_SHOT,
    HEALED,
    KILLED,
    MOVED,
    NOBODY_LEFT,
    QUANTUM_MOVED,
    TELEPORTED,
    UNSEEN_SHOT,
)

MOST_EVENTS = 2 * EVENTS + 1  # all attacks and kills and the end; orders are told as far as there is room
SIDE = 1 << 30  # what sets the ids of both sides apart: a side never makes so many units


@rule
def identity(side, unit):
    """Return the id of a unit as a piece."""
    return side * SIDE + (int(unit) & (SIDE - 1))


@rule
def slot_of(ids, count, unit):
    """Return the slot of a living unit, or -1; ids grow from slot to slot."""
    low, high = 0, int(count)
    while low < high:
        middle = (low + high) // 2
        if ids[middle] < unit:
            low = middle + 1
        else:
            high = middle
    return low if low < count and ids[low] == unit else -1


@rule
def tell_attack(row, frame, n, slot):
    """Tell the n-th attack; who attacked is named if it is still to be seen."""
    side, boosted, on_field = int(row.event_seat[n]), int(row.event_boosted[n]), int(row.event_field[n])
    who = identity(side, row.event_unit[n]) if slot >= 0 else NOBODY
    dealt = damage(int(row.event_boost[n]), boosted, on_field)
    add_attack(frame, side, who, row.event_x[n], row.event_y[n], row.event_to_x[n], row.event_to_y[n], dealt,
               row.event_health[n], boosted, on_field, row.event_killed[n])  # fmt: skip


@rule
def add_attack(frame, side, who, x, y, to_x, to_y, halves, health, boosted, on_field, killed):
    """Draw an attack as a line, and tell it, and that it killed."""
    kind = (BOOSTED_SHOT if boosted else 0) + (HALVED_SHOT if on_field else 0)
    k = add_event(frame, kind if x >= 0 else kind + UNSEEN_SHOT, side, who, halves // HALVES)
    frame.event_value[k, 0], frame.event_value[k, 1] = halves, health
    event_to(frame, k, to_x, to_y, 0)
    if x >= 0:
        event_from(frame, k, x, y, 0)
        add_link(frame, x, y, 0, to_x, to_y, 0, SEAT_ROLE + side)
    if killed:
        event_to(frame, add_event(frame, KILLED, side, who, 0), to_x, to_y, 0)


@rule
def tell_orders(frame, side, count, units, actions, paid, alive, ids, xs, ys, next_id):
    """Tell what a side's orders of the last turn came to, of units that still live; harvests show in its energy."""
    made = 0
    for n in range(count):
        slot, action = slot_of(ids, alive, units[n]), int(actions[n])
        if SPAWN <= action < HEAL and paid[n] > 0:
            made += 1
        elif slot >= 0 and frame.events < MOST_EVENTS - 1:
            if paid[n] > 0:
                tell_order(frame, side, units[n], action, int(xs[slot]), int(ys[slot]))
            elif action != NOTHING and paid[n] != SKIPPED:
                tell_unit(frame, FAILED, side, units[n], action)
    k = alive - 1
    while k >= 0 and ids[k] >= next_id - made and frame.events < MOST_EVENTS - 1:
        event_to(frame, tell_unit(frame, APPEARED, side, ids[k], 0), xs[k], ys[k], 0)
        k -= 1


@rule
def tell_order(frame, side, unit, action, x, y):
    """Tell an order that was carried out by a unit that stands on this tile since."""
    if action < HARVEST:
        direction = action % DIRECTIONS
        if direction != HERE:
            k = tell_unit(frame, MOVED if action < QUANTUM_MOVE else QUANTUM_MOVED, side, unit, 0)
            event_from(frame, k, x - DX[direction], y - DY[direction], 0)
            event_to(frame, k, x, y, 0)
    elif action == HEAL:
        event_from(frame, tell_unit(frame, HEALED, side, unit, 0), x, y, 0)
    elif BUILD_ZONE <= action < ATTACK:
        direction = (action - BUILD_ZONE) % DIRECTIONS
        event_to(frame, tell_unit(frame, BUILT, side, unit, built(action)), x + DX[direction], y + DY[direction], 0)
    elif action >= TELEPORT:
        event_to(frame, tell_unit(frame, TELEPORTED, side, unit, 0), x, y, 0)


@rule
def tell_unit(frame, kind, side, unit, value):
    """Tell something about a living unit; return the event's place in the frame."""
    k = add_event(frame, kind, side, identity(side, unit), 0)
    frame.event_value[k, 0], frame.event_value[k, 1] = unit, value
    return k


@rule
def built(action):
    """Return the tile that an order to build makes."""
    if action >= BUILD_GATE:
        return GATE
    if action >= BUILD_BARRIER:
        return BARRIER
    return FIELD if action >= BUILD_FIELD else ZONE


@rule
def tell_end(row, frame):
    """Tell the end, if this is one."""
    if row.end != RUNNING:
        k = add_event(frame, GAME_ENDED + end_of(row.end, row.winner) - ENDED - 1, row.winner, NOBODY, 0)
        frame.event_value[k, 0] = max(0, int(row.winner))


@rule
def end_of(end, winner):
    """Return which sentence tells an end."""
    return NOBODY_LEFT if winner == NOBODY and ENDED + end < NOBODY_LEFT - 1 else ENDED + end
