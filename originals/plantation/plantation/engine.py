"""The engine: one game between two players."""

from ludus.games.plantation.original import Engine

__all__ = ["Engine"]
