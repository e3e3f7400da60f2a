"""A chaser learns Chase in a loop of JAX, which takes a batch's arrays by DLPack: `python examples/jax_loop.py [DECISIONS]`.

pip install 'ludus[jax]' brings JAX and Optax. On a GPU (`device="cuda"`) the same lines hold: games and network stay there.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from scoring import GAME, OPPONENTS, OPTIONS, SEAT, score

import ludus

STEPS, EPOCHS, MINIBATCHES = 32, 3, 4  # between two updates; of each update
DISCOUNT, TRACE, CLIP, ENTROPY = 0.99, 0.95, 0.2, 0.01
OPTIMISER = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(1e-3, eps=1e-5))


class Played(NamedTuple):
    """What was played between two updates; [step, game, …], then [step × game, …]."""

    obs: Any
    mask: Any
    action: Any
    log_chance: Any
    value: Any
    reward: Any
    end: Any


def network(key: Any, numbers: int, actions: int, width: int = 128) -> list[Any]:
    """Return the weights of two layers, of the policy and of the value."""
    sizes, scales = [(numbers, width), (width, width), (width, actions), (width, 1)], [2**0.5, 2**0.5, 0.01, 1.0]
    make = [
        jax.nn.initializers.orthogonal(scale)(k, size)
        for k, size, scale in zip(jax.random.split(key, 4), sizes, scales, strict=True)
    ]
    return [(weights, jnp.zeros(weights.shape[1])) for weights in make]


def look(net: list[Any], obs: Any, mask: Any) -> tuple[Any, Any]:
    """Return log-probabilities of the legal actions, and values."""
    hidden = obs
    for weights, bias in net[:2]:
        hidden = jnp.tanh(hidden @ weights + bias)
    logits, values = (hidden @ weights + bias for weights, bias in net[2:])
    return jax.nn.log_softmax(jnp.where(mask != 0, logits, -1e9)), values[:, 0]


@jax.jit
def decide(net: list[Any], key: Any, obs: Any, mask: Any) -> tuple[Any, Any, Any]:
    """Draw an action for each game."""
    log, value = look(net, obs, mask)
    action = jax.random.categorical(key, log)
    return action, jnp.take_along_axis(log, action[:, None], 1)[:, 0], value


def loss_of(net: list[Any], part: Played, gain: Any, target: Any) -> Any:
    """Return what PPO makes small."""
    log, value = look(net, part.obs, part.mask)
    ratio = jnp.exp(jnp.take_along_axis(log, part.action[:, None], 1)[:, 0] - part.log_chance)
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    policy = -jnp.minimum(gain * ratio, gain * ratio.clip(1 - CLIP, 1 + CLIP)).mean()
    entropy = -(jnp.exp(log) * log.clip(-50)).sum(1).mean()
    return policy + 0.25 * ((value - target) ** 2).mean() - ENTROPY * entropy


@partial(jax.jit, donate_argnums=(0, 1))
def improve(net: list[Any], memory: Any, key: Any, played: Played, last: Any) -> tuple[list[Any], Any]:
    """Judge what was played, and take some steps."""

    def back(carried: Any, step: Played) -> Any:
        following, running = carried
        delta = step.reward + DISCOUNT * following * (1 - step.end) - step.value
        running = delta + DISCOUNT * TRACE * (1 - step.end) * running
        return (step.value, running), running

    _, gains = jax.lax.scan(back, (last, jnp.zeros_like(last)), played, reverse=True)
    flat = jax.tree.map(lambda array: array.reshape(-1, *array.shape[2:]), (played, gains, gains + played.value))

    def learn(carried: Any, rows: Any) -> Any:
        net, memory = carried
        gradients = jax.grad(loss_of)(net, *jax.tree.map(lambda array: array[rows], flat))
        changes, memory = OPTIMISER.update(gradients, memory, net)
        return (optax.apply_updates(net, changes), memory), None

    keys, size = jax.random.split(key, EPOCHS), gains.size
    rows = jnp.concatenate([jax.random.permutation(k, size).reshape(MINIBATCHES, -1) for k in keys])
    return jax.lax.scan(learn, (net, memory), rows)[0]


def kept(array: Any) -> Any:
    """Return an array of the batch, which the next step overwrites, as JAX may keep it."""
    return jax.block_until_ready(jnp.array(jnp.from_dlpack(array)))


def train(decisions: int, games: int = 256, seed: int = 1) -> float:
    """Learn for so many decisions of all games together; return the share of games that are won then."""
    seat = ludus.make_vec(GAME, games, SEAT, OPPONENTS, seed=seed, **OPTIONS)
    seen, key = seat.reset(), jax.random.key(seed)
    net = network(key, seen.obs.shape[1], seen.mask.shape[1])
    memory = OPTIMISER.init(net)
    for _ in range(decisions // (games * STEPS)):
        steps = []
        for _ in range(STEPS):
            key, chance = jax.random.split(key)
            shown = kept(seen.obs), kept(seen.mask)
            action, log_chance, value = decide(net, chance, *shown)
            seen = seat.step(np.asarray(action))
            steps.append(Played(*shown, action, log_chance, value, kept(seen.reward), kept(seen.done) != 0))
        key, chance, last = jax.random.split(key, 3)
        value = decide(net, last, kept(seen.obs), kept(seen.mask))[2]
        net, memory = improve(net, memory, chance, jax.tree.map(lambda *parts: jnp.stack(parts), *steps), value)
    return score(lambda features, masks: np.asarray(look(net, features, masks)[0]).argmax(1))


if __name__ == "__main__":
    print(f"wins {train(int(sys.argv[1]) if len(sys.argv) > 1 else 500_000):.1%} of 256 games")
