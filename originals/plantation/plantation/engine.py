"""The engine: one game between two players."""

from ludus.games.plantation.compat import Engine

__all__ = ["Engine"]
