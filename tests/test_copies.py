"""Copies of tables, batches and environments go on as the original would; peeks, digests and positions between batches."""

import copy
import os
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np
import pytest

from ludus.adapters import pettingzoo as zoo
from ludus.adapters.gymnasium import SeatEnv
from ludus.adapters.vector import SeatVectorEnv
from ludus.core import BadValue, LudusError
from ludus.engine import Batch, Reward, Table
from ludus.games import Game, digest_rows, load, names

on_both = pytest.mark.parametrize("device", ["pure", "cpu"])
every_game = pytest.mark.parametrize("name", names())


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def play_on(table: Table, moves: int = 20) -> list[int]:
    """Play anything by the table's own dice; return the digests."""
    chance, digests = np.random.default_rng(1), []
    for _ in range(moves):
        if table.over:
            table.begin()
        table.apply(int(chance.choice(table.legal())))
        digests.append(table.digest())
    return digests


@on_both
@pytest.mark.parametrize("way", [Table.copy, copy.copy, copy.deepcopy, pickled])
def test_a_table_and_its_copy(tiny: Game, device: str, way: Callable[[Table], Table]) -> None:
    table = Table(tiny, 3, device)
    play_on(table, 5)
    other = way(table)
    before = bytes(table.s.bytes)
    assert bytes(other.s.bytes) == before
    assert (other.seed, other.position, other.device, other.game) == (table.seed, table.position, table.device, table.game)
    due = play_on(other)
    assert bytes(table.s.bytes) == before
    assert play_on(table) == due


@every_game
def test_a_table_of_every_game_and_its_pickle(name: str) -> None:
    table = Table(name, 3, "pure")
    play_on(table, 3)
    assert play_on(pickled(table), 5) == play_on(table, 5)


def test_a_copy_keeps_the_options_that_a_position_brought(tiny: Game) -> None:
    row = Table("tiny", 1, "pure", goal=50).s.copy()
    for way in (Table.copy, pickled):
        other = way(Table(tiny, 1, "pure", position=row))
        assert other.game.options["goal"] == other.s.opt_goal == 50
        other.begin(1)
        assert other.game.options["goal"] == other.s.opt_goal == 30


@on_both
@pytest.mark.parametrize("way", [Batch.copy, copy.deepcopy, pickled])
def test_a_batch_and_its_copy(tiny: Game, device: str, way: Callable[[Batch], Batch]) -> None:
    batch = Batch(tiny, 4, 3, device, restart=False, frame="rules")
    batch.choose(["counting", "random", "random"])  # bots have memories and chance of their own, which go with them
    other = way(batch)
    assert (other.n, other.device, other.frame, other.restart) == (4, device, "rules", False)
    before, chosen = batch.states.copy(), np.array(other.choose(["counting", "random", "random"]))
    other.step(chosen)
    assert np.array_equal(batch.states, before)
    assert np.array_equal(batch.choose(["counting", "random", "random"]), chosen)
    batch.step(chosen)
    assert np.array_equal(batch.digest(), other.digest())
    other.seed(9)
    batch.seed(9)
    batch.new()
    other.new()
    assert np.array_equal(batch.digest(), other.digest())


def test_a_batch_has_no_shallow_copy(tiny: Game) -> None:
    with pytest.raises(LudusError, match=r"batch\.copy\(\)"):
        copy.copy(Batch(tiny, 1, device="pure"))


@pytest.mark.parametrize("way", [copy.deepcopy, pickled])
def test_an_aec_environment_and_its_copy(tiny: Game, way: Callable[[Any], Any]) -> None:
    env = zoo.env("tiny", seed=4, device="pure")
    env.reset()
    env.step(0)
    other = way(env)
    for _ in range(8):
        action = int(np.argmax(env.last()[4]["action_mask"]))
        for one in (env, other):
            one.step(action)
        assert env.table.digest() == other.table.digest()
        assert env.table.s.bytes is not other.table.s.bytes


@pytest.mark.parametrize("way", [copy.deepcopy, pickled])
@pytest.mark.parametrize("opponents", ["counting", {"one": "random", "three": "counting"}])
def test_a_seats_environment_and_its_copy(tiny: Game, way: Callable[[Any], Any], opponents: Any) -> None:
    """Illegal actions are replaced by the table's dice: those of a copy are its own table's."""
    env = SeatEnv("tiny", 1, opponents, seed=4, device="pure")
    other = way(env)
    for one in (env, other):
        one.reset(seed=6)
    other = way(other)
    while True:
        due, came = env.step(99), other.step(99)
        assert np.array_equal(due[0], came[0])
        assert due[1:4] == came[1:4]
        assert due[4]["replaced_by"] == came[4]["replaced_by"]
        assert env.table.digest() == other.table.digest()  # bots remember in a copy as well
        if due[2]:
            break


def cloud(thing: Any) -> Any:
    return pickle.loads(cloudpickle.dumps(thing))


@pytest.mark.parametrize("way", [copy.deepcopy, cloud])
@pytest.mark.parametrize("settings", [
    {"opponents": "counting"},
    {"opponents": {"counting": 1, "random": 2}, "autoreset_mode": "NextStep", "obs": "masked"},
    {"opponents": lambda obs, mask, seat: mask.argmax(axis=1), "seat": "any", "reward": "points"},
    {"seat": ["one", "three"], "reward": Reward("outcome", potential=lambda views: views["total"] / 30.0)},
])  # fmt: skip
def test_a_vector_environment_and_its_copy(tiny: Game, way: Callable[[Any], Any], settings: dict[str, Any]) -> None:
    env = SeatVectorEnv("tiny", 3, **{"seat": 1, "device": "pure", **settings})
    env.reset(seed=4)
    for _ in range(7):
        env.step(np.full(3, 9))
    other = way(env)
    for _ in range(15):
        assert np.array_equal(env.action_masks(), other.action_masks())
        (seen, *told, _), (due, *due_told, _) = env.step(np.full(3, 9)), other.step(np.full(3, 9))
        assert equal(seen, due)
        assert all(np.array_equal(a, b) for a, b in zip(told, due_told, strict=True))


def equal(one: Any, other: Any) -> bool:
    return all(np.array_equal(one[key], other[key]) for key in one) if isinstance(one, dict) else np.array_equal(one, other)


def test_the_planes_of_a_pickled_vector_environment_are_those_of_the_original(tiny: Game) -> None:
    env = SeatVectorEnv("tiny", 3, 1, "counting", device="pure")
    first, _ = env.reset(seed=4)
    other = pickled(env)
    assert np.array_equal(other.seat.look().planes, first)


def everything(tiny: Game) -> list[Any]:
    """Return a table, a batch, a seat and one environment of each kind, in the middle of a game."""
    table, batch = Table(tiny, 4, "pure"), Batch(tiny, 3, 4, "pure")
    seat = Batch(tiny, 4, 5, "pure").seat("any", {"random": 1, "counting": 2}, reward="points")
    seat.reset()
    together = next(name for name in names() if load(name).spec.simultaneous)
    parallel = zoo.parallel_env(together, seed=4, device="pure", obs="masked features", decisions=2, max_turns=8)
    parallel.reset()
    aec, single = zoo.env("tiny", seed=4, device="pure", reward="points"), SeatEnv("tiny", 1, "counting", seed=4, device="pure")
    many = SeatVectorEnv("tiny", 3, 1, "counting", seed=4, device="pure")
    for env in (aec, single, many):
        env.reset()
    aec.step(0)
    return [table, batch, seat, parallel, aec, single, many]


def played(envs: list[Any]) -> list[Any]:
    """Play on in all of them; return what was seen and paid."""
    table, batch, seat, parallel, aec, single, many = envs
    told: list[Any] = [play_on(table)]
    for _ in range(12):
        batch.step(batch.legal().argmax(axis=1))
        told.append(digest_rows(np.asarray(batch.states)).tolist())
        seen = seat.step(seat.mask.argmax(axis=1))
        told.append([part.tolist() for part in (seen.planes, seen.mask, seen.reward, seen.done, seen.seat)])
        if parallel.agents:
            shown, paid, *_ = parallel.step({agent: parallel.action_space(agent).nvec * 0 for agent in parallel.agents})
            told.append([paid, {agent: part["observation"].tolist() for agent, part in shown.items()}])
        aec.step(int(np.argmax(aec.last()[4]["action_mask"])))
        told.append([aec.table.digest(), *aec._cumulative_rewards.values()])
        if not single.table.over:
            seen, paid, *_ = single.step(99)
            told.append([seen.tolist(), paid])
        seen, paid, *_ = many.step(np.full(3, 9))
        told.append([seen.tolist(), paid.tolist()])
        if aec.table.over:
            aec.reset(seed=7)
    return told


@pytest.mark.parametrize("way", [copy.deepcopy, pickled, cloud])
def test_a_copy_of_everything_plays_the_same_game(tiny: Game, way: Callable[[Any], Any]) -> None:
    envs = everything(tiny)
    assert played(way(envs)) == played(envs)


@every_game
def test_environments_of_every_game_travel(name: str) -> None:
    """A game's files are no luggage, those of its original least of all."""
    kinds = ["planes", "features"] + ["dict"] * (load(name).says("original", "observation_space") is not None)
    for obs in kinds:
        envs = [SeatEnv(name, seed=1, obs=obs, device="pure"), SeatVectorEnv(name, 2, seed=1, obs=obs, device="pure")]
        aec = zoo.env(name, seed=1, obs=obs, device="pure")
        for one, other in ((env, way(env)) for env in (*envs, aec) for way in (copy.deepcopy, cloud)):
            due, came = one.reset(seed=3), other.reset(seed=3)
            shown = (one.last()[0], other.last()[0]) if due is None else (due[0], came[0])
            assert equal(*shown)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it has threads; the child uses none of them
def test_a_forked_process_plays_the_same_game(tiny: Game) -> None:
    envs = everything(tiny)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(pickle.dumps(played(envs)))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        told = pickle.loads(pipe.read())
    os.waitpid(child, 0)
    assert told == played(envs)


@on_both
def test_a_peek_shows_what_a_seat_will_see_when_it_is_asked(tiny: Game, device: str) -> None:
    """The others play the default: from a sum of t, four smallest steps that do not repeat."""
    table = Table(tiny, 2, device)
    before, rng, total = bytes(table.s.bytes), int(table.rng[0]), table.s.total
    asked = table.peek(2)
    assert (asked.seat, asked.turn, asked.s.total) == (2, 2, total + 1 + 2 + 1 + 2)
    assert (bytes(table.s.bytes), int(table.rng[0])) == (before, rng)
    assert table.peek(0).digest() == table.digest()
    assert table.peek(0) is not table
    while not table.over:
        table.apply(table.legal()[-1])
    assert table.peek(1).over


@every_game
@on_both
def test_digests_are_equal_everywhere(name: str, device: str) -> None:
    batch, game = Batch(name, 3, [1, 2, 3], device), load(name)
    table = Table(name, 2, device)
    for _ in range(6):
        digests = np.array(batch.digest())
        assert digests.tolist() == digest_rows(np.asarray(batch.states)).tolist() == [game.digest(row) for row in batch.states]
        assert len(set(digests.tolist())) == 3 or len({row.tobytes() for row in batch.states}) < 3
        assert table.digest() == game.digest(table.s) == digests[1]
        masks = batch.legal()
        own = int(masks[1].argmax())
        table.apply(int(game.own_ids[table.seat, own]))
        batch.step(masks.argmax(axis=1))


def test_a_digest_does_not_see_gaps_but_every_field(tiny: Game) -> None:
    rows = Batch(tiny, 1, device="pure").states.copy()
    due = tiny.digest(rows)
    for name in rows.dtype.names or ():
        other = rows.copy()
        other[name].reshape(-1)[-1] += 1
        assert tiny.digest(other) != due, name
    gappy = np.dtype([("a", "i1"), ("b", "i4")], align=True)
    one, two = np.zeros(1, gappy), np.full(1, 0x77, "u1").repeat(8).view(gappy)
    two["a"], two["b"] = 0, 0
    assert digest_rows(one) == digest_rows(two)


@on_both
def test_positions_pass_between_batches(tiny: Game, device: str) -> None:
    source, target = Batch(tiny, 3, 1, device), Batch(tiny, 5, 2, device)
    source.step(source.legal().argmax(axis=1))
    target.legal()
    target.take(source, [2, 2, 0, 1, 0])
    assert np.array_equal(target.digest(), source.digest()[[2, 2, 0, 1, 0]])
    assert np.array_equal(target.legal(), source.legal()[[2, 2, 0, 1, 0]])
    for index in ([0, 1], [0, 1, 2, 3, 0], [-1, 0, 0, 0, 0], [0.0] * 5, None, [[0] * 5]):
        with pytest.raises(BadValue, match="an index has 5 whole numbers from 0 to 2"):
            target.take(source, index)
    with pytest.raises(BadValue, match="same game"):
        target.take(Batch(names()[0], 3, device="pure"), [0] * 5)


@on_both
def test_copies_of_one_position_go_on_differently(tiny: Game, device: str) -> None:
    source, target = Batch(tiny, 1, 1, device), Batch(tiny, 50, 2, device)
    target.take(source, np.zeros(50, int))
    target.step(target.legal().argmax(axis=1))
    assert len(set(np.asarray(target.states)["luck"].tolist())) > 1
