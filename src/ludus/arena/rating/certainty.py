"""How sure a result is: intervals of scores over rounds, and how surely one lead is no chance.

A round is a set-up that was played from every seat; its games depend on each other, so that rounds are counted, not games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from statistics import fmean, pvariance

SURE = 1.96  # standard deviations of a 95 % interval
ONE_SIDED = 1.645  # standard deviations that 95 % stay below
SURE_ENOUGH, FEWEST_ROUNDS = 0.95, 4  # to say that a bot is better


def surety(gaps: Sequence[float]) -> tuple[float, float]:
    """Return how sure it is that a mean lead over rounds is no chance, and how many more rounds would make it sure.

    It is Student's share, and never more than if the bot had won so many rounds and lost none.
    """
    n, mean = len(gaps), fmean(gaps)
    error = math.sqrt(pvariance(gaps) / (n - 1)) if n > 1 else 0.0
    most = all_won(n)
    share = min(most, student(mean / error, n - 1)) if error > 0 else most if mean > 0 else 0.5
    needed = n * (ONE_SIDED * error / mean) ** 2 if mean > 0 else 0.0
    return share, max(1.0, FEWEST_ROUNDS - n, needed - n)


def all_won(rounds: float) -> float:
    """Return how sure it is that a bot is better that has won all its rounds, if anything could be true before."""
    return float(1 - 0.5 ** (rounds + 1))


def student(t: float, freedom: int) -> float:
    """Return the share of Student's distribution below t, for whole degrees of freedom (Abramowitz and Stegun 26.7.3, 4)."""
    angle = math.atan(t / math.sqrt(freedom))
    is_odd = freedom % 2 == 1
    term = math.cos(angle) if is_odd else 1.0
    total = 0.0
    for k in range(2 + is_odd, freedom + 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (k - 1) / k
    within = 2 / math.pi * (angle + math.sin(angle) * total) if is_odd else math.sin(angle) * total
    return 0.5 + within / 2


@cache
def reach(rounds: int) -> float:
    """Return how many standard errors a 95 % interval over so many rounds reaches: Student's number, 1.96 for many."""
    low, high = SURE - 0.001, 20.0
    if rounds < 2 or student(low, min(rounds - 1, 10**4)) > 0.975:
        return SURE if rounds > 1 else high
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if student(middle, min(rounds - 1, 10**4)) < 0.975 else (low, middle)
    return high


def interval(scores: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of a mean score over rounds: Wilson's, for as many games as its error speaks for."""
    if not scores:
        return 0.0, 1.0
    mean, variance = fmean(scores), pvariance(scores)
    return wilson(mean, mean * (1 - mean) / variance * len(scores) if variance > 0 else len(scores))


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share seen in n games."""
    middle = (share + SURE**2 / (2 * n)) / (1 + SURE**2 / n)
    reach = SURE * math.sqrt(share * (1 - share) / n + SURE**2 / (4 * n * n)) / (1 + SURE**2 / n)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def about(games: float) -> int:
    """Return a number of games as people say it: at least one, and two figures of many."""
    whole = max(1, math.ceil(games))
    return round(whole, 2 - len(str(whole))) if whole > 99 else whole


def in_percent(share: float) -> str:
    """Return a share of certainty in words that never claim all of it."""
    return f"{100 * min(share, 0.999):.1f} %" if share > 0.99 else f"{100 * share:.0f} %"
