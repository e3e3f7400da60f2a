"""Files from outside, read within bounds: gzip is found by content, and what unpacks to a gigabyte stays small here."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from .errors import BadRecord, one_line

GZIP = b"\x1f\x8b"  # how a gzipped file begins


def is_there(path: str | Path) -> bool:
    """Say whether there is a file or folder of this name; a name that none can have is a name of none."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long, or with signs that no name may have
        return False


def is_file(path: str | Path) -> bool:
    """Say whether there is an ordinary file of this name."""
    return is_there(path) and Path(path).is_file()


@contextmanager
def open_bounded(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, gzipped or not; whatever goes wrong with it is a BadRecord that names it."""
    file, name = Path(path), one_line(str(path))
    try:
        if file.is_dir():
            raise BadRecord(f"{name} is a folder, not a file")
        if file.exists() and not file.is_file():  # to open a pipe may wait for ever
            raise BadRecord(f"{name} is no ordinary file")
        with file.open("rb") as raw:
            is_packed = raw.read(len(GZIP)) == GZIP
            raw.seek(0)
            if is_packed:
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield cast(IO[bytes], unpacked)
            else:
                yield raw
    except FileNotFoundError:
        raise BadRecord(f"there is no file {name}") from None
    except PermissionError:
        raise BadRecord(f"{name} may not be read by you") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise BadRecord(f"{name} is cut off or damaged: it cannot be unpacked") from None
    except (OSError, ValueError) as error:  # a disk that fails, a name that no file can have
        raise BadRecord(f"{name} cannot be read: {one_line(str(error))}") from None


def read_bounded(path: str | Path, most: int) -> bytes:
    """Return the contents of a file, unpacked, which may be `most` bytes long; no more is ever in memory."""
    with open_bounded(path) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise BadRecord(f"{one_line(str(path))} is too large: it holds more than {most >> 20} MiB")
    return data


def read_json(text: str | bytes) -> Any:
    """Read JSON; whatever is none, also what is nested too deeply or has numbers of thousands of digits, is a ValueError."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
