"""Formats: who meets whom, in games of two, three and four places, and who is left in the end."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import pytest

from ludus.arena.schedule import FORMATS, Field, Pairing, orders, places_of
from ludus.core import Spec


class Game(NamedTuple):
    entrants: tuple[int, ...]
    outcome: tuple[float, ...]
    points: tuple[float, ...]


def spec(sides: tuple[int, ...]) -> Spec:
    return Spec("Any", 1, tuple(f"seat{k}" for k in range(len(sides))), 1, (1, 1, 1), sides=sides)


def run(name: str, entrants: int, places: int, setups: int = 1, rounds: int = 0, chance: float = 0.0) -> list[list[Pairing]]:
    """Let a format go on to its end; the entrant of the lowest number wins, but for chance, in which games are drawn."""
    dice, games, found = random.Random(1), dict[int, list[Game]](), []
    field = Field(tuple(range(1, entrants + 1)), places, setups, rounds, lambda number: games.get(number, []))
    for pairings in FORMATS[name](field):
        found.append(pairings)
        for pairing in pairings:
            for order in orders(pairing.entrants, pairing.setup):
                drawn, best = dice.random() < chance, min(order)
                outcome = tuple(0.0 if drawn else 1.0 if one == best else -1.0 for one in order)
                rank = tuple(0.0 if drawn else -float(one) for one in order)
                games.setdefault(pairing.round, []).append(Game(order, outcome if places == 2 else graded(order, drawn), rank))
    return found


def graded(order: tuple[int, ...], drawn: bool) -> tuple[float, ...]:
    ranked = sorted(order)
    return tuple(0.0 if drawn else 1 - 2 * ranked.index(one) / (len(order) - 1) for one in order)


def met(rounds: list[list[Pairing]]) -> Counter[frozenset[int]]:
    return Counter(frozenset(two) for some in rounds for one in some for two in combinations(one.entrants, 2))


def test_everybody_has_every_place_once_and_neighbours_change() -> None:
    assert orders((7, 9), 0) == [(7, 9), (9, 7)]
    for places in (2, 3, 4):
        for setup in (0, 1):
            games = orders(tuple(range(places)), setup)
            assert all(sorted(game[place] for game in games) == list(range(places)) for place in range(places))
    followers = {(game[k], game[(k + 1) % 3]) for setup in (0, 1) for game in orders((0, 1, 2), setup) for k in range(3)}
    assert len(followers) == 6


def test_seats_of_a_side_are_one_place_or_each_its_own() -> None:
    assert places_of(spec((0, 1, 1)), "one") == (0, 1, 1)
    assert places_of(spec((0, 1, 1)), "each") == (0, 1, 2)
    assert places_of(spec(()), "one") == ()
    assert places_of(spec((5, 5, 2, 2)), "one") == (1, 1, 0, 0)


@pytest.mark.parametrize("places", [2, 3, 4])
def test_a_round_robin_lets_all_groups_meet_in_every_set_up(places: int) -> None:
    (all_of_them,) = run("round-robin", 5, places, setups=3)
    groups = Counter(one.entrants for one in all_of_them)
    assert set(groups) == set(combinations(range(1, 6), places))
    assert set(groups.values()) == {3}
    assert len({one.label for one in all_of_them}) == len(all_of_them)
    assert [one.setup for one in all_of_them] == sorted(one.setup for one in all_of_them)


def test_more_games_or_entrants_leave_what_was_planned() -> None:
    few, more, others = (run("round-robin", *size)[0] for size in ((4, 2, 2), (4, 2, 3), (5, 2, 2)))
    assert more[: len(few)] == few
    assert set(few) < set(others)


@pytest.mark.parametrize("places", [2, 3])
def test_a_gauntlet_is_about_the_first(places: int) -> None:
    (all_of_them,) = run("gauntlet", 6, places, setups=2)
    assert all(one.entrants[0] == 1 for one in all_of_them)
    assert {other for one in all_of_them for other in one.entrants[1:]} == set(range(2, 7))


@pytest.mark.parametrize("entrants", [4, 7, 16, 33])
def test_a_swiss_tournament_pairs_equals_who_have_not_met(entrants: int) -> None:
    rounds = run("swiss", entrants, 2, setups=2)
    assert len(rounds) == (entrants - 1).bit_length()
    for some in rounds:
        in_round = Counter(one for pairing in some for one in pairing.entrants)
        assert len(in_round) == entrants - entrants % 2
        assert set(in_round.values()) == {2}  # set-ups
    assert set(met(rounds).values()) == {2}  # nobody meets anybody again
    assert len({one.setup for some in rounds for one in some}) == 2 * len(rounds)


def test_byes_go_round() -> None:
    rounds = run("swiss", 5, 2, rounds=5)
    idle = [({1, 2, 3, 4, 5} - {one for pairing in some for one in pairing.entrants}).pop() for some in rounds]
    assert sorted(idle) == [1, 2, 3, 4, 5]


def test_a_swiss_tournament_of_three_places_and_of_many_rounds() -> None:
    assert all(len(pairing.entrants) == 3 for some in run("swiss", 7, 3, rounds=4) for pairing in some)
    again = met(run("swiss", 4, 2, rounds=6))
    assert set(again.values()) == {2}  # each meets each twice in six rounds, and nobody three times


def winners(rounds: list[list[Pairing]], lives: int) -> Iterator[int]:
    losses = Counter(max(group) for some in rounds for group in {(one.round, one.entrants)[1] for one in some})
    yield from (one for one in range(1, 99) if losses[one] < lives)


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 13])
def test_a_cup_has_one_winner_who_lost_nothing(entrants: int) -> None:
    rounds = run("knock-out", entrants, 2)
    assert sum(len(some) for some in rounds) == entrants - 1  # each heat puts one out
    assert len(rounds) == (entrants - 1).bit_length()
    assert next(winners(rounds, 1)) == 1
    assert rounds[-1][0].entrants[0] == 1


def test_the_strong_meet_late() -> None:
    rounds = run("knock-out", 8, 2)
    assert {one.entrants for one in rounds[0]} == {(1, 8), (2, 7), (3, 6), (4, 5)}
    assert {one.entrants for one in rounds[-1]} == {(1, 2)}


@pytest.mark.parametrize("entrants", [2, 3, 4, 6, 8])
def test_who_lost_once_may_come_back(entrants: int) -> None:
    rounds = run("double-elimination", entrants, 2)
    losses = Counter(max(one.entrants) for some in rounds for one in some)
    assert losses[1] == 0
    assert all(losses[one] == 2 for one in range(2, entrants + 1))


@pytest.mark.parametrize("format_", ["knock-out", "double-elimination"])
@pytest.mark.parametrize(("entrants", "places"), [(3, 3), (7, 3), (9, 4)])
def test_heats_of_more_places_end_with_the_best(format_: str, entrants: int, places: int) -> None:
    rounds = run(format_, entrants, places)
    assert all(len(one.entrants) == places for some in rounds for one in some)
    assert set(rounds[-1][0].entrants) >= {1, 2}


def test_a_heat_that_is_tied_goes_on_and_ends() -> None:
    rounds = run("knock-out", 4, 2, setups=1, chance=0.7)
    assert max(Counter((one.round, one.entrants) for some in rounds for one in some).values()) > 1
    assert len({one.label for some in rounds for one in some}) == sum(len(some) for some in rounds)
    for_ever = run("knock-out", 2, 2, chance=1.0)
    assert len(for_ever) == 33  # the first set-up and 32 more; then the seeding decides
