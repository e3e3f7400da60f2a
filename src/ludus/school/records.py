"""Records of the arena as shards: every game is run again, so that what is learned from was really played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ludus.arena import read_records
from ludus.core import RUNNING, BadValue, LudusError, Record, one_line
from ludus.games import Game, load

from .data import GameRow, Shard, finish_folder, shard_name
from .play import add_record

ROWS = 100_000  # a file, about


def shards_from(sources: list[Path], out: Path, say: Callable[[str], None] = print) -> dict[str, Any]:
    """Write the games of record files, or of folders of them, as shards; what is damaged is named and left out."""
    if any(out.glob("*.parquet")):
        raise LudusError(f"{one_line(str(out))} holds shards already; name a new folder")
    files = _files(sources)
    # How many files there will be is known when all games were run; until then each has a name of its own.
    written: list[tuple[Path, Path]] = []
    game: Game | None = None
    shard: Shard | None = None
    played: list[GameRow] = []
    number = 0
    for name, record in _readable(files, say):
        own = load(record.game, **record.options)
        if game is not None and (own.name, own.options) != (game.name, game.options):
            say(f"{name} is left out: it is no game of {game.name} with the options of the first one")
            continue
        game, shard = own, shard or Shard(own)
        try:
            part = Shard(own)
            row = add_record(part, record, number)
        except LudusError as error:
            say(f"{name} is left out: {one_line(str(error), 120)}")
            continue
        shard.blocks += part.blocks
        shard.rows += part.rows
        played.append(row)
        number += 1
        if shard.rows >= ROWS:
            written.append(_write(shard, played, out, len(written)))
            shard, played = None, []
    if game is None:
        raise BadValue(f"there is no record of a game in {', '.join(one_line(str(source)) for source in sources)}")
    if shard is not None and played:
        written.append(_write(shard, played, out, len(written)))
    for k, (rows, games) in enumerate(written):
        name = shard_name(k, len(written))
        games.rename(out / name.replace("train-", "games-"))
        rows.rename(out / name)
    return finish_folder(out, game, {"by": "records", "files": len(files), "games": number})


def _write(shard: Shard, played: list[GameRow], out: Path, number: int) -> tuple[Path, Path]:
    """Write a file under a name that no reader takes for a shard; return it and that of its games."""
    path = out / f"unnamed-train-{number:05}.parquet"
    shard.write(path, played)
    return path, path.with_name(path.name.replace("train-", "games-"))


def _files(sources: list[Path]) -> list[Path]:
    found: list[Path] = []
    for source in sources:
        if not source.exists():
            raise LudusError(f"there is no file or folder {one_line(str(source))}")
        found += sorted(file for file in source.rglob("*") if file.is_file()) if source.is_dir() else [source]
    return found


def _readable(files: list[Path], say: Callable[[str], None]) -> Iterator[tuple[str, Record]]:
    """Give the records of files that have ended, with the name of each."""
    for file in files:
        name = one_line(str(file))
        try:
            for number, record in enumerate(read_records(file)):
                if record.result.status == RUNNING and record.forfeit is None:
                    say(f"{name}, game {number}, is left out: it has no end")
                else:
                    yield name, record
        except LudusError as error:
            say(f"{name} is left out: {one_line(str(error), 120)}")
