"""AgentRed: AgentBlue's plan without draws and without the way back into the zone; any power-up will do."""

from walker import Walker, distance, inside, line_of_fire, middle, nearest

GOOD = ("DOUBLE_SHOT", "DOUBLE_DAMAGE", "DOUBLE_COOLDOWN")


class AgentRed(Walker):
    """Shoot, keep away, collect."""

    def decide(self, tank, visible_enemy, visible_walls, enemy_area, safe_zone, item_hints):
        """Return (direction, shoot)."""
        self.walls.update(visible_walls)
        here, (x1, y1, x2, y2) = (tank.x, tank.y), safe_zone
        goal = middle(safe_zone)
        if visible_enemy:
            if direction := line_of_fire(here, visible_enemy):
                return direction, True
            goal = visible_enemy
            if distance(here, visible_enemy) < 3:
                goal = max(((x, y) for x in (x1, x2) for y in (y1, y2)), key=lambda cell: distance(cell, visible_enemy))
        else:
            goal = (
                nearest([(x, y) for x, y, _, _, kind in item_hints if kind in GOOD and inside((x, y), safe_zone)], here) or goal
            )
        return self.step_to(here, goal, safe_zone, tank.facing), False
