"""Output that any terminal, pipe or file can take: what it cannot show gets a plain sign instead."""

from __future__ import annotations

import codecs
import sys

from ludus.core import LudusError, spelled


def prepare_output() -> None:
    """Make sure that whatever is printed can be written."""
    if sys.stdout is None or sys.stdout.closed:
        raise LudusError("there is no standard output to print to")
    codecs.register_error("ludus_plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="ludus_plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Return signs that can be written for those that cannot."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return spelled(error.object[error.start : error.end], error.encoding), error.end
