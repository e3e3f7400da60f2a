"""Files that are there as a whole or not at all, whenever the program is killed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ludus.core import LudusError, one_line


class Unwritable(LudusError):
    """A place where nothing can be written."""


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a temporary name to write to; the file gets its own name when all of it is on the disk."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield part
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        part.replace(path)
    except OSError as error:
        raise Unwritable(f"{one_line(str(path))} cannot be written: {one_line(error.strerror or str(error))}") from None
    finally:
        with suppress(OSError):
            part.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a text as a whole file."""
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8")


def sha256(path: Path) -> str:
    """Return the hash of what a file holds, as sha256sum prints it."""
    with path.open("rb") as contents:
        return hashlib.file_digest(contents, "sha256").hexdigest()


def clear_parts(folder: Path) -> None:
    """Remove what a killed program had begun to write here; nobody else may be writing."""
    for part in folder.glob(".*.part"):
        with suppress(OSError):
            part.unlink()
