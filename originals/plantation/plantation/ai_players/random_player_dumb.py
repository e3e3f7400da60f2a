"""A player that comes with the game."""

from ludus.games.plantation.compat import RandomPlayerDumb

__all__ = ["RandomPlayerDumb"]
