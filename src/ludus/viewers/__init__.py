"""What people look at: scenes in a terminal. No viewer knows a game."""

from .terminal import draw

__all__ = ["draw"]
