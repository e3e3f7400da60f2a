"""Replays in a terminal: turn by turn, forwards and backwards, at any speed."""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from ludus.core import Scene

from .screen import Screen

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # turns a second
KEYS = {
    "\x1b[C": "right", "\x1b[D": "left", "\x1bOC": "right", "\x1bOD": "left", "\x1b[H": "home", "\x1b[F": "end",
    "\x1b[1~": "home", "\x1b[4~": "end", "\x1bOH": "home", "\x1bOF": "end", " ": "space", "=": "+", "_": "-",
    "\x03": "q", "\x04": "q", "\x1b": "q", "Q": "q",
}  # fmt: skip
HELP = "space: play or pause   arrows: step   home, end   + -: speed   q: quit"


class Keys:
    """Single keys of a terminal, as they are pressed."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._before: Any = None

    def __enter__(self) -> Keys:
        import termios
        import tty

        self._file = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._file)
        tty.setcbreak(self._file)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        import termios

        termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def read(self, seconds: float | None) -> str:
        """Return the next key, or "" if none is pressed in so many seconds; the end of input is the key q."""
        if not self._waiting:
            if not select.select([self._file], [], [], seconds)[0]:
                return ""
            typed = os.read(self._file, 64).decode("utf-8", "replace")
            self._waiting = re.findall(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", typed, re.DOTALL) or ["q"]
        key = self._waiting.pop(0)
        return KEYS.get(key, key)


def step_through(turns: int, scene_of: Callable[[int], Scene], screen: Screen, keys: Any = None) -> None:
    """Show a replay of so many turns; without keys, all of it from the start to the end."""
    if keys is None:
        for turn in range(turns + 1):
            screen.show(scene_of(turn))
        return
    turn, speed, is_playing = 0, SPEEDS.index(2.0), True
    while True:
        state = "playing" if is_playing else "the end" if turn == turns else "paused"
        screen.show(scene_of(turn), [f"picture {turn} of {turns}, {state}, {SPEEDS[speed]:g} a second", HELP])
        key = keys.read(1 / SPEEDS[speed] if is_playing else None)
        if key == "q":
            return
        if key in ("+", "-"):
            speed = min(max(speed + (1 if key == "+" else -1), 0), len(SPEEDS) - 1)
        elif key == "space":
            turn, is_playing = (0, True) if turn == turns else (turn, not is_playing)
        elif key:
            is_playing = False
            turn = {"left": max(0, turn - 1), "right": min(turns, turn + 1), "home": 0, "end": turns}.get(key, turn)
        elif turn < turns:
            turn += 1
        if turn == turns:
            is_playing = False
