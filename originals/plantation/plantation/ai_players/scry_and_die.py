"""A player that comes with the game."""

from ludus.games.plantation.original import ScryAndDie

__all__ = ["ScryAndDie"]
