"""A player's clock as pure arithmetic: time never enters a row.

A turn of `spent` seconds leaves `clock - spent + increment`; below zero, judged at the end of the turn, loses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Clock:
    """Seconds that a player has left, and what each finished turn gives back."""

    seconds: float
    increment: float = 0.0

    def after(self, spent: float) -> Clock:
        """Return the clock at the end of a turn that took `spent` seconds."""
        return replace(self, seconds=self.seconds - spent + self.increment)

    @property
    def expired(self) -> bool:
        """Whether the player has lost on time."""
        return self.seconds < 0
