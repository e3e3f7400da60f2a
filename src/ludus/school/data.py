"""Shards: Parquet files that anybody can read. One row a decision, and a table of the games; docs/shards.md says what is where.

Rows are kept small while games are played, and written when the outcomes are known: by ply, then by game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludus.core import MissingExtra, Result
from ludus.games import Game

from .files import sha256, whole_file, write_text
from .gumbel import INPUTS

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtra("pyarrow, which reads and writes shards,", "school") from None

FORMAT = 1
KEY = b"ludus"  # of what a file says of itself, in the metadata of its schema
GROUP_BYTES = 32 << 20  # of one row group, unpacked
NAME = re.compile(r"train-([0-9]{5})-of-([0-9]{5})\.parquet")


class GameRow(NamedTuple):
    """One game as the table of games tells it."""

    number: int  # of the game, in its folder
    seed: int
    start: str  # the position in the game's text form, where it was not dealt
    agents: tuple[str, ...]
    plies: int
    result: Result


@dataclass(frozen=True)
class Packing:
    """How what a network looks at stands in a column: fixed-size binary, of bits where numbers are 0 or 1."""

    shape: tuple[int, ...]
    type: str  # NumPy's, little-endian
    is_bits: bool

    @property
    def width(self) -> int:
        """Bytes a row."""
        cells = int(np.prod(self.shape))
        return -(-cells // 8) if self.is_bits else cells * np.dtype(self.type).itemsize

    def pack(self, shown: Any) -> Any:
        """Return bytes [n, width]."""
        flat = np.ascontiguousarray(shown, self.type).reshape(len(shown), -1)
        return np.packbits(flat, axis=1) if self.is_bits else flat.view(np.uint8)

    def unpack(self, data: Any) -> Any:
        """Return what was packed [n, …]; it may be changed."""
        cells = int(np.prod(self.shape))
        flat = np.unpackbits(data, axis=1, count=cells) if self.is_bits else np.ascontiguousarray(data).view(self.type)
        return flat.reshape(len(data), *self.shape)


def packings(game: Game) -> dict[str, Packing]:
    """Return the columns that show a position of this game to a network."""
    spec = game.spec
    is_bits = np.dtype(spec.plane_type) == np.uint8 and spec.plane_high == 1
    found = {"planes": Packing(tuple(spec.planes), np.dtype(spec.plane_type).str, is_bits)}
    if features := len(getattr(spec, "features", ())):
        found["features"] = Packing((features,), "<f4", False)
    return found


def head_of(game: Game) -> dict[str, Any]:
    """Return what every file says of itself."""
    shown = {name: {"shape": p.shape, "type": p.type, "bits": p.is_bits} for name, p in packings(game).items()}
    return {
        "format": FORMAT, "game": game.name, "rules": game.spec.version, "options": dict(game.options),
        "seats": game.spec.seats, "actions": game.spec.actions, "shown": shown,
    }  # fmt: skip


def row_schema(game: Game) -> pa.Schema:
    """Return the columns of the rows: one decision each."""
    seats = len(game.spec.seats)
    columns = [
        ("game", pa.int64()),
        ("ply", pa.int32()),
        ("seat", pa.int8()),
        *((name, pa.binary(packing.width)) for name, packing in packings(game).items()),
        ("legal", pa.list_(pa.int32())),
        ("policy", pa.list_(pa.float32())),
        ("action", pa.int32()),
        ("outcome", pa.list_(pa.float32(), seats)),
    ]
    return pa.schema(columns, {KEY: json.dumps(head_of(game))})


def game_schema(game: Game) -> pa.Schema:
    """Return the columns of the table of games."""
    seats = len(game.spec.seats)
    columns = [
        ("game", pa.int64()),
        ("seed", pa.int64()),
        ("start", pa.string()),
        ("agents", pa.list_(pa.string(), seats)),
        ("plies", pa.int32()),
        ("status", pa.int8()),
        ("outcome", pa.list_(pa.float32(), seats)),
        ("points", pa.list_(pa.float64(), seats)),
    ]
    return pa.schema(columns, {KEY: json.dumps(head_of(game))})


class Block(NamedTuple):
    """Decisions that were added together."""

    games: Any  # [rows]
    plies: Any
    seats: Any
    shown: dict[str, Any]  # packed and compressed: most of it is zeros
    counts: Any  # [rows] legal actions
    legal: Any  # [sum of counts] own ids, row after row
    policy: Any  # the same of probabilities
    has_policy: Any  # [rows]
    actions: Any  # [rows] own ids


@dataclass
class Shard:
    """The rows of one file, as long as their games are being played."""

    keeps_all = False  # decisions that were made at random are no example

    game: Game
    blocks: list[Block] = field(default_factory=list)
    rows: int = 0

    def __post_init__(self) -> None:
        self._packings = packings(self.game)
        self.paints = {name: INPUTS[name] for name in self._packings}  # by column, the method of a batch or table

    def add(self, games: Any, plies: Any, seats: Any, shown: dict[str, Any], masks: Any, actions: Any, policy: Any) -> None:
        """Add decisions: whose, what was seen, what was legal and played in own ids, and the policy; zeros are none."""
        count = len(games)
        if count == 0:
            return
        where, legal = np.nonzero(masks)
        packed = {
            name: pa.compress(np.ascontiguousarray(packing.pack(shown[name])), "lz4", asbytes=True)
            for name, packing in self._packings.items()
        }
        likely = np.zeros(len(legal), np.float32) if policy is None else np.asarray(policy)[where, legal].astype(np.float32)
        has_policy = np.zeros(count, bool) if policy is None else np.asarray(policy).any(1)
        counts = np.bincount(where, minlength=count).astype(np.int32)
        whose = np.array(games, "i8"), np.array(plies, "i4"), np.array(seats, "i1")
        what = counts, legal.astype(np.int32), likely, has_policy, np.array(actions, "i4")
        self.blocks.append(Block(*whose, packed, *what))
        self.rows += count

    def write(self, path: Path, played: Sequence[GameRow]) -> None:
        """Write the rows of games that have ended, and their games beside them; the rows come last and stand for both."""
        write_games(path.with_name(path.name.replace("train-", "games-")), self.game, played)
        outcomes = {row.number: np.array(row.result.outcome, np.float32) for row in played}
        schema = row_schema(self.game)
        with whole_file(path) as part, _writer(part, schema) as writer:
            for some in self._groups():
                table = self._table(some, outcomes, schema)
                writer.write_table(table, row_group_size=max(1, len(table)))

    def _groups(self) -> Iterator[list[Block]]:
        """Give blocks that together make a row group."""
        width = sum(packing.width for packing in self._packings.values()) + 256
        group: list[Block] = []
        for block in self.blocks:
            group.append(block)
            if sum(len(one.games) for one in group) * width >= GROUP_BYTES:
                yield group
                group = []
        if group:
            yield group

    def _table(self, blocks: list[Block], outcomes: dict[int, Any], schema: pa.Schema) -> pa.Table:
        names = ("games", "plies", "seats", "counts", "legal", "policy", "has_policy", "actions")
        games, plies, seats, counts, legal, policy, has_policy, actions = (
            np.concatenate([getattr(block, name) for block in blocks]) for name in names
        )
        kept = np.repeat(has_policy, counts)
        by_seat = np.stack([outcomes[int(number)] for number in games])
        places = (seats[:, None] + np.arange(by_seat.shape[1])) % by_seat.shape[1]
        outcome = np.take_along_axis(by_seat, places, 1)  # from the seat that decides on
        columns = {
            "game": pa.array(games), "ply": pa.array(plies), "seat": pa.array(seats),
            **{name: self._binary(blocks, name) for name in self._packings},
            "legal": _lists(counts, legal), "policy": _lists(np.where(has_policy, counts, 0), policy[kept]),
            "action": pa.array(actions),
            "outcome": pa.FixedSizeListArray.from_arrays(pa.array(outcome.ravel()), by_seat.shape[1]),
        }  # fmt: skip
        return pa.table(columns, schema)

    def _binary(self, blocks: list[Block], name: str) -> pa.Array:
        width = self._packings[name].width
        data = b"".join(pa.decompress(block.shown[name], len(block.games) * width, "lz4", asbytes=True) for block in blocks)
        rows = len(data) // width
        return pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), rows, [None, pa.py_buffer(data)])


def write_games(path: Path, game: Game, played: Sequence[GameRow]) -> None:
    """Write the table of games of one shard."""
    columns = {
        "game": [row.number for row in played], "seed": [row.seed for row in played], "start": [row.start for row in played],
        "agents": [list(row.agents) for row in played], "plies": [row.plies for row in played],
        "status": [row.result.status for row in played], "outcome": [list(row.result.outcome) for row in played],
        "points": [list(row.result.points) for row in played],
    }  # fmt: skip
    with whole_file(path) as part:
        pq.write_table(pa.table(columns, game_schema(game)), part, compression="zstd")


def shard_name(number: int, total: int) -> str:
    """Return the name of a file of rows."""
    return f"train-{number:05}-of-{total:05}.parquet"


def finish_folder(folder: Path, game: Game, made_by: dict[str, Any]) -> dict[str, Any]:
    """Write manifest and dataset card of a folder whose files are all there; return the manifest."""
    files = []
    for path in sorted([*folder.glob("train-*.parquet"), *folder.glob("games-*.parquet")]):
        files.append({"name": path.name, "rows": pq.read_metadata(path).num_rows, "sha256": sha256(path)})
    manifest = {**head_of(game), "made_by": made_by, "files": files}
    write_text(folder / "README.md", card(game, manifest))
    write_text(folder / "manifest.json", json.dumps(manifest, indent=1) + "\n")
    return manifest


def facts_of(folder: Path) -> dict[str, float]:
    """Return what a folder's games were like: how many, how long on average, which share was decided, how many rows."""
    games = pq.read_table(sorted(folder.glob("games-*.parquet")), columns=["plies", "outcome"])
    outcomes = games.column("outcome").combine_chunks().flatten().to_numpy().reshape(len(games), -1)
    rows = sum(pq.read_metadata(path).num_rows for path in folder.glob("train-*.parquet"))
    plies = float(games.column("plies").to_numpy().mean())
    return {"games": len(games), "plies": plies, "decided": float(outcomes.any(1).mean()), "positions": rows}


def card(game: Game, manifest: dict[str, Any]) -> str:
    """Return the dataset card: what is in the folder, and how to read it."""
    counts = {kind: sum(f["rows"] for f in manifest["files"] if f["name"].startswith(kind)) for kind in ("train", "games")}
    options = ", ".join(f"{name}={value}" for name, value in game.options.items()) or "none"
    shown = "\n".join(
        f"- `{name}`: numbers of the type {p['type']} and shape {list(p['shape'])}, "
        + ("eight to a byte, the first one highest (numpy.packbits)" if p["bits"] else "one after the other")
        for name, p in manifest["shown"].items()
    )
    about = json.dumps(manifest["made_by"], indent=1)
    return (
        f"---\npretty_name: games of {game.spec.title}\ntags: [games, reinforcement-learning, ludus]\nconfigs:\n"
        "- config_name: decisions\n  data_files: train-*.parquet\n- config_name: games\n  data_files: games-*.parquet\n---\n"
        f"# Games of {game.spec.title}\n\n{counts['games']} games, {counts['train']} decisions; version {game.spec.version} "
        f"of the rules; options: {options}; seats: {', '.join(game.spec.seats)}.\n\n"
        "`train-*.parquet` has one row a decision, `games-*.parquet` one a game; `game` joins them. Action ids and planes are "
        f"in the frame of the seat that decides, and `outcome` begins with that seat.\n\n{shown}\n\n"
        f"Made by:\n\n```json\n{about}\n```\n"
    )


def _writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    return pq.ParquetWriter(
        path, schema, compression="zstd", use_dictionary=["game", "ply", "seat"], write_page_checksum=True,
        write_statistics=["game", "ply", "seat"],
    )  # fmt: skip


def _lists(counts: Any, values: Any) -> pa.ListArray:
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values))
