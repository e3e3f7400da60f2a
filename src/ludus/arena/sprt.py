"""A sequential test of two bots: games are played into a ledger until it is decided which of two claims is the likelier."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from statistics import fmean
from typing import cast

import msgspec

from ludus.core import BadValue, UnknownName

from .entries import Entry
from .rating import Bounds, Judged, judge
from .terms import Terms
from .tournament import Tournament

BY = ("scores", "points")
FIRST_STEP = 256  # games that are planned at first; then twice as many, and so on


class Rounds:
    """The rounds of two bots, counted in the order in which they were started, and what they say so far."""

    def __init__(self, first: int, second: int, bounds: Bounds, by: str, turns: int) -> None:
        self._first, self._second, self._bounds, self._by, self._turns = first, second, bounds, by, turns
        self._counts: dict[float, float] = {}
        self._waiting: dict[int, list[Entry]] = {}  # by round: games of rounds that do not count yet
        self._level = 0.5 if by == "scores" else 0.0  # what equals get
        self.judged = judge(self._counts, bounds, turns, self._level)

    def add(self, entry: Entry) -> bool:
        """Take in a game; return whether the test is decided. A round counts when all that were started before it do."""
        self._waiting.setdefault(entry.round, []).append(entry)
        while not self.judged.decision and len(self._waiting.get(self.judged.rounds + 1, ())) == self._turns:
            score = self._score(self._waiting.pop(self.judged.rounds + 1))
            self._counts[score] = self._counts.get(score, 0.0) + 1
            self.judged = judge(self._counts, self._bounds, self._turns, self._level)
        return bool(self.judged.decision)

    def _score(self, games: list[Entry]) -> float:
        """Return what the first bot made of a round: its mean score, or its mean margin."""
        if self._by == "scores":
            return round(fmean((_mean(game, game.outcome, self._first) + 1) / 2 for game in games), 6)
        margins = [_mean(game, game.points, self._first) - _mean(game, game.points, self._second) for game in games]
        return round(fmean(margins), 6)


def _mean(entry: Entry, values: tuple[float, ...], who: int) -> float:
    return fmean(value for value, other in zip(values, entry.entrants, strict=True) if other == who)


def play_test(
    terms: Terms,
    ledger: str | Path,
    bounds: Bounds,
    by: str = "scores",
    jobs: int = 1,
    on: str = "here",
    progress: Callable[[Judged], None] = lambda judged: None,
) -> Judged:
    """Play rounds of two bots until the test is decided, or all games of the terms are played; the same call again goes on."""
    if by not in BY:
        raise UnknownName("measure", by, BY)
    if bounds.elo0 >= bounds.elo1:
        raise BadValue(f"elo0 must be below elo1, not {bounds.elo0:g} and {bounds.elo1:g}")
    games = 0
    while games < terms.games:
        games = min(terms.games, max(FIRST_STEP, 2 * games))
        with Tournament(msgspec.structs.replace(terms, games=games), ledger, jobs, on) as tournament:
            rounds = _rounds(tournament, bounds, by)
            progress(rounds.judged)
            if not rounds.judged.decision:
                _play(tournament, rounds, progress)
        if rounds.judged.decision:
            break
    return rounds.judged


def _rounds(tournament: Tournament, bounds: Bounds, by: str) -> Rounds:
    """Return the rounds that the ledger has already."""
    if tournament.ledger.places != 2 or len(tournament.entrants) != 2:
        raise BadValue(f"a sequential test is one of two bots on two sides; {tournament.game.spec.title} has more here")
    first, second = (one.id for one in tournament.entrants)
    rounds = Rounds(first, second, bounds, by, tournament.ledger.turns)
    for entry in tournament.ledger.entries():
        if set(entry.entrants) == {first, second} and rounds.add(entry):
            break
    return rounds


def _play(tournament: Tournament, rounds: Rounds, progress: Callable[[Judged], None]) -> None:
    with closing(cast("Generator[Entry, None, None]", tournament.play())) as played:  # so that it stops at once
        for entry in played:
            if rounds.add(entry):
                break
            progress(rounds.judged)
