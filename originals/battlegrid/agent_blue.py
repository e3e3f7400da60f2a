"""AgentBlue: the zone first, then shots, distance, power-ups; equal goals are drawn."""

import random

from walker import Walker, distance, inside, line_of_fire, middle


class AgentBlue(Walker):
    """Go back into the zone before anything else, and keep an enemy at arm's length."""

    def decide(self, tank, visible_enemy, visible_walls, enemy_area, safe_zone, item_hints):
        """Return (direction, shoot)."""
        self.walls.update(visible_walls)
        here, (x1, y1, x2, y2) = (tank.x, tank.y), safe_zone
        if not inside(here, safe_zone):
            edge = min(max(tank.x, x1), x2), min(max(tank.y, y1), y2)
            return self.step_to(here, edge, safe_zone, tank.facing), False
        if visible_enemy:
            if direction := line_of_fire(here, visible_enemy):
                return direction, True
            if distance(here, visible_enemy) < 3:
                corners = [(x, y) for x in (x1, x2) for y in (y1, y2)]
                away = max(corners, key=lambda corner: (distance(corner, visible_enemy), random.random()))
                return self.step_to(here, away, safe_zone, tank.facing), False
            return self.step_to(here, visible_enemy, safe_zone, tank.facing), False
        powers = [(x, y) for x, y, _, _, kind in item_hints if kind in ("DOUBLE_SHOT", "DOUBLE_DAMAGE")]
        powers = [cell for cell in powers if inside(cell, safe_zone)]
        goal = min(powers, key=lambda cell: (distance(cell, here), random.random()), default=middle(safe_zone))
        return self.step_to(here, goal, safe_zone, tank.facing), False
