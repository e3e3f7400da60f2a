"""Batch and Table, for every game: the contract of the engine, whatever is played."""

import threading

import numpy as np
import pytest

from ludus.core import BadValue, IllegalAction, LudusError, UnknownName, plain
from ludus.engine import Batch, Table, compiled_bots, cuda_problem
from ludus.games import Game, load, names
from ludus.testing import compare_seat, same

GAMES = names()
on_both = pytest.mark.parametrize("device", ["pure", "cpu"])


def random_actions(batch: Batch, chance: np.random.Generator) -> np.ndarray:
    masks = batch.legal()
    return (masks * (1 + chance.random(masks.shape))).argmax(axis=1)


@pytest.mark.parametrize("name", GAMES)
def test_finished_games_are_followed_by_new_ones_and_their_ends_are_kept(name: str) -> None:
    check_ends(Batch(name, 16, seed=1), Batch(name, 16, seed=1, restart=False))


@on_both
def test_the_ends_of_a_small_game(tiny: Game, device: str) -> None:
    check_ends(Batch(tiny, 3, 1, device), Batch(tiny, 3, 1, device, restart=False))


def check_ends(batch: Batch, single: Batch) -> None:
    """Play two batches alike until a game ends, and compare what is kept of it with where the other stands."""
    chance, ended = np.random.default_rng(1), 0
    for _ in range(100_000):
        actions = random_actions(batch, chance)
        batch.step(actions)
        single.step(actions)
        for i in np.flatnonzero(batch.done):
            status, outcomes, points = single.result()
            assert batch.done[i] == status[i] != 0
            assert (batch.final_outcomes[i] == outcomes[i]).all()
            assert (batch.final_points[i] == points[i]).all()
            for seat in range(len(batch.game.spec.seats)):
                view = batch.game.look(single.states[i], seat).array
                same(np.asarray(batch.final_views)[i, seat : seat + 1], view, f"final view of seat {seat}")
            ended += 1
        if ended:
            break
    assert ended
    assert (batch.result()[0] == 0).all()


@pytest.mark.parametrize("name", GAMES)
def test_one_wrong_action_is_named_and_nothing_is_played(name: str) -> None:
    batch = Batch(name, 4, seed=2, device="pure")
    actions = batch.legal().argmax(axis=1)
    before = np.array(batch.states)
    actions[2] = batch.game.spec.actions
    with pytest.raises(IllegalAction, match=rf"row 2: action {actions[2]} is not in 0 to {actions[2] - 1}"):
        batch.step(actions)
    actions[2] = -1
    with pytest.raises(IllegalAction, match="row 2"):
        batch.step(actions)
    illegal = np.flatnonzero(batch.legal()[2] == 0)
    if batch.game.spec.refuses and len(illegal):
        actions[2] = illegal[0]
        with pytest.raises(IllegalAction, match=rf"row 2: action {actions[2]} is refused \(\w+\); legal are \d") as caught:
            batch.step(actions)
        row = plain(batch.states[2])
        assert caught.value.reason == batch.game.why_not(row, row.seat, int(batch.game.own_ids[row.seat, actions[2]]))
    same(before, batch.states, "rows after refused steps")


@on_both
def test_steps_may_go_unchecked(tiny: Game, device: str) -> None:
    batch = Batch(tiny, 2, device=device)
    batch.step([0, 0])
    batch.step([0, 0], check=False)
    assert batch.states["seat"].tolist() == [1, 1]


@pytest.mark.parametrize("wrong", [[0], [0.5, 1.5], ["a", "b"], 3, None, [[0, 1]], [True, False], [[0], [0, 1]], [0, 10**30]])
def test_actions_of_the_wrong_kind_are_refused(wrong: object) -> None:
    with pytest.raises(BadValue, match="actions must be 2 whole numbers"):
        Batch(GAMES[0], 2, device="pure").step(wrong)


def test_wrong_arguments_say_what_is_allowed() -> None:
    with pytest.raises(UnknownName, match="unknown device 'gpu'; there is: pure, cpu, cuda, wasm"):
        Batch(GAMES[0], 2, device="gpu")
    with pytest.raises(BadValue, match="n must be"):
        Batch(GAMES[0], 0)
    with pytest.raises(BadValue, match="seed must be"):
        Batch(GAMES[0], 1, seed=-1)
    with pytest.raises(UnknownName, match="unknown game 'nim'; there is: "):
        load("nim")
    batch = Batch(GAMES[0], 2, device="pure")
    seats = batch.game.spec.seats
    with pytest.raises(UnknownName, match="unknown bot 'x'"):
        batch.finish(["x"] * len(seats))
    with pytest.raises(BadValue, match="one bot a seat"):
        batch.finish([])
    with pytest.raises(BadValue, match="every seat needs a bot"):
        batch.finish([None] * len(seats))
    with pytest.raises(UnknownName, match="unknown seat 'nobody'"):
        batch.seat("nobody")
    with pytest.raises(BadValue, match="every other seat needs a bot"):
        batch.seat(0, [None] * len(seats))
    with pytest.raises(BadValue, match="positions must be rows"):
        batch.load("x")
    with pytest.raises(BadValue, match="one for each of the 2 games"):
        batch.seed([1, 2, 3])
    with pytest.raises(BadValue, match="one game at a time runs on pure or cpu, not on 'cuda'"):
        Table(GAMES[0], device="cuda")


@pytest.mark.parametrize("name", GAMES)
@on_both
def test_a_table_plays_like_a_batch_of_one(name: str, device: str) -> None:
    table, batch = Table(name, seed=5, device=device), Batch(name, 1, seed=[5])
    chance, ids = np.random.default_rng(5), table.game.own_ids
    for _ in range(30):
        own = np.flatnonzero(batch.legal()[0])
        assert table.legal() == sorted(ids[table.seat][own].tolist())
        assert np.array_equal(table.own_mask(), batch.legal()[0])
        same(table.observe().array, batch.observe(), "views")
        same(table.encode(), batch.encode()[0], "planes")
        action = int(chance.choice(own))
        table.apply(table.rule_id(table.seat, action))
        batch.step([action])
        assert table.rewards == batch.rewards[0].tolist()
        if batch.done[0]:
            assert table.over
            assert table.result().outcome == tuple(batch.final_outcomes[0])
            break
        assert not table.over
        same(table.s.array, batch.states, "rows")


@pytest.mark.parametrize("action", [None, "up", 1.5, True, [1], -1, 10**9, 10**30])
def test_a_table_refuses_what_is_no_action(action: object) -> None:
    table = Table(GAMES[0], seed=1, device="pure")
    before = bytes(table.s.bytes)
    with pytest.raises(BadValue, match="must be"):
        table.apply(action)  # type: ignore[arg-type]
    assert table.why_not(table.seat, action) == "bad_action"
    assert bytes(table.s.bytes) == before


def test_a_finished_table_says_so() -> None:
    table = Table(GAMES[0], seed=1, device="pure")
    chance = np.random.default_rng(0)
    while not table.over:
        table.apply(int(chance.choice(table.legal())))
    assert table.legal() == []
    with pytest.raises(IllegalAction, match="the game is over"):
        table.apply(0)
    assert table.why_not(table.seat, 0) == "game_over"
    table.begin()
    assert not table.over


def test_finished_games_stand_still_whatever_is_played(tiny: Game) -> None:
    batch = Batch(tiny, 2, device="pure", restart=False)
    batch.finish(["random"] * 3)
    before = batch.states.copy()
    assert not batch.legal().any()
    for actions in ([0, 0], [-1, 99]):
        batch.step(actions)
        assert (batch.states == before).all()
        assert not batch.done.any()
        assert not batch.rewards.any()
    running = Batch(tiny, 2, device="pure", restart=False)
    running.load(np.concatenate([before[:1], running.states[:1]]))
    with pytest.raises(IllegalAction, match="row 1: action 99 is not in"):
        running.step([99, 99])
    running.step([99, int(running.legal()[1].argmax())])
    assert running.states[0] == before[0]
    assert running.states[1] != before[0]
    assert running.rewards.shape == (2, 3)


@pytest.mark.parametrize("name", GAMES)
def test_bots_run_the_same_uncompiled(name: str) -> None:
    game = load(name)
    for bot in compiled_bots(game):
        one, other = (Batch(name, 2, 3, device, frame="rules") for device in ("pure", "cpu"))
        bots = [bot] * len(game.spec.seats)
        for _ in range(3):
            actions = np.array(one.choose(bots))
            assert (actions == other.choose(bots)).all(), bot
            one.step(actions)
            other.step(actions)


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_is_shown_the_same_uncompiled(name: str) -> None:
    compare_seat(load(name), "pure", "cpu", games=3, decisions=8)


def test_batches_run_in_several_threads_at_once() -> None:
    expected = Batch(GAMES[0], 300, seed=4)
    expected.play_random(200)
    found = []

    def work() -> None:
        batch = Batch(GAMES[0], 300, seed=4)
        batch.play_random(200)
        found.append(batch)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for batch in found:
        same(expected.states, batch.states, "batches of several threads")


def test_cuda_without_a_device_is_one_clear_sentence() -> None:
    if not cuda_problem():
        pytest.skip("a CUDA device is here")
    with pytest.raises(LudusError, match=r"ludus\[cuda\]|use device='cpu'"):
        Batch(GAMES[0], 2, device="cuda")


@pytest.mark.parametrize("device", ["pure", "cpu"])
def test_random_play_begins_anew_where_games_are_over(tiny: Game, device: str) -> None:
    batch, over = Batch(tiny, 5, 1, device), Batch(tiny, 5, 1, device)
    over.finish_random()
    batch.play_random(3)  # leaves none of them over, and knows it
    for come_to_an_end in (batch.finish_random, lambda: batch.take(over, np.arange(5)), lambda: batch.load(over.states)):
        come_to_an_end()
        assert batch.result()[0].all()
        assert batch.play_random(1) == (5, 0), "one decision each, of a new game"
        assert (batch.states["turn"] <= 1).all()
        assert not batch.result()[0].any()
        assert batch.copy().play_random(1)[0] == 5
