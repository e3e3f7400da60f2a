"""A bot for Quantum Harvest: scouts make harvesters, harvesters dig. It runs as it is; make it better.

    ludus play quantum_harvest my_quantum_harvest_bot.py raider
    ludus match quantum_harvest my_quantum_harvest_bot.py random --games 20

You are asked for one order after the other: `view["asked"]` is the id of the unit that the next one is for.
"""
# mypy: ignore-errors

import random

STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}  # x to the right, y down


def act(view, legal):
    """Return one of the names in `legal`; docs/bots/quantum_harvest.md has all keys of `view`."""
    unit = next((unit for unit in view["units"] if unit["id"] == view["asked"]), None)
    for name in ("spawn harvester", "harvest"):
        if name in legal:
            return name
    shots = [name for name in legal if name.startswith("attack")]
    if shots:
        return shots[0]
    nodes = [(x, y) for x, y, amount in view["amounts"] if view["map"][y][x] == "N"]
    if unit and nodes:
        x, y = min(nodes, key=lambda node: abs(node[0] - unit["x"]) + abs(node[1] - unit["y"]))
        ways = [f"move {word}" for word, (a, b) in STEPS.items() if a * (x - unit["x"]) + b * (y - unit["y"]) > 0]
        ways = [name for name in ways if name in legal]
        if ways:
            return random.choice(ways)
    moves = [name for name in legal if name.startswith("move")]
    return random.choice(moves or legal)
