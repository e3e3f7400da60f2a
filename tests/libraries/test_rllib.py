"""RLlib: PettingZooEnv over agents in turn with its own action-masking module, and ParallelPettingZooEnv."""

import warnings
from typing import Any

import pytest
from counted import EASY, TOGETHER, CountedAec
from gymnasium import spaces
from pettingzoo.utils.wrappers import BaseWrapper

with warnings.catch_warnings():  # of their own imports
    warnings.simplefilter("ignore")
    pytest.importorskip("torch")
    pytest.importorskip("ray.rllib", reason="get it with: make test-libraries")
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv, PettingZooEnv
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env

from ludus.adapters import pettingzoo as zoo

pytestmark = [pytest.mark.libraries, pytest.mark.filterwarnings("ignore")]


class Renamed(BaseWrapper):
    """RLlib's module calls `observations` what PettingZoo's classic games, and ours, call `observation`."""

    def observation_space(self, agent: str) -> Any:
        space = self.env.observation_space(agent)
        return spaces.Dict({"observations": space["observation"], "action_mask": space["action_mask"]})

    def observe(self, agent: str) -> Any:
        seen = self.env.observe(agent)
        return {"observations": seen["observation"], "action_mask": seen["action_mask"]}

    def last(self, observe: bool = True) -> Any:
        _, *rest = self.env.last(observe=False)
        return (self.observe(self.env.agent_selection) if observe else None, *rest)


def test_ppo_with_its_action_masking_module_plays_nothing_illegal() -> None:
    """It drops infos, so that the mask has to be in the observation."""
    ray.init(address="local", num_cpus=1, include_dashboard=False)
    register_env("ludus_easy", lambda config: PettingZooEnv(Renamed(CountedAec(EASY, obs="masked features", seed=1))))
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [32]})
    config = (
        PPOConfig()
        .environment("ludus_easy")
        .env_runners(num_env_runners=0, rollout_fragment_length=128)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=256, minibatch_size=64, num_epochs=1)
        .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, *more, **options: "all")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"all": module}))
    )
    algorithm = config.build_algo()
    try:
        CountedAec.steps = CountedAec.illegal = 0
        told = algorithm.train()
        assert CountedAec.steps >= 200
        assert CountedAec.illegal == 0
        assert told["learners"]["all"]["num_module_steps_trained"] > 0
    finally:
        algorithm.stop()
        ray.shutdown()


def test_parallel_environments_are_taken() -> None:
    env = ParallelPettingZooEnv(zoo.parallel_env(TOGETHER, obs="masked features", decisions=4, max_turns=6))
    seen, _ = env.reset(seed=1)
    is_over = False
    while not is_over:
        actions = {agent: shown["action_mask"].argmax(axis=1) for agent, shown in seen.items()}
        seen, rewards, ended, cut, _ = env.step(actions)
        is_over = ended["__all__"] or cut["__all__"]
    assert set(rewards) == set(env.possible_agents)
