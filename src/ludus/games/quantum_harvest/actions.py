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
