"""What a bot's end looks like from outside, in one plain sentence; for Python with the author's own line."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from pathlib import Path

from ludus.core import one_line, shown

OUT_OF_MEMORY = (
    "MemoryError",
    "bad_alloc",
    "out of memory",
    "OutOfMemoryError",
    "memory allocation of",
    "Cannot allocate memory",
)
FRAME = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)')
RAISED = re.compile(r"^[A-Za-z_][\w.]*(:|$)")
HIDDEN = ("<frozen", "run_file.py")  # frames that are not the author's


def shown_line(line: bytes) -> str:
    """Return what a bot wrote as a short piece of one line."""
    return shown(line.decode("utf-8", "replace").rstrip("\n"), 100)


def of_ending(ending: str, what: str, stderr: Sequence[str], folder: Path) -> tuple[str, str]:
    """Return kind and text of the verdict on a bot that has ended, or closed its pipes: `ending` is the warden's word."""
    kind, _, number = ending.partition(" ")
    said = last_words(stderr, folder)
    if kind == "memory":
        return "memory", f"held {int(number) / 1e6:.0f} MB, which is too much"
    if kind == "processes":
        return "memory", f"ran {number} processes at once, which are too many"
    if kind == "void":
        return "void", f"could not be started: {number}"
    if any(sign in line for line in stderr[-20:] for sign in OUT_OF_MEMORY):
        return "memory", f"ran out of memory{said}"
    if kind == "signal":
        return "crash", f"was ended by {_signal(int(number))}{said}"
    if kind == "exit":
        return "crash", f"ended with exit code {number}{said}"
    return "crash", f"{what}{said}"


def last_words(stderr: Sequence[str], folder: Path) -> str:
    """Return what a bot said last, after a colon: the error of a traceback with the author's own line, or the last line."""
    lines = [line for line in stderr if line.strip()]
    if not lines:
        return ""
    place = ""
    starts = [i for i, line in enumerate(lines) if line.startswith("Traceback (most recent call last)")]
    if starts:
        frames = [match for line in lines[starts[-1] :] if (match := FRAME.match(line))]
        own = [frame for frame in frames if is_own(frame["file"], folder)]
        if frames:
            frame = (own or frames)[-1]
            place = f" (line {frame['line']} of {Path(frame['file']).name})"
        raised = [line for line in lines[starts[-1] + 1 :] if RAISED.match(line)]
        return f": {one_line(raised[0] if raised else lines[-1], 140 - len(place))}{place}"
    return f": {one_line(lines[-1], 140)}"


def cut_tracebacks(lines: Sequence[str], folder: Path) -> list[str]:
    """Return what a bot wrote to stderr without those lines of Python's tracebacks that are not the author's.

    A traceback without any line of the author's stays whole.
    """
    found: list[str] = []
    foreign: list[str] = []  # lines of a traceback that has shown none of the author's so far
    is_inside = is_foreign = has_own = False
    for line in lines:
        if line.startswith("Traceback (most recent call last)"):
            is_inside, is_foreign, has_own, foreign = True, False, False, []
        elif is_inside and (frame := FRAME.match(line)):
            is_foreign = not is_own(frame["file"], folder)
            has_own = has_own or not is_foreign
        elif is_inside and not line.startswith(" "):  # the error itself
            found += [] if has_own else foreign
            is_inside = is_foreign = False
        if is_foreign:
            foreign.append(line)
        else:
            found.append(line)
    return found if has_own or not is_inside else [*found, *foreign]


def is_own(file: str, folder: Path) -> bool:
    """Whether a file is one of the author's: below the folder, and no library that happens to lie there."""
    if any(sign in file for sign in HIDDEN) or "site-packages" in file:
        return False
    return Path(file).is_relative_to(folder)


def _signal(number: int) -> str:
    try:
        return f"the signal {signal.Signals(number).name}"
    except ValueError:
        return f"the signal {number}"
