"""Contests played by dice whose truth is known: what the tests and ratings claim holds as often as they say."""

from itertools import combinations

import numpy as np
import pytest

from ludus.arena import Bounds, Field, Scored, judge_in_order, standing
from ludus.arena.rating.sequential import NELO, PENTANOMIAL
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


@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_the_sequential_test_errs_as_rarely_as_it_says(truth: str) -> None:
    bounds, rng = Bounds(0, 100), np.random.default_rng(16)
    wrong = rounds = 0
    for _ in range(TESTS):
        chances = pentanomial(rng, (bounds.elo0 if truth == "H0" else bounds.elo1) / NELO)
        judged = judge_in_order(rng.choice(PENTANOMIAL, 2000, p=chances).tolist(), bounds)
        assert judged.decision
        wrong, rounds = wrong + (judged.decision != truth), rounds + judged.rounds
    print(f"{truth} holds: wrong in {wrong} of {TESTS} tests, {rounds / TESTS:.1f} rounds on average")
    assert wrong / TESTS <= 0.05


@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_the_sequential_test_on_margins_errs_as_rarely_as_it_says(truth: str) -> None:
    """Margins have long tails: sums of a few large and many small differences."""
    bounds, rng, tests = Bounds(0, 100), np.random.default_rng(17), TESTS // 10
    effect = (bounds.elo0 if truth == "H0" else bounds.elo1) / NELO
    wrong = 0
    for _ in range(tests):
        plain = np.round(rng.standard_t(6, 1500) * np.sqrt(4 / 6) * 5, 1)  # whole tenths, of deviation 5
        judged = judge_in_order((plain + effect * np.sqrt(2) * 5).tolist(), bounds, level=0.0)
        assert judged.decision
        wrong += judged.decision != truth
    print(f"{truth} holds: wrong in {wrong} of {tests} tests on margins")
    assert wrong / tests <= 0.05


def tournament(rng: np.random.Generator, entrants: int, rounds: int, seats: int) -> tuple[Field, np.ndarray]:
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
                games.append(Scored(tuple(seated), outcome, outcome, (some, k)))
    names = tuple(f"bot {k}" for k in range(entrants))
    return Field(names, tuple("abcd"[:seats]), tuple(range(seats)), games), ELO * (true - true.mean())


@pytest.mark.parametrize(("entrants", "rounds", "seats"), [(6, 20, 2), (5, 10, 3), (5, 8, 4)])
def test_intervals_hold_the_true_strength(entrants: int, rounds: int, seats: int) -> None:
    rng, held, told, width = np.random.default_rng(18), 0, 0, 0.0
    for _ in range(TOURNAMENTS):
        field, true = tournament(rng, entrants, rounds, seats)
        for row in standing(field).rows:
            if row.low is not None and row.high is not None:
                told, held = told + 1, held + (row.low <= true[row.entrant] <= row.high)
                width += (row.high - row.low) / 2
    print(f"{seats} seats: {held / told:.2%} of {told} intervals hold the true strength; ± {width / told:.0f} on average")
    assert told > 0.95 * TOURNAMENTS * entrants
    assert 0.93 <= held / told <= 0.97
