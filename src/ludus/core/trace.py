"""Traces: recorded games as the golden checks read them; every key must be used or compared."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import BadRecord
from .files import read_json

_NOTHING = object()


class Difference(Exception):
    """The first value that is not as recorded; `where` names file, game, step and key."""

    def __init__(self, where: str, came: object, due: object) -> None:
        super().__init__(where, came, due)
        self.where, self.came, self.due = where, came, due

    def __str__(self) -> str:
        return f"{self.where}: came {_short(self.came)}, due {_short(self.due)}"


@dataclass
class Count:
    """What has been compared so far."""

    games: int = 0
    steps: int = 0
    values: int = 0


class Trace:
    """One recorded object, or a part of it; it knows which of its keys nobody has looked at."""

    def __init__(self, data: dict[str, Any], where: str, count: Count) -> None:
        self.data, self.where, self.count = data, where, count
        self.left = dict.fromkeys(data)

    def has(self, key: str) -> bool:
        """Whether the trace has this key."""
        return key in self.data

    def take(self, key: str, default: Any = _NOTHING) -> Any:
        """Return a value that drives the game."""
        self.left.pop(key, None)
        if key in self.data:
            return self.data[key]
        if default is _NOTHING:
            raise BadRecord(f"{self.where}: the key {key!r} is missing")
        return default

    def compare(self, key: str, came: object) -> None:
        """Compare what came with what was recorded under a key."""
        self.left.pop(key, None)
        due = self.data.get(key, _NOTHING)
        if due is _NOTHING:
            raise Difference(f"{self.where}, {key}", came, "nothing")
        self.count.values += _leaves(due)
        if not _same(came, due):
            raise Difference(f"{self.where}, {_deeper(key, came, due)}", *_part(came, due))

    def part(self, key: str) -> Trace:
        """Return an object inside this one as a trace of its own; end it with `close`."""
        return Trace(self.take(key), f"{self.where}, {key}", self.count)

    def steps(self, key: str = "steps") -> Iterator[Trace]:
        """Go through a list of objects, each closed after its turn."""
        for number, data in enumerate(self.take(key)):
            self.count.steps += 1
            step = Trace(data, f"{self.where}, step {number}", self.count)
            yield step
            step.close()

    def close(self) -> None:
        """Make sure that nothing of the trace was passed over."""
        for key in self.left:
            raise Difference(f"{self.where}, {key}", "nothing (this key is not compared)", self.data[key])


def read_traces(file: Path) -> Iterator[Any]:
    """Read JSON lines, gzipped if the name says so."""
    opened = gzip.open if file.suffix == ".gz" else open
    line_number = 0
    try:
        with opened(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                line_number += 1
                if line.strip():
                    yield read_json(line)
    except FileNotFoundError:
        raise BadRecord(f"{file} does not exist") from None
    except IsADirectoryError:
        raise BadRecord(f"{file} is a folder; name the files in it") from None
    except gzip.BadGzipFile:
        raise BadRecord(f"{file.name} is not a gzip file, though its name ends in .gz") from None
    except (EOFError, OSError) as error:
        raise BadRecord(f"{file.name} is cut off or damaged after line {line_number} ({error})") from None
    except ValueError as error:
        raise BadRecord(f"{file.name}, line {line_number}, is not JSON ({error})") from None


def _same(came: object, due: object) -> bool:
    """Compare as JSON does: numbers by value, tuples as lists, but truth is no number."""
    if isinstance(due, dict):
        return isinstance(came, dict) and came.keys() == due.keys() and all(_same(came[k], due[k]) for k in due)
    if isinstance(due, list):
        return isinstance(came, list | tuple) and len(came) == len(due) and all(map(_same, came, due))
    return came == due and isinstance(came, bool) == isinstance(due, bool)


def _leaves(due: object) -> int:
    if isinstance(due, dict):
        return sum(map(_leaves, due.values()))
    return sum(map(_leaves, due)) if isinstance(due, list) else 1


def _deeper(key: str, came: object, due: object) -> str:
    """Name the innermost key at which two values part."""
    if isinstance(due, dict) and isinstance(came, dict):
        for k in due.keys() | came.keys():
            if not _same(came.get(k, _NOTHING), due.get(k, _NOTHING)):
                return _deeper(f"{key}.{k}", came.get(k), due.get(k))
    return key


def _part(came: object, due: object) -> tuple[object, object]:
    if isinstance(due, dict) and isinstance(came, dict):
        for k in due.keys() | came.keys():
            if not _same(came.get(k, _NOTHING), due.get(k, _NOTHING)):
                return _part(came.get(k, "nothing"), due.get(k, "nothing"))
    return came, due


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) < 200 else text[:200] + "…"
