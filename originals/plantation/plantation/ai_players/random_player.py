"""A player that comes with the game."""

from ludus.games.plantation.original import RandomPlayer

__all__ = ["RandomPlayer"]
