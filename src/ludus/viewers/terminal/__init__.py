"""Scenes in a terminal: boards as text, in colour or not, as wide as there is room; or told in sentences."""

from .paper import Paper
from .picture import draw, tell
from .player import Keys, step_through
from .screen import Screen

__all__ = ["Keys", "Paper", "Screen", "draw", "step_through", "tell"]
