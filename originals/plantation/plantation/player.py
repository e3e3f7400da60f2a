"""The base class of agents."""

from ludus.games.plantation.compat import Player

__all__ = ["Player"]
