"""The ledger: the only truth about a tournament. What is not in it did not happen.

A SQLite file, or a PostgreSQL database that is named by its URL. A game, its seats, verdicts and record are one transaction.
"""

from __future__ import annotations

import gzip
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, case, func, insert, select
from sqlalchemy.exc import DBAPIError, IntegrityError

import ludus
from ludus.core import BadRecord, LudusError, Record, one_line
from ludus.games import Game

from .database import Hold, is_file, ledger_url, open_engine, why, why_closed
from .entering import Candidate
from .entries import Counts, Entrant, Entry, Pair, Standing, Verdict, entry_of, seat_rows, standing_of, verdict_rows
from .formats import decode
from .match import commitment_of
from .schedule import places_of
from .schema import about, anomalies, entrants, games, pairs, prepare, records, seats, verdicts
from .terms import Terms
from .units import Outcome, Planned

AT_ONCE = 10_000  # rows in one statement


class Ledger:
    """A tournament's book."""

    def __init__(self, place: str | Path, may_make: bool = False) -> None:
        self.url = ledger_url(place)
        self.name = str(self.url.database) if is_file(self.url) else self.url.render_as_string()
        if is_file(self.url) and not may_make and not Path(self.name).is_file():
            raise LudusError(f"there is no ledger {self.name}")
        self._engine = open_engine(self.url)
        self._hold: Hold | None = None
        self._seated: tuple[int, ...] = ()
        try:
            with self._engine.begin() as connection:
                is_there = prepare(connection, may_make)
        except DBAPIError as error:
            raise LudusError(why_closed(self.url, self.name, error)) from None
        except LudusError as error:
            raise LudusError(f"the ledger {self.name}: {error}") from None
        if not is_there and not may_make:
            raise LudusError(f"there is no tournament in {self.name}")
        self._about = self._read_about()

    @classmethod
    def open(cls, place: str | Path) -> Ledger:
        """Open a ledger that is there."""
        ledger = cls(place)
        if "terms" not in ledger._about:
            raise LudusError(f"no tournament has begun in {ledger.name}")
        return ledger

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        if self._hold is not None:
            self._hold.close()
        self._engine.dispose()

    def hold(self) -> None:
        """Be the only one who writes: two runs would play the same games."""
        self._hold = Hold(self.url, self._engine)

    def begin(self, terms: Terms, game: Game, clock: str) -> None:
        """Write down the terms as a tournament begins, or new ones that go on with it; the secret is drawn once."""
        told = {"terms": msgspec.json.encode(terms).decode(), "rules": str(game.spec.version), "clock": clock}
        if "secret" not in self._about:
            told |= {"secret": "" if terms.seed is not None else secrets.token_hex(16), "begun": str(time.time())}
        told["ludus"] = ludus.__version__
        with self.writing() as connection:
            for key, value in told.items():
                connection.execute(about.delete().where(about.c.key == key))
                connection.execute(insert(about).values(key=key, value=value))
        self._about |= told

    @property
    def has_begun(self) -> bool:
        """Whether a tournament has begun in it."""
        return "terms" in self._about

    @property
    def terms(self) -> Terms:
        """What was agreed."""
        return msgspec.json.decode(self._about["terms"], type=Terms)

    @property
    def game(self) -> Game:
        """The game with its options."""
        game = self.terms.load()
        if game.spec.version != int(self._about["rules"]):
            raise LudusError(
                f"{self.name} was played by version {self._about['rules']} of the rules of {game.spec.title}, "
                f"and this is version {game.spec.version}"
            )
        return game

    @property
    def clock(self) -> str:
        """The clock, as it was settled."""
        return self._about["clock"]

    @property
    def ludus(self) -> str:
        """The version of Ludus that wrote last."""
        return self._about["ludus"]

    @property
    def seconds(self) -> float:
        """What passed from the beginning to the last game."""
        with self.reading() as connection:
            last = connection.execute(select(func.max(games.c.at))).scalar_one()
        return float(last or 0) - float(self._about["begun"]) if last else 0.0

    @property
    def secret(self) -> bytes:
        """What seeds are dealt from; b"" with an open seed."""
        return bytes.fromhex(self._about["secret"])

    @property
    def commitment(self) -> str:
        """The hash by which the secret is committed before the first game."""
        return commitment_of(self.secret) if self.secret else ""

    @property
    def seated(self) -> tuple[int, ...]:
        """By seat the place whose entrant sits there."""
        self._seated = self._seated or places_of(self.game.spec, self.terms.sides)
        return self._seated

    @property
    def places(self) -> int:
        """How many entrants play in a game."""
        return max(self.seated) + 1

    @property
    def turns(self) -> int:
        """How many games a pair has: one for each order of the places."""
        return self.places

    def enter(self, field: Sequence[Candidate]) -> list[Entrant]:
        """Make these the field; a bot that holds something else than before is another entrant."""
        known = {(one.name, one.hash): one for one in self.entrants()}
        found = []
        with self.writing() as connection:
            connection.execute(entrants.update().values(is_current=False))
            for one in field:
                old = known.get((one.name, one.hash))
                number = old.id if old is not None else 1 + max((other.id for other in known.values()), default=0)
                now = Entrant(number, one.name, one.word, one.hash, one.level, True)
                known[one.name, one.hash] = now
                connection.execute(insert(entrants).values(now._asdict()) if old is None else _renew(now))
                found.append(now)
        return found

    def plan(self, wanted: Iterable[Pair]) -> list[Pair]:
        """Write down pairings and return them with their ids; those that are there already stay as they are."""
        wanted = list(wanted)
        found: dict[str, Pair] = {}
        with self.writing() as connection:
            if wanted:
                rounds = pairs.c.round.between(min(one.round for one in wanted), max(one.round for one in wanted))
                found = {row.label: Pair(*row) for row in connection.execute(_pairs().where(rounds))}
            last = connection.execute(select(func.coalesce(func.max(pairs.c.id), 0))).scalar_one()
            new = [one for one in wanted if one.label not in found]
            for number, one in enumerate(new, last + 1):
                found[one.label] = one._replace(id=number)
            for some in _chunks([found[one.label]._asdict() for one in new]):
                connection.execute(insert(pairs), some)
        return [found[one.label] for one in wanted]

    def played(self) -> set[int]:
        """Return the numbers of the games that are in it."""
        with self.reading() as connection:
            return set(connection.execute(select(games.c.number)).scalars())

    def add(self, outcomes: Sequence[Outcome]) -> None:
        """Write down games: all of them, with all that belongs to them, or none."""
        now, turns = time.time(), self.turns
        played = [
            {"number": one.number, "pair": (one.number - 1) // turns + 1, "status": one.result.status, "at": now,
             "decisions": one.decisions, "forfeit": one.forfeit, "digest": one.digest} for one in outcomes
        ]  # fmt: skip
        judged = [row for one in outcomes for row in verdict_rows(one)]
        kept = [{"game": one.number, "data": one.record} for one in outcomes if one.record]
        with self.writing() as connection:
            connection.execute(insert(games), played)
            connection.execute(insert(seats), [row for one in outcomes for row in seat_rows(one)])
            if judged:
                connection.execute(insert(verdicts), judged)
            if kept:
                connection.execute(insert(records), kept)

    def note(self, text: str) -> None:
        """Write down what went wrong with a host, a worker or the run itself."""
        with self.writing() as connection:
            connection.execute(insert(anomalies).values(at=time.time(), text=one_line(text, 500)))

    def entrants(self) -> list[Entrant]:
        """Return all that took part, in order of entry."""
        with self.reading() as connection:
            return [Entrant(*row) for row in connection.execute(select(entrants).order_by(entrants.c.id))]

    def entries(self, round: int | None = None, numbers: Sequence[int] = ()) -> Iterator[Entry]:
        """Give the games in the order in which they were planned: all, those of a round, or those with some numbers."""
        wanted: list[ColumnElement[bool]] = []
        if round is not None:
            wanted.append(pairs.c.round == round)
        if numbers:
            wanted.append(games.c.number.in_(numbers))
        found = select(games, pairs.c.round, pairs.c.seed, pairs.c.position).join(pairs, games.c.pair == pairs.c.id)
        sat = select(seats).join(games, seats.c.game == games.c.number).join(pairs, games.c.pair == pairs.c.id)
        with (
            self._streamed(found.where(*wanted).order_by(games.c.number)) as each,
            self._streamed(sat.where(*wanted).order_by(seats.c.game, seats.c.seat)) as places,
        ):
            by_game = groupby(places, key=lambda seat: seat.game)
            for row in each:  # whoever writes meanwhile may have added seats of games that are not among these
                yield entry_of(row, next(list(some) for game, some in by_game if game == row.number))

    def verdicts(self, number: int | None = None) -> Iterator[Verdict]:
        """Give what was wrong in a game, or in all."""
        named = verdicts.join(seats, (verdicts.c.game == seats.c.game) & (verdicts.c.seat == seats.c.seat))
        wanted = select(
            verdicts.c.game, verdicts.c.seat, seats.c.entrant, verdicts.c.turn, verdicts.c.kind, verdicts.c.text
        ).select_from(named)
        if number is not None:
            wanted = wanted.where(verdicts.c.game == number)
        with self._streamed(wanted.order_by(verdicts.c.game, verdicts.c.place)) as rows:
            for row in rows:
                yield Verdict(*row)

    def anomalies(self) -> list[tuple[float, str]]:
        """Return what went wrong beside the games: when, and one line."""
        with self.reading() as connection:
            rows = connection.execute(select(anomalies.c.at, anomalies.c.text).order_by(anomalies.c.id))
            return [(row.at, row.text) for row in rows]

    def pairs(self) -> Iterator[Pair]:
        """Give all pairings that are planned."""
        with self._streamed(_pairs().order_by(pairs.c.id)) as rows:
            for row in rows:
                yield Pair(*row)

    def counts(self) -> Counts:
        """Return how many games are planned and played, and how many faults there were."""
        with self.reading() as connection:
            planned = connection.execute(select(func.count()).select_from(pairs)).scalar_one() * self.turns
            played = connection.execute(select(func.count()).select_from(games)).scalar_one()
            faults = connection.execute(select(func.coalesce(func.sum(seats.c.faults), 0))).scalar_one()
        return Counts(planned, played, int(faults))

    def standing(self) -> list[Standing]:
        """Return how the entrants stand, best first; ratings and how sure they are is another matter."""
        each = select(
            seats.c.entrant, func.max(seats.c.outcome).label("outcome"), func.max(seats.c.points).label("points"),
            func.sum(seats.c.faults).label("faults"),
        ).group_by(seats.c.game, seats.c.entrant).subquery()  # fmt: skip
        won, drawn, lost = (func.sum(case((sign, 1), else_=0)) for sign in (
            each.c.outcome > 0, each.c.outcome == 0, each.c.outcome < 0))  # fmt: skip
        sums = (func.count(), won, drawn, lost, func.sum(each.c.outcome), func.sum(each.c.points), func.sum(each.c.faults))
        with self.reading() as connection:
            found = {row[0]: row[1:] for row in connection.execute(select(each.c.entrant, *sums).group_by(each.c.entrant))}
        rows = [standing_of(one, found.get(one.id)) for one in self.entrants()]
        return sorted(rows, key=lambda row: (-row.score, row.id))

    def has_record(self, number: int) -> bool:
        """Whether a game's record is kept; one whose record is not can be played again from its seed."""
        with self.reading() as connection:
            return connection.execute(select(records.c.game).where(records.c.game == number)).first() is not None

    def kept(self, number: int) -> Record | None:
        """Return the record that is kept of a game, if one is."""
        with self.reading() as connection:
            found = connection.execute(select(records.c.data).where(records.c.game == number)).scalar_one_or_none()
        if found is None:
            return None
        try:
            return decode(gzip.decompress(found))
        except (OSError, EOFError, BadRecord) as error:
            raise BadRecord(f"the record of game {number} {one_line(str(error))}") from None

    def packed_records(self) -> Iterator[bytes]:
        """Give all records that are kept, gzipped, in the order of their games."""
        with self._streamed(select(records.c.data).order_by(records.c.game), 100) as rows:
            yield from (row.data for row in rows)

    def record(self, number: int) -> Record:
        """Return the record of a game: the one that is kept, or the game played again from its seed."""
        from .verifying import played_again

        return self.kept(number) or played_again(self, number)

    def planned(self, pair: Pair, entrants_by_game: Iterable[tuple[int, ...]]) -> list[Planned]:
        """Return the games of a pair, each with who sits where."""
        first = (pair.id - 1) * self.turns + 1
        return [
            Planned(first + turn, pair.round, pair.seed, pair.position, tuple(order[place] for place in self.seated))
            for turn, order in enumerate(entrants_by_game)
        ]

    def _read_about(self) -> dict[str, str]:
        with self.reading() as connection:
            return {row.key: row.value for row in connection.execute(select(about))}

    @contextmanager
    def _streamed(self, wanted: Any, at_once: int = AT_ONCE) -> Iterator[Any]:
        """Read rows of which there may be millions, some at once."""
        with self.reading() as connection, connection.execution_options(yield_per=at_once).execute(wanted) as rows:
            yield rows

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write in one transaction; what cannot be written is one sentence that says what is lost: nothing."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError as error:
            raise LudusError(f"{self.name} has a game already that should be written: {why(error)}") from None
        except DBAPIError as error:
            raise LudusError(
                f"the ledger {self.name} cannot be written: {why(error)}; what it holds is whole, nothing is lost: "
                "mend this and run the same command again"
            ) from None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read, as it stands now."""
        try:
            with self._engine.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise LudusError(f"the ledger {self.name} cannot be read: {why(error)}") from None


def _pairs() -> Any:
    return select(pairs.c.id, pairs.c.round, pairs.c.label, pairs.c.seed, pairs.c.position)


def _renew(one: Entrant) -> Any:
    return entrants.update().where(entrants.c.id == one.id).values(word=one.word, level=one.level, is_current=True)


def _chunks(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for first in range(0, len(rows), AT_ONCE):
        yield rows[first : first + AT_ONCE]
