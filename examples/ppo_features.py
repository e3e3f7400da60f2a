"""Train one seat of any game with PPO on its features, on the CPU: one file, read from top to bottom.

    python examples/ppo_features.py chase --seat chaser1 --bots '{"runner": "greedy", "chaser2": "greedy"}' --seconds 60
    python examples/ppo_features.py battlegrid --bots hunter --seconds 280 --potential '{"steps to the zone": -14}' \\
        --layer relu --anneal true --sampled true

The games run inside the batch, a thousand at a time, with the opponents in compiled code; a network of two layers looks at the
few numbers that `game.spec.features` names and chooses among the legal actions alone. It prints how often the seat wins (a draw
is half a win) when it plays its best action, the learner's decisions a second, and the share of the time that the games take.
`--obs planes` learns from planes in the same loop, to compare.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import nn

from ludus import Batch, Reward
from ludus.games import load


@dataclass
class Settings:
    """What a run is made of; the defaults suit all five games."""

    game: str = "chase"
    seat: Any = 0
    bots: Any = "random"
    options: dict[str, int] = field(default_factory=dict)
    obs: str = "features"
    reward: Any = None
    potential: dict[str, float] = field(default_factory=dict)  # features by name, and what 1 of each is worth
    seconds: float = 60.0
    decisions: int = 1 << 40  # at most, whatever the time
    stop_at: float = 2.0  # win rate at which an evaluation ends the run early
    seed: int = 1
    games: int = 512  # played at once
    steps: int = 32  # decisions of each game between two updates
    epochs: int = 3
    minibatches: int = 4
    width: int = 128  # of both layers
    layer: str = "tanh"  # what bends them, or "relu"
    rate: float = 1e-3
    anneal: bool = False  # rate and entropy go down to 0 in a straight line: slower at first, better in the end
    discount: float = 0.99
    trace: float = 0.95  # lambda of the advantage estimate
    clip: float = 0.2
    entropy: float = 0.01
    threads: int = 2
    evaluate_every: float = 15.0  # seconds
    evaluated: int = 512  # games
    sampled: bool = False  # evaluate as the network learns, by chance, and not by its best actions


class Network(nn.Module):
    """Two layers; the logits of the actions, and the value."""

    def __init__(self, inputs: int, actions: int, width: int, layer: str = "tanh") -> None:
        super().__init__()
        bend = nn.Tanh if layer == "tanh" else nn.ReLU
        self.body = nn.Sequential(nn.Linear(inputs, width), bend(), nn.Linear(width, width), bend())
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, obs: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return log-probabilities of the legal actions, and values."""
        hidden = self.body(obs)
        logits = self.policy(hidden).masked_fill(mask == 0, -1e9)
        return logits.log_softmax(-1), self.value(hidden).squeeze(-1)


def tensor(array: Any, obs: bool = False) -> torch.Tensor:
    """Return a copy as a tensor; planes become a row of numbers."""
    copy = torch.from_numpy(np.array(array))
    return copy.reshape(len(copy), -1).float() if obs else copy


def evaluate(network: Network, s: Settings, seed: int = 999) -> float:
    """Play each game of a batch once with the best actions; return the share of wins, draws as half."""
    seat = Batch(s.game, s.evaluated, seed, **s.options).seat(s.seat, s.bots, obs=s.obs)
    seen, score = seat.reset(), np.full(s.evaluated, np.nan)
    while np.isnan(score).any():
        with torch.inference_mode():
            chances, _ = network(tensor(seen.obs, True), tensor(seen.mask))
        chosen = torch.multinomial(chances.exp(), 1)[:, 0] if s.sampled else chances.argmax(-1)
        seen = seat.step(chosen.numpy())
        ended = (seen.done != 0) & np.isnan(score)
        score[ended] = (np.sign(seat.final_outcomes[ended]) + 1) / 2
    return float(score.mean())


def advantages(s: Settings, rewards: Any, values: Any, ends: Any, last: Any) -> torch.Tensor:
    """Return the generalised advantage estimates [step, game]."""
    found, running = torch.zeros_like(values), torch.zeros_like(last)
    following = last
    for t in reversed(range(len(rewards))):
        goes_on = 1 - ends[t]
        delta = rewards[t] + s.discount * following * goes_on - values[t]
        running = delta + s.discount * s.trace * goes_on * running
        found[t], following = running, values[t]
    return found


class Scale:
    """Divide rewards by the spread of what follows from them, so that values are about 1 in every game."""

    def __init__(self, s: Settings) -> None:
        self.discount, self.following = s.discount, torch.zeros(s.games)
        self.count, self.square = 1e-4, 0.0

    def __call__(self, reward: torch.Tensor, end: torch.Tensor) -> torch.Tensor:
        """Return the rewards of a step [game], scaled."""
        self.following = self.following * self.discount + reward
        self.count, self.square = self.count + len(reward), self.square + float(self.following.pow(2).sum())
        self.following = self.following * (1 - end)
        return reward / (self.square / self.count + 1e-8) ** 0.5


def update(
    network: Network, optimiser: torch.optim.Optimizer, s: Settings, data: dict[str, torch.Tensor], ahead: float
) -> None:
    """Improve the network by a few epochs over what was played; `ahead` is the share of rate and entropy that is left."""
    size = len(data["action"])
    for group in optimiser.param_groups:
        group["lr"] = s.rate * ahead
    for _ in range(s.epochs):
        for part in torch.randperm(size).chunk(s.minibatches):
            chances, value = network(data["obs"][part], data["mask"][part])
            log_chance = chances.gather(1, data["action"][part, None]).squeeze(1)
            ratio = (log_chance - data["log_chance"][part]).exp()
            gain = data["advantage"][part]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - s.clip, 1 + s.clip)).mean()
            value_loss = 0.5 * (value - data["target"][part]).pow(2).mean()
            entropy = -(chances.exp() * chances.clamp(min=-50)).sum(-1).mean()
            optimiser.zero_grad()
            (policy_loss + 0.5 * value_loss - s.entropy * ahead * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


def reward_of(s: Settings) -> Reward:
    """Return what is paid: with a potential, coming nearer to what is worth something pays at once."""
    if not s.potential:
        return Reward(s.reward)
    names = load(s.game, **s.options).spec.features
    worth = np.zeros(len(names), np.float32)
    for name, weight in s.potential.items():
        worth[names.index(name)] = weight
    return Reward(s.reward, potential=lambda features: features @ worth, discount=s.discount, sees="features")


def train(s: Settings, say: Any = print) -> tuple[Network, float]:
    """Train until the time is over, or the win rate is reached; return the network and its win rate."""
    torch.set_num_threads(s.threads)
    torch.manual_seed(s.seed)
    spec = load(s.game, **s.options).spec
    inputs = len(spec.features) if s.obs == "features" else int(np.prod(spec.planes))
    network = Network(inputs, spec.actions, s.width, s.layer)
    optimiser = torch.optim.Adam(network.parameters(), lr=s.rate, eps=1e-5)
    seat = Batch(s.game, s.games, s.seed, **s.options).seat(s.seat, s.bots, obs=s.obs, reward=reward_of(s))
    seen, scale = seat.reset(), Scale(s)
    evaluate(network, s)  # compiles what is not compiled yet
    began, spent, in_games, decisions, best, looked = time.perf_counter(), 0.0, 0.0, 0, 0.0, 0.0
    paid, ended = 0.0, 0  # since the last evaluation
    while True:
        played: dict[str, list[torch.Tensor]] = {
            k: [] for k in ("obs", "mask", "action", "log_chance", "value", "reward", "end")
        }
        for _ in range(s.steps):
            obs, mask = tensor(seen.obs, True), tensor(seen.mask)
            with torch.inference_mode():
                chances, value = network(obs, mask)
                action = torch.multinomial(chances.exp(), 1)
            now = time.perf_counter()
            seen = seat.step(action.squeeze(1).numpy())
            in_games += time.perf_counter() - now
            steps = (obs, mask, action[:, 0], chances.gather(1, action)[:, 0], value)
            for name, what in zip(played, (*steps, tensor(seen.reward), tensor(seen.done != 0).float()), strict=True):
                played[name].append(what)
        data = {name: torch.stack(parts) for name, parts in played.items()}
        scaled = torch.stack([scale(*step) for step in zip(data["reward"], data["end"], strict=True)])
        with torch.inference_mode():
            _, last = network(tensor(seen.obs, True), tensor(seen.mask))
        data["advantage"] = advantages(s, scaled, data["value"], data["end"], last)
        data["target"] = data["advantage"] + data["value"]
        ahead = 1 - min(1.0, max(spent / s.seconds, decisions / s.decisions)) if s.anneal else 1.0
        update(network, optimiser, s, {name: part.flatten(0, 1) for name, part in data.items()}, ahead)
        decisions, paid, ended = (
            decisions + s.games * s.steps,
            paid + float(data["reward"].sum()),
            ended + int(data["end"].sum()),
        )
        spent = time.perf_counter() - began
        is_last = spent > s.seconds or decisions >= s.decisions
        if spent - looked > s.evaluate_every or is_last:
            looked = spent
            best = evaluate(network, s)
            began += time.perf_counter() - began - spent  # looking on is no part of the training
            rate = f"{decisions / spent:8,.0f} a second, games {in_games / spent:.0%} of the time"
            say(
                f"{spent:6.1f} s  {decisions:>11,} decisions  {rate}  reward {paid / max(1, ended):.2f} a game  wins {best:.1%}"
            )
            paid, ended = 0.0, 0
            if is_last or best >= s.stop_at:
                return network, best


def _kind(default: Any) -> Any:
    """Return how a word of the command line is read."""
    if isinstance(default, bool):
        return lambda word: word.lower() in ("1", "true", "yes")
    return str if default in (0, None) else type(default)


def settings() -> Settings:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    for name, default in vars(Settings()).items():
        if name not in ("game", "bots", "options", "potential"):
            parser.add_argument(f"--{name.replace('_', '-')}", type=_kind(default), default=default)
    parser.add_argument("--bots", default="random", help="a name, or a dictionary as JSON")
    parser.add_argument("--potential", default="{}", type=json.loads, help="features by name and their worth, as JSON")
    given = parser.parse_args()
    given.bots = json.loads(given.bots) if given.bots.startswith("{") else given.bots
    return Settings(**vars(given))


if __name__ == "__main__":
    train(settings())
