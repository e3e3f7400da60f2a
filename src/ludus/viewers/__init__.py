"""What people look at: scenes in a terminal. No viewer knows a game."""

from .terminal import Paper, draw, tell

__all__ = ["Paper", "draw", "tell"]
