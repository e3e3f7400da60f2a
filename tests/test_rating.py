"""Ratings: what is known by hand is found, what cannot be known is said, and equal games give equal tables."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest

from ludus.arena import Online, Ratings, Sample, Sampled, curves, standing
from ludus.arena.rating.bounds import ONCE_IN_FORTY
from ludus.arena.rating.certainty import reach, student
from ludus.arena.rating.strength import ELO, choices_of, choices_of_kinds, fitted, groups_of


def game(one: int, other: int, outcome: float, pair: object, points: float = 3.0) -> Sampled:
    return Sampled((one, other), (outcome, -outcome), (points * outcome, 0.0), pair)


def two_seats(names: str, games: list[Sampled]) -> Sample:
    return Sample(tuple(names), ("first", "second"), (0, 1), games)


def rounds_of(one: int, other: int, outcomes: list[tuple[float, float]]) -> list[Sampled]:
    """Return pairs of games: what the one got as the first, and what it got as the second."""
    found = []
    for k, (first, second) in enumerate(outcomes):
        found += [game(one, other, first, (one, other, k)), game(other, one, -second, (one, other, k))]
    return found


def test_two_bots_have_the_rating_of_their_score() -> None:
    table = standing(two_seats("ab", rounds_of(0, 1, [(1, 1), (1, -1), (-1, 1), (1, 0), (0, 1)] * 5)))
    score = table.rows[0].score
    assert [row.name for row in table.rows] == ["a", "b"]
    gap = (table.rows[0].rating or 0) - (table.rows[1].rating or 0)
    assert score == pytest.approx(0.7)
    assert gap == pytest.approx(ELO * math.log(score / (1 - score)), abs=0.01)
    assert (table.rows[0].rating or 0) + (table.rows[1].rating or 0) == pytest.approx(0, abs=1e-6)


def test_a_draw_is_half_a_win() -> None:
    drawn = two_seats("ab", rounds_of(0, 1, [(0, 0), (1, 0), (0, 1), (0, -1)]))
    halved = two_seats("ab", rounds_of(0, 1, [(1, -1), (-1, 1), (1, 1), (1, -1), (-1, 1), (1, -1), (1, -1), (-1, -1)]))
    # the same score of the first bot in both seats, once in draws and once in twice as many wins and losses
    for sample in (drawn, halved):
        choices, of_game = choices_of(sample)
        strength = fitted(choices, np.bincount(of_game))
        seen = [(one.outcome[k] + 1) / 2 for one in sample.games for k in (0, 1) if one.entrants[k] == 0]
        assert ELO * (strength[0] - strength[1]) == pytest.approx(ELO * math.log(np.mean(seen) / (1 - np.mean(seen))), abs=2)


def test_a_side_that_wins_more_gives_its_bot_nothing() -> None:
    """The first seat wins 3 of 4 games between equals; one who had it more often is no better for that."""
    games = [game(0, 1, 1 if k % 4 else -1, ("a", k)) for k in range(60)]
    games += [game(1, 0, 1 if k % 4 else -1, ("b", k)) for k in range(20)]
    table = standing(two_seats("ab", games))
    assert table.rows[0].score > 0.59
    assert abs(table.rows[0].rating or 0) < 3
    assert table.side_points[0] == pytest.approx(ELO * math.log(3) / 2, rel=0.1)


@pytest.mark.parametrize("seats", [3, 4])
def test_plackett_and_luce_of_more_seats(seats: int) -> None:
    """With every order as often as the model says, the model's strengths are found again."""
    true = np.array([0.9, 0.2, -0.3, -0.8])[:seats]
    kinds, counts = [], []
    for order in permutations(range(seats)):
        chance, left = 1.0, list(range(seats))
        for who in order[:-1]:
            chance *= math.exp(true[who]) / sum(math.exp(true[other]) for other in left)
            left.remove(who)
        for turn in range(seats):
            seating = [(k + turn) % seats for k in range(seats)]
            kinds.append((tuple((who,) for who in seating), tuple(order.index(who) for who in seating)))
            counts.append(1000 * chance)
    strength = fitted(choices_of_kinds(kinds, seats, seats), np.array(counts))
    assert strength[:seats] - strength[:seats].mean() == pytest.approx(true - true.mean(), abs=1e-3)
    assert strength[seats:] == pytest.approx(0, abs=1e-6)


def test_level_sides_count_as_every_order_of_them() -> None:
    """All level among three is the mean of the six orders, and says that they are equal."""
    level = choices_of_kinds([(((0,), (1,), (2,)), (0, 0, 0))], 3, 3)
    orders = choices_of_kinds([(((0,), (1,), (2,)), order) for order in permutations(range(3))], 3, 3)
    strength = np.array([0.3, -0.5, 1.0, 0.0, 0.1, -0.1])
    assert level.logs(strength, 1)[0] == pytest.approx(orders.logs(strength, 6).mean())
    assert level.slopes(strength, 1)[0] == pytest.approx(orders.slopes(strength, 6).mean(axis=0))


def test_slopes_and_bends_are_those_of_the_likelihood() -> None:
    kinds = [(((0,), (1, 1)), (0, 1)), (((1,), (0, 2)), (1, 0)), (((2,), (0, 0)), (0, 0))]
    choices, counts, at = choices_of_kinds(kinds, 3, 2), np.array([5.0, 3.0, 2.0]), np.array([0.4, -0.2, 0.1, 0.3, -0.3])
    step = 1e-4 * np.eye(5)
    likelihood = [counts @ choices.logs(at + s, 3) - counts @ choices.logs(at - s, 3) for s in step]
    assert counts @ choices.slopes(at, 3) == pytest.approx(np.array(likelihood) / 2e-4, abs=1e-6)
    bend = [counts @ (choices.slopes(at - s, 3) - choices.slopes(at + s, 3)) / 2e-4 for s in step]
    assert choices.bend(at, counts) == pytest.approx(np.array(bend), abs=1e-6)


def test_sides_of_several_seats() -> None:
    """One bot has both seats of the second side, as it may in a game of one against two; it plays one game, not two."""
    games = []
    for k in range(48):
        games.append(Sampled((0, 1, 1), (1, -1, -1) if k % 3 else (-1, 1, 1), (0, 0, 0), k))
        games.append(Sampled((1, 0, 0), (-1, 1, 1) if k % 4 else (1, -1, -1), (0, 0, 0), k))
    table = standing(Sample(("a", "b"), ("x", "y", "z"), (0, 1, 1), games))
    assert [row.name for row in table.rows] == ["a", "b"]
    assert table.rows[0].games == 96
    assert table.duels[0, 1].games == 96
    assert table.duels[0, 1].rounds == 48
    assert table.rows[0].low is not None
    assert table.rows[0].low > 0


def needs(table: Ratings) -> dict[str, tuple[bool, int]]:
    return {row.name: (row.rating is not None, row.needs) for row in table.rows}


def all_finite(table: Ratings) -> bool:
    numbers = [x for row in table.rows for x in (row.rating, row.low, row.high, row.score) if x is not None]
    return all(math.isfinite(x) for x in numbers) and bool(np.isfinite(table.superiority).all())


def test_nothing_and_one_game() -> None:
    nothing = standing(two_seats("ab", []))
    assert needs(nothing) == {"a": (False, 8), "b": (False, 8)}
    one = standing(two_seats("ab", [game(0, 1, 1, 0)]))
    assert needs(one) == {"a": (False, 3), "b": (False, 3)}
    assert one.verdicts == ("not decided: a leads b, 75 %; about 3 more games would tell",)
    assert all_finite(nothing)
    assert all_finite(one)


def test_who_lost_nothing_has_a_bound() -> None:
    """Twenty rounds won: no rating, but one that such a record would still have once in forty."""
    table = standing(two_seats("ab", rounds_of(0, 1, [(1, 1)] * 20)))
    assert not any(rated for rated, _ in needs(table).values())
    assert all_finite(table)
    bounds = [bound for row in table.rows for bound in (row.low, row.high) if bound is not None]
    assert len(bounds) == 1
    chance = 1 / (1 + math.exp(-abs(bounds[0]) / ELO))
    assert 20 * math.log(chance) == pytest.approx(ONCE_IN_FORTY, abs=1e-6)
    assert table.verdicts == ("a is better than b, 99.9 %",)


def test_a_chain_of_bots_that_lose_nothing() -> None:
    games = [x for a, b in combinations(range(4), 2) for x in rounds_of(a, b, [(1, 1)] * 10)]
    table = standing(two_seats("abcd", games))
    assert [row.name for row in table.rows] == ["a", "b", "c", "d"]
    assert len(groups_of(table.sample)) == 4
    assert all_finite(table)
    assert all(" is better than " in verdict for verdict in table.verdicts)
    told = [(row.low, row.high) for row in table.rows]
    assert sum(pair == (None, None) for pair in told) == 1  # the one that the others are seen from
    assert table.superiority + table.superiority.T == pytest.approx(1.0)


def test_groups_that_never_met() -> None:
    mixed = [(1, 1), (1, -1), (-1, 1), (-1, -1), (1, 1)]
    table = standing(two_seats("abcd", rounds_of(0, 1, mixed) + rounds_of(2, 3, mixed)))
    rated = [row for row in table.rows if row.rating is not None]
    assert {row.name for row in rated} in ({"a", "b"}, {"c", "d"})
    assert all(row.needs == 8 for row in table.rows if row.rating is None)
    assert table.superiority[0, 2] == 0.5


def test_equal_results_do_not_pass_for_certainty() -> None:
    """Ten rounds in which the first seat won: nothing is known of the bots, whatever ratings say."""
    table = standing(two_seats("ab", rounds_of(0, 1, [(1, -1)] * 10)))
    assert table.rows[0].rating == pytest.approx(0, abs=1e-6)
    assert (table.rows[0].high or 0) > 50
    assert table.verdicts[0].startswith("not decided: ")


def test_margins_seats_and_faults() -> None:
    games = [Sampled((0, 1), (1, -1), (10.0, 4.0), 0, (0, 2)), Sampled((1, 0), (1, -1), (5.0, 3.0), 0, (1, 0))]
    table = standing(two_seats("ab", games))
    assert table.duels[0, 1].margin == pytest.approx((6 - 2) / 2)
    assert table.duels[1, 0].margin == pytest.approx(-2)
    assert table.row(0).by_seat == {"first": (1, 1.0), "second": (1, 0.0)}
    assert (table.row(0).faults, table.row(1).faults) == (0, 3)
    assert table.row(0).points == pytest.approx(6.5)


def test_the_same_games_give_the_same_table() -> None:
    games = rounds_of(0, 1, [(1, -1), (1, 1), (0, 1)] * 3) + rounds_of(1, 2, [(1, -1), (-1, 1), (1, 0)] * 3)
    one, two = standing(two_seats("abc", games)), standing(two_seats("abc", list(games)))
    assert one.rows == two.rows
    assert one.verdicts == two.verdicts
    million = standing(two_seats("abc", [g._replace(pair=(g.pair, k)) for k in range(50) for g in games]))
    for few, many in zip(one.rows, million.rows, strict=True):
        assert many.rating == pytest.approx(few.rating, abs=2)
        assert (many.high or 0) - (many.low or 0) < ((few.high or 0) - (few.low or 0)) / 5


def test_students_reach() -> None:
    assert reach(5) == pytest.approx(2.776, abs=1e-3)
    assert reach(31) == pytest.approx(2.042, abs=1e-3)
    assert 1.959 < reach(10**6) < 1.961
    assert student(reach(11), 10) == pytest.approx(0.975, abs=1e-6)


def test_online_ratings_follow_the_games() -> None:
    sample = two_seats("ab", rounds_of(0, 1, [(1, 1), (1, -1), (1, 1)] * 10))
    told = curves(sample, points=10)
    assert [done for done, _ in told] == [6 * k for k in range(11)]
    assert told[0][1][0].rating == 0
    assert told[-1][1][0].rating > 50 > -50 > told[-1][1][1].rating
    assert told[-1][1][0].error < told[0][1][0].error
    online = Online(sample)
    online.add(Sampled((0, 0), (1, -1), (0, 0), 0))  # against itself
    assert online.levels()[0].rating == 0
