"""The words of BattleGrid's original program: its constants, its names for directions and items, its attributes of a tank."""

from __future__ import annotations

from ..rules import DX, DY, SIZE, SPEC

DIRECTION_NAMES = ("UP", "DOWN", "LEFT", "RIGHT")  # by number
DIRECTIONS = dict(zip(DIRECTION_NAMES, zip(DX, DY, strict=True), strict=True))
ANGLES = {"RIGHT": 0, "UP": 90, "LEFT": 180, "DOWN": 270}  # of the sprite, counter-clockwise
ITEM_TYPES = ("DOUBLE_SHOT", "DOUBLE_DAMAGE", "MINUS_ONE", "DOUBLE_COOLDOWN")  # by number
# Attributes of a tank and the fields of a view that hold them; directions are names.
NUMBERS = {"x": "x", "y": "y", "shoot_cooldown": "cooldown", "stay_counter": "stay", "score": "score"}
FLAGS = {f"{name}_active": name for name in ("double_shot", "double_damage", "double_cooldown")}
# The constants of the original's script, as its description names them.
CONSTANTS = {
    "GRID_SIZE": SIZE,
    "CELL_SIZE": 60,
    **{option.name.upper(): option.default for option in SPEC.options if option.name != "view_metric"},
    "FPS": 200,
    "DIRECTIONS": DIRECTIONS,
    "ITEM_TYPES": list(ITEM_TYPES),
}


def is_direction(direction: object) -> bool:
    """Say whether a direction is one of the four, written as the original did."""
    return isinstance(direction, str) and direction in DIRECTION_NAMES
