"""Calls into code that anybody may have written: whatever it raises becomes a fault, never the end of the program."""

from __future__ import annotations

import signal
import sysconfig
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from ludus.core import IllegalAction, LudusError, one_line

MOST_FRAMES = 8  # of a traceback
LIBRARY, LUDUS = sysconfig.get_path("stdlib"), Path(__file__).parents[1]


class Stop(Exception):
    """Raised by a person's agent to end the game politely."""


class Interrupts:
    """Tell Ctrl-C from a KeyboardInterrupt that an agent raises: the handler notes that a signal came."""

    def __init__(self) -> None:
        self.came, self._is_anothers = False, True
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        handler = signal.getsignal(signal.SIGINT)
        # A process that was started in the background ignores the signal: then no Ctrl-C can come.
        self.came, self._is_anothers = False, handler not in (signal.default_int_handler, signal.SIG_IGN)
        if _is_main() and handler is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._is_anothers = True
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        raise KeyboardInterrupt

    def is_real(self, error: BaseException) -> bool:
        """Whether an error is a Ctrl-C of the user's; where another handler is at work, every KeyboardInterrupt is.

        Python tells the main thread alone of signals.
        """
        return issubclass(type(error), KeyboardInterrupt) and _is_main() and (self.came or self._is_anothers)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


class Complaint(LudusError):
    """What went wrong in a call, as kind and text of a fault."""

    def __init__(self, kind: str, text: str, ends: bool = False, stderr: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.kind, self.ends, self.stderr = kind, ends, tuple(stderr)


def guarded(interrupts: Interrupts, is_person: bool, call: Any, *arguments: Any) -> Any:
    """Call an agent; what it raises is a Complaint. A person may stop the game, and Ctrl-C is the user's."""
    try:
        answer = call(*arguments)
    except BaseException as error:
        if (is_person and not issubclass(type(error), LudusError)) or interrupts.is_real(error):
            raise
        raise complaint_of(error) from None
    if interrupts.came:  # an agent that catches whatever is raised has caught the user's Ctrl-C, too
        raise KeyboardInterrupt
    return answer


# An error may be of a class that lies about itself: what Python knows of it is asked, not what it says.
_traceback_of = BaseException.__dict__["__traceback__"].__get__
_name_of = type.__dict__["__name__"].__get__


def complaint_of(error: BaseException) -> Complaint:
    """Return what an agent raised as a fault: a mistake that Ludus found in its answer, or a crash with the author's lines."""
    kind, own = type(error), own_frames(error)
    if kind is Complaint and not own:
        return error  # type: ignore[return-value]
    if issubclass(kind, IllegalAction) or (issubclass(kind, LudusError) and not own):
        return Complaint("illegal", _words(error))
    lines = "".join(["Traceback (most recent call last):\n", *traceback.format_list(own[-MOST_FRAMES:])]).splitlines()
    said = f"{one_line(_name_of(kind), 60)}: {_words(error)}"
    return Complaint(
        "memory" if issubclass(kind, MemoryError) else "crash", last_line(error), stderr=[*lines, said] if own else ()
    )


def own_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """Return the lines of an author's that led to an error."""
    return [frame for frame in traceback.extract_tb(_traceback_of(error)) if not _is_library(frame.filename)]


def last_line(error: BaseException) -> str:
    """Return an error as one line, with the place in the author's file where it happened."""
    frames = traceback.extract_tb(_traceback_of(error))
    frame = next(reversed(own_frames(error)), frames[-1] if frames else None)
    place = one_line(f"(line {frame.lineno} of {Path(frame.filename).name})", 80) if frame else ""
    name = one_line(_name_of(type(error)), 60)
    return f"{one_line(f'{name}: {_words(error)}', 199 - len(place))} {place}".rstrip()


def _is_library(file: str) -> bool:
    """Whether a file is one that the author of an agent has not written."""
    return file.startswith(("<", LIBRARY)) or "site-packages" in file or Path(file).is_relative_to(LUDUS)


def _words(error: BaseException) -> str:
    """Return what an error says of itself, whatever its `__str__` does."""
    try:
        return one_line(str(error))
    except BaseException:
        return "its text cannot be read"
