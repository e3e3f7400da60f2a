"""Loops as CleanRL writes them, over the vector environment: PPO with masks, and DQN with a replay buffer."""

from itertools import pairwise
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from counted import EASY_ID, SEAT, CountedMany

torch = pytest.importorskip("torch")
from torch import nn
from torch.distributions import Categorical

pytestmark = pytest.mark.libraries
GAMES, STEPS = 32, 32


def many(**settings: Any) -> CountedMany:
    return CountedMany(gym.make_vec(EASY_ID, num_envs=GAMES, seat=SEAT, obs="features", seed=1, **settings))


def layers(numbers: int, out: int) -> Any:
    return nn.Sequential(nn.Linear(numbers, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, out))


def test_ppo_with_masks_plays_nothing_illegal() -> None:
    torch.manual_seed(1)
    envs = many()
    actor, critic = (
        layers(envs.single_observation_space.shape[0], int(envs.single_action_space.n)),
        layers(envs.single_observation_space.shape[0], 1),
    )
    optimiser = torch.optim.Adam([*actor.parameters(), *critic.parameters()], 1e-3)
    seen, infos = envs.reset(seed=1)
    losses = []
    for _ in range(8):
        kept: dict[str, list[Any]] = {key: [] for key in ("seen", "mask", "action", "chance", "value", "reward", "end")}
        for _ in range(STEPS):
            looked, mask = torch.from_numpy(seen), torch.from_numpy(infos["action_mask"]).bool()
            with torch.no_grad():
                choice = Categorical(logits=actor(looked).masked_fill(~mask, -1e9))
                action, value = choice.sample(), critic(looked)[:, 0]
            seen, reward, terminated, truncated, infos = envs.step(action.numpy())
            parts = (looked, mask, action, choice.log_prob(action), value, reward, terminated | truncated)
            for key, part in zip(kept, parts, strict=True):
                kept[key].append(torch.as_tensor(part))
        rows = {
            key: torch.stack(parts).float() if key in ("reward", "end") else torch.stack(parts) for key, parts in kept.items()
        }
        with torch.no_grad():
            later, trace, gains = critic(torch.from_numpy(seen))[:, 0], torch.zeros(GAMES), torch.zeros(STEPS, GAMES)
        for t in reversed(range(STEPS)):
            goes_on = 1 - rows["end"][t]
            trace = rows["reward"][t] + 0.99 * later * goes_on - rows["value"][t] + 0.99 * 0.95 * goes_on * trace
            gains[t], later = trace, rows["value"][t]
        targets = gains + rows["value"]
        for _ in range(4):
            choice = Categorical(logits=actor(rows["seen"]).masked_fill(~rows["mask"], -1e9))
            ratio = (choice.log_prob(rows["action"]) - rows["chance"]).exp()
            gain = (gains - gains.mean()) / (gains.std() + 1e-8)
            policy = -torch.minimum(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
            worth = (critic(rows["seen"])[..., 0] - targets).square().mean()
            optimiser.zero_grad()
            (policy + 0.5 * worth - 0.01 * choice.entropy().mean()).backward()
            optimiser.step()
        losses.append(float(worth.detach()))
    assert envs.steps == 8 * STEPS * GAMES
    assert envs.illegal == 0
    assert np.isfinite(losses).all()


def test_dqn_with_a_replay_buffer_stores_what_was_seen() -> None:
    """The loop of the documentation: `obs` is kept, then `next_obs`; final observations stand in for ends."""
    torch.manual_seed(1)
    envs, chance = many(), np.random.default_rng(1)
    numbers, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
    network, target = layers(numbers, actions), layers(numbers, actions)
    target.load_state_dict(network.state_dict())
    optimiser, kept, losses = torch.optim.Adam(network.parameters(), 1e-3), [], []
    seen, infos = envs.reset(seed=1)
    for step in range(200):
        mask = infos["action_mask"]
        with torch.no_grad():
            worth = network(torch.from_numpy(seen)).numpy()
        greedy = np.where(mask == 1, worth, -np.inf).argmax(axis=1)
        drawn = (mask * (1 + chance.random(mask.shape))).argmax(axis=1)
        action = np.where(chance.random(GAMES) < 0.2, drawn, greedy)
        following, reward, terminated, truncated, infos = envs.step(action)
        real, next_mask = following.copy(), infos["action_mask"].copy()
        for i in np.flatnonzero(truncated | terminated):
            real[i] = infos["final_obs"][i]
        kept.append((seen, action, reward, real, terminated, next_mask))
        seen = following
        if step >= 20:
            before, did, got, after, ended, allowed = kept[chance.integers(len(kept))]
            with torch.no_grad():
                best = target(torch.from_numpy(after)).masked_fill(torch.from_numpy(allowed) == 0, -1e9).max(1).values
                due = torch.from_numpy(got) + 0.99 * best * torch.from_numpy(~ended)
            said = network(torch.from_numpy(before)).gather(1, torch.from_numpy(did)[:, None])[:, 0]
            loss = (said - due).square().mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses.append(float(loss.detach()))
    assert envs.illegal == 0
    assert np.isfinite(losses).all()
    changed = np.mean([(before != after).any(axis=1).mean() for before, _, _, after, _, _ in kept])
    assert changed > 0.9
    for (_, _, _, after, ended, _), (before, *_) in pairwise(kept):
        assert np.array_equal(after[~ended], before[~ended])
