"""A player that comes with the game."""

from ludus.games.plantation.original import HumanPlayer

__all__ = ["HumanPlayer"]
