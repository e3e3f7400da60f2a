# mypy: ignore-errors
"""Lines, ways and shots on a BattleGrid board, as far as a view knows it. A scratch row has room for a flood."""

from ludus.core import rule

from .rules import DX, DY, FULL_ROW, SIZE, sight

FAR = 100  # steps to what cannot be reached


@rule
def is_in_line(x, y, goal_x, goal_y, reach):
    """Say whether two cells lie in one row or column, not farther apart than this."""
    return (x == goal_x or y == goal_y) and abs(x - goal_x) + abs(y - goal_y) <= reach


@rule
def straight(x, y, goal_x, goal_y, facing):
    """Return the direction of the longer way to a goal; the present one if the goal is here."""
    across, down = goal_x - x, goal_y - y
    if across == 0 and down == 0:
        return facing
    if abs(across) >= abs(down):
        return 3 if across > 0 else 2
    return 1 if down > 0 else 0


@rule
def is_in_view(view, x, y, other_x, other_y):
    """Say whether a tank on x, y has a cell in view."""
    return sight(view.view_range, view.view_metric, x, y, other_y) >> int(other_x) & 1 != 0


@rule
def step_towards(view, scratch, x, y, facing, goal_x, goal_y):
    """Return the first direction of a shortest way inside the zone round known walls; without one, go straight."""
    inside = (2 << int(view.zone[2])) - (1 << int(view.zone[0]))
    for row in range(SIZE):
        scratch.front[row], scratch.reached[row] = 0, FULL_ROW
        if view.zone[1] <= row <= view.zone[3]:
            scratch.reached[row] = (FULL_ROW & ~inside) | view.wall[row]
    scratch.front[goal_y] = 1 << int(goal_x)
    while True:
        for direction in range(4):
            next_x, next_y = x + DX[direction], y + DY[direction]
            if 0 <= next_x < SIZE and 0 <= next_y < SIZE and scratch.front[next_y] >> next_x & 1 != 0:
                return direction
        if not spread(scratch):
            return straight(x, y, goal_x, goal_y, facing)


@rule
def spread(scratch):
    """Let a flood take one step; say whether it reached anything new."""
    # flood_step of the core does the same for boards of any size; a size that the compiler knows is a fifth faster here.
    is_spreading = False
    above = 0  # the row above, as it was before this step
    for y in range(SIZE):
        here = int(scratch.front[y])
        below = int(scratch.front[y + 1]) if y + 1 < SIZE else 0
        scratch.reached[y] |= here
        fresh = ((here << 1) | (here >> 1) | above | below) & FULL_ROW & ~int(scratch.reached[y])
        scratch.front[y] = fresh
        is_spreading = is_spreading or fresh != 0
        above = here
    return is_spreading


@rule
def measure(scratch, steps):
    """Write how many steps each cell is from where the flood begins."""
    steps[:, :] = FAR
    for distance in range(FAR):
        for y in range(SIZE):
            row = int(scratch.front[y])
            if row != 0:
                for x in range(SIZE):
                    if row >> x & 1:
                        steps[y, x] = distance
        if not spread(scratch):
            return


@rule
def is_open(view, x, y, other_x, other_y):
    """Say whether a tank may drive here as far as the view knows."""
    if not (0 <= x < SIZE and 0 <= y < SIZE) or view.wall[y] >> x & 1 != 0:
        return False
    return abs(x - other_x) + abs(y - other_y) >= view.min_tank_distance


@rule
def hits(view, x, y, facing, goal_x, goal_y):
    """Say whether a shot from here reaches the goal as far as the view knows."""
    for _ in range(view.shoot_range):
        x, y = x + DX[facing], y + DY[facing]
        if not (0 <= x < SIZE and 0 <= y < SIZE) or view.wall[y] >> x & 1 != 0:
            return False
        if x == goal_x and y == goal_y:
            return True
    return False


@rule
def is_inside(view, x, y):
    """Say whether a cell is in the safe zone."""
    return view.zone[0] <= x <= view.zone[2] and view.zone[1] <= y <= view.zone[3]
