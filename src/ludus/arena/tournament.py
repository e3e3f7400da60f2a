"""A tournament: who plays whom, played in units, written into a ledger. The same command again goes on where it stood."""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ludus.core import BadValue, LudusError, dealt_seed, time_control
from ludus.engine import Table
from ludus.scale import workers

from .entering import candidates, own_name, parcels
from .entries import Entry, Pair
from .ledger import Ledger
from .schedule import FORMATS, OPEN, Field, Pairing, orders
from .series import Conditions, check_cores
from .terms import Terms, read_suite
from .units import Done, Outcome, Planned, Shared, close_players, play_unit, stamp

UNIT_S = 1.0  # seconds that a unit should take: a no-op on a cluster costs milliseconds, and a killed worker loses a unit
MOST_IN_UNIT = 20_000  # games
MOST_VOID = 3  # times that a game may be stopped through no fault of the bots


class Tournament:
    """A tournament in a ledger that is made, or gone on with."""

    def __init__(
        self, terms: Terms, ledger: str | Path, jobs: int = 1, on: str = "here", tell: Callable[[str], None] = lambda line: None
    ) -> None:
        self.terms, self.game, self.jobs, self.on, self._tell = terms, terms.load(), jobs, on, tell
        control = time_control(terms.clock or self.game.spec.contest.clock)
        self.conditions = Conditions(control, terms.on_fault, terms.isolation)
        self.field = candidates(self.game, terms.bots, terms.isolation)
        self._suites = {what: read_suite(path, what) for what in ("seeds", "positions") if (path := getattr(terms, what))}
        self._check_positions()
        self.ledger = Ledger(ledger, may_make=True)
        try:
            self.ledger.hold()
            self._check_same()
            self.ledger.begin(terms, self.game, str(control or "inf"))
            self._check_field()
            self.entrants = self.ledger.enter(self.field)
        except LudusError:
            self.ledger.close()
            raise
        self.seconds = 0.0  # that playing took
        self.overhead = 0.0  # seconds of these beside the games: planning, handing out, writing
        self.games = 0  # that were played in this run
        self.planned = 0  # so far, with those that were played
        self._pace = 0.0  # seconds that a game takes
        self._tries: dict[int, int] = {}  # by game that was void: how often
        self._asked: set[int] = set()  # pairs that the format has asked for

    def __enter__(self) -> Tournament:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the ledger and of bots."""
        close_players()
        self.ledger.close()

    @property
    def setups(self) -> int:
        """How many set-ups a pairing gets."""
        return -(-self.terms.games // self.ledger.turns)

    def play(self) -> Iterator[Entry]:
        """Play what is missing and give each game as it is written; whoever stops early has lost nothing."""
        team = workers(play_unit, self._shared(), self.on, self.jobs, self._note, self._cores())
        started, field = time.perf_counter(), self._field()
        try:
            done = self.ledger.played()
            for pairings in FORMATS[self.terms.format](field):
                left = [plan for plan in self._planned(pairings) if plan.number not in done]
                self.planned = len(done) + len(left)
                while left:
                    yield from self._wave(team, left, done)
                    left = [plan for plan in left if plan.number not in done]
        finally:
            self.seconds = time.perf_counter() - started
            self.overhead = self.seconds - team.waited
            team.close()

    def _wave(self, team: Any, left: list[Planned], done: set[int]) -> Iterator[Entry]:
        """Play games once; those that were void are left for the next wave."""
        kept = {plan.number: plan for plan in left}
        for _, result in team.run(self._units(left, team.slots)):
            counted = [one for one in result.outcomes if not one.is_void]
            if counted:
                self.ledger.add(counted)
            self._learn(result)
            self._note_void(result)
            self.games += len(counted)
            for one in counted:
                done.add(one.number)
                yield self._entry(one, kept[one.number])

    def _note_void(self, result: Done) -> None:
        """Keep as an anomaly of the host what was stopped through no fault of the bots; it is played again."""
        for one in result.outcomes:
            if one.is_void:
                why = next((fault.text for fault in one.faults if fault.kind == "void"), "it did not end")
                self._tries[one.number] = self._tries.get(one.number, 0) + 1
                if self._tries[one.number] >= MOST_VOID:
                    raise LudusError(f"game {one.number} was stopped {MOST_VOID} times through no fault of the bots: {why}")
                self._note(f"{result.host}: game {one.number} was stopped and is played again: {why}")

    def _units(self, left: Sequence[Planned], slots: int) -> Iterator[list[Planned]]:
        """Cut games into units of about a second; the cut changes no game."""
        waiting = deque(left)
        while waiting:
            size = 1 if not self._pace else int(UNIT_S / self._pace)
            fair = -(-len(waiting) // (2 * slots))  # so that at the end nobody waits for the last one for long
            yield [waiting.popleft() for _ in range(min(len(waiting), max(1, min(size, fair, MOST_IN_UNIT))))]

    def _learn(self, result: Done) -> None:
        """Note what a game takes; the first one may have compiled its bots."""
        pace = result.seconds / max(1, len(result.outcomes))
        self._pace = pace if not self._pace or pace < self._pace else 0.5 * self._pace + 0.5 * pace

    def _planned(self, pairings: list[Pairing]) -> Iterator[Planned]:
        wanted = [Pair(0, one.round, one.label, self._seed(one), self._position(one)) for one in pairings]
        for pairing, pair in zip(pairings, self.ledger.plan(wanted), strict=True):
            self._asked.add(pair.id)
            yield from self.ledger.planned(pair, orders(pairing.entrants, pairing.setup))

    def _seed(self, pairing: Pairing) -> int:
        if suite := self._suites.get("seeds"):
            return int(suite[pairing.setup % len(suite)])
        if self.terms.seed is not None:
            return self.terms.seed + pairing.setup
        return dealt_seed(self.ledger.secret, pairing.label)

    def _position(self, pairing: Pairing) -> str:
        suite = self._suites.get("positions")
        return suite[pairing.setup % len(suite)] if suite else ""

    def _check_positions(self) -> None:
        """Refuse positions that no game can begin with, before the first one."""
        for number, position in enumerate(self._suites.get("positions", ()), 1):
            try:
                is_over = Table(self.game, 0, "pure", position).over
            except LudusError as error:
                raise BadValue(f"{self.terms.positions}, position {number}: {error}") from None
            if is_over:
                raise BadValue(f"{self.terms.positions}, position {number}: the game is over there")

    def _check_same(self) -> None:
        """Refuse to go on with another tournament than the one that was begun."""
        if not self.ledger.has_begun:
            return
        assert self.ledger.game  # says so if its rules have changed
        was, now = (msgspec.structs.asdict(terms) for terms in (self.ledger.terms, self.terms))
        free = {"name", "bots"} | ({"games"} if self.terms.format in OPEN else set())
        for key in was.keys() - free:
            if was[key] != now[key]:
                raise LudusError(
                    f"{self.ledger.name} is of another tournament: {key} was {was[key]!r}, and is {now[key]!r} now; "
                    "name another ledger"
                )

    def _check_field(self) -> None:
        """Refuse a field that cannot play the format."""
        places, format_ = self.ledger.places, self.terms.format
        if len(self.field) < max(places, 2):
            raise BadValue(
                f"{self.game.spec.title} needs {max(places, 2)} bots or more, not {len(self.field)}; one that is to play "
                f"against itself enters twice, under another name: 'name=Second {self.field[0].word}'"
            )
        known, now = ({(one.name, one.hash) for one in some} for some in (self.ledger.entrants(), self.field))
        if known and known != now and format_ not in OPEN:
            changed = ", ".join(sorted({name for name, _ in known ^ now}))
            raise LudusError(
                f"a {format_} that has begun keeps its field, and this is another one: {changed}; name another ledger"
            )
        for what, suite in self._suites.items():
            if format_ in OPEN and self.setups > len(suite):
                raise BadValue(f"{self.terms.games} games need {self.setups} set-ups, and there are {len(suite)} {what}")

    def _field(self) -> Field:
        ids = tuple(one.id for one in self.entrants)
        return Field(ids, self.ledger.places, self.setups, self.terms.rounds, self._played)

    def _played(self, number: int) -> Iterator[Entry]:
        """Give the games of a round that the format has asked for: there may be more, from before a run was stopped."""
        return (entry for entry in self.ledger.entries(round=number) if entry.pair in self._asked)

    def _cores(self) -> int:
        """Return how many cores a game keeps busy: where all think at once, as many as bots think elsewhere."""
        elsewhere = sum(one.is_elsewhere for one in self.field)
        thinking = max(1, min(elsewhere, len(self.game.spec.seats))) if self.game.spec.simultaneous else 1
        if self.on == "here" and self.jobs > 1:
            check_cores(self.jobs, thinking)
        return thinking

    def _shared(self) -> Shared:
        own = {one.id: candidate for one, candidate in zip(self.entrants, self.field, strict=True)}
        compiled = {number: own_name(self.game, one.word) for number, one in own.items() if one.is_compiled}
        bots = {one.id: (one.name, one.word) for one in self.entrants}
        # A contained bot has its folder to itself: there must be neither another bot in it nor this ledger with its secret.
        is_apart = self.on != "here" or self.conditions.isolation == "contained"
        packed = parcels(self.game, [(one.id, one.word) for one in self.entrants]) if is_apart else None
        hashes = {number: one.hash for number, one in own.items()}
        return Shared(
            secrets.token_hex(8), self.game, bots, hashes, compiled, self.conditions, self.terms.share(), stamp(), packed
        )

    def _entry(self, one: Outcome, plan: Planned) -> Entry:
        pair = (one.number - 1) // self.ledger.turns + 1
        counts = [sum(fault.seat == seat for fault in one.faults) for seat in range(len(one.entrants))]
        answers, spent, worst = zip(*(one.answers or [(0, 0.0, 0.0)] * len(one.entrants)), strict=True)
        return Entry(
            one.number, pair, plan.round, plan.seed, one.entrants, one.result.outcome, one.result.points, one.result.status,
            one.decisions, one.forfeit, tuple(counts), answers, spent, worst, time.time(), one.digest, plan.position,
        )  # fmt: skip

    def _note(self, text: str) -> None:
        """Keep and tell what went wrong with a worker or a host."""
        self.ledger.note(text)
        self._tell(text)
