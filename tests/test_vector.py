"""Gymnasium's vector environment over a batch: it plays as single environments do."""

import copy
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector

from ludus.adapters import env_ids, register
from ludus.adapters.gymnasium import SeatEnv
from ludus.adapters.vector import SeatVectorEnv
from ludus.core import BadValue, LudusError, UnknownName
from ludus.engine import Batch, Reward, Table
from ludus.games import Game, load, names

register()
every_game = pytest.mark.parametrize("name", names())


def env_id(name: str) -> str:
    return env_ids(name)[0]


MODES = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED)


def settings_of(name: str, n: int, **more: Any) -> dict[str, Any]:
    """Return arguments that make games short where a game can be made so."""
    spec = load(name).spec
    short = {"max_turns": 12} if "max_turns" in {option.name for option in spec.options} else {}
    return {"num_envs": n, **short, **more}


def pair(name: str, n: int, mode: AutoresetMode, **more: Any) -> tuple[Any, Any]:
    """Return our vector environment and Gymnasium's own over single ones."""
    settings = settings_of(name, n, **more)
    native = gym.make_vec(env_id(name), autoreset_mode=mode, **settings)
    single = gym.make_vec(env_id(name), vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **settings)
    return native, single


@every_game
@pytest.mark.parametrize(("place", "mode", "obs"), [(0, 0, "planes"), (-1, 1, "masked"), (-1, 2, "features")])
def test_the_vector_environment_plays_as_single_ones_do(name: str, place: int, mode: int, obs: str) -> None:
    """Same seeds, same actions, legal or not: equal to Gymnasium's own vector of single environments, game ends included."""
    n, spec = 4, load(name).spec
    native, single = pair(name, n, MODES[mode], seat=spec.seats[place], opponents="random", obs=obs)
    assert native.metadata["autoreset_mode"] is native.autoreset_mode is MODES[mode]
    assert native.observation_space == single.observation_space
    assert native.action_space == single.action_space
    (seen, info), (due, due_info) = native.reset(seed=5), single.reset(seed=5)
    chance, ends = np.random.default_rng(7), 0
    for step in range(150):
        assert seen in native.observation_space
        assert same(seen, due), step
        assert same(info["action_mask"], due_info["action_mask"]), step
        assert same(native.action_masks(), info["action_mask"])
        actions = (info["action_mask"] * (1 + chance.random(info["action_mask"].shape))).argmax(axis=1)
        if step % 5 == 0:
            actions = native.action_space.sample()
        seen, *told, info = native.step(actions)
        due, *due_told, due_info = single.step(actions)
        assert all(same(a, b) for a, b in zip(told, due_told, strict=True)), step
        compare_flags(info, due_info, n)
        ended = told[1] | told[2]
        ends += int(ended.sum())
        if mode == 0:
            assert compare_finals(info, due_info) == ended.sum()
        elif ended.any():
            assert same(info["outcome"][ended], due_info["outcome"][ended])
        if mode == 2 and ended.any():
            assert same(seen, due)
            with pytest.raises(LudusError, match="reset_mask"):
                native.step(actions)
            (seen, info), (due, due_info) = (env.reset(options={"reset_mask": ended}) for env in (native, single))
            due_info["action_mask"][~ended] = info["action_mask"][~ended]  # Gymnasium tells nothing of the others
    assert ends > 0 or "max_turns" not in {option.name for option in spec.options}


@pytest.mark.parametrize("name", [name for name in names() if load(name).says("original", "observation_space") is not None])
def test_dictionaries_of_many_games(name: str) -> None:
    """Slowly, one game after the other, but of any kind: what is of unequal length is joined as Gymnasium does."""
    native, single = pair(name, 3, MODES[0], obs="dict", device="pure")
    (seen, info), (due, _) = native.reset(seed=5), single.reset(seed=5)
    assert native.observation_space == single.observation_space
    for _ in range(25):
        assert same(seen, due)
        actions = info["action_mask"].argmax(axis=1)
        (seen, *_, info), (due, *_, due_info) = native.step(actions), single.step(actions)
        compare_finals(info, due_info)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(np.array_equal(one, other))


def compare_flags(info: dict[str, Any], due: dict[str, Any], n: int) -> None:
    """Compare what is told of replaced actions."""
    for key in ("illegal_action", "replaced_by", "_replaced_by"):
        assert np.array_equal(info.get(key, np.zeros(n)), due.get(key, np.zeros(n))), key


def compare_finals(info: dict[str, Any], due: dict[str, Any]) -> int:
    """Compare what is told of finished games; return how many there are."""
    if "final_obs" not in due:
        assert "final_obs" not in info
        return 0
    ended = due["_final_obs"]
    assert np.array_equal(info["_final_obs"], ended)
    compare_flags(info["final_info"], due["final_info"], len(ended))
    for i, is_over in enumerate(ended):
        if is_over:
            assert same(info["final_obs"][i], due["final_obs"][i])
            assert info["final_info"]["outcome"][i] == due["final_info"]["outcome"][i]
            assert info["final_info"]["points"][i] == pytest.approx(due["final_info"]["points"][i])
        else:
            assert info["final_obs"][i] is None
    return int(ended.sum())


@pytest.mark.parametrize("more", [
    {"opponents": {"counting": 2, "random": 1}},
    {"opponents": {"three": {"random": 1, "counting": 3}}, "reward": "points"},
    {"opponents": lambda obs, mask, seat: mask.argmax(axis=1), "reward": "outcome"},
    {"seat": ["one", "three"], "opponents": "counting"},
    {"seat": "any", "num_envs": 1, "opponents": {"random": 1, "counting": 1}},
    {"reward": Reward("outcome", potential=lambda views: views["total"] / 30.0, discount=0.9)},
])  # fmt: skip
def test_opponents_seats_and_rewards_mean_the_same_in_one_game_and_in_many(tiny: Game, more: dict[str, Any]) -> None:
    """Mixes are drawn alike, several seats are paid alike, and so are rewards of views."""
    more = {"num_envs": 3, "seat": 1, "device": "pure", "seed": 3, **more}
    n = more.pop("num_envs")
    native = SeatVectorEnv("tiny", n, **more)
    single = gym.vector.SyncVectorEnv([lambda: SeatEnv("tiny", **more)] * n, autoreset_mode=AutoresetMode.SAME_STEP)
    (seen, info), (due, due_info) = native.reset(seed=5), single.reset(seed=5)
    for step in range(60):
        assert same(seen, due), step
        assert same(info["action_mask"], due_info["action_mask"])
        actions = native.action_space.sample() if step % 7 == 0 else info["action_mask"].argmax(axis=1)
        (seen, *told, info), (due, *due_told, due_info) = native.step(actions), single.step(actions)
        assert np.allclose(told[0], due_told[0]), step
        assert same(told[1], due_told[1])
        compare_finals(info, due_info)


def test_what_a_step_returns_is_the_callers_to_keep_unless_it_says_otherwise(tiny: Game) -> None:
    for obs in ("planes", "masked"):
        env = SeatVectorEnv("tiny", 3, device="pure", obs=obs)
        first, infos = env.reset(seed=1)
        kept, masks = copy.deepcopy(first), infos["action_mask"].copy()
        second, rewards, *_ = env.step(env.action_space.sample())
        paid = rewards.copy()
        env.step(env.action_space.sample())
        assert same(first, kept)
        assert same(infos["action_mask"], masks)
        assert not same(first, second)
        assert same(rewards, paid)
    env = SeatVectorEnv("tiny", 3, device="pure", copy=False)
    first, _ = env.reset(seed=1)
    assert env.step(env.action_space.sample())[0] is first


def test_games_are_reset_alone_with_seeds_and_positions(tiny: Game) -> None:
    env = SeatVectorEnv("tiny", 3, device="pure", autoreset_mode="NextStep")
    with pytest.raises(LudusError, match="without a mask first"):
        env.reset(options={"reset_mask": np.ones(3, bool)})
    first, _ = env.reset(seed=1)
    for _ in range(3):
        now, *_ = env.step(env.action_masks().argmax(axis=1))
    some, _ = env.reset(seed=1, options={"reset_mask": np.array([True, False, True])})
    assert same(some[[0, 2]], first[[0, 2]])
    assert same(some[1], now[1])
    row = Table(tiny, 9, "pure").s.copy()
    for position in (row, tiny.text(row)):
        env.reset(seed=1, options={"position": position})
        assert len(set(env.batch.digest().tolist())) == 1
    rows = Batch(tiny, 3, [7, 8, 9], "pure").states.copy()
    env.reset(options={"position": rows})
    assert env.batch.digest().tolist() == [tiny.digest(row) for row in rows]
    for wrong in ([True] * 3, np.ones(2, bool), np.ones(3), np.zeros(3, bool)):
        with pytest.raises((TypeError, ValueError), match="reset_mask"):
            env.reset(options={"reset_mask": wrong})
    with pytest.raises(UnknownName, match="position, reset_mask"):
        env.reset(options={"colour": 1})
    with pytest.raises(UnknownName, match="SAME_STEP"):
        SeatVectorEnv("tiny", 3, autoreset_mode="sometimes")


@every_game
def test_the_vector_environment_takes_gymnasiums_wrappers(name: str) -> None:
    env: Any = gym.make_vec(env_id(name), **settings_of(name, 3))
    for wrap in (vector.RecordEpisodeStatistics, vector.NormalizeReward, vector.DictInfoToList):
        env = wrap(env)
    env.reset(seed=1)
    told: list[Any] = []
    while not any("final_info" in info for info in told):
        *_, told = env.step(env.action_space.sample())
    assert all(info["episode"]["l"] > 0 and "outcome" in info["final_info"] for info in told if "final_info" in info)
    raw = gym.make_vec(env_id(name), num_envs=3)
    with pytest.raises(LudusError, match="reset"):
        raw.step(raw.action_space.sample())


def test_wrappers_that_want_the_next_step_get_it(tiny: Game) -> None:
    env: Any = SeatVectorEnv("tiny", 3, device="pure", dtype="f4", autoreset_mode="NEXT_STEP")
    env = vector.RecordEpisodeStatistics(vector.NormalizeObservation(vector.FlattenObservation(env)))
    env.reset(seed=1)
    ended = 0
    for _ in range(60):
        *_, infos = env.step(env.action_space.sample())
        ended += int(infos.get("_episode", np.zeros(3)).sum())
    assert ended > 3


def test_many_games_are_drawn(tiny: Game) -> None:
    env = SeatVectorEnv("tiny", 2, device="pure", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert [picture.shape for picture in before] == [(480, 640, 3)] * 2
    env.step(env.action_masks().argmax(axis=1))
    assert (before[0] != env.render()[0]).any()
    text = SeatVectorEnv("tiny", 2, device="pure", render_mode="ansi")
    text.reset(seed=1)
    assert all(tiny.spec.title in shown for shown in text.render())
    with pytest.raises(BadValue, match="HumanRendering"):
        SeatVectorEnv("tiny", 2, device="pure", render_mode="human")
    with pytest.raises(LudusError, match="render_mode"):
        SeatVectorEnv("tiny", 2, device="pure").render()
