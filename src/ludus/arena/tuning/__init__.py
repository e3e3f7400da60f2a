"""Better numbers for a bot, found by matches of the bot against itself."""

from .numbers import Number, read_number
from .tuner import Step, Tuning

__all__ = ["Number", "Step", "Tuning", "read_number"]
