"""A starter for BattleGrid of the original's kind: a class with `decide`, which returns (direction, shoot)."""
# mypy: ignore-errors

from battlegrid import Agent


class Starter(Agent):
    """Shoot an enemy in line, else go to the middle of the safe zone."""

    def decide(self, tank, visible_enemy, visible_walls, enemy_area, safe_zone, item_hints):
        """Return a direction and whether to shoot; enemy_area is (x_min, x_max, y_min, y_max), safe_zone (x1, y1, x2, y2)."""
        x1, y1, x2, y2 = safe_zone
        x, y = visible_enemy or ((x1 + x2) // 2, (y1 + y2) // 2)
        is_in_line = visible_enemy is not None and (x == tank.x or y == tank.y)
        if abs(x - tank.x) >= abs(y - tank.y):
            return "right" if x > tank.x else "left", is_in_line
        return "down" if y > tank.y else "up", is_in_line
