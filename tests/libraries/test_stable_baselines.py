"""Stable-baselines3 and sb3-contrib, over single environments and over a VecEnv of ours."""

from typing import Any

import numpy as np
import pytest
from counted import EASY, EASY_ID, SEAT, snippet

pytest.importorskip("stable_baselines3", reason="get it with: make test-libraries")
sb3_contrib = pytest.importorskip("sb3_contrib", reason="get it with: make test-libraries")

import gymnasium as gym
import torch
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from ludus.adapters.stable_baselines import SeatVecEnv

pytestmark = [
    pytest.mark.libraries,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning"),
]
STEPS = 4096


class Watched(SeatVecEnv):
    """Count steps and illegal actions, and hold what is stored against what was shown."""

    def __init__(self, *given: Any, **settings: Any) -> None:
        self.steps = self.illegal = 0
        super().__init__(*given, **settings)

    def step_wait(self) -> Any:
        observation, rewards, done, infos = super().step_wait()
        self.steps += self.num_envs
        self.illegal += sum("illegal_action" in info for info in infos)
        assert all(("terminal_observation" in info) == bool(over) for info, over in zip(infos, done, strict=True))
        return observation, rewards, done, infos


@pytest.mark.parametrize("obs", ["features", "planes", "masked features"])
def test_its_own_checker_takes_the_single_environment(obs: str) -> None:
    check_env(gym.make(EASY_ID, seat=SEAT, obs=obs, dtype="f4").unwrapped, warn=False)


def test_maskable_ppo_plays_nothing_illegal() -> None:
    """It asks the VecEnv for `action_masks`, and every action that it plays is marked there."""
    env = Watched(EASY, 16, seat=SEAT, obs="features", seed=1)
    model = sb3_contrib.MaskablePPO("MlpPolicy", VecMonitor(env), n_steps=64, batch_size=256, n_epochs=2, seed=1)
    model.learn(STEPS)
    assert env.steps >= STEPS
    assert env.illegal == 0


def test_maskable_ppo_over_single_environments_in_its_own_vec_env() -> None:
    env = DummyVecEnv([lambda: gym.make(EASY_ID, seat=SEAT, obs="features")] * 4)
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1, seed=1)
    model.learn(1024)
    masks = np.stack(env.env_method("action_masks"))
    seen = env.reset()
    actions, _ = model.predict(seen, action_masks=np.stack(env.env_method("action_masks")))
    assert masks.shape == (4, env.action_space.n)
    assert np.stack(env.env_method("action_masks"))[np.arange(4), actions].all()


@pytest.mark.parametrize("learner", [PPO, DQN])
def test_learners_without_masks_train_all_the_same(learner: Any) -> None:
    """The library gives PPO and DQN no masks: what they play wrong is replaced by a legal action, and told."""
    env = Watched(EASY, 8, seat=SEAT, obs="features", seed=1)
    settings = {"n_steps": 64, "batch_size": 256, "n_epochs": 2} if learner is PPO else {"learning_starts": 500}
    model = learner("MlpPolicy", env, seed=1, **settings)
    model.learn(STEPS)
    assert env.steps >= STEPS
    assert 0 < env.illegal < env.steps


def test_dqn_stores_what_was_seen_before_beside_what_was_seen_next() -> None:
    env = Watched(EASY, 4, seat=SEAT, obs="features", seed=1)
    model = DQN("MlpPolicy", env, learning_starts=10**9, seed=1, buffer_size=1000)
    model.learn(400)
    kept, following = model.replay_buffer.observations[:90], model.replay_buffer.next_observations[:90]
    ended = model.replay_buffer.dones[:90].astype(bool)
    assert (np.abs(kept - following).sum(axis=-1)[~ended] > 0).mean() > 0.9
    assert np.array_equal(following[:-1][~ended[:-1]], kept[1:][~ended[:-1]])


class SmallCnn(BaseFeaturesExtractor):
    """Boards are smaller than the pictures that the library's own network is for."""

    def __init__(self, space: Any) -> None:
        super().__init__(space, 64)
        size = 16 * space.shape[1] * space.shape[2]
        self.net = torch.nn.Sequential(
            torch.nn.Conv2d(space.shape[0], 16, 3, padding=1), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(size, 64)
        )

    def forward(self, seen: Any) -> Any:
        return self.net(seen)


@pytest.mark.parametrize("dtype", [None, "f4"])
def test_cnn_policies_take_planes(dtype: str | None) -> None:
    """With a network for small boards; the default one, NatureCNN, wants pictures of 36 dots and more, and says so."""
    env = Watched(EASY, 8, seat=SEAT, obs="planes", dtype=dtype, seed=1)
    kwargs = {"features_extractor_class": SmallCnn, "normalize_images": False}
    model = sb3_contrib.MaskablePPO("CnnPolicy", env, n_steps=32, batch_size=128, n_epochs=1, seed=1, policy_kwargs=kwargs)
    model.learn(512)
    assert env.illegal == 0
    with pytest.raises((AssertionError, RuntimeError)):
        PPO("CnnPolicy", env)


def test_a_model_is_saved_and_plays_on(tmp_path: Any) -> None:
    env = Watched(EASY, 4, seat=SEAT, obs="features", seed=1)
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1)
    model.learn(128)
    model.save(tmp_path / "model.zip")
    other = sb3_contrib.MaskablePPO.load(tmp_path / "model.zip", env)
    seen = env.reset()
    masks = env.action_masks()
    assert np.array_equal(
        model.predict(seen, deterministic=True, action_masks=masks)[0],
        other.predict(seen, deterministic=True, action_masks=masks)[0],
    )


def test_what_the_page_shows_runs() -> None:
    scope: dict[str, Any] = {}
    exec(
        snippet("Stable-baselines3", ("256, seat", "16, seat"), ("batch_size=2048", "batch_size=256"), ("1_000_000", "2048")),
        scope,
    )
    assert scope["model"].num_timesteps >= 2048
