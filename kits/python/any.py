"""Play every game: any of the legal actions."""

import random

from ludus_bot import run


def start(game):
    """Draw the same in every game of one seed."""
    random.seed(game["seed"])


def choose(game, view, legal):
    """Return one of the legal actions."""
    return random.choice(legal)


run("any", choose, start)
