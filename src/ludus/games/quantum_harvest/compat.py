"""Quantum Harvest as the original showed it: observations and infos as dictionaries, maps as [x][y], agents that answer all.

README.md, section 8 has the observation, section 9 the interfaces (A1 to A33).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from math import ceil
from types import ModuleType
from typing import Any

import numpy as np

from . import tables as t
from .dialect import BadOrder, Turn, plan
from .orders import damage
from .settings import SETTINGS, ActionType, TileType, UnitType

REASONS = (
    None, "elimination", "energy_threshold", "territory_threshold", "limit_energy", "limit_territory", "limit_draw",
)  # fmt: skip
UNIT_COLUMNS = 9
LIMIT_TRUNCATES = True  # environments call an end by the limit a truncation
GOAL_KEYS = (
    "energy_threshold", "territory_threshold", "territory_turns_required", "territory_streak", "max_turns", "terminated",
    "truncated", "winner", "reason",
)  # fmt: skip
USUAL_TERRITORY: float = SETTINGS["TERRITORY_VICTORY_THRESHOLD"]  # share of the map
VERSION = "1.1.0"  # of the original's interface as offered here; the original itself ended at 1.0.2


def territory_goal(threshold: float, size: int) -> int:
    """Return the smallest number of tiles whose share reaches a threshold, in the original's own arithmetic."""
    tiles = max(0, ceil(min(threshold, 2.0) * size * size) - 2)
    tiles = min(tiles, size * size)
    while tiles / (size * size) < threshold and tiles <= size * size:
        tiles += 1
    return tiles


def energy_goal(threshold: float) -> int:
    """Return an energy threshold in quarters; one that cannot be reached, infinity too, is the highest there is."""
    return max(0, ceil(min(threshold * t.QUARTERS, t.HIGHEST_GOAL)))


def reason_name(end: int) -> str | None:
    """Name why a game ended, None while it runs."""
    return REASONS[int(end)]


def observation(view: Any) -> dict[str, Any]:
    """Return a player's observation: section 8 of README.md."""
    seen = _bits(view.explored)
    tile, amount = view.tile.T, view.amount.T
    share = np.full(t.SEATS, -1, np.float32)
    share[view.me] = seen.mean()
    return {
        "map": tile.astype(np.int8),
        "units": _unit_array(seen_units(view)),
        "player_energy": (view.energy / t.QUARTERS).astype(np.float32),
        "turn": np.array([view.turn], np.int32),
        "fog_maps": np.where(seen, tile, -1).astype(np.int8)[None],
        "territory_control": (view.territory / (t.SIZE * t.SIZE)).astype(np.float32),
        "exploration_percentage": share,
        "victory_conditions": victory_conditions(view),
        "node_energy": np.where(seen, np.where(tile == t.NODE, amount, 0), -1).astype(np.float32),
        "zone_power": np.where(seen, np.where(tile == t.ZONE, amount, 0), -1).astype(np.float32),
    }


def territory_share(goal: int) -> float:
    """Return the share that a number of tiles stands for: the usual one if that gives it, else the tiles' own."""
    return USUAL_TERRITORY if goal == territory_goal(USUAL_TERRITORY, t.SIZE) else goal / (t.SIZE * t.SIZE)


def victory_conditions(view: Any) -> dict[str, Any]:
    """Return the goals and how the game stands (D24)."""
    ended = bool(view.end != t.RUNNING)
    return {
        "energy_threshold": float(view.energy_goal / t.QUARTERS),
        "territory_threshold": territory_share(int(view.territory_goal)),
        "territory_turns_required": int(view.territory_turns),
        "territory_streak": view.streak.tolist(),
        "max_turns": int(view.max_turns),
        "terminated": ended and bool(view.end <= t.TERRITORY),
        "truncated": bool(view.turn >= view.max_turns),
        "winner": None if view.winner == t.NOBODY else int(view.winner),
        "reason": reason_name(view.end),
    }


def observation_space() -> Any:
    """Return the gymnasium space of `observation`; the lists of units and goals have no fixed shape."""
    from gymnasium.spaces import Box, Dict, Sequence

    big, maps = 1e9, (t.SIZE, t.SIZE)
    row = Box(
        np.zeros(UNIT_COLUMNS, np.int32),
        np.array([2**31 - 1, 1, 2, t.SIZE, t.SIZE, 300, 0, 1, 2], np.int32),
        dtype=np.int32,
    )
    return Dict(
        {
            "map": Box(0, t.GATE, maps, np.int8),
            "units": Sequence(row, stack=True),
            "player_energy": Box(0, big, (t.SEATS,), np.float32),
            "turn": Box(0, 2**31 - 1, (1,), np.int32),
            "fog_maps": Box(-1, t.GATE, (1, *maps), np.int8),
            "territory_control": Box(0, 1, (t.SEATS,), np.float32),
            "exploration_percentage": Box(-1, 1, (t.SEATS,), np.float32),
            "victory_conditions": _goal_space_type()(),
            "node_energy": Box(-1, big, maps, np.float32),
            "zone_power": Box(-1, big, maps, np.float32),
        }
    )


@cache
def _goal_space_type() -> Any:
    """Return a class of spaces for the victory conditions: words and None have no space in gymnasium."""
    from gymnasium.spaces import Space

    class GoalSpace(Space[Any]):
        """Dictionaries with the keys of `victory_conditions`."""

        def contains(self, x: Any) -> bool:
            """Say whether this is such a dictionary."""
            return isinstance(x, dict) and tuple(x) == GOAL_KEYS

        def sample(self, mask: Any = None, probability: Any = None) -> Any:
            """Return the goals of a fresh game with the original's settings."""
            return dict(zip(GOAL_KEYS, (100000.0, 0.7, 10, [0, 0], 1000, False, False, None, None), strict=True))

        def __eq__(self, other: object) -> bool:
            return isinstance(other, GoalSpace)

        __hash__ = Space.__hash__

    return GoalSpace


def env_observation(s: Any) -> dict[str, Any]:
    """Return the observation for logs and viewers: all units, both fog maps."""
    tile, seen = s.tile.T, [_bits(s.explored[seat]) for seat in range(t.SEATS)]
    return {
        "map": tile.astype(np.int8),
        "fog_maps": np.stack([np.where(side, tile, -1) for side in seen]).astype(np.int8),
        "units": _unit_array([_shown(row) for row in all_units(s)]),
        "player_energy": (s.energy / t.QUARTERS).astype(np.float32),
        "turn": np.array([s.turn], np.int32),
        "territory_control": (s.territory / (t.SIZE * t.SIZE)).astype(np.float32),
        "exploration_percentage": np.array([side.mean() for side in seen], np.float32),
    }


def info(s: Any, seat: int = -1) -> dict[str, Any]:
    """Return the original's info (A4); for one seat only what that seat may know."""
    sides = range(t.SEATS) if seat < 0 else (seat,)
    seen = [_bits(s.explored[side]) for side in range(t.SEATS)]
    shown = np.ones((t.SIZE, t.SIZE), bool) if seat < 0 else seen[seat]
    units = [row for row in all_units(s) if seat < 0 or row[1] == seat or shown[row[3], row[4]]]
    nodes, zones = (_places(s, kind, shown) for kind in (t.NODE, t.ZONE))
    rewards = (s.last_reward / t.QUARTERS).tolist()
    return {
        "turn": int(s.turn),
        "player_energy": (s.energy / t.QUARTERS).tolist(),
        "territory_control": (s.territory / (t.SIZE * t.SIZE)).tolist(),
        "territory_control_turns": s.streak.tolist(),
        "units": [(row[0], row[1], row[2], (row[3], row[4])) for row in units],
        "energy_nodes": [(x, y) for x, y, _ in nodes],
        "energy_values": [amount for _, _, amount in nodes],
        "exploration_percentage": [float(seen[k].mean()) if k in sides else -1.0 for k in range(t.SEATS)],
        "explored_tiles": [[(int(x), int(y)) for x, y in np.argwhere(seen[k])] if k in sides else [] for k in range(t.SEATS)],
        "combat_events": combat_events(s, shown, seat),
        "entanglement_zones": [(x, y) for x, y, _ in zones],
        "entanglement_zone_power": [amount for _, _, amount in zones],
        "rewards": rewards if seat < 0 else [reward if k == seat else 0.0 for k, reward in enumerate(rewards)],
        **({} if s.end == t.RUNNING else {"winner": _winner(s), "reason": reason_name(s.end)}),
    }


def combat_events(s: Any, shown: Any = None, seat: int = -1) -> list[dict[str, Any]]:
    """Return the attacks of the last turn (A20); for one seat without enemy attackers on tiles it has not explored."""
    events = []
    for n in range(int(s.last_events)):
        side, boost, boosted, on_field = (int(s[f"event_{key}"][n]) for key in ("seat", "boost", "boosted", "field"))
        x, y, to_x, to_y = (int(s[f"event_{key}"][n]) for key in ("x", "y", "to_x", "to_y"))
        known = seat < 0 or side == seat or bool(shown[x, y])
        event = {
            "type": "attack",
            "attacker_pos": [x, y] if known else None,
            "target_pos": [to_x, to_y],
            "damage": damage(boost, boosted, 0) / t.HALVES,
            "attacker_player": side,
            "target_player": 1 - side,
            "target_health_before": int(s.event_health[n]) / t.HALVES,
            "energy_boost": boost,
            "is_boosted": bool(boosted),
            "is_long_range": abs(to_x - x) + abs(to_y - y) > 1 if known else None,
            "frame": 0,
            "decoherence_reduction": bool(on_field),
            "defeated": bool(s.event_killed[n]),
            "damage_dealt": damage(boost, boosted, on_field) / t.HALVES,
            "attacker_id": int(s.event_unit[n]) if known else None,
            "target_id": int(s.event_target[n]),
        }
        events.append(event)
    return events


def all_units(s: Any) -> list[list[Any]]:
    """List all units in the order of creation: id, player, type, x, y, health, boosted, attacks left."""
    rows = []
    for seat in range(t.SEATS):
        count = int(s.units[seat])
        names = ("born", "id", "type", "x", "y", "health", "attacks")
        for born, unit, kind, x, y, health, attacks in zip(
            *(s[f"unit_{n}"][seat, :count].tolist() for n in names), strict=True
        ):
            rows.append((born, [unit, seat, kind, x, y, health / t.HALVES, int(attacks > 0), attacks]))
    return [row for _, row in sorted(rows)]


def seen_units(view: Any) -> list[list[int]]:
    """List the units that a view shows, in the order of creation and with the observation's nine columns."""
    mine = [_shown(row) for row in _view_rows(view, "my", view.me, int(view.mine))]
    theirs = [_shown(row) for row in _view_rows(view, "their", 1 - view.me, int(view.theirs))]
    merged: list[list[int]] = []
    after = view.their_after[: len(theirs)].tolist()
    for k in range(len(mine) + 1):
        merged += [row for row, older in zip(theirs, after, strict=True) if older == k]
        merged += mine[k : k + 1]
    return merged


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
        return {int(row[0]): [0, 1, 1, 0] for row in units[units[:, 1] == player_id]}


class OriginalAgent:
    """An agent written for the original, at a seat of this arena: asked once a turn, for all units."""

    def __init__(self, make: Callable[[int], Any], name: str) -> None:
        self._make, self.name = make, name
        self.answer: object = {}  # to the last question, as it was given
        self.problems: list[str] = []  # bad orders and errors, one line each, since they were last read

    def start(self, start: Any) -> None:
        """Take the seat: a fresh agent a game."""
        self.agent = self._make(start.seat)
        self.problems.clear()
        if hasattr(self.agent, "reset"):
            self.agent.reset()

    def act(self, view: Any, legal: list[int]) -> list[int]:
        """Return the decisions of the whole turn; rubbish means no orders this turn (D33)."""
        try:
            self.answer = ask(self.agent, observation(view), int(view.me))
        except Exception as error:
            self.answer = {}
            self.problems.append(f"no orders this turn: {type(error).__name__}: {error}")
        turn: Turn = turn_of(view, self.answer)
        self.problems += [f"unit {bad.unit}: {bad.reason}" for bad in turn.bad]
        return turn.decisions

    def end(self, result: Any) -> None:
        """Nothing to tell; the original had no such call."""


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
    entries = list(answer.items()) if isinstance(answer, dict) else []
    count = int(view.mine)
    turn = plan(view.my_id[:count].tolist(), view.my_type[:count].tolist(), int(view.next_id), entries)
    if not isinstance(answer, dict):
        turn.bad.append(BadOrder("all", f"answered {type(answer).__name__} where a dictionary of orders was asked for"))
    return turn


INTERFACES = ("a class Agent(BaseAgent) with get_action(observation, player_id)",)


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


def original_agent(module: ModuleType, name: str) -> OriginalAgent | None:
    """Return the agent of a file: its class `Agent`, else its last class with `get_action`."""
    own = [cls for cls in vars(module).values() if inspect.isclass(cls) and cls.__module__ == module.__name__]
    classes = [cls for cls in own if hasattr(cls, "get_action")]
    named = getattr(module, "Agent", None)
    chosen = named if inspect.isclass(named) and hasattr(named, "get_action") else classes[-1] if classes else None
    return OriginalAgent(lambda seat: make_original(chosen, seat), name) if chosen is not None else None


def make_original(cls: Any, player: int) -> Any:
    """Make an agent, with its player's number if the constructor takes one (A9)."""
    try:
        inspect.signature(cls).bind(player)
    except TypeError:
        return cls()
    return cls(player)


def _winner(s: Any) -> int | None:
    return None if s.winner == t.NOBODY else int(s.winner)


def _bits(rows: Any) -> Any:
    """Return bits by row as truth values [x, y]."""
    return (rows[None, :] >> np.arange(t.SIZE)[:, None] & 1).astype(bool)


def _shown(row: list[Any]) -> list[int]:
    """Return a unit with the nine columns of the observation: health is cut, at least 1 (D18, D23)."""
    unit, seat, kind, x, y, health, boosted, attacks = row
    return [unit, seat, kind, x, y, max(1, int(health)), 0, boosted, attacks]


def _unit_array(rows: list[list[int]]) -> Any:
    return np.array(rows, np.int32).reshape(len(rows), UNIT_COLUMNS)


def _view_rows(view: Any, side: str, seat: int, count: int) -> list[list[Any]]:
    names = ("id", "type", "x", "y", "health", "attacks")
    columns = (view[f"{side}_{name}"][:count].tolist() for name in names)
    return [
        [unit, int(seat), kind, x, y, health / t.HALVES, int(attacks > 0), attacks]
        for unit, kind, x, y, health, attacks in zip(*columns, strict=True)
    ]


def _places(s: Any, kind: int, shown: Any) -> list[tuple[int, int, int]]:
    tile = s.tile.T
    return [(int(x), int(y), int(s.amount[y, x])) for x, y in np.argwhere((tile == kind) & shown)]
