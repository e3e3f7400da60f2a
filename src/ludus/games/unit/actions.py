"""Actions of Unit as lines of text, both ways, and why one is refused. Ids and dictionaries are in forms.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import index
from typing import Any

from ludus.core import IllegalAction

from .board import ACTIONS, END_TURN, HOME, MOVE, OCCUPIES
from .forms import EDGE_NUMBER, VERTEX_KEYS, Form, count_is_good, flaw, form_of, id_of, is_well_formed
from .rules import RUNNING, holds, legal, power

FORMS = {
    "end_turn": "let the other player go on; first place and infuse as far as you can",
    "place VERTEX": "put a piece of the pool on a home corner of yours",
    "infuse VERTEX": "add a point of energy under a stack of yours",
    "move VERTEX -> VERTEX": "carry a whole stack to a neighbour where no enemy stands",
    "attack VERTEX -> VERTEX": "fight the enemy on a neighbouring vertex with an occupied stack",
    "pincer TARGET from VERTEX VERTEX…": "fight the enemy there with two to six occupied stacks beside it: forces multiply",
}
EXAMPLES = "place 0, infuse 12, move 12 -> 13, attack 0 -> 3, pincer 21 from 4 16, end_turn"
HELP = (
    f"Vertices are the numbers on the boards. A turn places a piece, infuses a stack, and moves one or fights: {EXAMPLES}. "
    "What can be done must be done before the turn ends."
)


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
    if re.fullmatch("[0-9]{1,6}", word) and int(word) < ACTIONS:
        return int(word)
    form = _read_form(word)
    action = id_of(form)
    if action is None:
        reason = flaw(form)
        raise IllegalAction(f"{text[:60]!r} is refused ({reason}); actions are written: {EXAMPLES}", reason)
    return action


def why_not(s: Any, seat: int, action: int) -> str:
    """Return why a seat may not play an action id, or ""."""
    if s.end != RUNNING:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    return refusal(s, form_of(action)) if 0 <= index(action) < ACTIONS else "malformed"


def refusal(s: Any, form: object) -> str:
    """Return why the seat to move may not play this, by the first condition that fails, or ""; README, Actions."""
    if s.end != RUNNING:
        return "game_over"
    if not isinstance(form, dict) or not is_well_formed(form):
        return "malformed"
    return _REFUSALS[form["type"]](s, form)


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
    found = re.fullmatch(r"(?:vertex-|v)?([0-9]{1,6})", word)
    return int(found[1]) if found else -1


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
    return "" if id_of(form) in legal_ids(s) else "requirement_not_met"


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
    if not count_is_good(form["origins"]):
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
    return "" if END_TURN in legal_ids(s) else "mandatory_outstanding"


_REFUSALS: dict[str, Callable[[Any, Form], str]] = {
    "place": _place, "infuse": _infuse, "move": _move, "attack": _attack, "pincer": _pincer, "end_turn": _end_turn,
}  # fmt: skip


def _no_fight(s: Any) -> str:
    """Return why no fight is allowed at this moment of the turn, or ""."""
    if s.moved:
        return "already_moved"
    return "mandatory_first" if any(END_TURN < action < MOVE for action in legal_ids(s)) else ""


def _is_occupied(s: Any, vertex: int) -> bool:
    return bool(power(s, vertex) >= OCCUPIES[vertex])


def legal_ids(s: Any) -> set[int]:
    """Return what the seat to move may play."""
    mask = [0] * ACTIONS
    legal(s, mask)
    return {action for action, mark in enumerate(mask) if mark}
