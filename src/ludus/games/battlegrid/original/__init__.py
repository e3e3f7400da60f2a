"""BattleGrid as the original program showed it: agents decide a direction and a shot from a tank and plain lists."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

from .agents import Agent, OriginalAgent, action_of, arguments, pair, walls_in_view, wish
from .names import CONSTANTS, DIRECTION_NAMES, FLAGS, ITEM_TYPES, NUMBERS
from .program import BattleGrid
from .tank import Tank

__all__ = [
    "CONSTANTS", "DIRECTION_NAMES", "FLAGS", "INTERFACES", "ITEM_TYPES", "NUMBERS", "Agent", "BattleGrid", "OriginalAgent",
    "Tank", "action_of", "arguments", "modules", "original_agent", "pair", "walls_in_view", "wish",
]  # fmt: skip

INTERFACES = ("a class with decide(tank, visible_enemy, visible_walls, enemy_area, safe_zone, item_hints)",)


def modules() -> dict[str, dict[str, Any]]:
    """Return the module that agent files of the original may import, with its contents."""
    return {"battlegrid": {**CONSTANTS, "Tank": Tank, "Agent": Agent, "BattleGrid": BattleGrid}}


def original_agent(module: ModuleType, name: str) -> OriginalAgent | None:
    """Return the agent that a file holds: its last class with `decide`."""
    classes = [
        cls
        for cls in vars(module).values()
        if inspect.isclass(cls) and callable(getattr(cls, "decide", None)) and cls.__module__ == module.__name__
    ]
    return OriginalAgent(classes[-1], name) if classes else None
