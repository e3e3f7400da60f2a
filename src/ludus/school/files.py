"""Files that are there as a whole or not at all, whenever the program is killed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludus.core import BadValue, LudusError, one_line, read_json


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


def agree(arguments: Any, folder: Path, free: Collection[str]) -> None:
    """Write down what a run was asked for; one that goes on may be given other values of what is free, and of nothing else."""
    file, text = folder / "arguments.json", json.dumps(asdict(arguments), indent=1) + "\n"
    if file.is_file():
        try:
            there = read_json(file.read_text(encoding="utf-8"))
            if not isinstance(there, dict):
                raise ValueError("it is no object of JSON")
        except (OSError, ValueError) as error:
            raise LudusError(f"{one_line(str(file))} cannot be read: {one_line(str(error))}") from None
        for name, value in asdict(arguments).items():
            if name not in free and there.get(name) != value:
                was = f"{one_line(str(folder))} was begun with {name}={there.get(name)}"
                raise BadValue(f"{was}, not {value}; name a new folder")
        if json.loads(text) == there:
            return
    write_text(file, text)
