"""Every bot against every other: score and margin over rounds, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean, pvariance
from typing import NamedTuple

from .certainty import SURE, interval, surety
from .scored import Field, Scored, margin, score_against


class Duel(NamedTuple):
    """What one bot did against another, in the games in which they were not on one side."""

    games: int
    rounds: int
    wins: int
    draws: int
    losses: int
    score: float  # 0 to 1
    low: float  # of its 95 % interval over rounds
    high: float
    margin: float  # points more than the other, on average
    margin_error: float  # half of its 95 % interval
    surety: float  # how sure it is that this one is the better of the two, by these games alone

    @property
    def turned(self) -> Duel:
        """The same from the other one's side."""
        counts = (self.games, self.rounds, self.losses, self.draws, self.wins)
        return Duel(*counts, 1 - self.score, 1 - self.high, 1 - self.low, -self.margin, self.margin_error, 1 - self.surety)


def duels_of(field: Field) -> dict[tuple[int, int], Duel]:
    """Return the duels of all that have met, by both of their numbers."""
    rounds: dict[tuple[int, int], list[tuple[list[float], list[float]]]] = {}
    for games in field.pairs:
        for pair, one in _of_round(games, field.sides).items():
            rounds.setdefault(pair, []).append(one)
    found = {pair: _duel(some) for pair, some in rounds.items()}
    return found | {(b, a): duel.turned for (a, b), duel in found.items()}


def _of_round(games: Sequence[Scored], sides: Sequence[int]) -> dict[tuple[int, int], tuple[list[float], list[float]]]:
    """Return scores and margins of all that met in a round."""
    found: dict[tuple[int, int], tuple[list[float], list[float]]] = {}
    for game in games:
        for one, other in combinations(sorted(set(game.entrants)), 2):
            score = score_against(game, sides, one, other)
            if score is not None:
                scores, margins = found.setdefault((one, other), ([], []))
                scores.append(score)
                margins.append(margin(game, one, other))
    return found


def _duel(rounds: Sequence[tuple[list[float], list[float]]]) -> Duel:
    scores = [score for some, _ in rounds for score in some]
    means, margins = [fmean(some) for some, _ in rounds], [fmean(some) for _, some in rounds]
    counts = (sum(score == 1 for score in scores), sum(score == 0.5 for score in scores), sum(score == 0 for score in scores))
    low, high = interval(means)
    gaps = [mean - 0.5 for mean in means]
    lead = surety(gaps)[0] if sum(gaps) >= 0 else 1 - surety([-gap for gap in gaps])[0]
    error = SURE * math.sqrt(pvariance(margins) / max(1, len(margins) - 1))
    return Duel(len(scores), len(rounds), *counts, fmean(scores), low, high, fmean(margins), error, lead)
