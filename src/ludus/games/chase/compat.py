"""Chase as the original program showed it: pairs are (row, column), observations are dictionaries, agents decide moves."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ludus.core import BadValue, LudusError, UnknownName, whole_number

from .rules import CAUGHT, CLEAR_ZONE, RUNNING, SEATS, SIZE, SPAWN_DISTANCE, SPEC, State
from .view import ACTION_NAMES, LETTERS, grid, legal_moves, parse_action

ENV_NAME = "chase_game_v0"


def observation(view: Any) -> dict[str, Any]:
    """Return the original observation: the code grid and three positions; every seat gets the same."""
    seen: dict[str, Any] = {"board": grid(view)}
    for seat, name in enumerate(SPEC.seats):
        seen[f"{name}_pos"] = np.array([view.y[seat], view.x[seat]], np.int32)
    return seen


def observation_space() -> Any:
    """Return the gymnasium space of `observation`."""
    from gymnasium.spaces import Box, Dict

    positions = {f"{name}_pos": Box(0, SIZE - 1, (2,), np.int32) for name in SPEC.seats}
    return Dict({"board": Box(0, SEATS + 1, (SIZE, SIZE), np.int32), **positions})


def info(s: Any, seat: int) -> dict[str, Any]:
    """Return what the original told beside the observation; the mask has ones for the seat to act alone (D13)."""
    moves = legal_moves(s, seat)
    mask = np.zeros(SPEC.actions, np.int8)
    if seat == s.seat:
        mask[moves] = 1
    return {
        "turn_number": int(s.turn),
        "legal_moves": moves,
        "win_condition": win_condition(s),
        "action_mask": mask,
    }


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


class OriginalAgent:
    """An agent written for the original, at a seat of this arena."""

    def __init__(self, agent: Any, name: str) -> None:
        self.agent, self.name = agent, str(getattr(agent, "name", name))

    def start(self, start: Any) -> None:
        """Take the seat; the original had no such call."""

    def act(self, view: Any, legal: list[int]) -> Any:
        """Ask for a move; what the agent does to its observation stays with it."""
        return self.agent.decide_move(observation(view), list(legal))

    def end(self, result: Any) -> None:
        """Nothing to tell; the original had no such call."""


INTERFACES = ("a class with decide_move(observation, legal_moves)",)


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
    return OriginalAgent(classes[-1](name), name) if classes else None


def winner(s: Any) -> str | None:
    """Name the winning side, or None while the game runs."""
    if s.end == RUNNING:
        return None
    return "chasers" if s.end == CAUGHT else "runner"


def win_condition(s: Any) -> str | None:
    """Name the winning side as infos do."""
    return {None: None, "chasers": "chaser_win", "runner": "runner_win"}[winner(s)]


def original_start(seed: int, max_turns: int = 300, obstacles: int = 5) -> Any:
    """Return the row with which the original starts for a seed."""
    layout = original_layout(seed, obstacles)
    return _row([layout[name] for name in SPEC.seats], layout["obstacles"], max_turns)


def custom_start(
    seed: int,
    max_turns: int = 300,
    count: int = 5,
    positions: Mapping[str, Iterable[int]] | None = None,
    obstacles: Iterable[Iterable[int]] | None = None,
) -> Any:
    """Return a row with given cells (row, column); agents or obstacles that are not given are drawn (D17, D18)."""
    chance, drawn = random.Random(seed), original_layout(seed, 0)
    agents = [_cell((positions or drawn)[name]) for name in SPEC.seats]
    if obstacles is None:
        free = _clear_cells(agents)
        if len(free) < count:
            raise LudusError(f"{count} obstacles do not fit: there are {len(free)} free cells")
        obstacles = chance.sample(free, count)
    walls = {_cell(wall) for wall in obstacles}
    if len(set(agents)) < SEATS or walls & set(agents):
        raise BadValue(f"agents need cells of their own without an obstacle, not {agents} with obstacles {sorted(walls)}")
    return _row(agents, sorted(walls), max_turns)


def original_layout(seed: int, obstacles: int = 5) -> dict[str, Any]:
    """Return the set-up that the original's generator gives for a seed: cells as [row, column]."""
    chance = random.Random(seed)
    cell = chance.randint(0, SIZE * SIZE - 1)
    runner = divmod(cell, SIZE)
    cells = [(y, x) for y in range(SIZE) for x in range(SIZE)]
    far = [(y, x) for y, x in cells if abs(y - runner[0]) + abs(x - runner[1]) >= SPAWN_DISTANCE]
    if len(far) < 2:
        raise LudusError(f"seed {seed} puts the runner where fewer than 2 cells are {SPAWN_DISTANCE} steps away")
    agents = [runner, *chance.sample(far, 2)]
    free = _clear_cells(agents)
    if len(free) < obstacles:
        raise LudusError(f"{obstacles} obstacles do not fit: with seed {seed} there are {len(free)} free cells")
    walls = sorted(chance.sample(free, obstacles))
    return {
        **{name: list(agents[seat]) for seat, name in enumerate(SPEC.seats)},
        "obstacles": [list(wall) for wall in walls],
    }


def _clear_cells(agents: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """List the cells outside every agent's 3×3 zone, row by row."""
    cells = [(y, x) for y in range(SIZE) for x in range(SIZE)]
    return [(y, x) for y, x in cells if all(max(abs(y - r), abs(x - c)) > CLEAR_ZONE for r, c in agents)]


def _cell(pair: Iterable[int]) -> tuple[int, int]:
    """Return a pair (row, column) that is on the board."""
    row, column = (whole_number(number, "a row or column", 0, SIZE - 1) for number in pair)
    return row, column


def _row(agents: Sequence[Sequence[int]], walls: Sequence[Sequence[int]], max_turns: int) -> Any:
    """Return the start of a game with these cells (row, column)."""
    s = np.zeros(1, State).view(np.recarray)[0]
    s.opt_max_turns = SPEC.options[1].check(max_turns)  # D25
    s.opt_obstacles, s.last_seat, s.last_action = len(walls), -1, -1
    for seat in range(SEATS):
        s.y[seat], s.x[seat] = agents[seat]
    for y, x in walls:
        s.wall[y] |= 1 << x
    return s
