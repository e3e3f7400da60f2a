"""Observations and infos as the original's environment gave them: dictionaries, maps as [x][y]; README.md, section 8."""

from __future__ import annotations

from functools import cache
from math import ceil, isnan
from numbers import Real
from typing import Any

import numpy as np

from ludus.core import BadValue

from .. import tables as t
from ..orders import damage
from ..text import units_of, units_seen
from .settings import SETTINGS

REASONS = (
    None, "elimination", "energy_threshold", "territory_threshold", "limit_energy", "limit_territory", "limit_draw",
)  # fmt: skip
UNIT_COLUMNS, OLD_UNIT_COLUMNS = 9, 8  # of a unit's row as described, and as the original's last version gave it (D18)
GOAL_KEYS = (
    "energy_threshold", "territory_threshold", "territory_turns_required", "territory_streak", "max_turns", "terminated",
    "truncated", "winner", "reason",
)  # fmt: skip
USUAL_TERRITORY: float = SETTINGS["TERRITORY_VICTORY_THRESHOLD"]  # share of the map


def territory_goal(threshold: float, size: int) -> int:
    """Return the smallest number of tiles whose share reaches a threshold, in the original's own arithmetic."""
    tiles = max(0, ceil(min(_threshold(threshold), 2.0) * size * size) - 2)
    tiles = min(tiles, size * size)
    while tiles / (size * size) < threshold and tiles <= size * size:
        tiles += 1
    return tiles


def energy_goal(threshold: float) -> int:
    """Return an energy threshold in quarters; one that cannot be reached, infinity too, is the highest there is."""
    return max(0, ceil(min(_threshold(threshold) * t.QUARTERS, t.HIGHEST_GOAL)))


def _threshold(threshold: object) -> float:
    """Return a threshold that is a number; below nothing is nothing."""
    if isinstance(threshold, bool) or not isinstance(threshold, Real) or isnan(threshold):
        raise BadValue(f"a threshold is a number, not {threshold!r:.40}")
    return max(0.0, float(threshold))


def reason_name(end: int) -> str | None:
    """Name why a game ended, None while it runs."""
    return REASONS[int(end)]


def check_columns(columns: object) -> int:
    """Return a number of columns that unit rows can have."""
    if columns not in (UNIT_COLUMNS, OLD_UNIT_COLUMNS) or not isinstance(columns, int):
        raise BadValue(f"unit rows have {UNIT_COLUMNS} or {OLD_UNIT_COLUMNS} columns, not {columns!r}")
    return columns


def observation(view: Any, unit_columns: int = UNIT_COLUMNS) -> dict[str, Any]:
    """Return a player's observation: section 8 of README.md."""
    seen = _bits(view.explored)
    tile, amount = view.tile.T, view.amount.T
    share = np.full(t.SEATS, -1, np.float32)
    share[view.me] = seen.mean()
    return {
        "map": tile.astype(np.int8),
        "units": _unit_array(units_seen(view), unit_columns),
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


def observation_space(unit_columns: int = UNIT_COLUMNS) -> Any:
    """Return the gymnasium space of `observation`; the lists of units and goals have no fixed shape."""
    from gymnasium.spaces import Box, Dict, Sequence

    big, maps = 1e9, (t.SIZE, t.SIZE)
    high = [2**31 - 1, 1, 2, t.SIZE, t.SIZE, 300, *[0] * (unit_columns - OLD_UNIT_COLUMNS), 1, 2]
    row = Box(np.zeros(unit_columns, np.int32), np.array(high, np.int32), dtype=np.int32)
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


def env_observation(s: Any, unit_columns: int = UNIT_COLUMNS) -> dict[str, Any]:
    """Return the observation for logs and viewers: all units, both fog maps."""
    tile, seen = s.tile.T, [_bits(s.explored[seat]) for seat in range(t.SEATS)]
    return {
        "map": tile.astype(np.int8),
        "fog_maps": np.stack([np.where(side, tile, -1) for side in seen]).astype(np.int8),
        "units": _unit_array(units_of(s), unit_columns),
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
        known = x >= 0 and (seat < 0 or side == seat or bool(shown[x, y]))
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
    return [[*place, health / t.HALVES, int(attacks > 0), attacks] for *place, health, attacks in units_of(s)]


def seen_units(view: Any) -> list[list[int]]:
    """List the units that a view shows, in the order of creation and with the observation's nine columns."""
    return _rows(units_seen(view), UNIT_COLUMNS)


def _winner(s: Any) -> int | None:
    return None if s.winner == t.NOBODY else int(s.winner)


def _bits(rows: Any) -> Any:
    """Return bits by row as truth values [x, y]."""
    return (rows[None, :] >> np.arange(t.SIZE)[:, None] & 1).astype(bool)


def _rows(units: list[tuple[int, ...]], columns: int) -> list[list[int]]:
    """Return units as rows of nine columns, or of eight without the energy; health is cut, at least 1 (D18, D23)."""
    energy = [0] * (columns - OLD_UNIT_COLUMNS)
    return [[*place, max(1, health // t.HALVES), *energy, int(attacks > 0), attacks] for *place, health, attacks in units]


def _unit_array(units: list[tuple[int, ...]], columns: int) -> Any:
    return np.array(_rows(units, columns), np.int32).reshape(len(units), columns)


def _places(s: Any, kind: int, shown: Any) -> list[tuple[int, int, int]]:
    tile = s.tile.T
    return [(int(x), int(y), int(s.amount[y, x])) for x, y in np.argwhere((tile == kind) & shown)]
