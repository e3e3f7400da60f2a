"""A player that comes with the game."""

from ludus.games.plantation.compat import RandomPlayer

__all__ = ["RandomPlayer"]
