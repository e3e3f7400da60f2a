"""Seats that are played from outside: any, several or all of them, who plays the others, and what is paid."""

import copy
import os
import pickle
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.core import BadValue, LudusError, UnknownName
from ludus.engine import Batch, Reward, Seat, Table
from ludus.games import Game

on_both = pytest.mark.parametrize("device", ["pure", "cpu"])
N = 24


def play(seat: Seat, steps: int, chance: int = 0) -> list[Any]:
    """Play legal actions by chance; return copies of all that was seen."""
    rng, seen, kept = np.random.default_rng(chance), seat.reset(), []
    for _ in range(steps):
        seen = seat.step((seen.mask * (1 + rng.random(seen.mask.shape))).argmax(axis=1))
        kept.append([np.array(part) for part in seen if part is not None] + [np.array(seat.rewards)])
    return kept


@on_both
def test_a_seat_is_painted_what_it_asks_for(tiny: Game, device: str) -> None:
    for obs, has_planes in (("planes", True), ("none", False)):
        seen = Batch(tiny, 2, device=device).seat(0, obs=obs).reset()
        assert (seen.planes is not None) is has_planes
        assert seen.features is None
    with pytest.raises(UnknownName, match="kind of observation"):
        Batch(tiny, 2, device=device).seat(0, obs="pixels")
    with pytest.raises(LudusError, match="turns its board"):
        Batch(tiny, 2, device=device).seat(0, obs="features")


@on_both
def test_any_seat_is_the_learners_in_turn(tiny: Game, device: str) -> None:
    seat = Batch(tiny, N, device=device).seat("any", obs="none")
    seen = seat.reset()
    first = np.array(seen.seat)
    assert np.array_equal(first, np.arange(N) % 3)
    had = [{int(one)} for one in first]
    for _ in range(40):
        before = np.array(seen.seat)
        seen = seat.step(seen.mask.argmax(axis=1))
        for game in range(N):
            if seen.done[game]:
                assert seen.seat[game] != before[game]
            else:
                assert seen.seat[game] == before[game]
            had[game].add(int(seen.seat[game]))
    assert all(len(seats) == 3 for seats in had)


@on_both
def test_all_seats_are_paid_since_their_last_decision(tiny: Game, device: str) -> None:
    """Sums of what each seat is paid are what a table pays, decision by decision."""
    seat = ludus.make_vec("tiny", 1, obs="none", device=device, seed=[5])
    table = Table(tiny, 5, device="pure")
    seen = seat.reset([5])
    due = np.zeros(3)
    while not table.over:
        assert seen.seat[0] == table.seat
        own = int(seen.mask[0].argmax())
        table.apply(table.rule_id(table.seat, own))
        due += table.rewards
        seen = seat.step([own])
        if seen.done[0]:
            assert np.array_equal(seat.rewards[0], due)
            assert seen.reward[0] == due[seat.actor[0]]
        else:
            assert seen.reward[0] == due[table.seat] == seat.rewards[0, table.seat]
            due[table.seat] = 0
    assert np.array_equal(seat.batch.final_outcomes[0], table.result().outcome)


@on_both
def test_several_seats_are_one_learners(tiny: Game, device: str) -> None:
    seat = Batch(tiny, N, device=device).seat(["two", "three"], obs="none")
    seats = {int(one) for seen in play(seat, 30) for one in seen[3]}
    assert seats == {1, 2}
    assert (np.array(seat.batch._buffers.bots)[:, 0] >= 0).all()


@on_both
def test_mixes_are_drawn_anew_at_each_game(tiny: Game, device: str) -> None:
    seat = Batch(tiny, 200, device=device).seat(0, {"random": 1, "counting": 3}, obs="none")
    seen = seat.reset()
    first = np.array(seat.batch._buffers.bots)[:, 1:]
    share = (first == first.max()).mean()
    assert 0.65 < share < 0.85
    for _ in range(30):
        seen = seat.step(seen.mask.argmax(axis=1))
    assert (np.array(seat.batch._buffers.bots)[:, 1:] != first).any()


@on_both
def test_opponents_may_be_given_game_by_game_and_by_seat(tiny: Game, device: str) -> None:
    names = np.array(["random", "counting"] * (N // 2))
    seat = Batch(tiny, N, device=device).seat("one", {"two": names, "three": "random"}, obs="none")
    play(seat, 30)
    bots = np.array(seat.batch._buffers.bots)
    assert (bots[::2, 1] != bots[1::2, 1]).all()
    assert len(set(bots[:, 2].tolist())) == 1
    with pytest.raises(BadValue, match="one opponent for each"):
        Batch(tiny, 3, device=device).seat(0, np.array(["random"]))


@on_both
def test_a_schedule_changes_who_plays(tiny: Game, device: str) -> None:
    seat = Batch(tiny, 4, device=device).seat(0, {0: "random", 40: "counting"}, obs="none")
    play(seat, 9)
    assert len(set(np.array(seat.batch._buffers.bots)[:, 1].tolist())) == 1
    before = int(seat.batch._buffers.bots[0, 1])
    play(seat, 40)
    assert (np.array(seat.batch._buffers.bots)[:, 1:] != before).all()
    with pytest.raises(BadValue, match="begins with decision 0"):
        Batch(tiny, 4, device=device).seat(0, {5: "random"})


@on_both
def test_a_function_plays_its_seats_alone_as_a_bot_would(tiny: Game, device: str) -> None:
    asked: list[int] = []

    def first(obs: Any, mask: Any, seats: Any) -> Any:
        assert len(obs) == len(mask) == len(seats)
        assert np.array_equal(obs[:, 0, 0], mask)  # tiny's planes are the mask of who decides
        asked.extend(seats.tolist())
        return mask.argmax(axis=1)

    seat = Batch(tiny, N, device=device).seat("two", {"one": first, "three": {first: 1, "random": 1}})
    for seen in play(seat, 30):
        assert set(seen[4].tolist()) == {1}
    assert set(asked) == {0, 2}
    bots = np.array(seat.batch._buffers.bots)
    assert (bots[:, 0] < -1).all()
    assert {int(number) < -1 for number in bots[:, 2]} == {True, False}
    with pytest.raises(BadValue, match="answers one whole number"):
        Batch(tiny, 2, device=device).seat(2, lambda obs, mask, seats: mask[0]).reset()


@on_both
def test_other_opponents_join_at_the_next_start(tiny: Game, device: str) -> None:
    seat = Batch(tiny, 8, device=device).seat(0, "random", obs="none")
    seen = seat.reset()
    seat.play_against({"random": 1, "counting": 1})
    with pytest.raises(UnknownName, match="bot"):
        seat.play_against("nobody")
    seat.play_against("counting")
    assert len(set(np.array(seat.batch._buffers.bots)[:, 1].tolist())) == 1
    for _ in range(40):
        seen = seat.step(seen.mask.argmax(axis=1))
    assert (np.array(seat.batch._buffers.bots)[:, 1:] == seat._opponents._known.index("counting")).all()


@on_both
def test_games_that_are_over_stand_still_until_some_are_reset(tiny: Game, device: str) -> None:
    seat = Batch(tiny, 6, device=device, restart=False).seat(0, obs="none")
    seen = seat.reset(1)
    ends = np.zeros(6, int)
    for _ in range(40):
        seen = seat.step(seen.mask.argmax(axis=1))
        ends += seen.done != 0
    assert ends.tolist() == [1] * 6
    assert not seen.mask.any()
    before = seat.batch.states.copy()
    which = np.array([True, False] * 3)
    seen = seat.reset(which=which)
    assert seen.mask[which].any(axis=1).all()
    assert not seen.mask[~which].any()
    assert (seat.batch.states[~which] == before[~which]).all()
    fresh = Batch(tiny, 6, device=device, restart=False).seat(0, obs="none")
    fresh.reset([9] * 6)
    seat.reset([9] * 6, which=which)
    assert (seat.batch.states[which] == fresh.batch.states[which]).all()


@on_both
def test_what_is_paid_can_be_chosen(tiny: Game, device: str) -> None:
    paid: dict[str, Any] = {}
    for kind in ("original", "outcome", "points"):
        seat = Batch(tiny, N, 3, device=device).seat(0, obs="none", reward=kind)
        seen, total, ends = seat.reset(), np.zeros(N), np.zeros(N, bool)
        rng = np.random.default_rng(1)
        for _ in range(30):
            seen = seat.step((seen.mask * (1 + rng.random(seen.mask.shape))).argmax(axis=1))
            total[~ends] += seen.reward[~ends]
            if kind == "outcome":
                now = (seen.done != 0) & ~ends
                assert np.array_equal(seen.reward[now], seat.final_outcomes[now])
                assert not seen.reward[seen.done == 0].any()
            ends |= seen.done != 0
        assert ends.all()
        paid[kind] = total
    assert set(np.abs(paid["outcome"])) == {1.0}
    assert (np.sign(paid["points"]) == paid["outcome"]).all()
    with pytest.raises(UnknownName, match="reward"):
        Batch(tiny, 2, device=device).seat(0, reward="gold")


@on_both
def test_a_potential_adds_up_to_what_it_was_at_first(tiny: Game, device: str) -> None:
    """Without a discount the shaped sum of a game differs from the plain one by the first potential alone."""
    sums = []
    for reward in (Reward("outcome"), Reward("outcome", potential=lambda views: views["total"] / 10)):
        seat = Batch(tiny, N, 3, device=device).seat(0, obs="none", reward=reward)
        seen, total, ends = seat.reset(), np.zeros(N), np.zeros(N, bool)
        first = np.array(seat.batch.states["total"]) / 10
        while not ends.all():
            seen = seat.step(seen.mask.argmax(axis=1))
            total[~ends] += seen.reward[~ends]
            ends |= seen.done != 0
        sums.append(total)
    assert np.allclose(sums[1] - sums[0], -first, atol=1e-5)


def test_tables_and_batches_pay_the_same(tiny: Game) -> None:
    rewards = ["original", "outcome", "points", lambda before, after: after["total"] - before["total"]]
    for given in [*rewards, Reward("points", potential=lambda views: views["total"] * 1.0, discount=0.5)]:
        seat = Batch(tiny, 1, [4], device="pure").seat(0, obs="none", reward=given)
        seen = seat.reset([4])
        table = Table(tiny, 4, device="pure")
        table.seat_bots([None, "random", "random"])
        pay = Reward.of(tiny, given).at(table, 0)
        gained = table.play_bots()[0]
        pay.begin()
        while not table.over:
            own = int(table.own_mask().argmax())
            table.apply(table.rule_id(0, own))
            gained += table.rewards[0] + table.play_bots()[0]
            seen = seat.step([own])
            assert seen.reward[0] == pytest.approx(pay.step(gained), abs=1e-5)
            gained = 0.0
        assert seen.done[0]


@on_both
@pytest.mark.parametrize("way", [copy.deepcopy, lambda seat: pickle.loads(pickle.dumps(seat))])
@pytest.mark.parametrize("who", [0, "any", "all"])
def test_a_copied_seat_plays_the_same_games(tiny: Game, device: str, way: Any, who: Any) -> None:
    seat = Batch(tiny, N, 5, device=device).seat(who, {"random": 1, "counting": 1}, reward="points")
    play(seat, 7)
    other = way(seat)
    rng, seen = np.random.default_rng(2), seat.look()
    again = other.look()
    for _ in range(25):
        for one, two in zip(seen, again, strict=True):
            assert one is two is None or np.array_equal(one, two)
        actions = (seen.mask * (1 + rng.random(seen.mask.shape))).argmax(axis=1)
        seen, again = seat.step(actions), other.step(actions)
    assert (seat.batch.states == other.batch.states).all()


def test_cloudpickle_takes_functions_along(tiny: Game) -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    seat = Batch(tiny, 4, 5, device="pure").seat(
        0, lambda obs, mask, seats: mask.argmax(axis=1), reward=lambda a, b: b["total"]
    )
    seen = seat.reset()
    other = pickle.loads(cloudpickle.dumps(seat))
    actions = seen.mask.argmax(axis=1)
    assert all(
        np.array_equal(one, two) for one, two in zip(seat.step(actions), other.step(actions), strict=True) if one is not None
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_copy_plays_the_same_games(tiny: Game) -> None:
    batch = Batch(tiny, 300, 5)
    seat, table = batch.seat("any", obs="none"), Table(tiny, 3)
    seen = seat.reset()
    actions = seen.mask.argmax(axis=1)

    def go_on() -> bytes:
        seat.step(actions)
        while not table.over:
            table.apply(table.legal()[-1])
        return batch.states.tobytes() + bytes(table.s.bytes)

    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(go_on())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    assert told == go_on()
