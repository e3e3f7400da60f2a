"""A chaser learns Chase by RLlib's PPO with its own module for masked actions: `python examples/rllib_ppo.py [DECISIONS]`.

pip install 'ludus[libraries]' brings the library.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium as gym
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env
from scoring import GAME, OPPONENTS, OPTIONS, SEAT, score

from ludus.adapters import env_ids, register

BATCH = 4000  # decisions between two updates


class Renamed(gym.ObservationWrapper[Any, Any, Any]):
    """RLlib's module calls `observations` what others, and we, call `observation`."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        super().__init__(env)
        inner: Any = env.observation_space
        self.observation_space = spaces.Dict({"observations": inner["observation"], "action_mask": inner["action_mask"]})

    def observation(self, seen: Any) -> Any:
        """Give it that name."""
        return {"observations": seen["observation"], "action_mask": seen["action_mask"]}


def make(_: Any = None) -> Renamed:
    """Return one game to learn in; masks are in what is seen, as RLlib drops infos."""
    register()
    env = gym.make(env_ids(GAME)[0], seat=SEAT, opponents=OPPONENTS, obs="masked features", disable_env_checker=True, **OPTIONS)
    return Renamed(env)


def train(decisions: int, seed: int = 1) -> float:
    """Learn for so many decisions; return the share of games that are won then."""
    ray.init(address="local", num_cpus=1, include_dashboard=False)
    register_env(GAME, make)
    config = (
        PPOConfig()
        .environment(GAME)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8, rollout_fragment_length=BATCH // 8)
        .learners(num_learners=0)
        .training(
            train_batch_size_per_learner=BATCH, minibatch_size=500, num_epochs=6, lr=1e-3, gamma=0.99, lambda_=0.95,
            entropy_coeff=0.01, use_kl_loss=False, grad_clip=0.5,
        )
        .rl_module(rl_module_spec=RLModuleSpec(
            module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [128, 128], "fcnet_activation": "tanh"}
        ))
        .debugging(seed=seed)
    )  # fmt: skip
    algorithm = config.build_algo()
    try:
        for _ in range(max(1, decisions // BATCH)):
            algorithm.train()
        module: Any = algorithm.get_module()

        def policy(features: Any, masks: Any) -> Any:
            seen = {"observations": torch.as_tensor(features), "action_mask": torch.as_tensor(masks).float()}
            with torch.inference_mode():
                return module.forward_inference({"obs": seen})["action_dist_inputs"].argmax(1)

        return score(policy)
    finally:
        algorithm.stop()
        ray.shutdown()


if __name__ == "__main__":
    print(f"wins {train(int(sys.argv[1]) if len(sys.argv) > 1 else 60_000):.1%} of 256 games")
