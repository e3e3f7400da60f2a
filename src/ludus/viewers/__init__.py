"""What people look at: scenes in a terminal. No viewer knows a game."""

from .terminal import Keys, Paper, Screen, draw, step_through, tell

__all__ = ["Keys", "Paper", "Screen", "draw", "step_through", "tell"]
