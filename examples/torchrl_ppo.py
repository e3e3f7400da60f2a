"""A chaser learns Chase by PPO of TorchRL's parts, over many games at once: `python examples/torchrl_ppo.py [DECISIONS]`.

pip install 'ludus[libraries]' brings the library.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium as gym
import torch
from scoring import GAME, OPPONENTS, OPTIONS, SEAT, score
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from ludus.adapters import env_ids, register

STEPS, EPOCHS, MINIBATCHES = 32, 3, 4  # between two updates; of each update


def train(decisions: int, games: int = 256, seed: int = 1) -> float:
    """Learn for so many decisions of all games together; return the share of games that are won then."""
    register()
    torch.manual_seed(seed)
    many: Any = gym.make_vec(
        env_ids(GAME)[0], games, seat=SEAT, opponents=OPPONENTS, obs="masked features", autoreset_mode="Disabled", **OPTIONS
    )
    env = TransformedEnv(  # the masked distribution wants truth values
        GymWrapper(many, categorical_action_encoding=True), DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    )
    numbers, actions = many.single_observation_space["observation"].shape[0], int(many.single_action_space.n)
    body = layers(numbers, actions)
    nn.init.orthogonal_(body[-1].weight, 0.01)  # at first every action is as likely as any other
    actor = ProbabilisticActor(
        TensorDictModule(body, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"}, distribution_class=MaskedCategorical, return_log_prob=True,
    )  # fmt: skip
    critic = ValueOperator(layers(numbers, 1))
    gains = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
    loss_of = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
    optimiser = torch.optim.Adam(loss_of.parameters(), 1e-3)
    collector = Collector(env, actor, frames_per_batch=games * STEPS, total_frames=decisions)
    for data in collector:
        with torch.no_grad():
            gains(data)
        data = data.reshape(-1)
        for _ in range(EPOCHS):
            for part in torch.randperm(len(data)).chunk(MINIBATCHES):
                losses = loss_of(data[part])
                optimiser.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss_of.parameters(), 0.5)
                optimiser.step()
    collector.shutdown()

    def policy(features: Any, masks: Any) -> Any:
        with torch.inference_mode():
            return body(torch.as_tensor(features)).masked_fill(torch.as_tensor(masks) == 0, -1e9).argmax(1)

    return score(policy)


def layers(numbers: int, out: int) -> nn.Sequential:
    """Return a small network."""
    return nn.Sequential(nn.Linear(numbers, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, out))


if __name__ == "__main__":
    print(f"wins {train(int(sys.argv[1]) if len(sys.argv) > 1 else 500_000):.1%} of 256 games")
