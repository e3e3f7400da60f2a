"""Actions of Unit as small dictionaries: `{"type": "move", "from": 12, "to": 13}`, the structured form of the README."""

from __future__ import annotations

from operator import index
from typing import Any

from .board import (
    AROUND,
    ATTACK,
    DIRECTIONS,
    EDGES,
    END_TURN,
    HOME,
    INFUSE,
    MOVE,
    NEIGHBOURS,
    PINCER,
    PINCER_FIRST,
    PINCER_RANK,
    PINCERS,
    PLACE,
    SEATS,
    VERTICES,
)

Form = dict[str, Any]

# The keys of each type that hold one vertex; a pincer has a list of them under "origins", too.
VERTEX_KEYS = {
    "end_turn": (),
    "place": ("vertex",),
    "infuse": ("vertex",),
    "move": ("from", "to"),
    "attack": ("from", "target"),
    "pincer": ("target",),
}
MOST_ORIGINS = DIRECTIONS
EDGE_NUMBER = {(start, to): k for k, (start, _, to) in enumerate(EDGES)}
PLACE_ID = {HOME[seat][k]: PLACE + SEATS * k + seat for k in range(2) for seat in range(SEATS)}
CORNER_OF_PLACE = {action: corner for corner, action in PLACE_ID.items()}


def form_of(action: int) -> Form:
    """Return an action id, of any whole type, as a dictionary."""
    action = index(action)
    if action == END_TURN:
        return {"type": "end_turn"}
    if action < INFUSE:
        return {"type": "place", "vertex": CORNER_OF_PLACE[action]}
    if action < MOVE:
        return {"type": "infuse", "vertex": action - INFUSE}
    if action < ATTACK:
        start, _, to = EDGES[action - MOVE]
        return {"type": "move", "from": start, "to": to}
    if action < PINCER:
        start, _, to = EDGES[action - ATTACK]
        return {"type": "attack", "from": start, "target": to}
    target, origins = PINCERS[action - PINCER]
    return {
        "type": "pincer",
        "target": target,
        "origins": [NEIGHBOURS[target][d] for d in range(DIRECTIONS) if origins >> d & 1],
    }


def id_of(form: object) -> int | None:
    """Return the id of an action, or None if no id stands for it."""
    if not isinstance(form, dict) or not is_well_formed(form):
        return None
    kind = form["type"]
    if kind == "end_turn":
        return END_TURN
    if kind == "place":
        return PLACE_ID.get(form["vertex"])
    if kind == "infuse":
        return INFUSE + int(form["vertex"])
    if kind == "pincer":
        return _pincer_id(form["target"], form["origins"])
    edge = EDGE_NUMBER.get((form["from"], form["to" if kind == "move" else "target"]))
    return None if edge is None else (MOVE if kind == "move" else ATTACK) + edge


def is_well_formed(form: object) -> bool:
    """Say whether the type is known and every vertex is on the board."""
    if not isinstance(form, dict) or not isinstance(kind := form.get("type"), str) or kind not in VERTEX_KEYS:
        return False
    vertices = [form.get(key) for key in VERTEX_KEYS[kind]]
    if kind == "pincer":
        if not isinstance(form.get("origins"), list | tuple):
            return False
        vertices += form["origins"]
    return all(type(vertex) is int and 0 <= vertex < VERTICES for vertex in vertices)


def flaw(form: Form) -> str:
    """Return why no position allows an action that has no id."""
    if not is_well_formed(form):
        return "malformed"
    if form["type"] == "place":
        return "not_home_corner"
    return "bad_origin_count" if form["type"] == "pincer" and not count_is_good(form["origins"]) else "not_adjacent"


def count_is_good(origins: list[int]) -> bool:
    """Say whether a pincer may have so many different origins."""
    return 2 <= len(origins) <= MOST_ORIGINS and len(set(origins)) == len(origins)


def _pincer_id(target: int, origins: list[int]) -> int | None:
    if not count_is_good(origins) or not set(origins) <= set(NEIGHBOURS[target]):
        return None
    bits = sum(1 << NEIGHBOURS[target].index(origin) for origin in origins)
    return int(PINCER_FIRST[target]) + int(PINCER_RANK[AROUND[target], bits])
