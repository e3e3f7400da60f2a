"""The generalised sequential probability ratio test on rounds: play until it is decided, and no longer.

A round is a set-up that both bots played from each seat; its score for the first bot is one number. The question is how large
its mean is in standard deviations of one game, t = (mean - level) / deviation: normalised Elo is t in points (800 / ln 10
of them a unit). It says how many games are needed to see a difference, whatever share of them is drawn, which is why
bounds in it mean the same in every game.

For t = t0 and for t = t1 the distribution of scores is sought that makes the rounds seen most likely: the largest likelihood
under that constraint. The logarithm of their ratio is compared with Wald's bounds, ln((1 - beta) / alpha) and
ln(beta / (1 - alpha)).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .certainty import SURE
from .strength import Array

NELO = 800 / math.log(10)  # points of normalised Elo a unit of t
ALPHA = BETA = 0.05  # how often H1 is accepted though H0 holds, and the other way round
HINT = 1e-3  # rounds of every score that are there beforehand, so that nothing is impossible
FEWEST = 4  # rounds before anything is decided
MOST_STEPS, MOST_HALVINGS, NEAR = 60, 200, 1e-10  # of a distribution: shares, and its mean in the range of its values
PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)  # scores of a pair of games


class Bounds(NamedTuple):
    """What is asked: is the difference nearer to elo1 than to elo0, in points of normalised Elo."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = ALPHA
    beta: float = BETA

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)


class Judged(NamedTuple):
    """What the rounds say so far."""

    rounds: int
    nelo: float | None  # None: all rounds had one score, which tells no deviation
    nelo_error: float | None  # half of its 95 % interval
    llr: float  # logarithm of the likelihood ratio
    lower: float
    upper: float
    decision: str  # "H0", "H1" or ""

    @property
    def in_words(self) -> str:
        """Say what is decided."""
        elo = "" if self.nelo is None else f"{self.nelo:+.1f} ± {self.nelo_error:.1f} normalised Elo, "
        between = f"{elo}log-likelihood ratio {self.llr:.2f}"
        if self.decision:
            return f"decided after {self.rounds} rounds for {self.decision}: {between}"
        return f"not decided after {self.rounds} rounds: {between} (between {self.lower:.2f} and {self.upper:.2f})"


def judge(counts: Mapping[float, float], bounds: Bounds, games: int = 2, level: float = 0.5) -> Judged:
    """Judge rounds of so many games each by how often each score, or mean margin, was seen; `level` is what equals get."""
    some = {score: count for score, count in counts.items() if count > 0}
    rounds = sum(some.values())
    if not rounds:
        return Judged(0, None, None, 0.0, bounds.lower, bounds.upper, "")
    kept = {score: some.get(score, 0.0) + HINT for score in {*counts, *(2 * level - score for score in counts), level}}
    scores, seen = np.array(sorted(kept)) - level, np.array([kept[score] for score in sorted(kept)])
    t0, t1 = bounds.elo0 / NELO, bounds.elo1 / NELO
    llr = float(log_ratio(scores, seen, t0 * math.sqrt(games), t1 * math.sqrt(games))) if scores.any() else 0.0
    is_told = rounds >= FEWEST
    decision = "H1" if is_told and llr >= bounds.upper else "H0" if is_told and llr <= bounds.lower else ""
    if len(some) == 1 and level not in some:
        return Judged(round(rounds), None, None, llr, bounds.lower, bounds.upper, decision)
    nelo, error = NELO * _effect(scores, seen / seen.sum(), games), SURE * NELO / math.sqrt(games * rounds)
    return Judged(round(rounds), nelo, error, llr, bounds.lower, bounds.upper, decision)


def judge_pairs(counts: Sequence[int], bounds: Bounds) -> Judged:
    """Judge pairs of games by how many of them gave 0, ½, 1, 1½ and 2 points."""
    return judge(dict(zip(PENTANOMIAL, map(float, counts), strict=True)), bounds)


def judge_in_order(scores: Sequence[float], bounds: Bounds, games: int = 2, level: float = 0.5) -> Judged:
    """Judge rounds in the order in which they were started, and stop at the first that decides.

    A slow game must not be left out because quick ones decided: that would count short games more often than long ones.
    """
    counts: dict[float, float] = dict.fromkeys(PENTANOMIAL, 0.0) if level == 0.5 else {}
    judged = judge(counts, bounds, games, level)
    for score in scores:
        counts[score] = counts.get(score, 0.0) + 1
        judged = judge(counts, bounds, games, level)
        if judged.decision:
            break
    return judged


def log_ratio(scores: Array, seen: Array, effect0: float, effect1: float) -> Array:
    """Return the logarithm of how much likelier rounds are under effect1 than under effect0, both at their best.

    `seen` is how often each score was seen [..., scores]: one test, or many at once. An effect is the mean of the scores in
    deviations of one round.
    """
    share = seen / seen.sum(axis=-1, keepdims=True)
    likely0, likely1 = (_likeliest(scores, share, effect) for effect in (effect0, effect1))
    return np.asarray((seen * (np.log(likely1) - np.log(likely0))).sum(axis=-1))


def _likeliest(scores: Array, share: Array, effect: float) -> Array:
    """Return the distribution with mean = effect · deviation under which shares that were seen are most likely.

    The constraint is bent; at a distribution with mean m and deviation s its tangent is that the mean of
    x - effect · (s + (x - m)² / s) / 2 is zero. Under a straight constraint the answer is known up to one number; the
    tangent is laid at that answer, until it stays.
    """
    likely = np.full(share.shape, 1 / len(scores))  # not the shares: rounds that all ended alike have no deviation
    k = np.zeros((*share.shape[:-1], 1))
    for _ in range(MOST_STEPS):
        mean = (likely * scores).sum(axis=-1, keepdims=True)
        deviation = np.sqrt((likely * (scores - mean) ** 2).sum(axis=-1, keepdims=True))
        bent = scores - effect * (deviation + (scores - mean) ** 2 / deviation) / 2
        last, (likely, k) = likely, _tilted(bent, share, k)
        if float(np.abs(likely - last).max()) < NEAR:
            break
    return likely


def _tilted(values: Array, share: Array, k: Array) -> tuple[Array, Array]:
    """Return the likeliest distribution under which `values` have the mean 0, share / (1 + k · value), and its k.

    The mean falls with k from one pole to the other, those of the extreme values. From the k that is given on, the sum of
    two poles with the same mean and slope there says where it is 0; where that leaves what is known, it is halved.
    """
    least, most = values.min(axis=-1, keepdims=True), values.max(axis=-1, keepdims=True)
    can_balance = (least < 0) & (most > 0)
    first, last = -1 / np.where(can_balance, most, 1.0), -1 / np.where(can_balance, least, -1.0)
    low, high, k = first, last, np.where((first < k) & (k < last), k, 0.0)
    for _ in range(MOST_HALVINGS):
        weight = share / (1 + k * values)
        mean = (weight * values).sum(axis=-1, keepdims=True)
        if bool((np.abs(mean) <= NEAR * (most - least))[can_balance].all()):
            break
        low, high = np.where(mean > 0, k, low), np.where(mean > 0, high, k)
        slope = (weight / (1 + k * values) * values**2).sum(axis=-1, keepdims=True)
        right = (slope * (k - first) - mean) * (last - k) ** 2
        left = (slope * (last - k) + mean) * (k - first) ** 2
        guess = (left * last + right * first) / (left + right)
        k = np.where((low < guess) & (guess < high), guess, (low + high) / 2)
    weight = np.where(can_balance, share / (1 + k * values), share)
    return np.asarray(weight / weight.sum(axis=-1, keepdims=True)), k


def _effect(scores: Array, share: Array, games: int) -> float:
    """Return the mean in deviations of one game: those of a round are smaller by the root of its games."""
    mean = float(share @ scores)
    variance = games * float(share @ (scores - mean) ** 2)
    return mean / math.sqrt(variance) if variance > 0 else 0.0


def as_data(judged: Judged) -> dict[str, Any]:
    """Return a judgement as plain data."""
    return judged._asdict() | {"in_words": judged.in_words}
