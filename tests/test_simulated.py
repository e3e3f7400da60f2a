"""Contests played by dice whose truth is known: what the tests and ratings claim holds as often as they say."""

from itertools import combinations

import numpy as np
import pytest

from ludus.arena import Bounds, Sample, Sampled, judge_in_order, standing
from ludus.arena.rating.sequential import FEWEST, HINT, NELO, PENTANOMIAL, log_ratio
from ludus.arena.rating.strength import ELO

pytestmark = pytest.mark.slow
TESTS, TOURNAMENTS = 10_000, 1_000


def pentanomial(rng: np.random.Generator, effect: float) -> np.ndarray:
    """Return chances of the scores of pairs, for bots whose games are drawn more or less often, with this effect a game."""
    draws = rng.uniform(0.1, 0.7)
    single = np.array([(1 - draws) / 2, draws, (1 - draws) / 2])
    share, scores = np.convolve(single, single), np.array(PENTANOMIAL) - 0.5
    low, high = -10.0, 10.0
    for _ in range(60):
        tilted = share * np.exp((low + high) / 2 * scores)
        tilted /= tilted.sum()
        mean = tilted @ scores
        is_high = mean > effect * np.sqrt(2 * (tilted @ (scores - mean) ** 2))
        low, high = (low, (low + high) / 2) if is_high else ((low + high) / 2, high)
    return tilted


def decided(bounds: Bounds, rounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Judge many tests at once, round by round [tests, rounds]; return after how many each was decided, and whether for H1."""
    tests, scores = len(rounds), np.array(PENTANOMIAL) - 0.5
    counts, after, is_one = np.full((tests, 5), HINT), np.zeros(tests, int), np.zeros(tests, bool)
    left = np.arange(tests)
    effects = [elo / NELO * np.sqrt(2) for elo in (bounds.elo0, bounds.elo1)]
    for k in range(rounds.shape[1]):
        counts[left, rounds[left, k]] += 1
        if k + 1 >= FEWEST:
            ratio = log_ratio(scores, counts[left], *effects)
            is_over = (ratio >= bounds.upper) | (ratio <= bounds.lower)
            after[left[is_over]], is_one[left[is_over]] = k + 1, ratio[is_over] > 0
            left = left[~is_over]
        if not len(left):
            break
    assert not len(left)
    return after, is_one


@pytest.mark.parametrize("elo1", [20, 100])
@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_the_sequential_test_errs_as_rarely_as_it_says(truth: str, elo1: int) -> None:
    bounds, rng = Bounds(0, elo1), np.random.default_rng(16)
    effect, most = (bounds.elo0 if truth == "H0" else bounds.elo1) / NELO, 200_000 // elo1
    rounds = np.array([rng.choice(5, most, p=pentanomial(rng, effect)).astype(np.int8) for _ in range(TESTS)])
    after, is_one = decided(bounds, rounds)
    for k in range(20):  # as one test is judged
        judged = judge_in_order([PENTANOMIAL[score] for score in rounds[k, : after[k]]], bounds)
        assert (judged.rounds, judged.decision) == (after[k], "H1" if is_one[k] else "H0")
    wrong = np.mean(is_one != (truth == "H1"))
    print(f"0 against {elo1}, {truth} holds: wrong in {wrong:.2%} of {TESTS} tests, {after.mean():.0f} rounds on average")
    assert wrong <= 0.05


@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_the_sequential_test_on_margins_errs_as_rarely_as_it_says(truth: str) -> None:
    """Margins have long tails: Student's, of six degrees of freedom, in whole tenths."""
    bounds, rng, tests = Bounds(0, 100), np.random.default_rng(17), TESTS // 20
    effect = (bounds.elo0 if truth == "H0" else bounds.elo1) / NELO
    wrong = 0
    for _ in range(tests):
        plain = rng.standard_t(6, 1500) * np.sqrt(4 / 6) + effect * np.sqrt(2)  # of deviation 1
        judged = judge_in_order(np.round(5 * plain, 1).tolist(), bounds, level=0.0)
        assert judged.decision
        wrong += judged.decision != truth
    print(f"margins, {truth} holds: wrong in {wrong / tests:.2%} of {tests} tests")
    assert wrong / tests <= 0.05


def tournament(rng: np.random.Generator, entrants: int, rounds: int, seats: int) -> tuple[Sample, np.ndarray]:
    """Return a round robin of bots with known strengths; set-ups favour a seat by luck, and games of two may be drawn."""
    true, bonus = rng.normal(0, 0.8, entrants), np.array([0.3, *[0.0] * (seats - 1)])
    games = []
    for some in combinations(range(entrants), seats):
        for k in range(rounds):
            for turn in range(seats):
                seated = [some[(seat + turn) % seats] for seat in range(seats)]
                height = true[seated] + bonus + rng.gumbel(size=seats)
                place = np.argsort(np.argsort(-height))
                outcome = tuple((1 - 2 * place / (seats - 1)).tolist())
                games.append(Sampled(tuple(seated), outcome, outcome, (some, k)))
    names = tuple(f"bot {k}" for k in range(entrants))
    return Sample(names, tuple("abcd"[:seats]), tuple(range(seats)), games), ELO * (true - true.mean())


@pytest.mark.parametrize(("entrants", "rounds", "seats"), [(6, 20, 2), (5, 10, 3), (5, 8, 4)])
def test_intervals_hold_the_true_strength(entrants: int, rounds: int, seats: int) -> None:
    rng, held, told, width = np.random.default_rng(18), 0, 0, 0.0
    for _ in range(TOURNAMENTS):
        sample, true = tournament(rng, entrants, rounds, seats)
        for row in standing(sample).rows:
            if row.low is not None and row.high is not None:
                told, held = told + 1, held + (row.low <= true[row.entrant] <= row.high)
                width += (row.high - row.low) / 2
    print(f"{seats} seats: {held / told:.2%} of {told} intervals hold the true strength; ± {width / told:.0f} on average")
    assert told > 0.95 * TOURNAMENTS * entrants
    assert 0.93 <= held / told <= 0.97
