"""Orders as the original writes them: [type, direction_x, direction_y, energy_boost] by unit id; and a turn of them as ids.

Section 6 of README.md says what is a bad order; here it is found out, named, and turned into no order at all.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..tables import (
    ATTACK,
    BOOSTS,
    BUILD_BARRIER,
    BUILD_FIELD,
    BUILD_GATE,
    BUILD_ZONE,
    DIRECTIONS,
    DONE,
    HARVEST,
    HEAL,
    MOVE,
    NOTHING,
    PICK,
    QUANTUM_MOVE,
    SCOUT,
    SEATS,
    SIZE,
    SPAWN,
    TELEPORT,
    UNITS,
)

# The original's action types.
T_MOVE, T_QUANTUM_MOVE, T_HARVEST, T_ENTANGLE, T_MEASURE, T_SHIELD, T_BOOST, T_ATTACK = range(8)
T_SPAWN, T_ZONE, T_HEAL, T_TELEPORT, T_FIELD, T_BARRIER, T_GATE = 8, 11, 12, 13, 14, 15, 16
TYPES = 17
BLOCKS = {  # by type, the first of nine ids
    T_MOVE: MOVE,
    T_QUANTUM_MOVE: QUANTUM_MOVE,
    T_ZONE: BUILD_ZONE,
    T_FIELD: BUILD_FIELD,
    T_BARRIER: BUILD_BARRIER,
    T_GATE: BUILD_GATE,
}
NUMBERS = 4  # in an action


@dataclass(frozen=True)
class BadOrder:
    """An order that does nothing, whatever the position."""

    unit: str  # as it was given
    reason: str


@dataclass
class Turn:
    """A turn of one seat in this game's decisions."""

    decisions: list[int] = field(default_factory=list)
    places: list[int | None] = field(default_factory=list)  # by entry: the number of its order, or None if it gave none
    bad: list[BadOrder] = field(default_factory=list)


def plan(ids: list[int], types: list[int], next_id: int, entries: Iterable[tuple[object, object]]) -> Turn:
    """Turn entries (unit id, four numbers), in the order in which they run, into decisions of this game.

    `ids` and `types` are those of the living units in the order of creation. Units that spawn orders promise follow them.
    """
    slots, alive = list(ids), len(ids)
    free, turn, order_count = dict.fromkeys(range(alive)), Turn(), 0
    for unit, action in entries:
        turn.places.append(None)
        order, reason = read_order(action)
        slot = _slot(slots, unit)
        if slot not in free:
            reason = "unknown unit" if slot is None else "second order for one unit"
        if reason:
            turn.bad.append(BadOrder(f"{unit!r:.40}", reason))
        if order is None or slot is None or slot not in free:
            continue
        if slot != next(iter(sorted(free))):
            turn.decisions.append(PICK + slot)
        turn.decisions.append(order)
        turn.places[-1] = order_count
        order_count += 1
        del free[slot]
        if SPAWN <= order < HEAL and (slot >= alive or types[slot] == SCOUT) and len(slots) < UNITS:
            free[len(slots)] = None
            slots.append(next_id + len(slots) - alive)
    if free or not slots:
        turn.decisions.append(DONE)
    return turn


def read_order(action: object) -> tuple[int | None, str]:
    """Return the id of an action and what is wrong with it, or "": None = no order, NOTHING = one without effect."""
    numbers = whole_numbers(action)
    if numbers is None:
        return None, "not four whole numbers"
    kind, dx, dy, boost = numbers
    if not 0 <= kind < TYPES:
        return NOTHING, f"no action type {kind}"
    if T_ENTANGLE <= kind <= T_BOOST:
        return NOTHING, ""  # D4: allowed, and without effect
    if kind == T_TELEPORT:
        is_on_map = 0 <= dx < SIZE and 0 <= dy < SIZE
        return (TELEPORT + dy * SIZE + dx, "") if is_on_map else (NOTHING, f"no tile ({dx}, {dy})")
    if kind in BLOCKS or kind == T_ATTACK:
        if not (0 <= dx <= 2 and 0 <= dy <= 2):
            return NOTHING, f"no direction ({dx}, {dy})"
        if kind in BLOCKS:
            return BLOCKS[kind] + 3 * dy + dx, ""
        if not 0 <= boost < BOOSTS:
            return NOTHING, f"no energy boost {boost}"
        return ATTACK + (3 * dy + dx) * BOOSTS + boost, ""
    return {T_HARVEST: HARVEST, T_HEAL: HEAL}.get(kind, SPAWN + kind - T_SPAWN), ""


def without_unit(unit: object, action: object) -> object:
    """Return an order without its unit: the original also took five numbers, the unit's id first."""
    numbers = whole_numbers(action, NUMBERS + 1)
    return numbers[1:] if numbers is not None and numbers[0] == whole(unit) else action


def ran_orders(s: Any) -> dict[str, list[int]]:
    """Return the orders that ran in the last turn, as the original's environment takes them."""
    orders = {}
    for seat in range(SEATS):
        count = int(s.last_orders[seat])
        for unit, action in zip(s.order_unit[seat, :count].tolist(), s.order_action[seat, :count].tolist(), strict=True):
            orders[f"p{seat}_{unit}"] = write_order(action)
    return orders


def write_order(action: int) -> list[int]:
    """Return the original's four numbers of an order; one without effect is its first deprecated action."""
    for kind, first in BLOCKS.items():
        if first <= action < first + DIRECTIONS:
            return [kind, (action - first) % 3, (action - first) // 3, 0]
    if ATTACK <= action < PICK:
        direction, boost = divmod(action - ATTACK, BOOSTS)
        return [T_ATTACK, direction % 3, direction // 3, boost]
    if action >= TELEPORT:
        return [T_TELEPORT, (action - TELEPORT) % SIZE, (action - TELEPORT) // SIZE, 0]
    if SPAWN <= action < HEAL:
        return [T_SPAWN + action - SPAWN, 1, 1, 0]
    return [{HARVEST: T_HARVEST, HEAL: T_HEAL}.get(action, T_ENTANGLE), 1, 1, 0]


def whole(value: Any) -> int | None:
    """Return a value as an int if it is a whole number, NumPy's included, and no truth value."""
    if isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "") == "b":
        return None
    try:
        return operator.index(value)
    except Exception:  # a foreign object may fail in any way when it is looked at
        return None


def whole_numbers(action: object, count: int = NUMBERS) -> list[int] | None:
    """Return the numbers of an action, or None if it is anything else than so many of them."""
    if isinstance(action, str | bytes | dict | set) or not hasattr(action, "__len__") or not hasattr(action, "__iter__"):
        return None
    try:
        numbers = [whole(value) for value in action] if len(action) == count else []
    except Exception:  # a foreign object may fail in any way when it is looked at
        return None
    found = [number for number in numbers if number is not None]
    return found if len(found) == count else None


def _slot(slots: list[int], unit: object) -> int | None:
    number = whole(unit)
    return slots.index(number) if number in slots else None
