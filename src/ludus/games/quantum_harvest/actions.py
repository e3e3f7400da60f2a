"""Names of orders and decisions, both ways, and why one cannot be taken."""

from __future__ import annotations

from typing import Any

from ludus.core import UnknownName

from . import tables as t

UNITS = ("harvester", "warrior", "scout")
DIRECTIONS = ("up-left", "up", "up-right", "left", "here", "right", "down-left", "down", "down-right")
BLOCKS = (
    (t.MOVE, "move"), (t.QUANTUM_MOVE, "quantum"), (t.BUILD_ZONE, "zone"), (t.BUILD_FIELD, "field"),
    (t.BUILD_BARRIER, "barrier"), (t.BUILD_GATE, "gate"),
)  # fmt: skip
SINGLE = {t.HARVEST: "harvest", t.NOTHING: "nothing", t.DONE: "done", t.HEAL: "heal"}
HELP = (
    "Each of your units is asked for one order a turn; all of them happen when both sides have given theirs: move DIRECTION, "
    "attack DIRECTION [+BOOST], harvest, spawn KIND, build (zone, field, barrier, gate) with a DIRECTION, quantum DIRECTION, "
    "heal, teleport X,Y or nothing. pick N asks another unit first, done leaves the others without orders. "
    "Directions are up, down-left, here and so on."
)

FORMS = {
    "move DIRECTION": "go to a neighbouring tile: `up`, `down`, `left`, `right`, `up-left` … `down-right`, or stay `here`",
    "quantum DIRECTION": "the same for 100 energy, onto a barrier as well",
    "harvest": "take energy from the node under a harvester (1) or a scout (0.25)",
    "nothing": "let this unit do nothing",
    "done": "give no more orders in this turn; units without one do nothing",
    "spawn UNIT": "a scout makes a `harvester` (10 energy), a `warrior` (100) or a `scout` (10), in your corner",
    "heal": "at a gate: 50 health for 50 energy",
    "zone DIRECTION": "a warrior or scout builds a zone, which strengthens warriors, on an empty tile: 100",
    "field DIRECTION": "build a field, which halves damage, on an empty tile: 100",
    "barrier DIRECTION": "build a barrier on an empty tile: 200",
    "gate DIRECTION": "build a gate, which heals and leads to other gates, on an empty tile: 100",
    "attack DIRECTION": "a warrior shoots that way, 1 tile far, 4 with the boost of a zone: 15",
    "attack DIRECTION +BOOST": "the same with 1 to 4 more energy, which hits harder",
    "pick SLOT": "order the unit at this place of `units`, from 0, before the one that is asked",
    "teleport X,Y": "from the gate under the unit to the gate at x, y: 25",
}


def _name(action: int) -> str:
    for first, name in BLOCKS:
        if first <= action < first + t.DIRECTIONS:
            return f"{name} {DIRECTIONS[action - first]}"
    if action in SINGLE:
        return SINGLE[action]
    if t.SPAWN <= action < t.HEAL:
        return f"spawn {UNITS[action - t.SPAWN]}"
    if action >= t.TELEPORT:
        return f"teleport {(action - t.TELEPORT) % t.SIZE},{(action - t.TELEPORT) // t.SIZE}"
    if action >= t.PICK:
        return f"pick {action - t.PICK}"
    direction, boost = divmod(action - t.ATTACK, t.BOOSTS)
    return f"attack {DIRECTIONS[direction]}" + (f" +{boost}" if boost else "")


NAMES = tuple(_name(action) for action in range(t.ACTIONS))
NUMBERS = {name: action for action, name in enumerate(NAMES)}
MOST_DECISIONS = t.UNITS  # of a seat in a turn
STEERING = (t.DONE, *range(t.PICK, t.TELEPORT))  # they decide who is asked next, and order nothing


def action_name(action: int) -> str:
    """Return an action as people write it: `attack up-left +3`."""
    return NAMES[action]


def parse_action(text: str) -> int:
    """Read an action: its name, or its number."""
    word = " ".join(text.lower().split())
    if word in NUMBERS:
        return NUMBERS[word]
    if word.isdecimal() and len(word) < 10 and int(word) < t.ACTIONS:
        return int(word)
    raise UnknownName("order", text[:60], ("move up", "attack up-left +3", "teleport 3,4", "pick 5", *SINGLE.values(), "…"))


def order_name(unit: int, action: int) -> str:
    """Return an order as people write it: `12 attack up-left +3`."""
    return f"{unit} {NAMES[action]}"


def why_not(s: Any, seat: int, action: int) -> str:
    """Return why a seat cannot decide this now, or ""; orders that will fail are taken all the same."""
    if s.end != t.RUNNING:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    return "" if 0 <= action < t.ACTIONS else "bad_action"


def why_vain(view: Any, action: int) -> str:
    """Return why an order that is taken all the same will come to nothing, as far as the seat can know."""
    k = int(view.slot)
    if k < 0:
        return "all units have their orders"
    if t.PICK <= action < t.TELEPORT:
        return "no such unit waits for an order"
    price = t.TELEPORT_COST if action >= t.TELEPORT else int(t.COST[action])
    if price > view.budget:
        return f"it costs {price / t.QUARTERS:g} energy, and {int(view.budget) / t.QUARTERS:g} are left"
    for first, _ in BLOCKS:
        if first <= action < first + t.DIRECTIONS:
            return _in_the_way(view, k, action - first, is_build=first >= t.BUILD_ZONE)
    if t.SPAWN <= action < t.HEAL:
        return "only scouts spawn units, while there is room for them"
    if t.ATTACK <= action < t.PICK:
        return "only warriors attack, and only where an enemy is seen within range"
    return "its tile does not offer that" if action != t.DONE else ""


def _in_the_way(view: Any, k: int, direction: int, is_build: bool) -> str:
    """Say what is wrong with the tile in a direction."""
    x, y = int(view.my_x[k]) + t.DX[direction], int(view.my_y[k]) + t.DY[direction]
    if not (0 <= x < t.SIZE and 0 <= y < t.SIZE):
        return "the board ends there"
    if is_build and view.tile[y, x] != t.EMPTY:
        return "the tile is not empty"
    return "a barrier is in the way" if view.tile[y, x] == t.BARRIER else "an enemy is there, or this unit cannot do it"
