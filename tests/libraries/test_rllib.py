"""RLlib: PettingZooEnv over agents in turn with its own action-masking module, and ParallelPettingZooEnv."""

import warnings
from typing import Any

import pytest
from counted import EASY, TOGETHER, CountedAec, snippet

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


PAGE = snippet(
    "RLlib",
    (
        ".env_runners(num_env_runners=0)",
        ".env_runners(num_env_runners=0, rollout_fragment_length=128)"
        ".training(train_batch_size_per_learner=256, minibatch_size=64, num_epochs=1)",
    ),
)


@pytest.fixture(scope="module")
def local() -> Any:
    """A Ray of our own on one core."""
    ray.init(address="local", num_cpus=1, include_dashboard=False)
    yield ray
    ray.shutdown()


def renamed() -> Any:
    """Return the wrapper that the page shows."""
    scope: dict[str, Any] = {}
    exec(PAGE.partition('register_env("')[0], scope)
    return scope["Renamed"]


def test_what_the_page_shows_trains(local: Any, capsys: pytest.CaptureFixture[str]) -> None:
    exec(PAGE, {})
    assert "num_env_steps" in capsys.readouterr().out


def test_ppo_with_its_action_masking_module_plays_nothing_illegal(local: Any) -> None:
    """It drops infos, so that the mask has to be in the observation."""
    wrap = renamed()
    register_env("ludus_easy", lambda config: PettingZooEnv(wrap(CountedAec(EASY, obs="masked features", seed=1))))
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


def test_parallel_environments_are_taken() -> None:
    env = ParallelPettingZooEnv(zoo.parallel_env(TOGETHER, obs="masked features", decisions=4, max_turns=6))
    seen, _ = env.reset(seed=1)
    is_over = False
    while not is_over:
        actions = {agent: shown["action_mask"].argmax(axis=1) for agent, shown in seen.items()}
        seen, rewards, ended, cut, _ = env.step(actions)
        is_over = ended["__all__"] or cut["__all__"]
    assert set(rewards) == set(env.possible_agents)
