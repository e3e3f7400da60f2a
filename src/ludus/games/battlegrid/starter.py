"""A bot for BattleGrid: shoot an enemy in line, else go to the middle of the safe zone. It runs as it is; make it better.

ludus play battlegrid my_battlegrid_bot.py hunter
ludus match battlegrid my_battlegrid_bot.py random --games 20
"""
# mypy: ignore-errors


def act(view, legal):
    """Return one of the names in `legal`; docs/bots/battlegrid.md has all keys of `view`."""
    x, y = view["tank"]["cell"]
    enemy = view["enemy"]  # None while it is out of sight
    if enemy and (x == enemy[0] or y == enemy[1]):
        return f"{towards(x, y, *enemy)} shoot"
    x_min, y_min, x_max, y_max = view["zone"]
    goal = enemy or ((x_min + x_max) // 2, (y_min + y_max) // 2)
    return towards(x, y, *goal)


def towards(x, y, goal_x, goal_y):
    """Return the direction in which a goal lies farthest away; x runs to the right, y down."""
    if abs(goal_x - x) >= abs(goal_y - y):
        return "right" if goal_x > x else "left"
    return "down" if goal_y > y else "up"
