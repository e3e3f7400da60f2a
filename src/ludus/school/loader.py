"""The loader: batches from shards, shuffled across files, the same again from any cursor, turned by the game's symmetries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ludus.core import BadRecord, BadValue, LudusError, one_line, read_json
from ludus.games import Game

from .data import KEY, NAME, head_of, packings
from .files import sha256

PARTS = ("all", "train", "test")
TESTED = 10  # of so many games one is for tests, wherever it stands
AT_ONCE, MOST_BYTES = 8, 512 << 20  # files in memory, among which rows are shuffled; what their positions take


class Batch(NamedTuple):
    """What a network learns from."""

    shown: Any  # [n, …] planes, or features
    mask: Any  # [n, actions] bool, own ids
    policy: Any  # [n, actions] float32: the search's, or 1 for what was played
    outcome: Any  # [n, seats] float32, from the seat that decides on


class Rows(NamedTuple):
    """Rows of some files in memory."""

    shown: Any  # [rows, bytes]
    starts: Any  # [rows + 1] where each row's legal actions stand
    legal: Any
    policy: Any
    actions: Any
    outcome: Any  # [rows, seats]


@dataclass(frozen=True)
class Source:
    """A file and which of its rows are taken."""

    path: Path
    rows: Any


def find_shards(folders: Iterable[Path], game: Game, say: Callable[[str], None]) -> list[Path]:
    """Return the files of rows in these folders that are whole and of this game; the others are named and left out."""
    found: list[Path] = []
    for folder in folders:
        hashes = _hashes(folder, say)
        for path in sorted(folder.glob("train-*.parquet")):
            try:
                _check(path, game, hashes.get(path.name))
            except (pa.ArrowException, OSError, LudusError) as error:
                say(f"{one_line(str(path))} is left out: {one_line(str(error), 120)}")
            else:
                found.append(path)
    if not found:
        raise LudusError(f"there is no whole shard of {game.name} in {', '.join(one_line(str(folder)) for folder in folders)}")
    return found


class Loader:
    """Batches without an end, epoch after epoch; batch number k is the same whoever asks for it, and when."""

    def __init__(
        self,
        game: Game,
        files: list[Path],
        size: int = 256,
        seed: int = 0,
        part: str = "all",
        shown: str = "planes",
        is_turned: bool = True,
        say: Callable[[str], None] = print,
    ) -> None:
        self.game, self.size, self.seed, self.shown, self.say = game, size, seed, shown, say
        self._packing = packings(game)[shown]
        self._sources = [source for path in files if len((source := _source(path, part, say)).rows)]
        self.rows = sum(len(source.rows) for source in self._sources)
        if not self.rows:
            raise BadValue(f"these shards hold no decision for the part {part!r}; there must be more games")
        named: dict[str, Any] = game.says("symmetry", "SYMMETRIES") or {}
        whole = is_turned and shown == "planes"
        self._symmetries = [symmetry for symmetry in named.values() if not symmetry.swaps_players] if whole else []

    def batches(self, epoch: int = 0) -> int:
        """Return how many batches an epoch has; they differ by a few, as files come together otherwise."""
        return sum(self._count(group) for group in self._groups(epoch))

    def __call__(self, cursor: int = 0) -> Iterator[Batch]:
        """Give batch number `cursor` and all that follow."""
        epoch, left = 0, cursor
        while left >= (count := self.batches(epoch)):
            epoch, left = epoch + 1, left - count
        while True:
            for number, group in enumerate(self._groups(epoch)):
                count = self._count(group)
                if left < count:
                    yield from self._batches(group, np.random.default_rng([self.seed, epoch, number]), left)
                left = max(0, left - count)
            epoch, left = epoch + 1, 0

    def once(self, most: int = 10**9) -> Iterator[Batch]:
        """Give every row once, as it stands, in batches that may be short: for tests."""
        for source in self._sources:
            rows = self._read([source])
            for first in range(0, min(most, len(rows.actions)), self.size):
                yield self._batch(rows, np.arange(first, min(first + self.size, len(rows.actions), most)), None)
            most -= len(rows.actions)
            if most <= 0:
                return

    def _groups(self, epoch: int) -> list[list[Source]]:
        """Return files that are in memory together, in the order of an epoch."""
        groups: list[list[Source]] = [[]]
        for k in np.random.default_rng([self.seed, epoch]).permutation(len(self._sources)):
            rows = sum(len(source.rows) for source in [*groups[-1], self._sources[k]])
            if groups[-1] and (len(groups[-1]) == AT_ONCE or rows * self._packing.width > MOST_BYTES):
                groups.append([])
            groups[-1].append(self._sources[k])
        return groups

    def _count(self, group: list[Source]) -> int:
        return max(1, sum(len(source.rows) for source in group) // self.size)

    def _batches(self, group: list[Source], rng: Any, skip: int) -> Iterator[Batch]:
        """Give the batches of files in memory; the last few rows, which make no whole batch, wait for another epoch."""
        rows, count = self._read(group), self._count(group)
        order = rng.permutation(len(rows.actions))
        for k in range(count):
            turns = rng.random((len(self._symmetries), self.size)) < 0.5  # drawn for skipped ones, too
            if k >= skip and len(order):
                yield self._batch(rows, order[k * self.size : (k + 1) * self.size], turns)

    def _batch(self, rows: Rows, where: Any, turns: Any) -> Batch:
        """Put rows together; where `turns` says so they are turned."""
        counts = rows.starts[where + 1] - rows.starts[where]
        firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        flat = np.repeat(rows.starts[where] - firsts, counts) + np.arange(int(counts.sum()))
        which, ids, policy = np.repeat(np.arange(len(where)), counts), rows.legal[flat], rows.policy[flat]
        shown = self._packing.unpack(rows.shown[where])
        for k, symmetry in enumerate(self._symmetries if turns is not None else ()):
            turned = turns[k, : len(where)]
            shown[turned] = symmetry.planes(shown[turned])
            ids = np.where(turned[which], np.asarray(symmetry.actions)[ids], ids)
        mask = np.zeros((len(where), self.game.spec.actions), bool)
        target = np.zeros(mask.shape, np.float32)
        mask[which, ids], target[which, ids] = True, policy
        return Batch(shown, mask, target, rows.outcome[where])

    def _read(self, group: list[Source]) -> Rows:
        """Read the rows of some files; one that turns out to be damaged is named and left out."""
        columns = ["legal", "policy", "action", "outcome", self.shown]
        tables = []
        for source in group:
            try:
                table = pq.read_table(source.path, columns=columns, page_checksum_verification=True)
                tables.append(table.take(pa.array(source.rows)) if len(source.rows) < len(table) else table)
            except (pa.ArrowException, OSError) as error:
                self.say(f"{one_line(str(source.path))} is left out: {one_line(str(error), 120)}")
        if not tables:
            raise LudusError("none of the shards that were read is whole any more")
        return _rows(pa.concat_tables(tables).combine_chunks(), self._packing.width, self.shown)


def _rows(table: pa.Table, width: int, shown: str) -> Rows:
    """Return the columns of a table as arrays; a row without a policy has 1 for what was played."""
    one = {name: table.column(name).chunk(0) for name in table.column_names}
    starts = one["legal"].offsets.to_numpy().astype(np.int64)
    starts -= starts[0]
    legal = one["legal"].flatten().to_numpy()
    actions = one["action"].to_numpy()
    counts = np.diff(starts)
    own = one["policy"].value_lengths().to_numpy(zero_copy_only=False) > 0
    policy = (legal == np.repeat(actions, counts)).astype(np.float32)
    policy[np.repeat(own, counts)] = one["policy"].flatten().to_numpy()
    data = np.frombuffer(one[shown].buffers()[1], np.uint8)[one[shown].offset * width :][: len(table) * width]
    outcome = one["outcome"].flatten().to_numpy().reshape(len(table), -1)
    return Rows(data.reshape(len(table), width), starts, legal, policy, actions, outcome)


def _source(path: Path, part: str, say: Callable[[str], None]) -> Source:
    """Return a file with the rows of a part: of ten games one is for tests."""
    if part not in PARTS:
        raise BadValue(f"the parts of shards are {', '.join(PARTS)}, not {part!r}")
    try:
        games = pq.read_table(path, columns=["game"]).column("game").to_numpy()
    except (pa.ArrowException, OSError) as error:
        say(f"{one_line(str(path))} is left out: {one_line(str(error), 120)}")
        return Source(path, np.zeros(0, np.int64))
    is_tested = games % TESTED == TESTED - 1
    chosen = is_tested if part == "test" else ~is_tested if part == "train" else np.ones(len(games), bool)
    return Source(path, np.flatnonzero(chosen))


def _hashes(folder: Path, say: Callable[[str], None]) -> dict[str, str]:
    """Return the hashes of a folder's manifest; a folder that is still being written has none."""
    try:
        listed = read_json((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
        return {file["name"]: file["sha256"] for file in listed}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError):
        say(f"{one_line(str(folder / 'manifest.json'))} cannot be read; files are checked without it")
        return {}


def _check(path: Path, game: Game, due: str | None) -> None:
    """Raise if a file is no whole shard of the game."""
    schema = pq.read_schema(path)
    head, own = read_json((schema.metadata or {}).get(KEY, b"{}")), json.loads(json.dumps(head_of(game)))
    for key in ("game", "rules", "actions", "seats"):
        if head.get(key) != own[key]:
            raise BadRecord(f"its {key} is {head.get(key)}, not {own[key]}")
    if any(head["shown"].get(name) != packing for name, packing in own["shown"].items() if name in head["shown"]):
        raise BadRecord("it shows positions in another way, or of boards of other sizes")
    if not NAME.fullmatch(path.name):
        raise BadRecord("its name is not train-NNNNN-of-NNNNN.parquet")
    if due is not None and sha256(path) != due:
        raise BadRecord("it is not the file that the manifest lists: it was cut or changed")
