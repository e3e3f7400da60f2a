"""Where pictures appear: a terminal, in which each takes the place of the last one; a pipe or a file, one after the other."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from typing import TextIO

from ludus.core import Scene

from .paper import Paper, encoding_of, wants_colour, wrapped
from .picture import draw, tell

CLEAR, HOME, WIPE_LINE, WIPE_REST = "\x1b[2J", "\x1b[H", "\x1b[2K", "\x1b[J"
MOST_NOTES = 3  # that stay below a picture


class Screen:
    """An output for scenes; a plain one tells them in sentences."""

    def __init__(self, is_plain: bool = False, is_live: bool = True, out: TextIO | None = None) -> None:
        self.out = out or sys.stdout
        self.is_plain = is_plain
        self.has_colour = self.out.isatty() and wants_colour()
        self.is_live = is_live and not is_plain and self.out.isatty() and os.environ.get("TERM") != "dumb"
        self.heard: list[str] = []  # what happened in the pictures so far, for whoever could not follow; to be emptied
        self._headline = ""
        self._notes: list[str] = []
        self._last: Scene | None = None
        self._is_clear = False

    @property
    def width(self) -> int:
        """How many columns there are."""
        return max(1, shutil.get_terminal_size((80, 24)).columns)

    def head(self, text: str) -> None:
        """Say what is shown here; it stands above the pictures."""
        self._headline = text
        if not self.is_live:
            self._print([text])

    def note(self, text: str) -> None:
        """Say something that the next pictures do not wipe away."""
        if self.is_live:
            self._notes = [*self._notes, text][-MOST_NOTES:]
        else:
            self._print([text])
            self.out.flush()

    def show(self, scene: Scene, below: Sequence[str] = ()) -> None:
        """Show a scene, and lines below it; one that stands there already is not printed again."""
        if self.is_plain:
            if scene != self._last:
                self._print(tell(scene, self._last, encoding_of(self.out)))
        elif self.is_live:
            self._redraw(scene, below)
        elif scene != self._last:
            self._print([*draw(scene, Paper(self.width, 0, self.has_colour, encoding_of(self.out))), ""])
        if scene != self._last:
            self.heard += [event.text for event in scene.events]
        self._last = scene
        if not self.is_live:
            self._print(below)
        self.out.flush()

    def clear(self) -> None:
        """Wipe a terminal, so that nobody sees what another person saw."""
        self._last = None
        if self.is_live:
            self.out.write(CLEAR + HOME)
            self.out.flush()

    def _redraw(self, scene: Scene, below: Sequence[str]) -> None:
        """Put a picture where the last one was."""
        size = shutil.get_terminal_size((80, 24))
        words = [line for text in (*self._notes, *below) for line in wrapped(text, size.columns, 2)]
        head = wrapped(self._headline, size.columns, 2) if self._headline else []
        left = size.lines - 1 - len(words) - len(head)  # the cursor, or a prompt, has the last line
        picture = draw(scene, Paper(size.columns, max(3, left), self.has_colour, encoding_of(self.out)))
        begin = HOME if self._is_clear else CLEAR + HOME
        self._is_clear = True
        lines = "".join(f"{WIPE_LINE}{line}\n" for line in (*head, *picture, *words))
        self.out.write(f"{begin}{lines}{WIPE_REST}")

    def _print(self, lines: Sequence[str]) -> None:
        for line in lines:
            print(line, file=self.out)
