"""Opening whatever can be watched: records, and the replay files of the games' original programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ludus.core import BadRecord, Scene, one_line, open_bounded, read_bounded
from ludus.games import Game, load, names

from .replay import Replay, open_replay

LARGEST_ORIGINAL = 256 << 20  # bytes of a replay file of an original program, unpacked; more is never read


@dataclass(frozen=True)
class Original:
    """A replay file of some game's original program: no rules are asked, so that it brings its own pictures."""

    game: Game
    names: tuple[str, ...]  # of those who played, by seat
    scenes: list[Scene]  # the start, then one a turn

    @property
    def turns(self) -> int:
        """How many turns there are to see."""
        return len(self.scenes) - 1


def open_original(path: str | Path) -> Original:
    """Read a replay file of a game's original program; whose it is, its content tells.

    A game that has such files offers, in `original`, `read_replay(data)`, which returns None if they are not its own and else
    something with the `names` of the seats, and `scenes_of_original` of that, which cannot fail.
    """
    data, name = read_bounded(path, LARGEST_ORIGINAL), one_line(str(path))
    for game in map(load, names()):
        read = game.says("original", "read_replay")
        try:
            told = None if read is None else read(data)
        except BadRecord as error:
            raise BadRecord(f"{name} {error}") from None
        if told is not None:
            return Original(game, told.names, game.part("original").scenes_of_original(told))
    raise BadRecord(f"{name} is neither a record nor a replay file of a game's original program")


def open_any(path: str | Path, device: str = "cpu") -> Replay | Original:
    """Open whatever can be watched: a record, or a replay file of an original program, which is a list in JSON."""
    with open_bounded(path) as stream:
        is_list = stream.read(64).lstrip().startswith(b"[")
    return open_original(path) if is_list else open_replay(path, device)
