"""Unit as the original programs wrote it: state objects, action objects, network inputs, both ways.

Players are `Player1` and `Player2`; vertices are `vertex-12` in the browser game and `v12` in self-play. Both are read.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from ludus.core import BadRecord

from .actions import Form, form_of, id_of, refusal
from .board import (
    ATTACK,
    EDGES,
    END_TURN,
    HOME,
    INFUSE,
    LAYERS,
    MOVE,
    NEIGHBOURS,
    PINCER,
    PINCERS,
    PLACES,
    SIZES,
    VERTICES,
)
from .rules import MOST, RUNNING, judge, put
from .view import empty, owner

PLAYERS = ("Player1", "Player2")  # by seat
SPELLINGS = ("vertex-", "v")
WIDTH = 10.0  # of the square that every layer covers
CLASSES = ("place", "infuse", "move", "attack", "pincer")  # of the original policy, five a vertex

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
    found = re.fullmatch(r"(?:vertex-|v)(0|[1-9]\d{0,3})", name) if isinstance(name, str) else None
    return int(found[1]) if found and int(found[1]) < VERTICES else -1


def write_action(action: int, spelling: str = "vertex-") -> Form:
    """Return an action id as the original's action object."""
    form = form_of(action)
    kind = NAMES[form["type"]]
    written: Form = {"type": kind, **{theirs: vertex_name(form[ours], spelling) for theirs, ours in KEYS[kind][1]}}
    if kind == "pincer":
        written["originIds"] = [vertex_name(origin, spelling) for origin in form["origins"]]
    return written


def read_action(written: object) -> Form:
    """Return the original's action object in our form; what cannot be read becomes vertex -1 or an unknown type."""
    if not isinstance(written, dict) or not isinstance(written.get("type"), str) or written["type"] not in KEYS:
        return {"type": "unknown"}
    kind, keys = KEYS[written["type"]]
    form: Form = {"type": kind, **{ours: read_vertex(written.get(theirs)) for theirs, ours in keys}}
    if kind == "pincer":
        origins = written.get("originIds")
        form["origins"] = [read_vertex(name) for name in origins] if isinstance(origins, list | tuple) else None
    return form


def action_of(s: Any, written: object) -> tuple[int | None, str]:
    """Return the id of an original action object and "", or None and the reason for which it is refused now.

    An object may name its player as `playerId`: one that does not exist is malformed, the other one has to wait.
    """
    player = written.get("playerId") if isinstance(written, dict) else None
    form = read_action(written)
    if s.end != RUNNING:
        return None, "game_over"
    if player is not None and player not in PLAYERS:
        return None, "malformed"
    if player is not None and player != PLAYERS[s.seat]:
        return None, "not_your_turn"
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
    s.actions, s.opt_max_actions = actions, max_actions
    try:
        for name, data in written["vertices"].items():
            _read_vertex(s, name, data)
        s.seat = PLAYERS.index(written["currentPlayerId"])
        turn = written["turn"]
        s.placed, s.infused, s.moved = (bool(turn[key]) for key in ("hasPlaced", "hasInfused", "hasMoved"))
        s.turn = _count(turn["turnNumber"], "turnNumber")
        s.pool[:] = [_count(written["players"][name]["reinforcements"], "reinforcements") for name in PLAYERS]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRecord(f"not a whole state object of Unit ({error!r})") from error
    judge(s)
    came = None if s.winner < 0 else PLAYERS[s.winner]
    if written.get("winner") != came:
        raise BadRecord(f"the winner is {written.get('winner')!r}, but the board says {came!r}")
    return s


def network_input(view: Any) -> npt.NDArray[np.float32]:
    """Return the original network's input [vertex, 5]: any piece, pieces/10, energy/10, mine +1 or not -1, layer/4."""
    planes = np.zeros((VERTICES, 5), np.float32)
    owners = np.array([owner(view, v) for v in range(VERTICES)])
    planes[:, 0] = owners >= 0
    planes[:, 1] = view.pieces / np.float32(10)
    planes[:, 2] = view.energy / np.float32(10)
    planes[:, 3] = np.where(owners < 0, 0, np.where(owners == view.me, 1, -1))
    planes[:, 4] = np.array([layer for layer, _, _ in PLACES]) / np.float32(LAYERS - 1)
    return planes


def policy_class(action: int) -> int | None:
    """Return the original policy class of an action, without its target; there is none for the end of a turn (D18)."""
    form = form_of(action)
    if action == END_TURN or len(form.get("origins", ())) > 2:
        return None
    vertex: int = form["vertex"] if "vertex" in form else form["from"] if "from" in form else form["target"]
    return vertex * len(CLASSES) + CLASSES.index(form["type"])


def head_index(action: int) -> int:
    """Return the place of an action in a head of 71 channels a vertex, with the end of the turn behind them (D18)."""
    channels = [*range(14)]  # place, infuse, six moves, six attacks; then the 57 sets of two or more directions
    sets = [origins for origins in range(64) if origins.bit_count() >= 2]
    width = len(channels) + len(sets)
    if action == END_TURN:
        return VERTICES * width
    if action < MOVE:
        return int(form_of(action)["vertex"]) * width + int(action >= INFUSE)
    if action < PINCER:
        start, direction, _ = EDGES[(action - MOVE) % (ATTACK - MOVE)]
        return start * width + (2 if action < ATTACK else 8) + direction
    target, origins = PINCERS[action - PINCER]
    return target * width + len(channels) + sets.index(origins)


def _write_vertex(s: Any, vertex: int, spelling: str) -> dict[str, Any]:
    layer, x, z = PLACES[vertex]
    step, seat = WIDTH / (SIZES[layer] - 1), owner(s, vertex)
    return {
        "id": vertex_name(vertex, spelling),
        "layer": layer,
        "position": {"x": x * step - WIDTH / 2, "y": float(layer), "z": z * step - WIDTH / 2},
        "adjacencies": [vertex_name(to, spelling) for to in NEIGHBOURS[vertex] if to >= 0],
        "stack": [{"owner": PLAYERS[seat]} for _ in range(int(s.pieces[vertex]))],
        "energy": int(s.energy[vertex]),
    }


def _read_vertex(s: Any, name: object, data: dict[str, Any]) -> None:
    vertex = read_vertex(name)
    if vertex < 0:
        raise BadRecord(f"{name!r} is no vertex of this board; there are vertex-0 to vertex-{VERTICES - 1}")
    energy = _count(data["energy"], f"energy of {name}")
    owners = {piece["owner"] for piece in data["stack"]}
    if len(owners) > 1 or not owners <= set(PLAYERS):
        raise BadRecord(f"the stack on {name} must belong to one of {', '.join(PLAYERS)}, not to {sorted(map(str, owners))}")
    s.energy[vertex] = energy
    if owners:
        put(s, PLAYERS.index(owners.pop()), vertex, _count(len(data["stack"]), f"stack on {name}"), energy)


def _count(value: object, what: str) -> int:
    if type(value) is not int or not 0 <= value <= MOST:
        raise BadRecord(f"{what} must be a whole number from 0 to {MOST}, not {value!r}")
    return value
