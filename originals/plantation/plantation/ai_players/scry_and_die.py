"""A player that comes with the game."""

from ludus.games.plantation.compat import ScryAndDie

__all__ = ["ScryAndDie"]
