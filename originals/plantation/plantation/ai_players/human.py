"""A player that comes with the game."""

from ludus.games.plantation.compat import HumanPlayer

__all__ = ["HumanPlayer"]
