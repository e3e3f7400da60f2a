"""Agents of the original program: the classes that it offered, and how files with such classes take a seat here."""

from __future__ import annotations

import inspect
import random
from types import ModuleType
from typing import Any, NamedTuple

from ludus.core import Agent, BadValue, UnknownName

from ..actions import ACTION_NAMES, LETTERS, parse_action
from .environment import observation

INTERFACES = ("a class with decide_move(observation, legal_moves)",)


class Position(NamedTuple):
    """A cell as the original had it: x is the row, y the column, both from 0."""

    x: int
    y: int


class BaseAgent:
    """The original's agent: give it a name, answer `decide_move` with one of the legal moves."""

    def __init__(self, name: str) -> None:
        self.name = name

    def decide_move(self, observation: dict[str, Any], legal_moves: list[int]) -> int:
        """Choose a move; to be overridden."""
        raise NotImplementedError


class RandomAgent(BaseAgent):
    """Choose any legal move."""

    def decide_move(self, observation: dict[str, Any], legal_moves: list[int]) -> int:
        """Choose a move."""
        return random.choice(legal_moves)


class ManualAgent(BaseAgent):
    """Ask on the terminal, until the answer is a legal move."""

    def decide_move(self, observation: dict[str, Any], legal_moves: list[int]) -> int:
        """Choose a move."""
        allowed = ", ".join(f"{LETTERS[move]} ({ACTION_NAMES[move]})" for move in legal_moves)
        while True:
            typed = input(f"{self.name}, your move: {allowed}: ")
            try:
                move = parse_action(typed)
            except UnknownName as error:
                print(error)
                continue
            if move in legal_moves:
                return move
            print(f"{ACTION_NAMES[move]} is not possible here")


class OriginalAgent(Agent):
    """An agent written for the original, at a seat of this arena."""

    def __init__(self, agent: Any, name: str) -> None:
        self.agent, self.name = agent, str(getattr(agent, "name", name))

    def act(self, view: Any, legal: list[int]) -> Any:
        """Ask for a move; what the agent does to its observation stays with it."""
        return single_number(self.agent.decide_move(observation(view), list(legal)))


def single_number(action: Any) -> Any:
    """Return an action that is a NumPy number or an array without dimensions (a model's `predict`) as Python's own."""
    return action.item() if getattr(action, "ndim", None) == 0 else action


def modules() -> dict[str, dict[str, Any]]:
    """Return the modules that agent files of the original import, with their contents."""
    return {
        "agent_policies": {"BaseAgent": BaseAgent, "RandomAgent": RandomAgent, "ManualAgent": ManualAgent},
        "board_state": {"Position": Position},  # a whole BoardState is in originals/chase: agents are handed observations
    }


def original_agent(module: ModuleType, name: str) -> OriginalAgent | None:
    """Return the agent that a file holds: its last class with `decide_move`."""
    classes: list[Any] = [
        cls
        for cls in vars(module).values()
        if inspect.isclass(cls) and hasattr(cls, "decide_move") and cls.__module__ == module.__name__
    ]
    return OriginalAgent(_made(classes[-1], name), name) if classes else None


def _made(cls: Any, name: str) -> Any:
    """Make an agent: with the name where the constructor takes one, by keyword or as what it cannot do without."""
    signature = inspect.signature(cls)
    for words, named in (((), {"name": name}), ((name,), {}), ((), {})):
        try:
            given = signature.bind(*words, **named).arguments
        except TypeError:
            continue
        if named or all(signature.parameters[key].default is inspect.Parameter.empty for key in given):
            return cls(*words, **named)
    raise BadValue(f"{cls.__name__}{signature} cannot be made: an agent is given its name alone, so the rest needs defaults")
