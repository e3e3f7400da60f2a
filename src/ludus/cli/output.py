"""Input and output that are there, and output that any terminal, pipe or file can take: what it cannot show is spelled."""

from __future__ import annotations

import codecs
import os
import sys

from ludus.core import LudusError, spelled


def prepare_output() -> None:
    """Make sure that whatever is printed can be written, and that nobody who was started without input waits for any."""
    _fill_gaps()
    if sys.stdout is None or sys.stdout.closed:
        raise LudusError("there is no standard output to print to")
    codecs.register_error("ludus_plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="ludus_plain")


def _fill_gaps() -> None:
    """Put nothing in the place of input and errors that were closed: the next file that is opened would be taken for them."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Return signs that can be written for those that cannot."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return spelled(error.object[error.start : error.end], error.encoding), error.end
