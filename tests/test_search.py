"""Tree search over every game: sides, several decisions in a row, chance, hidden parts, clocks; and bots by name."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, pairwise
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.agents import Asker, make_agent
from ludus.core import BadValue, LudusError, Start, UnknownName, time_control
from ludus.engine import Batch, Table, Trees
from ludus.games import Game, load, names
from ludus.school import PlayoutSearch, customs
from ludus.school.bots import time_left
from ludus.school.gumbel import GumbelSearch, halving

HIDDEN = [name for name in names() if load(name).hidden]


class Flat:
    """A network that knows nothing."""

    input = "planes"

    def __init__(self, game: Game) -> None:
        self.actions, self.seats = game.spec.actions, len(game.spec.seats)

    def __call__(self, shown: Any, masks: Any) -> tuple[Any, Any]:
        return np.zeros((len(masks), self.actions), np.float32), np.zeros((len(masks), self.seats), np.float32)


def winning(tiny: Game, seat: int) -> Table:
    """Return a table of Tiny at which a seat makes the sum full by adding 3, and lets the next one do so by all else."""
    table = Table(tiny, 1, "pure")
    row = table.s.copy()
    row.total, row.seat, row.left = tiny.options["goal"] - 3, seat, 1
    table.begin(1, row)
    return table


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_winning_decision_is_found_in_the_own_ids_of_every_seat(tiny: Game, seat: int) -> None:
    table = winning(tiny, seat)
    own = int(np.flatnonzero(tiny.own_ids[seat] == 2)[0])
    for found in (
        PlayoutSearch(tiny, 1, 200, device="pure", seed=3)(table.observe()),
        GumbelSearch(tiny, 1, Flat(tiny), 32, device="pure", seed=3)(table.observe()),
    ):
        assert found.actions[0] == own
        assert found.visits[0].argmax() == own
        assert found.policy[0].argmax() == own
        assert np.allclose(found.policy[0].sum(), 1)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_seats_of_one_side_win_together(tiny: Game, seat: int) -> None:
    table = winning(tiny, seat)
    found = PlayoutSearch(tiny, 1, 200, device="pure", seed=3)(table.observe())
    sides = [tiny.spec.side((seat + ahead) % 3) for ahead in range(3)]
    assert found.values[0, 0] > 0.5  # the mover's own comes first
    for ahead in range(3):
        assert (found.values[0, ahead] > 0) == (sides[ahead] == sides[0])


def test_a_seat_that_moves_twice_plans_both_decisions(tiny: Game) -> None:
    """Seven are missing and two decisions left: 3 + 4 or 4 + 3 wins at once."""
    table = Table(tiny, 1, "pure")
    row = table.s.copy()
    row.total, row.left = tiny.options["goal"] - 7, 2
    table.begin(1, row)
    found = PlayoutSearch(tiny, 1, 600, device="pure", seed=5)(table.observe())
    assert found.actions[0] in (2, 3)


def compare_compiled(game: Game, simulations: int = 6) -> None:
    """Compare what the compiled search finds with what the uncompiled one does, with playouts and with a network."""
    found, custom = {}, customs(game, "pure")
    for device in ("pure", "cpu"):
        views = np.array(Batch(game, 2, 5, "pure").observe())
        told = PlayoutSearch(game, 2, simulations, seed=1, device=device, custom=custom)(views)
        nets = GumbelSearch(game, 2, Flat(game), simulations, device=device, seed=1)(views)
        found[device] = [np.array(array) for array in (*told, *nets)]
    for one, other in zip(found["pure"], found["cpu"], strict=True):
        assert np.array_equal(one, other) if one.dtype.kind == "i" else np.allclose(one, other, atol=1e-6)


def test_compiled_trees_equal_uncompiled_ones(tiny: Game) -> None:
    compare_compiled(tiny, 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_compiled_trees_of_every_game_equal_uncompiled_ones(name: str) -> None:
    compare_compiled(load(name))


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_hidden_changes_nothing(name: str) -> None:
    """Positions that look alike to the seat to move, with other hidden parts: the same visits, so the same move."""
    game = load(name)
    batch, other = Batch(game, 3, 5, "pure"), Batch(game, 3, 9, "pure")
    batch.finish_random(30)
    other.sample(np.array(batch.observe()))
    assert (np.array(batch.digest()) != np.array(other.digest())).all(), "no hidden part was swapped"
    custom, found = replace(customs(game, "pure"), cut=12), []
    for views in (batch.observe(), other.observe()):
        searches = (
            PlayoutSearch(game, 3, 8, seed=2, device="pure", custom=custom),
            GumbelSearch(game, 3, Flat(game), 4, seed=2, device="pure"),
        )
        found.append([np.array(search(np.array(views)).visits) for search in searches])
    assert all(np.array_equal(one, two) for one, two in zip(*found, strict=True))


@pytest.mark.parametrize("name", HIDDEN)
def test_a_bot_is_asked_with_its_view_alone(name: str) -> None:
    """The same at a table: swap the hidden part of the position before the bot is asked, and it plays the same."""
    game, played = load(name), []
    for is_swapped in (False, True):
        table = Table(game, 4, "pure")
        for _ in range(12):
            table.apply(table.default())
        if is_swapped:
            true = game.digest(table.s)
            table.sample(table.observe().copy())
            assert game.digest(table.s) != true
        asker = Asker(table, table.seat, make_agent(game, "mcts:6"))
        asker.start(("mcts",) * len(game.spec.seats))
        played.append(asker.take())
    assert played[0] == played[1]


def test_a_number_of_simulations_and_a_seed_fix_everything(tiny: Game) -> None:
    view, found = Table(tiny, 1, "pure").observe(), []
    for seed in (1, 1, 2):
        search = PlayoutSearch(tiny, 1, 100, seed=seed, device="pure")
        found.append([np.array(search(view).visits) for _ in range(2)])
        assert all(int(visits.sum()) == 100 for visits in found[-1])
    assert all(np.array_equal(*pair) for pair in zip(found[0], found[1], strict=True))
    assert any(not np.array_equal(*pair) for pair in zip(found[0], found[2], strict=True))


def test_more_simulations_at_once_or_one_by_one_grow_the_same_tree(tiny: Game) -> None:
    view = Table(tiny, 1, "pure").observe()
    one, other = PlayoutSearch(tiny, 1, 100, device="pure"), PlayoutSearch(tiny, 1, 100, device="pure")
    whole = np.array(one(view).visits)
    assert np.array_equal(whole, other(view, seconds=1e9).visits)  # in slices, as a clock wants them


def test_time_ends_a_search(tiny: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by ten milliseconds with every look at it."""
    ticks = count()
    monkeypatch.setattr("ludus.school.search.perf_counter", lambda: next(ticks) / 100)
    search = PlayoutSearch(tiny, 1, 100_000_000, device="pure")
    found = search(Table(tiny, 1, "pure").observe(), seconds=0.05)
    assert 0 < search.made < 5
    assert found.visits.sum() == search.made
    assert next(ticks) <= 6  # it has ended in time
    with pytest.raises(BadValue, match="some time"):
        search(Table(tiny, 1, "pure").observe(), seconds=0)


def test_a_bot_of_playouts_has_its_way_where_all_is_alike(tiny: Game) -> None:
    """Far from the goal no first decision is better than another: what the bot would play is played."""
    game = load("tiny", goal=900)
    view = Table(game, 1, "pure").observe()
    custom = replace(customs(game, "pure"), cut=4)
    played = {int(PlayoutSearch(game, 1, 60, "counting", seed, "pure", custom)(view).actions[0]) for seed in range(5)}
    assert played == {0}  # the first marked action, when it is asked first


def test_where_a_bot_plays_on_all_after_the_first_decision_is_its_own(tiny: Game) -> None:
    view = Table(tiny, 1, "pure").observe()
    for playout, is_deep in (("random", True), ("counting", False)):
        search = PlayoutSearch(tiny, 1, 200, playout, device="pure")
        tried = int((search(view).visits > 0).sum())
        assert tried > 1
        assert (search.trees._buffers.tree_sizes[0] > 1 + tried) == is_deep


def test_a_full_tree_is_searched_on(tiny: Game) -> None:
    trees = Trees(tiny, 1, 5, device="pure")
    trees.settings(50, cut=100, explore=1, horizon=30, width=2)
    trees.plant(Table(tiny, 1, "pure").observe())
    trees.grow()
    assert trees.counted().visits.sum() <= 50
    assert trees.host(trees._buffers.tree_sizes)[0] == 5


def test_games_that_are_over_have_nothing_to_play(tiny: Game) -> None:
    batch = Batch(tiny, 3, 1, "pure", restart=False)
    batch.finish_random()
    for search in (PlayoutSearch(tiny, 3, 5, device="pure"), GumbelSearch(tiny, 3, Flat(tiny), 5, device="pure")):
        found = search(batch.observe())
        assert found.actions.tolist() == [-1] * 3
        assert not found.visits.any()


@pytest.mark.parametrize(("considered", "simulations"), [(16, 64), (4, 10), (1, 5), (2, 9), (5, 3), (3, 200)])
def test_halving_shares_the_simulations(considered: int, simulations: int) -> None:
    plan = halving(considered, simulations)
    assert len(plan) == simulations
    assert plan[0] == 0
    assert all(later - earlier <= 1 for earlier, later in pairwise(plan))  # nobody has more visits than were made
    assert plan.count(0) == min(considered, simulations)
    assert all(plan.count(visits) <= considered for visits in plan)


def test_bots_are_opened_by_their_words(tiny: Game) -> None:
    record = ludus.play("tiny", ["mcts:20", "mcts:20:counting", "mcts:1ms"], seed=1, device="pure")
    assert record.agents == ("mcts:20", "mcts:20:counting", "mcts:1ms")
    assert not record.faults
    again = ludus.play("tiny", ["mcts:20", "mcts:20:counting", "random"], seed=1, device="pure")
    assert again.decisions[:4] == record.decisions[:4]  # the first two seats' own
    assert make_agent(tiny, "name=Deep mcts:20").name == "Deep"


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("mcts:", "this bot is written mcts:1000"),
        ("mcts:many", "this bot is written mcts:1000"),
        ("mcts:-5", "this bot is written mcts:1000"),
        ("mcts:0ms", "this bot is written mcts:1000"),
        ("mcts:10:nobody", "unknown bot for playouts 'nobody'; there is: random"),
        ("net:", "this bot is written net:FILE"),
        ("net:nowhere.onnx", "there is no network nowhere.onnx"),
        ("net+search:nowhere.onnx:64", "there is no network nowhere.onnx"),
        ("net+search:nowhere.onnx", "this bot is written net"),
    ],
)
def test_what_is_wrong_with_a_word_is_said(tiny: Game, word: str, text: str) -> None:
    with pytest.raises(LudusError, match=text):
        make_agent(tiny, word)


def test_unknown_bots_are_told_of_search(tiny: Game) -> None:
    with pytest.raises(UnknownName, match="mcts:SIMULATIONS"):
        make_agent(tiny, "nobody")


@pytest.mark.parametrize(
    ("clock", "limit", "seconds"),
    [("move=0.2", 0.25, 0.1), ("move=0.2", 0.15, 0.05), ("10+0.1", 10.15, 0.404), ("bank=1", 0.05, 0.001)],
)
def test_a_decision_takes_a_share_of_what_the_clock_leaves(tiny: Game, clock: str, limit: float, seconds: float) -> None:
    """The limit counts the margin of the referee, which is left alone; there is always time for one simulation."""
    agent = make_agent(tiny, "mcts:10s")
    agent.limit = limit
    start = Start(tiny, 0, ("mcts",) * 3, 1, "pure", control=time_control(clock))
    assert time_left(agent, start) == pytest.approx(seconds)


def test_without_a_clock_there_is_no_limit(tiny: Game) -> None:
    agent = make_agent(tiny, "mcts:10s")
    assert time_left(agent, Start(tiny, 0, ("mcts",) * 3, 1, "pure")) is None


@pytest.mark.parametrize(("word", "seconds"), [("mcts:100000000", 0.1), ("mcts:10s", 0.1), ("mcts:30ms", 0.03)])
def test_a_clock_cuts_every_search_short(tiny: Game, monkeypatch: pytest.MonkeyPatch, word: str, seconds: float) -> None:
    agent, table, asked = make_agent(tiny, word), Table(tiny, 1, "pure"), []
    agent.start(Start(tiny, 0, ("mcts",) * 3, 1, "pure", control=time_control("move=0.2")))
    search = agent._search
    agent.limit, agent._search = 0.25, lambda view, limit, check: (asked.append(limit), search(view, 0.001))[1]
    assert agent.act(table.observe(), table.legal()) in table.legal()
    assert asked == [pytest.approx(seconds)]


def test_views_of_other_games_are_refused(tiny: Game) -> None:
    trees = Trees(tiny, 1, 10, device="pure")
    with pytest.raises(LudusError, match="planted"):
        trees.grow()
    with pytest.raises(BadValue, match="a view is a row"):
        trees.plant(np.zeros(1))
    with pytest.raises(UnknownName, match="unknown bot"):
        PlayoutSearch(tiny, 1, 10, "nobody", device="pure")(Table(tiny, 1, "pure").observe())
    with pytest.raises(BadValue, match="simulations must be from 1"):
        PlayoutSearch(tiny, 1, 0)


def test_a_networks_answer_is_checked(tiny: Game) -> None:
    flat = Flat(tiny)
    flat.actions = 3
    with pytest.raises(BadValue, match=r"logits of the shape \(1, 4\), not \(1, 3\)"):
        GumbelSearch(tiny, 1, flat, 2, device="pure")(Table(tiny, 1, "pure").observe())


def test_a_seed_begins_anew(tiny: Game) -> None:
    view, search = Table(tiny, 1, "pure").observe(), GumbelSearch(tiny, 1, Flat(tiny), 8, device="pure", seed=7)
    first = np.array(search(view).visits)
    search.seed(7)
    assert np.array_equal(first, search(view).visits)
