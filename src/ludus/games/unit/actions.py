"""Actions of Unit in three forms: an id, a small dictionary, a line of text; and why an action is refused.

The dictionary is the structured form of the README: `{"type": "move", "from": 12, "to": 13}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ludus.core import IllegalAction

from .board import (
    ACTIONS,
    AROUND,
    ATTACK,
    DIRECTIONS,
    EDGES,
    END_TURN,
    HOME,
    INFUSE,
    MOVE,
    NEIGHBOURS,
    OCCUPIES,
    PINCER,
    PINCER_FIRST,
    PINCER_RANK,
    PINCERS,
    PLACE,
    SEATS,
    VERTICES,
)
from .rules import RUNNING, holds, legal, power

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
EXAMPLES = "place 0, infuse 12, move 12 -> 13, attack 0 -> 3, pincer 21 from 4 16, end_turn"


def form_of(action: int) -> Form:
    """Return an action id as a dictionary."""
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


def refusal(s: Any, form: object) -> str:
    """Return why the seat to move may not play this, by the first condition that fails, or ""; README, Actions."""
    if s.end != RUNNING:
        return "game_over"
    if not isinstance(form, dict) or not is_well_formed(form):
        return "malformed"
    return _REFUSALS[form["type"]](s, form)


def why_not(s: Any, seat: int, action: int) -> str:
    """Return why a seat may not play an action id, or ""."""
    if s.end != RUNNING:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    return refusal(s, form_of(action)) if 0 <= action < ACTIONS else "malformed"


def action_name(action: int) -> str:
    """Return an action as people write it."""
    form = form_of(action)
    kind = form["type"]
    if kind == "pincer":
        return f"pincer {form['target']} from {' '.join(map(str, form['origins']))}"
    return " ".join([kind, " -> ".join(str(form[key]) for key in VERTEX_KEYS[kind])]).strip()


def parse_action(text: str) -> int:
    """Read an action: its name, with vertices as 12, v12 or vertex-12, or its id."""
    word = text.strip().lower()
    if word.isdecimal() and int(word) < ACTIONS:
        return int(word)
    form = _read_form(word)
    action = id_of(form)
    if action is None:
        reason = _flaw(form)
        raise IllegalAction(f"{text!r} is refused ({reason}); actions are written: {EXAMPLES}", reason)
    return action


def _read_form(text: str) -> Form:
    """Read a line as a dictionary, well formed or not."""
    words = re.sub(r"->|\bto\b|\bfrom\b|[,\[\](){}]", " ", re.sub(r"\bend[ _]?turn\b|^end$", "end_turn", text)).split()
    kind, numbers = (words[0], [_read_vertex(word) for word in words[1:]]) if words else ("", [])
    keys = VERTEX_KEYS.get(kind, ())
    form: Form = {"type": kind, **dict(zip(keys, numbers, strict=False))}
    rest = numbers[len(keys) :]
    if kind == "pincer":
        form["origins"] = rest
    elif rest:
        form["type"] = "malformed"
    return form


def _read_vertex(word: str) -> int:
    """Return the number in 12, v12 or vertex-12; -1 is no vertex."""
    found = re.fullmatch(r"(?:vertex-|v)?(\d{1,6})", word)
    return int(found[1]) if found else -1


def _flaw(form: Form) -> str:
    """Return why no position allows an action that has no id."""
    if not is_well_formed(form):
        return "malformed"
    if form["type"] == "place":
        return "not_home_corner"
    return "bad_origin_count" if form["type"] == "pincer" and not _count_is_good(form["origins"]) else "not_adjacent"


def _count_is_good(origins: list[int]) -> bool:
    return 2 <= len(origins) <= MOST_ORIGINS and len(set(origins)) == len(origins)


def _pincer_id(target: int, origins: list[int]) -> int | None:
    if not _count_is_good(origins) or not set(origins) <= set(NEIGHBOURS[target]):
        return None
    bits = sum(1 << NEIGHBOURS[target].index(origin) for origin in origins)
    return int(PINCER_FIRST[target]) + int(PINCER_RANK[AROUND[target], bits])


def _place(s: Any, form: Form) -> str:
    if s.placed:
        return "already_placed"
    if s.pool[s.seat] < 1:
        return "no_reinforcements"
    if form["vertex"] not in HOME[s.seat]:
        return "not_home_corner"
    return "enemy_on_corner" if holds(s, 1 - s.seat, form["vertex"]) else ""


def _infuse(s: Any, form: Form) -> str:
    if s.infused:
        return "already_infused"
    return "" if holds(s, s.seat, form["vertex"]) else "not_own_stack"


def _move(s: Any, form: Form) -> str:
    start, to = form["from"], form["to"]
    if s.moved:
        return "already_moved"
    if not holds(s, s.seat, start):
        return "not_own_stack"
    if (start, to) not in EDGE_NUMBER:
        return "not_adjacent"
    if holds(s, 1 - s.seat, to):
        return "enemy_at_target"
    return "" if id_of(form) in _legal_ids(s) else "requirement_not_met"


def _attack(s: Any, form: Form) -> str:
    start, target = form["from"], form["target"]
    if reason := _no_fight(s):
        return reason
    if not holds(s, s.seat, start):
        return "not_own_stack"
    if (start, target) not in EDGE_NUMBER:
        return "not_adjacent"
    if not holds(s, 1 - s.seat, target):
        return "no_enemy_at_target"
    return "" if _is_occupied(s, start) else "not_occupied"


def _pincer(s: Any, form: Form) -> str:
    if reason := _no_fight(s):
        return reason
    if not holds(s, 1 - s.seat, form["target"]):
        return "no_enemy_at_target"
    if not _count_is_good(form["origins"]):
        return "bad_origin_count"
    for origin in form["origins"]:
        if not holds(s, s.seat, origin):
            return "not_own_stack"
        if (origin, form["target"]) not in EDGE_NUMBER:
            return "not_adjacent"
        if not _is_occupied(s, origin):
            return "not_occupied"
    return ""


def _end_turn(s: Any, form: Form) -> str:
    return "" if END_TURN in _legal_ids(s) else "mandatory_outstanding"


_REFUSALS: dict[str, Callable[[Any, Form], str]] = {
    "place": _place, "infuse": _infuse, "move": _move, "attack": _attack, "pincer": _pincer, "end_turn": _end_turn,
}  # fmt: skip


def _no_fight(s: Any) -> str:
    """Return why no fight is allowed at this moment of the turn, or ""."""
    if s.moved:
        return "already_moved"
    return "mandatory_first" if any(END_TURN < action < MOVE for action in _legal_ids(s)) else ""


def _is_occupied(s: Any, vertex: int) -> bool:
    return bool(power(s, vertex) >= OCCUPIES[vertex])


def _legal_ids(s: Any) -> set[int]:
    mask = [0] * ACTIONS
    legal(s, mask)
    return {action for action, mark in enumerate(mask) if mark}
