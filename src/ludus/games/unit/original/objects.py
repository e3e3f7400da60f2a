"""Unit's positions and actions as the original programs wrote them, both ways.

Players are `Player1` and `Player2`; vertices are `vertex-12` in the browser game and `v12` in self-play. Both are read.
"""

from __future__ import annotations

import re
from typing import Any

from ludus.core import BadRecord, BadValue

from ..actions import refusal
from ..board import HOME, NEIGHBOURS, PLACES, SIZES, VERTICES
from ..forms import Form, form_of, id_of
from ..rules import CAPACITY, RUNNING, holds, judge, limit, put, sound
from ..text import NEEDED, OPTIONS, empty, owner

PLAYERS = ("Player1", "Player2")  # by seat
SPELLINGS = ("vertex-", "v")
WIDTH = 10.0  # of the square that every layer covers
HIGHEST_STACK = 1_000_000  # pieces on a vertex: a state object lists them one by one

# The original's keys of each action type, in the order of ours.
KEYS = {
    "endTurn": ("end_turn", ()),
    "place": ("place", (("vertexId", "vertex"),)),
    "infuse": ("infuse", (("vertexId", "vertex"),)),
    "move": ("move", (("fromId", "from"), ("toId", "to"))),
    "attack": ("attack", (("vertexId", "from"), ("targetId", "target"))),
    "pincer": ("pincer", (("targetId", "target"),)),
}
NAMES = {ours: theirs for theirs, (ours, _) in KEYS.items()}


def vertex_name(vertex: int, spelling: str = "vertex-") -> str:
    """Return a vertex as the originals spell it."""
    return f"{spelling}{vertex}"


def read_vertex(name: object) -> int:
    """Return the number of `vertex-12` or `v12`, or -1 for anything else."""
    found = re.fullmatch(r"(?:vertex-|v)(0|[1-9][0-9]{0,3})", name) if isinstance(name, str) else None
    return int(found[1]) if found and int(found[1]) < VERTICES else -1


def write_action(action: int, spelling: str = "vertex-") -> Form:
    """Return an action id as the original's action object."""
    form = form_of(action)
    kind = NAMES[form["type"]]
    written: Form = {"type": kind, **{theirs: vertex_name(form[ours], spelling) for theirs, ours in KEYS[kind][1]}}
    if kind == "pincer":
        written["originIds"] = [vertex_name(origin, spelling) for origin in form["origins"]]
    return written


def read_action(written: object, s: Any = None) -> Form:
    """Return the original's action object in our form; what cannot be read becomes vertex -1 or an unknown type.

    A pincer without `originIds` that names one stack as `vertexId` means all that can take part, as the browser's players
    did; which those are only the position tells.
    """
    if not isinstance(written, dict) or not isinstance(written.get("type"), str) or written["type"] not in KEYS:
        return {"type": "unknown"}
    kind, keys = KEYS[written["type"]]
    form: Form = {"type": kind, **{ours: read_vertex(written.get(theirs)) for theirs, ours in keys}}
    if kind == "pincer":
        origins = written.get("originIds")
        form["origins"] = [read_vertex(name) for name in origins] if isinstance(origins, list | tuple) else None
        if origins is None and s is not None and "vertexId" in written:
            form["origins"] = _all_origins(s, form["target"], read_vertex(written["vertexId"]))
    return form


def action_of(s: Any, written: object) -> tuple[int | None, str]:
    """Return the id of an original action object and "", or None and the reason for which it is refused now.

    An object may name its player as `playerId`: one that does not exist is malformed, the other one has to wait.
    """
    player = written.get("playerId") if isinstance(written, dict) else None
    if s.end != RUNNING:
        return None, "game_over"
    if player is not None and player not in PLAYERS:
        return None, "malformed"
    if player is not None and player != PLAYERS[s.seat]:
        return None, "not_your_turn"
    form = read_action(written, s)
    reason = refusal(s, form)
    return (None, reason) if reason else (id_of(form), "")


def write_state(s: Any, spelling: str = "vertex-") -> dict[str, Any]:
    """Return a position as the original's state object."""
    return {
        "vertices": {vertex_name(v, spelling): _write_vertex(s, v, spelling) for v in range(VERTICES)},
        "currentPlayerId": PLAYERS[s.seat],
        "turn": {
            "hasPlaced": bool(s.placed),
            "hasInfused": bool(s.infused),
            "hasMoved": bool(s.moved),
            "turnNumber": int(s.turn),
        },
        "players": {name: {"reinforcements": int(s.pool[seat])} for seat, name in enumerate(PLAYERS)},
        "homeCorners": {name: [vertex_name(v, spelling) for v in HOME[seat]] for seat, name in enumerate(PLAYERS)},
        "winner": None if s.winner < 0 else PLAYERS[s.winner],
    }


def read_state(written: dict[str, Any], actions: int = 0, max_actions: int = 500) -> Any:
    """Return the original's state object as a row; it has no count of actions, which the caller may give."""
    s = empty()
    s.actions, s.opt_max_actions = _count(actions, "actions"), OPTIONS["max_actions"].check(max_actions)
    try:
        for name, data in written["vertices"].items():
            _read_vertex(s, name, data)
        s.seat = PLAYERS.index(written["currentPlayerId"])
        turn, players = written["turn"], written["players"]
        s.placed, s.infused, s.moved = (_flag(turn, key) for key in ("hasPlaced", "hasInfused", "hasMoved"))
        s.turn = _count(turn["turnNumber"], "turnNumber")
        s.pool[:] = [_count(players[name]["reinforcements"], "reinforcements") for name in PLAYERS]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRecord(f"not a whole state object of Unit ({str(error)[:60]})") from error
    judge(s)
    came = None if s.winner < 0 else PLAYERS[s.winner]
    if written.get("winner") != came:
        raise BadRecord(f"the winner is {str(written.get('winner'))[:40]!r}, but the board says {came!r}")
    if not sound(s):
        raise BadRecord(f"no game of at most {limit(s)} actions can go on from such a state: its counts may pass {CAPACITY}")
    return s


def _all_origins(s: Any, target: int, named: int) -> list[int]:
    """Return the named stack and all others of its side that can take part in a pincer on a target."""
    around = NEIGHBOURS[target] if target >= 0 else ()
    others = (v for v in around if v >= 0 and v != named and holds(s, s.seat, v))
    return [named, *(v for v in others if int(s.pieces[v]) * int(s.energy[v]) >= NEEDED[v])]


def _write_vertex(s: Any, vertex: int, spelling: str) -> dict[str, Any]:
    layer, x, z = PLACES[vertex]
    step, seat, pieces = WIDTH / (SIZES[layer] - 1), owner(s, vertex), int(s.pieces[vertex])
    if pieces > HIGHEST_STACK:
        raise BadValue(f"the original's state lists every piece, at most {HIGHEST_STACK} a vertex; on {vertex} are {pieces}")
    return {
        "id": vertex_name(vertex, spelling),
        "layer": layer,
        "x": x,
        "z": z,
        "position": {"x": x * step - WIDTH / 2, "y": float(layer), "z": z * step - WIDTH / 2},
        "adjacencies": [vertex_name(to, spelling) for to in NEIGHBOURS[vertex] if to >= 0],
        "stack": [{"id": f"p{k}", "player": PLAYERS[seat]} for k in range(pieces)],
        "energy": int(s.energy[vertex]),
    }


def _read_vertex(s: Any, name: object, data: dict[str, Any]) -> None:
    vertex = read_vertex(name)
    if vertex < 0:
        raise BadRecord(f"{str(name)[:40]!r} is no vertex of this board; there are vertex-0 to vertex-{VERTICES - 1}")
    energy = _count(data["energy"], f"energy of {name}")
    owners = {piece["player"] if "player" in piece else piece["owner"] for piece in data["stack"]}
    if len(owners) > 1 or not owners <= set(PLAYERS):
        found = ", ".join(sorted(str(seen)[:40] for seen in owners)[:3])
        raise BadRecord(f"the stack on {name} must belong to one of {', '.join(PLAYERS)}, not to {found}")
    s.energy[vertex] = energy
    if owners:
        put(s, PLAYERS.index(owners.pop()), vertex, len(data["stack"]), energy)


def _flag(turn: dict[str, Any], key: str) -> bool:
    if not isinstance(turn[key], bool):
        raise BadRecord(f"{key} must be true or false, not {str(turn[key])[:40]}")
    return bool(turn[key])


def _count(value: object, what: str) -> int:
    if type(value) is not int or not 0 <= value <= CAPACITY:
        raise BadRecord(f"{what} must be a whole number from 0 to {CAPACITY}, not {str(value)[:40]}")
    return value
