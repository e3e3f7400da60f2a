"""The sequential test: a published value, its own mathematics, and what it does with odd rounds."""

import json
import math

import numpy as np
import pytest

from ludus.arena import Bounds, judge, judge_in_order, judge_pairs
from ludus.arena.rating.sequential import FEWEST, NELO, PENTANOMIAL, _likeliest


def test_the_published_value() -> None:
    judged = judge_pairs([379, 10170, 21828, 10640, 343], Bounds(0, 2))
    assert judged.nelo == pytest.approx(3.05, abs=0.005)
    assert judged.nelo_error == pytest.approx(2.31, abs=0.005)
    assert judged.llr == pytest.approx(2.9455, abs=0.005)
    assert (judged.rounds, judged.decision) == (43360, "H1")
    assert judged.upper == -judged.lower == pytest.approx(math.log(19))


@pytest.mark.parametrize("counts", [(3, 10, 30, 12, 5), (0, 0, 9, 4, 1), (40, 1, 0, 1, 2), (0, 0, 0, 0, 30)])
@pytest.mark.parametrize("effect", [-0.3, 0.0, 0.02, 0.4])
def test_the_likeliest_distribution_is_the_likeliest(counts: tuple[int, ...], effect: float) -> None:
    """It keeps to the constraint, and no step along the constraint is likelier."""
    scores, seen = np.array(PENTANOMIAL) - 0.5, np.array(counts) + 1e-3
    likely = _likeliest(scores, seen / seen.sum(), effect)
    mean, rng = float(likely @ scores), np.random.default_rng(1)
    assert likely.sum() == pytest.approx(1)
    assert likely.min() > 0
    assert mean == pytest.approx(effect * math.sqrt(likely @ (scores - mean) ** 2), abs=1e-7)
    best = float(seen @ np.log(likely))
    for _ in range(200):
        other = likely * np.exp(rng.normal(0, 0.02, 5))
        other = on_the_constraint(scores, other / other.sum(), effect)
        assert float(seen @ np.log(other)) <= best + 1e-7


def on_the_constraint(scores: np.ndarray, share: np.ndarray, effect: float) -> np.ndarray:
    """Tilt a distribution until its mean is right."""
    low, high = -50.0, 50.0
    for _ in range(200):
        tilted = share * np.exp((low + high) / 2 * scores)
        tilted /= tilted.sum()
        mean = float(tilted @ scores)
        is_high = mean > effect * math.sqrt(max(0.0, float(tilted @ (scores - mean) ** 2)))
        low, high = (low, (low + high) / 2) if is_high else ((low + high) / 2, high)
    return tilted


def test_sides_are_treated_alike() -> None:
    one, other = judge_pairs([3, 10, 30, 14, 8], Bounds(-5, 10)), judge_pairs([8, 14, 30, 10, 3], Bounds(-10, 5))
    assert one.llr == pytest.approx(-other.llr)
    assert one.nelo == pytest.approx(-(other.nelo or 0))


def test_rounds_that_all_ended_alike() -> None:
    won, lost, level = (judge_pairs(counts, Bounds(0, 50)) for counts in ([0, 0, 0, 0, 40], [40, 0, 0, 0, 0], [0, 0, 40, 0, 0]))
    assert (won.nelo, won.decision) == (None, "H1")
    assert (lost.nelo, lost.decision) == (None, "H0")
    assert level.llr < 0
    assert judge_pairs([0] * 5, Bounds()).rounds == 0
    for judged in (won, lost, level):
        json.dumps(judged, allow_nan=False)


def test_nothing_is_decided_by_a_handful() -> None:
    for rounds in range(1, FEWEST):
        assert judge_pairs([0, 0, 0, 0, rounds], Bounds(0, 3000)).decision == ""


def test_rounds_are_counted_in_start_order_until_one_decides() -> None:
    scores = [0.75, 1.0, 0.5] * 40
    judged = judge_in_order(scores, Bounds(0, 100))
    assert judged.decision == "H1"
    assert judged.rounds < 40
    assert judge_in_order([*scores[: judged.rounds], *[0.0] * 100], Bounds(0, 100)) == judged
    assert judge_in_order(scores[: judged.rounds - 1], Bounds(0, 100)).decision == ""


def test_margins_of_games_of_points() -> None:
    """The unit of points is nobody's business, and neither is which bot is named first."""
    margins = [3.0, -1.0, 4.5, 2.0, -0.5, 6.0, 1.0] * 6
    judged = judge_in_order(margins, Bounds(0, 200), level=0.0)
    large = judge_in_order([1000 * x for x in margins], Bounds(0, 200), level=0.0)
    assert judged.decision == large.decision == "H1"
    assert judged.llr == pytest.approx(large.llr, rel=1e-6)
    turned = judge_in_order([-x for x in margins], Bounds(-200, 0), level=0.0)
    assert turned.decision == "H0"
    mean, deviation = np.mean(margins[: judged.rounds]), np.std(margins[: judged.rounds])
    assert judged.nelo == pytest.approx(NELO * mean / (math.sqrt(2) * deviation), rel=0.01)
    assert judge({0.0: 20}, Bounds(0, 50), level=0.0).decision == ""
