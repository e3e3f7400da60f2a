"""A bot for Unit: strengthen the strongest stack, fight where it can, and walk to the enemy's corners. Make it better.

ludus play unit my_unit_bot.py greedy
ludus match unit my_unit_bot.py random --games 20
"""
# mypy: ignore-errors

import random
import re


def act(view, legal):
    """Return one of the names in `legal`; docs/bots/unit.md has all keys of `view`."""
    own = {stack["vertex"]: stack for stack in view["stacks"] if stack["owner"] == view["me"]}
    homes = [home for seat, pair in view["homes"].items() if seat != view["me"] for home in pair]

    def worth(name):
        vertices = [int(number) for number in re.findall(r"\d+", name)]
        if name.startswith("place"):
            return 5, 0
        if name.startswith("infuse"):
            return 4, own[vertices[0]]["pieces"]
        if name.startswith(("attack", "pincer")):
            return 3, 0
        if name.startswith("move"):  # only if it leads nearer to a corner of the enemy
            gain = min(away(view, vertices[0], home) - away(view, vertices[1], home) for home in homes)
            return (2, gain) if gain > 0 else (0, gain)
        return 1, 0  # end_turn

    return max(legal, key=lambda name: (*worth(name), random.random()))


def away(view, vertex, other):
    """Return about how far two vertices are apart; all layers cover the same square."""
    (layer, x, y), (other_layer, a, b) = place(view, vertex), place(view, other)
    return abs(layer - other_layer) / 4 + abs(x - a) + abs(y - b)


def place(view, vertex):
    """Return the layer of a vertex, and x and y from 0 to 1."""
    for number, layer in enumerate(view["layers"]):
        size, rest = layer["size"], vertex - layer["first_vertex"]
        if 0 <= rest < size * size:
            return number, rest % size / (size - 1), rest // size / (size - 1)
