"""What the three agents of this folder share: a memory of walls, ways through the zone, and lines of fire."""

from __future__ import annotations

from collections import deque

STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
REACH = 5  # of a shot
Cell = tuple[int, int]
Zone = tuple[int, int, int, int]


class Walker:
    """Remember walls and find ways. Subclasses decide where to go."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.walls: set[Cell] = set()

    def step_to(self, start: Cell, goal: Cell, zone: Zone, facing: str) -> str:
        """Return the first direction of a shortest way inside the zone; without one, go straight."""
        came_by: dict[Cell, str] = {start: ""}
        queue = deque([start])
        while queue:
            x, y = queue.popleft()
            for direction, (across, down) in STEPS.items():
                cell = x + across, y + down
                if cell in came_by or not (cell == goal or (cell not in self.walls and inside(cell, zone))):
                    continue
                came_by[cell] = came_by[x, y] or direction
                if cell == goal:
                    return came_by[cell]
                queue.append(cell)
        return straight(start, goal) or facing


def inside(cell: Cell, zone: Zone) -> bool:
    """Say whether a cell is in the zone."""
    return zone[0] <= cell[0] <= zone[2] and zone[1] <= cell[1] <= zone[3]


def distance(one: Cell, other: Cell) -> int:
    """Return the Manhattan distance."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def straight(start: Cell, goal: Cell) -> str:
    """Return the direction of the longer way to a goal, "" if it is here."""
    across, down = goal[0] - start[0], goal[1] - start[1]
    if not across and not down:
        return ""
    if abs(across) >= abs(down):
        return "RIGHT" if across > 0 else "LEFT"
    return "DOWN" if down > 0 else "UP"


def line_of_fire(start: Cell, enemy: Cell) -> str:
    """Return the direction in which the enemy can be shot at, or ""; walls are not looked at."""
    is_in_line = start[0] == enemy[0] or start[1] == enemy[1]
    return straight(start, enemy) if is_in_line and distance(start, enemy) <= REACH else ""


def middle(zone: Zone) -> Cell:
    """Return the middle of the zone."""
    return (zone[0] + zone[2]) // 2, (zone[1] + zone[3]) // 2


def nearest(cells: list[Cell], start: Cell) -> Cell | None:
    """Return the nearest of some cells."""
    return min(cells, key=lambda cell: distance(cell, start), default=None)
