"""Tianshou: PettingZooEnv, whose batches have the mask, and DQN that keeps to it."""

import warnings
from typing import Any

import numpy as np
import pytest
from counted import EASY, CountedAec, snippet

with warnings.catch_warnings():  # of their own imports
    warnings.simplefilter("ignore")
    pytest.importorskip("torch")
    tianshou = pytest.importorskip("tianshou", reason="get it with: make test-libraries")
    from tianshou.env import DummyVectorEnv
    from tianshou.env.pettingzoo_env import PettingZooEnv

pytestmark = [pytest.mark.libraries, pytest.mark.filterwarnings("ignore")]


def test_masks_arrive_and_random_play_keeps_to_them() -> None:
    """Without the mask in the observation this wrapper makes one of ones."""
    env = PettingZooEnv(CountedAec(EASY, obs="masked features", seed=1))
    seen, _ = env.reset(seed=1)
    chance, is_over, fewest = np.random.default_rng(1), False, len(seen["mask"])
    while not is_over:
        assert any(seen["mask"])
        fewest = min(fewest, sum(seen["mask"]))
        seen, _, terminated, truncated, _ = env.step(int(chance.choice(np.flatnonzero(seen["mask"]))))
        is_over = terminated or truncated
    assert CountedAec.steps >= 10
    assert fewest < len(seen["mask"])  # else all of it would have been ones
    assert CountedAec.illegal == 0


def test_dqn_over_agents_in_turn_plays_nothing_illegal() -> None:
    from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, CollectStats, VectorReplayBuffer
    from tianshou.utils.net.common import Net

    def make() -> Any:
        return PettingZooEnv(CountedAec(EASY, obs="masked features", seed=1))

    one, many = make(), DummyVectorEnv([make])
    space = one.observation_space["observation"]

    def learner() -> Any:
        net = Net(state_shape=space.shape, action_shape=one.action_space.n, hidden_sizes=[64])
        policy = DiscreteQLearningPolicy(model=net, action_space=one.action_space, eps_training=0.3, eps_inference=0.05)
        return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=0.9, target_update_freq=100)

    agents = MultiAgentOffPolicyAlgorithm(algorithms=[learner() for _ in one.agents], env=one)
    collector = Collector[CollectStats](agents, many, VectorReplayBuffer(2000, 1), exploration_noise=True)
    collector.reset()
    CountedAec.steps = CountedAec.illegal = 0
    collector.collect(n_step=400)
    assert CountedAec.steps >= 400
    assert CountedAec.illegal == 0
    from tianshou.utils.torch_utils import policy_within_training_step

    with policy_within_training_step(agents.policy):
        told = agents.update(buffer=collector.buffer, sample_size=64)
    assert told is not None


def test_what_the_page_shows_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(snippet("tianshou"), {})
    assert "True" in capsys.readouterr().out
