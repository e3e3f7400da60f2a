"""A bot for Chase: the runner keeps away, the chasers come near. It runs as it is; make it better.

ludus play chase my_chase_bot.py greedy greedy
ludus match chase my_chase_bot.py random random --games 20
"""
# mypy: ignore-errors

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0), "stay": (0, 0)}  # x to the right, y down


def act(view, legal):
    """Return one of the names in `legal`; docs/bots/chase.md has all keys of `view`."""
    cells, me = view["cells"], view["me"]
    others = [cells["runner"]] if me != "runner" else [cells["chaser1"], cells["chaser2"]]
    sign = -1 if me != "runner" else 1
    return max(legal, key=lambda name: sign * min(distance(after(cells[me], name), other) for other in others))


def after(cell, name):
    """Return where a step leads."""
    return cell[0] + STEPS[name][0], cell[1] + STEPS[name][1]


def distance(one, other):
    """Count steps, as if there were no walls."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
