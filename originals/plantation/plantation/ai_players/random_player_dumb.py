"""A player that comes with the game."""

from ludus.games.plantation.original import RandomPlayerDumb

__all__ = ["RandomPlayerDumb"]
