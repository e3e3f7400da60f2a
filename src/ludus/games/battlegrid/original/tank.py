"""The original's tank, which agents are shown."""

from __future__ import annotations

from typing import Any

from ..rules import DOUBLE_RELOAD, RELOAD
from .names import ANGLES, DIRECTIONS, is_direction


class Tank:
    """A tank as the original had it. Agents are given a copy: reading tells the truth, writing changes nothing (D25)."""

    x: int
    y: int
    facing: str
    desired_direction: Any  # what was asked for last, as it was given, or the direction of an escape
    shoot_cooldown: int
    double_shot_active: bool
    double_damage_active: bool
    double_cooldown_active: bool
    stay_counter: int
    score: int

    def __init__(self, x: int = 0, y: int = 0, facing: str = "RIGHT") -> None:
        self.x, self.y, self.facing, self.desired_direction = x, y, facing, facing
        self.shoot_cooldown, self.stay_counter, self.score = 0, 0, 0
        self.double_shot_active = self.double_damage_active = self.double_cooldown_active = False

    @property
    def angle(self) -> int:
        """How far the sprite is turned, in degrees counter-clockwise."""
        return ANGLES.get(self.facing, 0)

    def rotate(self) -> bool:
        """Turn to the desired direction if it is one and a new one; say whether the tank turned."""
        if not is_direction(self.desired_direction) or self.desired_direction == self.facing:
            return False
        self.facing = self.desired_direction
        return True

    def move(self, grid: Any) -> bool:
        """Drive one cell forward unless the edge or a wall ('W' in grid[y][x]) is there; say whether it did (D33)."""
        across, down = DIRECTIONS[self.facing]
        x, y = self.x + across, self.y + down
        if not (0 <= y < len(grid) and 0 <= x < len(grid[y])) or grid[y][x] == "W":
            return False
        self.x, self.y = x, y
        return True

    def shoot(self) -> bool:
        """Fire unless reloading; true for hit and miss (D18). Who was hit is the game's business, not the tank's."""
        if self.shoot_cooldown > 0:
            return False
        self.double_damage_active = False
        if self.double_shot_active:
            self.double_shot_active, self.shoot_cooldown = False, 0
        else:
            self.shoot_cooldown = DOUBLE_RELOAD if self.double_cooldown_active else RELOAD
            self.double_cooldown_active = False
        return True
