"""AgentSimple: shoot at what is in line, follow what is in view, else power-ups, else the middle of the zone."""

from walker import Walker, line_of_fire, middle, nearest


class AgentSimple(Walker):
    """A teaching example; it never walks back into the zone for its own sake."""

    def decide(self, tank, visible_enemy, visible_walls, enemy_area, safe_zone, item_hints):
        """Return (direction, shoot)."""
        self.walls.update(visible_walls)
        here = tank.x, tank.y
        if visible_enemy:
            if direction := line_of_fire(here, visible_enemy):
                return direction, True
            return self.step_to(here, visible_enemy, safe_zone, tank.facing), False
        powers = [(x, y) for x, y, _, _, kind in item_hints if kind in ("DOUBLE_SHOT", "DOUBLE_DAMAGE")]
        goal = nearest(powers, here) or middle(safe_zone)
        return self.step_to(here, goal, safe_zone, tank.facing), False
