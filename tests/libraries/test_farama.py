"""Gymnasium's, PettingZoo's and SuperSuit's own wrappers and checkers, and videos."""

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from counted import EASY, EASY_ID, SEAT, TOGETHER, CountedAec, CountedMany, make
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.performance import benchmark_step
from gymnasium.wrappers import vector
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, performance_benchmark, seed_test
from pettingzoo.utils import wrappers as zoo_wrappers

from ludus.adapters import pettingzoo as zoo
from ludus.core import UnknownName

pytestmark = [
    pytest.mark.libraries,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning"),
]


@pytest.mark.parametrize("obs", ["planes", "features", "masked", "masked features"])
def test_checkers_take_every_kind_of_observation(obs: str) -> None:
    check_env(gym.make(EASY_ID, seat=SEAT, obs=obs).unwrapped)
    api_test(zoo.env(EASY, obs=obs), num_cycles=30)
    seed_test(lambda: zoo.env(EASY, obs=obs), num_cycles=10)
    parallel_api_test(zoo.parallel_env(TOGETHER, obs=obs, max_turns=20), num_cycles=15)


def test_gymnasiums_wrappers_in_a_row() -> None:
    env: Any = make(obs="features")
    for wrap in (
        gym.wrappers.RecordEpisodeStatistics, gym.wrappers.NormalizeObservation, gym.wrappers.NormalizeReward,
        gym.wrappers.FlattenObservation, gym.wrappers.Autoreset,
    ):  # fmt: skip
        env = wrap(env)
    env = gym.wrappers.FrameStackObservation(env, 2)
    _, info = env.reset(seed=1)
    for _ in range(100):
        _, _, _, _, info = env.step(env.action_space.sample(info["action_mask"] if info["action_mask"].any() else None))
    assert env.get_wrapper_attr("action_masks")().any()


def test_processes_play_as_one_does() -> None:
    """Gymnasium's asynchronous vector: environments travel by cloudpickle and come back the same."""
    settings = {"num_envs": 2, "seat": SEAT, "obs": "features"}
    one, other = (gym.make_vec(EASY_ID, vectorization_mode=mode, **settings) for mode in ("sync", "async"))
    (seen, info), (due, _) = one.reset(seed=3), other.reset(seed=3)
    for _ in range(20):
        assert np.array_equal(seen, due)
        actions = info["action_mask"].argmax(axis=1)
        (seen, *_, info), (due, *_) = one.step(actions), other.step(actions)
    other.close()


def test_videos_are_recorded(tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="get it with: make test-libraries")
    env: Any = gym.make(EASY_ID, seat=SEAT, render_mode="rgb_array", max_turns=6)
    env = gym.wrappers.RecordVideo(env, str(tmp_path / "one"), episode_trigger=lambda number: True)
    _, info = env.reset(seed=1)
    is_over = False
    while not is_over:
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        is_over = terminated or truncated
    env.close()
    many: Any = gym.make_vec(EASY_ID, num_envs=4, seat=SEAT, render_mode="rgb_array", max_turns=6, autoreset_mode="NextStep")
    many = vector.RecordVideo(many, str(tmp_path / "many"), video_length=8, step_trigger=lambda step: step == 0)
    _, infos = many.reset(seed=1)
    for _ in range(10):
        *_, infos = many.step(infos["action_mask"].argmax(axis=1))
    many.close()
    assert all(list((tmp_path / folder).glob("*.mp4")) for folder in ("one", "many"))


def test_the_vector_environments_wrappers() -> None:
    env: Any = CountedMany(gym.make_vec(EASY_ID, num_envs=4, seat=SEAT, obs="features", autoreset_mode="NextStep"))
    wraps = (vector.RecordEpisodeStatistics, vector.NormalizeObservation, vector.NormalizeReward, vector.DictInfoToList)
    counted = env
    for wrap in wraps:
        env = wrap(env)
    env.reset(seed=1)
    for _ in range(100):
        env.step(env.action_space.sample())
    assert counted.steps == 400
    torch = pytest.importorskip("torch")
    pytest.importorskip("array_api_compat", reason="get it with: make test-libraries")
    tensors = vector.NumpyToTorch(gym.make_vec(EASY_ID, num_envs=4, seat=SEAT, obs="features"))
    seen, _ = tensors.reset(seed=1)
    assert isinstance(seen, torch.Tensor)


def test_pettingzoos_wrappers() -> None:
    env: Any = CountedAec(EASY, obs="masked features", seed=1)
    for wrap in (zoo_wrappers.OrderEnforcingWrapper, zoo_wrappers.AssertOutOfBoundsWrapper):
        env = wrap(env)
    env = zoo_wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    api_test(env, num_cycles=30)
    env.reset(seed=1)
    chance = np.random.default_rng(1)
    for agent in env.agent_iter(200):
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            assert seen["action_mask"].any(), agent
            env.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    assert CountedAec.illegal == 0
    parallel = zoo_wrappers.BaseParallelWrapper(zoo.parallel_env(TOGETHER, obs="features", max_turns=20))
    parallel_api_test(parallel, num_cycles=10)


def test_performance_is_measured_by_their_own_tools(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark_step(gym.make(EASY_ID, seat=SEAT, obs="features"), target_duration=1, seed=1) > 100
    assert performance_benchmark is not None
    assert max_cycles_test is not None


def test_supersuits_vectors_hold_parallel_environments() -> None:
    """Its concatenation is over parallel environments whose agents have the same spaces; masks are in the observations."""
    supersuit = pytest.importorskip("supersuit", reason="get it with: make test-libraries")
    env = zoo.parallel_env(TOGETHER, obs="masked features", decisions=4, max_turns=12)
    many = supersuit.concat_vec_envs_v1(supersuit.pettingzoo_env_to_vec_env_v1(env), 2, base_class="gymnasium")
    seen, _ = many.reset(seed=1)
    assert many.num_envs == 2 * len(env.possible_agents)
    for _ in range(20):
        assert seen["action_mask"].shape == (many.num_envs, 4, env.table.spec.actions)
        assert seen["action_mask"].any(axis=2).all()
        seen, rewards, *_ = many.step(seen["action_mask"].argmax(axis=2))
        assert rewards.shape == (many.num_envs,)
    aec = supersuit.dtype_v0(zoo.env(EASY, obs="planes"), np.float32)
    api_test(aec, num_cycles=20)


def test_unknown_arguments_are_refused_through_their_makers() -> None:
    with pytest.raises(TypeError, match="frameskip"):
        gym.make(EASY_ID, frameskip=4)
    with pytest.raises(TypeError, match="frameskip"):
        gym.make_vec(EASY_ID, num_envs=2, frameskip=4)
    with pytest.raises(UnknownName, match="position"):
        gym.make(EASY_ID).reset(options={"colour": 1})
