"""Records in files: a game a file, or a game a line; gzipped or not, which is found by content."""

from __future__ import annotations

import gzip
import os
from collections.abc import Generator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import IO

from ludus.core import BadRecord, BadValue, LudusError, Record, one_line, open_bounded

from .formats import decode, encode

LARGEST = 16 << 20  # bytes of one record, unpacked; more is never read
SUFFIX = ".json.gz"  # of the records of a match


def read_record(path: str | Path) -> Record:
    """Read the record that a file holds; rerun it before you believe it."""
    with closing(read_records(path)) as records:
        found = list(islice(records, 2))
    if len(found) > 1:
        raise BadRecord(f"{one_line(str(path))} holds several games, one a line; take them with read_records")
    return found[0]


def read_records(path: str | Path) -> Generator[Record, None, None]:
    """Read the records of a file one after the other: one game, or JSON lines with a game each."""
    name = one_line(str(path))
    with open_bounded(path) as stream:
        line = _line(stream, LARGEST, name)
        try:
            record = decode(line)
        except BadRecord:  # perhaps one game on many lines, as people format it
            rest = stream.read(LARGEST + 1 - len(line))
            record = _decoded(_within(line + rest, LARGEST, name), name)
        yield record
        number = 1
        while line := _line(stream, LARGEST, name):
            number += 1
            if line.strip():
                yield _decoded(line, f"{name}, line {number},")


def write_record(record: Record, path: str | Path) -> None:
    """Write a record, gzipped if the name ends in .gz. The file is there as a whole or not at all."""
    file, data = Path(path), encode(record) + b"\n"
    if len(data) > LARGEST:
        raise BadValue(f"this record has {len(data) >> 20} MiB, and more than {LARGEST >> 20} are never read")
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        # Without the time in its head, so that equal records are equal files.
        part.write_bytes(gzip.compress(data, mtime=0) if file.suffix == ".gz" else data)
        part.replace(file)
    except OSError as error:
        raise _unwritable(file, error) from None
    finally:
        with suppress(OSError):
            part.unlink()


def check_place(path: str | Path) -> None:
    """Say at once if no file can be written there, not when a long game is over."""
    file = Path(path)
    try:
        if file.is_dir():
            raise LudusError(f"a record is written to a file; {one_line(str(file))} is a folder")
        part = file.with_name(f".{file.name}.{os.getpid()}.part")
        part.write_bytes(b"")
        part.unlink()
    except (OSError, ValueError) as error:
        raise _unwritable(file, error) from None


class RecordFolder:
    """A new folder that gets the records of a match: 0001.json.gz and so on."""

    def __init__(self, path: str | Path, games: int) -> None:
        self.path, self.games, self._digits = Path(path), 0, max(4, len(str(games)))
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if any(self.path.iterdir()):
                raise LudusError(f"{one_line(str(path))} is not empty; name a new folder for the records")
        except (OSError, ValueError) as error:
            raise _unwritable(self.path, error) from None
        check_place(self.path / "first")

    def add(self, record: Record) -> None:
        """Write the next game's record."""
        self.games += 1
        write_record(record, self.path / f"{self.games:0{self._digits}}{SUFFIX}")


def _unwritable(path: Path, error: Exception) -> LudusError:
    why = getattr(error, "strerror", None) or str(error)
    return LudusError(f"{one_line(str(path))} cannot be written: {one_line(why)}")


def _line(stream: IO[bytes], most: int, name: str) -> bytes:
    return _within(stream.readline(most + 1), most, name)


def _within(data: bytes, most: int, name: str) -> bytes:
    if len(data) > most:
        raise BadRecord(f"{name} is too large for a record: it holds more than {most >> 20} MiB")
    return data


def _decoded(data: bytes, name: str) -> Record:
    try:
        return decode(data)
    except BadRecord as error:
        raise BadRecord(f"{name} {error}") from None
