"""The table of a tournament: ratings with their intervals, or what is needed for one; who is better, and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

import numpy as np

from .bounds import bounds
from .certainty import FEWEST_ROUNDS, ONE_SIDED, SURE_ENOUGH, about, all_won, in_percent, interval, reach
from .duels import Duel, duels_of
from .resampled import resampled
from .sample import Sample, Sampled
from .strength import ELO, NEAR, Array, choices_of, fitted, groups_of

FAR_OFF = 100_000  # games that nobody plays to tell two bots apart


class Row(NamedTuple):
    """What is known of one entrant."""

    entrant: int
    name: str
    rating: float | None  # in points of Elo; 0 is the mean of all that can be compared. None: it cannot be told yet
    low: float | None  # of the 95 % interval, or what the rating is above of
    high: float | None
    needs: int  # about so many more games would give it a rating; 0: it has one
    games: int
    wins: int
    draws: int
    losses: int
    score: float  # mean of all games, 0 to 1
    score_low: float
    score_high: float
    points: float  # mean, in the game's own unit
    faults: int
    by_seat: dict[str, tuple[int, float]]  # games and score in each seat


@dataclass(frozen=True)
class Ratings:
    """How all entrants stand after some games."""

    sample: Sample
    rows: tuple[Row, ...]  # the best first
    duels: dict[tuple[int, int], Duel]
    superiority: Array  # [one, other] how sure it is that one is better than the other
    verdicts: tuple[str, ...]  # in words: each one against the next in the table
    side_points: tuple[float, ...]  # what each side is worth in itself, in points of Elo

    def row(self, entrant: int) -> Row:
        """Return the row of an entrant."""
        return next(row for row in self.rows if row.entrant == entrant)


def standing(sample: Sample) -> Ratings:
    """Rate all entrants by all of their games."""
    if not sample.games:
        return _before_all(sample)
    choices, of_game = choices_of(sample)
    counts = np.bincount(of_game).astype(float)
    strength, groups = fitted(choices, counts), groups_of(sample)
    rounds = _rounds(sample)
    core = _core(groups, rounds, strength)
    zero = float(strength[core].mean())
    told = bounds(sample, choices, of_game, strength, groups, core)
    drawn = resampled(sample, choices, of_game, strength, counts)
    drawn = drawn - drawn[:, core].mean(axis=1, keepdims=True)
    rows: list[Row] = []
    for who in np.argsort(-strength[: len(sample.names)], kind="stable").tolist():
        if who in core and rounds[who] >= FEWEST_ROUNDS and len(core) > 1:
            rating, error = ELO * (float(strength[who]) - zero), ELO * reach(rounds[who]) * float(drawn[:, who].std())
            rows.append(_row(sample, who, rating, rating - error, rating + error, 0))
        else:
            least, most = (None if value is None else ELO * (value - zero) for value in told.get(who, (None, None)))
            rows.append(
                _row(sample, who, None, least, most, _needed(rounds[who], who in core or told[who] == (None, None), sample))
            )
    duels = duels_of(sample)
    better = _superiority(drawn, core, rounds, duels, [row.entrant for row in rows])
    sides = strength[len(sample.names) :]
    verdicts = _verdicts(rows, better, drawn, core)
    return Ratings(sample, tuple(rows), duels, better, verdicts, tuple((ELO * (sides - sides.mean())).tolist()))


def _before_all(sample: Sample) -> Ratings:
    n = len(sample.names)
    rows = tuple(_row(sample, who, None, None, None, FEWEST_ROUNDS * sample.turns) for who in range(n))
    return Ratings(sample, rows, {}, np.full((n, n), 0.5), ("nothing has been played yet",), ())


def _rounds(sample: Sample) -> list[int]:
    """Return how many rounds each entrant has played."""
    found = [0] * len(sample.names)
    for games in sample.pairs:
        for who in {who for game in games for who in game.entrants}:
            found[who] += 1
    return found


def _core(groups: list[list[int]], rounds: list[int], strength: Array) -> list[int]:
    """Return the group that the others are seen from: the largest, with the most rounds, nearest to the middle."""
    middle = float(np.median(strength))
    return max(groups, key=lambda some: (len(some), sum(rounds[who] for who in some), -abs(strength[some].mean() - middle)))


def _needed(rounds: int, is_apart: bool, sample: Sample) -> int:
    """Return about how many games are missing: the least that is looked at, or until the first surprise.

    After n rounds without one, the next has it with a chance of 1 in n + 2 (Laplace's rule of succession).
    """
    missing = FEWEST_ROUNDS - rounds
    return about((missing if missing > 0 else FEWEST_ROUNDS if is_apart else rounds + 2) * sample.turns)


def _row(sample: Sample, who: int, rating: float | None, low: float | None, high: float | None, needs: int) -> Row:
    games = [_one(game, who) for game in sample.own[who]]  # outcome and points; one with several seats plays one game
    by_pair: dict[object, list[float]] = {}
    by_seat: dict[str, list[float]] = {}
    faults = 0
    for game, (outcome, _) in zip(sample.own[who], games, strict=True):
        by_pair.setdefault(game.pair, []).append((outcome + 1) / 2)
        for seat, other in enumerate(game.entrants):
            if other == who:
                by_seat.setdefault(sample.seats[seat], []).append((game.outcome[seat] + 1) / 2)
                faults += game.faults[seat] if game.faults else 0
    outcomes = [outcome for outcome, _ in games]
    least, most = interval([fmean(some) for some in by_pair.values()])
    return Row(
        who, sample.names[who], rating, low, high, needs,
        len(games), sum(x > 0 for x in outcomes), sum(x == 0 for x in outcomes), sum(x < 0 for x in outcomes),
        (fmean(outcomes) + 1) / 2 if games else 0.5, least, most, fmean([points for _, points in games] or [0.0]), faults,
        {seat: (len(by_seat[seat]), fmean(by_seat[seat])) for seat in sample.seats if seat in by_seat},
    )  # fmt: skip


def _one(game: Sampled, who: int) -> tuple[float, float]:
    """Return outcome and points of an entrant, on average over its seats."""
    seats = [seat for seat, other in enumerate(game.entrants) if other == who]
    return sum(game.outcome[seat] for seat in seats) / len(seats), sum(game.points[seat] for seat in seats) / len(seats)


def _superiority(
    drawn: Array, core: list[int], rounds: list[int], duels: dict[tuple[int, int], Duel], order: list[int]
) -> Array:
    """Return how sure it is that one is better than another: by resamples, and where one lost nothing by their duels.

    Between those that resamples cannot compare, the rounds count that were won on the way from one to the other in the table.
    """
    n = drawn.shape[1]
    found = np.full((n, n), 0.5)
    for place, one in enumerate(order):
        for other_place, other in enumerate(order[place + 1 :], place + 1):
            between = order[place : other_place + 1]
            met = {(one, k) for k in between[1:]} | {(k, other) for k in between[:-1]}
            won = sum(duels[pair].rounds for pair in met if pair in duels and duels[pair].score == 1)
            share = duels[one, other].surety if (one, other) in duels else 0.5
            found[one, other] = max(share, all_won(won)) if won else share
            found[other, one] = 1 - found[one, other]
    for one in core:
        for other in core:
            if one != other:
                most = all_won(min(rounds[one], rounds[other]))
                gaps = drawn[:, one] - drawn[:, other]
                share = float((gaps > NEAR).mean() + (abs(gaps) <= NEAR).mean() / 2)
                found[one, other] = min(max(share, 1 - most), most)
    np.fill_diagonal(found, 0.5)
    return found


def _verdicts(rows: list[Row], better: Array, drawn: Array, core: list[int]) -> tuple[str, ...]:
    """Say in words how each entrant stands against the next one in the table."""
    found = []
    for above, below in pairwise(rows):
        share = float(better[above.entrant, below.entrant])
        if share >= SURE_ENOUGH:
            found.append(f"{above.name} is better than {below.name}, {in_percent(share)}")
            continue
        if above.entrant in core and below.entrant in core:
            gaps = drawn[:, above.entrant] - drawn[:, below.entrant]
            games = min(above.games, below.games) * ((ONE_SIDED * float(gaps.std()) / max(1e-6, float(gaps.mean()))) ** 2 - 1)
        else:
            games = max(above.needs, below.needs)
        more = f"about {about(games)} more games would tell" if games < FAR_OFF else "they are as good as equal"
        lead = f"{above.name} leads {below.name}, {in_percent(share)}" if share > 0.5 else f"{above.name} or {below.name}"
        found.append(f"not decided: {lead}; {more}")
    return tuple(found)
