"""Recorded games of Unit: how a record becomes a row, and what of it is compared."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from ludus.core import Trace, plain

from .actions import refusal
from .forms import id_of
from .rules import CORNERS, LIMIT, NO_FIGHT, RUNNING, put
from .text import FIGHTS, empty, owner

FILES = ("visible.jsonl.gz",)
TOLERANCE = 1e-9  # of recorded forces, which are binary fractions


def options(data: dict[str, Any]) -> dict[str, int]:
    """Return the structural options that a record needs."""
    return {"layout": int("".join(map(str, data["config"]["layout"])))}


def play(record: Trace, border: Any) -> None:
    """Play one recorded game, refused actions too."""
    config, initial = record.take("config"), record.take("initial")
    if config["initial_reinforcements"] is not None:
        compare_setup(record, border, config, initial)
    table = border.table(row_of(initial, config["max_actions"]).array)
    s = table.s
    for step in record.steps():
        play_step(step, table)
    final = record.part("final")
    final.compare("winner", state_of(s)["winner"])
    final.compare("scores", [int(value) for value in table.result().outcome])
    final.compare("reason", {RUNNING: None, CORNERS: "corners"}.get(int(s.end), "action_limit"))
    final.compare("state", state_of(s))
    final.close()


def compare_setup(record: Trace, border: Any, config: dict[str, Any], initial: dict[str, Any]) -> None:
    """A standard start must be the one that the rules set up."""
    row: Any = plain(border.game.empty())
    row.opt_starting_player, row.opt_random_start = config["starting_player"], 0
    row.opt_initial_reinforcements = config["initial_reinforcements"]
    border.game.rules.new(row, None)
    record.data["set-up"] = initial
    record.compare("set-up", state_of(row))


def play_step(step: Trace, table: Any) -> None:
    """Compare the legal set, then play or refuse, then compare the answer and what changed."""
    s, form, before = table.s, step.take("actions"), state_of(table.s)
    step.compare("player", int(s.seat))
    step.compare("id", id_of(form))
    ids = table.legal()
    step.compare("legal", [len(ids), zlib.crc32(",".join(map(str, ids)).encode()) if ids else 0])
    reason = refusal(s, form)
    result: dict[str, Any] = {"ok": False, "reason": reason} if reason else {"ok": True}
    if not reason:
        table.apply(id_of(form))
        if s.last_fight != NO_FIGHT:
            result["outcome"] = FIGHTS[s.last_fight]
            result["forces"] = as_recorded(step, [int(force) / int(s.last_unit) for force in s.last_force])
    step.compare("result", result)
    step.compare("delta", changes(before, state_of(s)))


def as_recorded(step: Trace, forces: list[float]) -> list[float]:
    """Return the recorded forces if these are the same within the tolerance."""
    recorded = step.data["result"].get("forces", [])
    if len(recorded) == 2 and all(abs(a - b) <= TOLERANCE for a, b in zip(forces, recorded, strict=True)):
        return list(recorded)
    return forces


def changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of a state that changed; of the board only the vertices that did."""
    delta = {key: after[key] for key in after if after[key] != before[key]}
    if "board" in delta:
        delta["board"] = {
            vertex: _at(after, vertex)
            for vertex in before["board"].keys() | after["board"].keys()
            if _at(before, vertex) != _at(after, vertex)
        }
    return delta


def row_of(state: dict[str, Any], max_actions: int) -> Any:
    """Return a recorded state as a row."""
    s = empty()
    s.opt_max_actions = max_actions
    for vertex, (holder, pieces, energy) in state["board"].items():
        s.energy[int(vertex)] = energy
        if holder >= 0:
            put(s, holder, int(vertex), pieces, energy)
    s.seat, s.turn, s.actions = state["current"], state["turn"], state["actions"]
    s.placed, s.infused, s.moved = state["placed"], state["infused"], state["moved"]
    s.pool[:] = state["reinforcements"]
    if state["done"]:
        s.end = LIMIT if state["winner"] is None else CORNERS
        s.winner = -1 if state["winner"] is None else state["winner"]
    return s


def state_of(s: Any) -> dict[str, Any]:
    """Return a row as a recorded state; the board lists every vertex with pieces or energy."""
    board = {}
    for vertex in map(int, np.flatnonzero(s.pieces | s.energy)):
        board[str(vertex)] = [owner(s, vertex), int(s.pieces[vertex]), int(s.energy[vertex])]
    return {
        "board": board,
        "current": int(s.seat),
        "turn": int(s.turn),
        "placed": bool(s.placed),
        "infused": bool(s.infused),
        "moved": bool(s.moved),
        "reinforcements": [int(number) for number in s.pool],
        "actions": int(s.actions),
        "winner": None if s.winner < 0 else int(s.winner),
        "done": bool(s.end != RUNNING),
    }


def _at(state: dict[str, Any], vertex: str) -> list[int]:
    found: list[int] = state["board"].get(vertex, [-1, 0, 0])
    return found
