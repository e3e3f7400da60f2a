"""A time limit on calls of an author's functions: loops that do not end are interrupted where they stand.

What counts is this process's own processor time, so that a busy machine fails nobody; one that waits instead is given longer.
"""

from __future__ import annotations

import ctypes
import threading
import time
from math import inf
from types import TracebackType

from .breach import TimeUp
from .work import work

PATIENCE = 4.0  # seconds that one call of a rule may take, uncompiled
WAITING = 15  # times as long by the clock on the wall
PULSE = 0.05


class Watch:
    """Raise a TimeUp in the thread that made it when a call takes too long."""

    def __init__(self) -> None:
        self._until, self._latest, self._most = inf, inf, inf
        self._seconds, self._cells = PATIENCE, inf
        self._thread, self._stop = threading.get_ident(), threading.Event()
        self._watcher = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._watcher.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop.set()
        self._watcher.join()

    def begin(self, seconds: float = PATIENCE, cells: float = inf) -> None:
        """Let the clock run for a call, which may touch so many cells."""
        self._seconds, self._cells, self._most = seconds, cells, work.done + cells
        self._until, self._latest = time.process_time() + seconds, time.monotonic() + WAITING * seconds

    def end(self) -> None:
        """Stop the clock."""
        self._until = self._latest = self._most = inf

    def _look(self) -> None:
        while not self._stop.wait(PULSE):
            is_much = work.done > self._most
            if is_much or time.process_time() > self._until or time.monotonic() > self._latest:
                words = f"{self._cells:,} cells" if is_much else f"{self._seconds:g} s"
                self.end()
                error = type("TimeUp", (TimeUp,), {"__str__": lambda _, words=words: words})
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(error))
