"""Gymnasium's vector environment over a batch: it plays as single environments do."""

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from ludus.adapters import register, title
from ludus.core import LudusError
from ludus.games import load, names

register()
every_game = pytest.mark.parametrize("name", names())


def env_id(name: str) -> str:
    return f"ludus/{title(name)}-v1"


@every_game
@pytest.mark.parametrize("place", [0, -1])
def test_the_vector_environment_plays_as_single_ones_do(name: str, place: int) -> None:
    """Same seeds, same actions, legal or not: equal to Gymnasium's own vector of single environments, game ends included."""
    n, spec = 4, load(name).spec
    settings = {"num_envs": n, "seat": spec.seats[place], "opponents": "random"}
    if "max_turns" in {option.name for option in spec.options}:
        settings["max_turns"] = 12
    native = gym.make_vec(env_id(name), **settings)
    same_step = {"autoreset_mode": AutoresetMode.SAME_STEP}
    single = gym.make_vec(env_id(name), vectorization_mode="sync", vector_kwargs=same_step, **settings)
    assert native.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert native.observation_space == single.observation_space
    assert native.action_space == single.action_space
    (seen, info), (due, due_info) = native.reset(seed=5), single.reset(seed=5)
    chance, ends = np.random.default_rng(7), 0
    for step in range(150):
        assert seen in native.observation_space
        assert np.array_equal(seen, due), step
        assert np.array_equal(info["action_mask"], due_info["action_mask"]), step
        assert np.array_equal(native.action_masks(), info["action_mask"])
        actions = (info["action_mask"] * (1 + chance.random(info["action_mask"].shape))).argmax(axis=1)
        if step % 5 == 0:
            actions = native.action_space.sample()
        seen, *told, info = native.step(actions)
        due, *due_told, due_info = single.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(told, due_told, strict=True)), step
        compare_flags(info, due_info, n)
        ends += compare_finals(info, due_info)
    assert ends > 0 or "max_turns" not in settings


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
            assert np.array_equal(info["final_obs"][i], due["final_obs"][i])
            assert info["final_info"]["outcome"][i] == due["final_info"]["outcome"][i]
            assert info["final_info"]["points"][i] == pytest.approx(due["final_info"]["points"][i])
        else:
            assert info["final_obs"][i] is None
    return int(ended.sum())


@every_game
def test_the_vector_environment_takes_gymnasiums_wrappers(name: str) -> None:
    env = RecordEpisodeStatistics(gym.make_vec(env_id(name), num_envs=3))
    env.reset(seed=1)
    for _ in range(20):
        env.step(env.action_space.sample())
    raw = gym.make_vec(env_id(name), num_envs=3, copy=True)
    with pytest.raises(LudusError, match="reset"):
        raw.step(raw.action_space.sample())
    first, _ = raw.reset(seed=1)
    kept = first.copy()
    raw.step(raw.action_space.sample())
    assert np.array_equal(first, kept)
