"""Opening whatever can be watched: records, and the replay files of the games' original programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.core import BadRecord, one_line, open_bounded, read_bounded
from ludus.games import Game, load, names

from .replay import Replay, open_replay

LARGEST_ORIGINAL = 256 << 20  # bytes of a replay file of an original program, unpacked; more is never read


@dataclass(frozen=True)
class Original:
    """A replay file of some game's original program, as the game's own reader tells it: it brings its own pictures."""

    game: Game
    told: Any  # what the game's `original.read_replay` returned


def open_original(path: str | Path) -> Original:
    """Read a replay file of a game's original program; whose it is, its content tells."""
    data, name = read_bounded(path, LARGEST_ORIGINAL), one_line(str(path))
    for game in map(load, names()):
        read = game.says("original", "read_replay")
        try:
            told = None if read is None else read(data)
        except BadRecord as error:
            raise BadRecord(f"{name} {error}") from None
        if told is not None:
            return Original(game, told)
    raise BadRecord(f"{name} is neither a record nor a replay file of a game's original program")


def open_any(path: str | Path, device: str = "cpu") -> Replay | Original:
    """Open whatever can be watched: a record, or a replay file of an original program, which is a list in JSON."""
    with open_bounded(path) as stream:
        is_list = stream.read(64).lstrip().startswith(b"[")
    return open_original(path) if is_list else open_replay(path, device)
