"""The base class of agents."""

from ludus.games.plantation.original import Player

__all__ = ["Player"]
