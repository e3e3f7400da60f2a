"""Agents written for the original's self-play: files with `select_move(game_state)`, and the module that they lean on.

The module answers by the rules of this game, not by the simpler ones of the original's own (D1): what it lists can be played.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from types import ModuleType
from typing import Any

from ludus.core import Agent, IllegalAction, Start, plain

from ..actions import legal_ids
from ..board import FORCE_CAP, GRAVITIES, LEAST_FORCES
from ..forms import Form
from ..rules import apply
from ..text import empty
from .objects import action_of, read_state, write_action, write_state

INTERFACES = ("a function select_move(game_state) that returns an action object",)
SPELLING = "v"  # of vertices, in self-play


def modules() -> dict[str, dict[str, Any]]:
    """Return the modules that agent files of the original import, with their contents."""
    helpers = {
        "initialize_game": lambda: write_state(empty(), SPELLING),
        "get_legal_moves": get_legal_moves,
        "apply_move": apply_move,
        "get_force": get_force,
        "is_occupied": is_occupied,
        "FORCE_CAP_MAX": FORCE_CAP,
    }
    return {"self_play": {}, "self_play.agent_utils": helpers, "agent_utils": dict(helpers)}


def original_agent(module: ModuleType, name: str) -> Agent | None:
    """Return the agent that a file holds, if it has `select_move`."""
    select_move = getattr(module, "select_move", None)
    return OriginalAgent(select_move, name) if callable(select_move) else None


class OriginalAgent(Agent):
    """A `select_move` of the original, at a seat of this arena."""

    def __init__(self, select_move: Callable[[dict[str, Any]], object], name: str) -> None:
        self.name, self._select_move = name, select_move

    def start(self, start: Start) -> None:
        """Nothing to get ready: each answer follows from its state alone."""

    def act(self, view: Any, legal: list[int]) -> int:
        """Show the state, read the action object; the number of an action will do as well."""
        s: Any = plain(view)
        answer = self._select_move(write_state(s, SPELLING))
        try:
            return index(answer)  # type: ignore[arg-type]  # whatever came; an array of no dimension is a number, too
        except TypeError:
            action, reason = action_of(s, answer)
        if action is None:
            raise IllegalAction(f"select_move answered {str(answer)[:80]}, which is refused ({reason})", reason)
        return action


def get_legal_moves(state: dict[str, Any]) -> list[Form]:
    """Return what the player to act may do in a state object, as action objects spelled as its vertices are."""
    return [write_action(action, _spelling(state)) for action in sorted(legal_ids(read_state(state)))]


def apply_move(state: dict[str, Any], move: Form) -> dict[str, Any]:
    """Return the state object after an action; one that is refused changes nothing (D22)."""
    s = read_state(state)
    action, _ = action_of(s, move)
    if action is not None:
        apply(s, action, None)
    return write_state(s, _spelling(state))


def get_force(vertex: dict[str, Any]) -> float:
    """Return the force of a vertex object, whether or not it is occupied."""
    return float(min(FORCE_CAP, len(vertex["stack"]) * vertex["energy"] / GRAVITIES[vertex["layer"]]))


def is_occupied(vertex: dict[str, Any], requirement_layer: int | None = None) -> bool:
    """Say whether a vertex object reaches the least force of its layer, or of another one."""
    layer = vertex["layer"] if requirement_layer is None else requirement_layer
    return get_force(vertex) >= LEAST_FORCES[layer]


def _spelling(state: dict[str, Any]) -> str:
    return "vertex-" if "vertex-0" in state["vertices"] else SPELLING
