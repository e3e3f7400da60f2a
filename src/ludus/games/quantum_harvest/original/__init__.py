"""Quantum Harvest as its original program offered it: observations, agents, environment, replay files (README.md, 9)."""

from .agents import INTERFACES, BaseAgent, OriginalAgent, StayAgent, modules, original_agent
from .dialect import BadOrder, plan, ran_orders, read_order, without_unit, write_order
from .environment import QuantumHarvestEnv
from .observation import (
    REASONS,
    all_units,
    combat_events,
    energy_goal,
    env_observation,
    info,
    observation,
    observation_space,
    reason_name,
    seen_units,
    territory_goal,
)
from .replays import Log, frames, game_of, read, row_of
from .scenes import scenes_of_original
from .settings import SETTINGS, VERSION, ActionType, TileType, UnitType
from .watching import Attack, Shown, Unit, Watched, read_replay

LIMIT_TRUNCATES = True  # environments call an end by the limit a truncation

__all__ = [
    "INTERFACES", "LIMIT_TRUNCATES",
    "REASONS", "SETTINGS", "VERSION", "ActionType", "Attack", "BadOrder", "BaseAgent", "Log", "OriginalAgent",
    "QuantumHarvestEnv", "Shown", "StayAgent", "TileType", "Unit", "UnitType", "Watched", "all_units", "combat_events",
    "energy_goal", "env_observation", "frames", "game_of", "info", "modules", "observation", "observation_space",
    "original_agent", "plan", "ran_orders", "read", "read_order", "read_replay", "reason_name", "row_of",
    "scenes_of_original", "seen_units", "territory_goal", "without_unit", "write_order",
]  # fmt: skip
