"""A bot for Plantation: bomb what is known, look around now and then, else grow. It runs as it is; make it better.

ludus play plantation my_plantation_bot.py random_player
ludus match plantation my_plantation_bot.py random --games 20
"""
# mypy: ignore-errors

import random


def act(view, legal):
    """Return one of the names in `legal`; docs/bots/plantation.md has all keys of `view`."""
    score, x, y = max((row[x], x, y) for y, row in enumerate(view["known"]) for x in range(view["width"]))
    if score >= 3 and f"bomb x{x} y{y}" in legal:
        return f"bomb x{x} y{y}"
    kinds = ["scout"] if view["turn"] > 5 and view["turn"] % 3 == 0 else ["plant", "fertilise"]
    for kind in kinds:
        names = [name for name in legal if name.startswith(kind)]
        if names:
            return random.choice(names)
    return random.choice(legal)
