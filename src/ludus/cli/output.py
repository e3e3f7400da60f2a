"""Output that any terminal, pipe or file can take: what it cannot show gets a plain sign instead."""

from __future__ import annotations

import codecs
import sys

from ludus.core import LudusError

# What stands for our signs where only ASCII, or a code page of Windows, can be written.
PLAIN = {
    "█": "#", "·": ".", "░": ":", "▒": ":", "▓": "#", "…": "...", "–": "-", "—": "-", "−": "-", "×": "x", "→": "->", "←": "<-",
    "↑": "^", "↓": "v", "±": "+-", "≥": ">=", "≤": "<=", "²": "2", "³": "3", "µ": "u", "│": "|", "─": "-", "■": "#", "●": "o",
}  # fmt: skip


def prepare_output() -> None:
    """Make sure that whatever is printed can be written."""
    if sys.stdout is None or sys.stdout.closed:
        raise LudusError("there is no standard output to print to")
    codecs.register_error("ludus_plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="ludus_plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Return a sign that can be written for those that cannot."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end
