"""What a bot makes its tables with: rules of its game, compiled, and a place on disk for the last few tables."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ludus.games import Game

from .sources import cache_root

KEPT = 8  # tables of a game that stay on disk


class Tools:
    """Tools of one game on one device, handed to `prepare(view, tools)`; on `pure` nothing is compiled or kept."""

    def __init__(self, game: Game, device: str = "cpu") -> None:
        self.game, self.device = game, device

    def tables(self, bot: str, view: Any) -> Any:
        """Return the tables of a bot for a game that begins with this view."""
        return self.game.part("bots").PREPARE[bot](view, self)

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a rule of the game as the device runs it."""
        if self.device == "pure":
            return function
        from .compiled import compiled_rule

        return compiled_rule(self.game, function)

    def kept(self, key: bytes, make: Callable[[], npt.NDArray[Any]]) -> npt.NDArray[Any]:
        """Return the table of this key, read-only: from disk, or made and put there in place of the oldest."""
        if self.device == "pure":
            return _read_only(make())
        file = self._file(key)
        with suppress(OSError, ValueError):  # not there, or no table: make it
            table = np.load(file, mmap_mode="r")
            with suppress(OSError):  # a contained bot reads it and may not touch it
                os.utime(file)
            return _read_only(np.asarray(table))
        table = make()
        with suppress(OSError):  # a full or read-only disk costs time, not the game
            _save(table, file)
        return _read_only(table)

    def _file(self, key: bytes) -> Path:
        """Return where a table lives; other sources, sizes or versions have other files."""
        from .cache import source_key

        name = hashlib.sha256(source_key(self.game).encode() + key).hexdigest()[:24]
        return cache_root() / self.game.name / "tables" / f"{name}.npy"


def _save(table: npt.NDArray[Any], file: Path) -> None:
    """Write a table whole or not at all, then remove the oldest files: tables, and parts that a killed process left."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as part:
            np.save(part, table)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
    for old in sorted(file.parent.iterdir(), key=lambda other: other.stat().st_mtime)[:-KEPT]:
        old.unlink(missing_ok=True)


def _read_only(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    table.flags.writeable = False
    return table
