"""Clocks as pure arithmetic: time never enters a row.

A turn of `spent` seconds leaves `clock - spent + increment`; below zero loses. So the increment of the turn that is being
played counts already: with `1+0.1` the first turn may take 1.1 s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from .errors import BadValue

MARGIN_S = 0.05  # that a referee leaves for the way there and back
LONGEST_S = 1_000_000.0
KINDS = "1+0.1 (start and increment a turn), bank=60 (for the whole game), move=0.2 (a turn) or inf"


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


@dataclass(frozen=True)
class TimeControl:
    """How long agents may think: for a game ("game"), or for each turn anew ("move")."""

    kind: str
    start: float
    increment: float = 0.0
    margin: float = MARGIN_S

    def clock(self) -> Clock:
        """Return a clock as a game begins."""
        return Clock(self.start, self.increment)

    def after(self, clock: Clock, spent: float) -> Clock:
        """Return a clock at the end of a turn."""
        return self.clock() if self.kind == "move" else clock.after(spent)

    def limit(self, clock: Clock, spent: float) -> float:
        """Return the seconds after which an answer is too late, `spent` having been used in this turn before."""
        return max(0.0, clock.seconds + clock.increment - spent) + self.margin

    def __str__(self) -> str:
        if self.kind == "move":
            return f"move={self.start:g}"
        return f"{self.start:g}+{self.increment:g}" if self.increment else f"bank={self.start:g}"


def time_control(text: str, margin: float = MARGIN_S) -> TimeControl | None:
    """Read how people write a time control; None is no limit."""
    kind, sign, seconds = text.strip().partition("=")
    if text.strip() == "inf":
        return None
    try:
        if sign and kind in ("move", "bank"):
            return TimeControl("move" if kind == "move" else "game", _seconds(seconds), 0.0, _seconds(margin))
        start, sign, increment = text.partition("+")
        return TimeControl("game", _seconds(start), _seconds(increment if sign else 0), _seconds(margin))
    except ValueError:
        raise BadValue(f"a clock is written {KINDS}, not {text!r}") from None


def _seconds(value: str | float) -> float:
    seconds = float(value)
    if not (math.isfinite(seconds) and 0 <= seconds <= LONGEST_S):
        raise ValueError
    return seconds
