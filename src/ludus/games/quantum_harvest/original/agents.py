"""Agents written for the original (A7 to A11): what their files import, and how they sit at a table of this arena."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ludus.core import Agent, Answer, Start

from .dialect import BadOrder, Turn, plan, without_unit
from .observation import OLD_UNIT_COLUMNS, UNIT_COLUMNS, check_columns, observation
from .settings import SETTINGS, VERSION, ActionType, TileType, UnitType

INTERFACES = ("a class Agent(BaseAgent) with get_action(observation, player_id)",)
STAY = (0, 1, 1, 0)


class BaseAgent:
    """The original's agent (A8): knows its player's number, keeps a memory, answers `get_action`."""

    def __init__(self, player_id: int = 0) -> None:
        self.player_id = player_id
        self.memory: dict[Any, Any] = {}

    def get_action(self, observation: dict[str, Any], player_id: int = 0) -> dict[int, Any]:
        """Choose an action of four numbers for each unit; to be overridden."""
        raise NotImplementedError

    def reset(self) -> None:
        """Forget what was remembered: a new game begins."""
        self.memory = {}


class StayAgent(BaseAgent):
    """The original's starter agent: every unit stays where it is."""

    def get_action(self, observation: dict[str, Any], player_id: int = 0) -> dict[int, Any]:
        """Answer [0, 1, 1, 0] for every own unit."""
        units = observation["units"]
        return {int(row[0]): np.array(STAY) for row in units[units[:, 1] == player_id]}


class OriginalAgent(Agent):
    """An agent written for the original, at a seat of this arena: asked once a turn, for all units."""

    def __init__(self, make: Callable[[int], Any], name: str, unit_columns: int = UNIT_COLUMNS) -> None:
        self._make, self.name, self.unit_columns = make, name, check_columns(unit_columns)

    def start(self, start: Start) -> None:
        """Take the seat: a fresh agent a game."""
        self.agent = self._make(start.seat)
        if hasattr(self.agent, "reset"):
            self.agent.reset()

    def act(self, view: Any, legal: list[int]) -> Answer:
        """Return the decisions of the whole turn; orders that mean nothing are remarks."""
        try:
            answer = ask(self.agent, observation(view, self.unit_columns), int(view.me))
        except ValueError as error:
            if self.unit_columns == UNIT_COLUMNS and f"expected {OLD_UNIT_COLUMNS}" in str(error):
                error.args = (
                    f"{error}; rows of units have {UNIT_COLUMNS} columns, write UNIT_COLUMNS = 8 into the file for 8",
                )
            raise
        turn = turn_of(view, answer)
        return Answer(turn.decisions, [f"unit {bad.unit}: {bad.reason}" for bad in turn.bad])


def original_agent(module: ModuleType, name: str, unit_columns: int | None = None) -> OriginalAgent | None:
    """Return the agent of a file: its class `Agent`, else its last class with `get_action`.

    Its rows of units have nine columns, or eight if that is asked for here or by UNIT_COLUMNS in the file (D18).
    """
    own = [cls for cls in vars(module).values() if inspect.isclass(cls) and cls.__module__ == module.__name__]
    classes = [cls for cls in own if hasattr(cls, "get_action")]
    named = getattr(module, "Agent", None)
    chosen = named if inspect.isclass(named) and hasattr(named, "get_action") else classes[-1] if classes else None
    if chosen is None:
        return None
    columns = getattr(module, "UNIT_COLUMNS", UNIT_COLUMNS) if unit_columns is None else unit_columns
    return OriginalAgent(lambda seat: make_original(chosen, seat), name, columns)


def modules() -> dict[str, dict[str, Any]]:
    """Return the modules that agent files of the original import, with their contents (A7)."""
    from .environment import QuantumHarvestEnv

    enums = {"TileType": TileType, "UnitType": UnitType, "ActionType": ActionType}
    return {
        "quantum_harvest": {"__version__": VERSION, "QuantumHarvestEnv": QuantumHarvestEnv, "BaseAgent": BaseAgent},
        "quantum_harvest.agents": {"BaseAgent": BaseAgent},
        "quantum_harvest.agents.base_agent": {"BaseAgent": BaseAgent},
        "quantum_harvest.utils": {**enums, **SETTINGS},
        "quantum_harvest.utils.config": dict(SETTINGS),
        "quantum_harvest.environment": {"QuantumHarvestEnv": QuantumHarvestEnv},
        "quantum_harvest.starter_agent": {"Agent": StayAgent},
    }


def ask(agent: Any, seen: dict[str, Any], player: int) -> object:
    """Call get_action with the player's number if it takes one (D26)."""
    try:
        parameters = inspect.signature(agent.get_action).parameters.values()
    except (TypeError, ValueError):
        return agent.get_action(seen, player)
    takes_it = any(p.name == "player_id" or p.kind is p.VAR_KEYWORD for p in parameters)
    if takes_it:
        return agent.get_action(seen, player_id=player)
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    several = len(places) > 1 or any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return agent.get_action(seen, player) if several else agent.get_action(seen)


def turn_of(view: Any, answer: object) -> Turn:
    """Turn what an agent answered into the decisions of its turn, and name what was bad."""
    entries = [(unit, without_unit(unit, order)) for unit, order in answer.items()] if isinstance(answer, dict) else []
    count = int(view.mine)
    turn = plan(view.my_id[:count].tolist(), view.my_type[:count].tolist(), int(view.next_id), entries)
    if not isinstance(answer, dict):
        turn.bad.append(BadOrder("all", f"answered {type(answer).__name__} where a dictionary of orders was asked for"))
    return turn


def make_original(cls: Any, player: int) -> Any:
    """Make an agent, with its player's number if the constructor takes one (A9)."""
    try:
        inspect.signature(cls).bind(player)
    except TypeError:
        return cls()
    return cls(player)
