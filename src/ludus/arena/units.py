"""Work units of a tournament: many games each, played inside kernels or by referees, the same wherever they run."""

from __future__ import annotations

import gzip
import hashlib
import platform
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import numpy as np

import ludus
from ludus.agents import Agent, Parcel, make_agent
from ludus.core import RUNNING, Fault, LudusError, Record, Result
from ludus.engine import Batch, Table
from ludus.games import Game

from .formats import encode
from .referee import Referee
from .series import Conditions

MOST_OPEN = 8  # bots that a worker keeps open between games
MOST_VERDICTS = 20  # of a game and seat that are kept beside the record
COMPARED = ("numpy", "numba", "msgspec")  # packages of which a worker must have the same version


class Planned(NamedTuple):
    """A game that is to be played."""

    number: int
    round: int
    seed: int
    position: str  # "" = dealt
    entrants: tuple[int, ...]  # by seat


class Outcome(NamedTuple):
    """A game that was played, as it goes into the ledger."""

    number: int
    entrants: tuple[int, ...]
    result: Result
    decisions: int
    digest: str  # of the last position, in hexadecimal digits
    forfeit: int | None = None
    faults: tuple[Fault, ...] = ()
    answers: tuple[tuple[int, float, float], ...] = ()  # by seat: count, seconds, the longest
    record: bytes = b""  # gzipped, or b"": it can be played again from its seed

    @property
    def is_void(self) -> bool:
        """Whether it does not count: it was stopped through no fault of the bots."""
        return self.result.status == RUNNING


@dataclass(frozen=True)
class Shared:
    """What all units of a tournament share."""

    key: str  # tells one tournament from another in a worker that lives longer
    game: Game
    bots: dict[int, tuple[str, str]]  # by entrant: name and word
    hashes: dict[int, str]
    compiled: dict[int, str]  # those that play inside kernels: their names there
    conditions: Conditions
    share: float  # of the games whose records are kept
    stamp: str  # the versions of whoever handed the work out
    parcels: dict[int, Parcel] | None = None  # the bots' files, where a worker has none of them


class Done(NamedTuple):
    """What came of a unit."""

    outcomes: list[Outcome]
    seconds: float
    host: str


def play_unit(shared: Shared, games: Sequence[Planned]) -> Done:
    """Play the games of a unit."""
    if (here := stamp()) != shared.stamp:
        raise LudusError(f"{platform.node()} has {here}, and the tournament is run with {shared.stamp}; install the same there")
    begun = time.perf_counter()
    in_kernels = [plan for plan in games if _is_for_kernels(shared, plan)]
    found = _in_kernels(shared, in_kernels)
    found |= {plan.number: _refereed(shared, plan) for plan in games if plan.number not in found}
    return Done([found[plan.number] for plan in games], time.perf_counter() - begun, platform.node())


@cache
def stamp() -> str:
    """Return which versions play here: two that differ might play different games."""
    sources = hashlib.blake2b(digest_size=4)
    home = Path(ludus.__file__).parent
    for file in sorted(home.rglob("*.py")):
        sources.update(file.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return f"ludus {ludus.__version__} ({sources.hexdigest()}), Python {python}, " + ", ".join(
        f"{name} {_version(name)}" for name in COMPARED
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "?"


def keeps_record(share: float, number: int) -> bool:
    """Whether the record of a game is kept: a share of all, which its number alone decides."""
    word = hashlib.blake2b(str(number).encode(), digest_size=8, person=b"ludus keep").digest()
    return int.from_bytes(word, "little") < share * 2**64


def _is_for_kernels(shared: Shared, plan: Planned) -> bool:
    """Whether a game is played inside a kernel: all bots can, and nothing but the result is wanted."""
    return all(entrant in shared.compiled for entrant in plan.entrants) and not keeps_record(shared.share, plan.number)


def _in_kernels(shared: Shared, games: list[Planned]) -> dict[int, Outcome]:
    """Play games of built-in bots, as a referee would let them; what a kernel refuses is left for the referee to judge."""
    found: dict[int, Outcome] = {}
    for order in dict.fromkeys(plan.entrants for plan in games):
        some = [plan for plan in games if plan.entrants == order]
        try:
            found |= _batch(shared, order, some)
        except LudusError:  # a bot answered what may not be played
            continue
    return found


def _batch(shared: Shared, order: tuple[int, ...], games: list[Planned]) -> dict[int, Outcome]:
    """Play games in one order of the seats."""
    seeds = [plan.seed for plan in games]
    batch = Batch(shared.game, len(games), seeds)
    if any(plan.position for plan in games):
        rows = [Table(shared.game, 0, "pure", plan.position).s.array for plan in games]
        batch.load(np.concatenate(rows))
        batch.seed(seeds)  # as at a table: what dealing a set-up would have drawn was not drawn
    lengths = batch.finish([shared.compiled[entrant] for entrant in order]).tolist()
    status, outcomes, points = (array.tolist() for array in batch.result())
    found = {}
    for i, (plan, digest) in enumerate(zip(games, batch.digest().tolist(), strict=True)):
        result = Result(status[i], tuple(outcomes[i]), tuple(points[i]))
        found[plan.number] = Outcome(plan.number, order, result, lengths[i], f"{digest:016x}")
    return found


def _refereed(shared: Shared, plan: Planned) -> Outcome:
    """Let a referee play one game."""
    with_record = keeps_record(shared.share, plan.number) or any(entrant not in shared.compiled for entrant in plan.entrants)
    record, referee = play_one(shared, plan)
    times = [referee.times(seat) for seat in range(len(plan.entrants))]
    answers = tuple((len(some), sum(some), max(some, default=0.0)) for some in times)
    return Outcome(
        plan.number, plan.entrants, record.result, len(record.decisions), f"{referee.table.digest():016x}", record.forfeit,
        record.faults, answers, gzip.compress(encode(record), 6, mtime=0) if with_record else b"",
    )  # fmt: skip


def play_one(shared: Shared, plan: Planned) -> tuple[Record, Referee]:
    """Play one game before a referee and return its record."""
    players, conditions = _players(shared), shared.conditions
    table = Table(shared.game, plan.seed, position=plan.position or None)
    referee = Referee(table, players.seat(plan.entrants), conditions.on_fault, conditions.control)
    return referee.finish(), referee


class Players:
    """The bots that a worker has open, each seat one of its own; those that have not played for long are closed."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self._folder = tempfile.TemporaryDirectory(prefix="ludus-bots-", ignore_cleanup_errors=True)
        self._unpacked = 0
        self._open: dict[tuple[int, int], Agent] = {}  # by entrant and how many of it sit before; the last used at the end

    def seat(self, entrants: Sequence[int]) -> list[Agent]:
        """Return an agent a seat."""
        seated = []
        for seat, entrant in enumerate(entrants):
            key = entrant, entrants[:seat].count(entrant)
            agent = self._open.pop(key, None) or self._made(entrant)
            self._open[key] = agent
            seated.append(agent)
        for key in list(self._open)[: -max(MOST_OPEN, len(entrants))]:
            self._open.pop(key).close()
        return seated

    def close(self) -> None:
        """Close all bots."""
        for agent in self._open.values():
            agent.close()
        self._open = {}
        self._folder.cleanup()

    def _made(self, entrant: int) -> Agent:
        shared, conditions = self.shared, self.shared.conditions
        name, word = shared.bots[entrant]
        if shared.parcels is not None:
            self._unpacked += 1  # into a new folder each time: a bot may have changed what lies in its last one
            word = shared.parcels[entrant].unpack(Path(self._folder.name, str(self._unpacked)))
        agent = make_agent(shared.game, word, conditions.isolation, conditions.limits)
        agent.name = name
        if agent.hash not in ("", shared.hashes[entrant]):
            raise LudusError(f"{name} has changed while the tournament ran; run it again: a changed bot is another entrant")
        return agent


_seated: Players | None = None  # of this process


def _players(shared: Shared) -> Players:
    global _seated
    if _seated is None or _seated.shared.key != shared.key:
        close_players()
        _seated = Players(shared)
    return _seated


def close_players() -> None:
    """Close the bots that this process has open."""
    global _seated
    if _seated is not None:
        _seated.close()
    _seated = None
