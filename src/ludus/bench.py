"""How fast the games run on this machine. Each figure says what was counted."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludus.engine import Batch, Table
from ludus.games import Game, load

ROUNDS = 3  # the best of so many counts: other programs can only make a round slower
SECONDS = 0.5  # a round takes about this long
VECTOR = 1024  # games of the vector environment
NOT_THE_BOARD = ("opt_", "last_", "seat", "turn", "end")  # fields that an action changes though nothing moved


@dataclass(frozen=True)
class Figure:
    """One measured number."""

    name: str
    value: float
    unit: str
    counted: str

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def measure(names: list[str], device: str = "cpu") -> Iterator[Figure]:
    """Measure games one after the other."""
    for name in names:
        game = load(name)
        yield from _random_play(game, device)
        if device == "cpu":
            yield from _one_at_a_time(game)
            yield from _environments(game)
        if game.has("bench"):  # its own figures; games import nothing from here, so it is handed what it needs
            for figure, value, unit, counted in game.part("bench").measure(device, Batch, rate):
                yield Figure(f"{name}.{device}.{figure}", value, unit, counted)


def rate(work: Callable[[int], int], rounds: int = ROUNDS, seconds: float = SECONDS) -> float:
    """Return how much a second `work(amount)` gets done at best, for amounts that take long enough to be timed."""
    amount, best = 1, 0.0
    work(amount)  # compiles
    while True:
        started = time.perf_counter()
        work(amount)
        spent = time.perf_counter() - started
        if spent > seconds / 4:
            break
        amount *= 4
    amount = max(1, int(amount * seconds / spent))
    for _ in range(rounds):
        started = time.perf_counter()
        done = work(amount)
        best = max(best, done / (time.perf_counter() - started))
    return best


def _random_play(game: Game, device: str) -> Iterator[Figure]:
    """Random legal play, masks included, without and with observations."""
    n = 2**20 if device == "cuda" else 4096
    batch = Batch(game, n, 0, device)
    length, changed = describe_random_play(game)
    about = f"mean game {length:,.0f} decisions, {changed:.0%} of them changed the board"
    plain = rate(lambda steps: batch.play_random(steps)[0])
    yield Figure(f"{game.name}.{device}.random", plain, "steps/s", f"random legal decisions incl. mask, {n} games; {about}")
    encoded = rate(lambda steps: batch.play_random(steps, encode=True)[0])
    yield Figure(f"{game.name}.{device}.encoded", encoded, "steps/s", f"the same with observe and encode at each; {n} games")
    if game.spec.features:
        batch.new()  # as plain play did: from the start on, where games may be simpler
        told = rate(lambda steps: batch.play_random(steps, features=True)[0])
        about = f"the same with {len(game.spec.features)} features at each instead, {told / plain:.0%} of the plain speed"
        yield Figure(f"{game.name}.{device}.features", told, "steps/s", f"{about}; {n} games")


def _one_at_a_time(game: Game) -> Iterator[Figure]:
    """One game in a plain Python loop."""
    table, chance = Table(game), random.Random(0).random

    def play(steps: int) -> int:
        legal, observe, apply = table.legal, table.observe, table.apply
        for _ in range(steps):
            actions = legal()
            if not actions:
                table.begin()
                actions = legal()
            observe()
            apply(actions[int(chance() * len(actions))])
        return steps

    yield Figure(
        f"{game.name}.single", rate(play), "steps/s", "one game in a Python loop: legal, observe, apply of a random action"
    )


def _environments(game: Game) -> Iterator[Figure]:
    """The environments of other libraries, where these are installed."""
    try:
        from ludus.adapters.pettingzoo import Env
        from ludus.adapters.vector import SeatVectorEnv
    except ImportError:
        return
    env, chance = Env(game, seed=0), random.Random(0).random

    def play(steps: int) -> int:
        played = 0
        while played < steps:
            if not env.agents:
                env.reset()
            _, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                actions = info["action_mask"].nonzero()[0]
                env.step(actions[int(chance() * len(actions))])
                played += 1
        return played

    yield Figure(
        f"{game.name}.aec", rate(play), "steps/s", "PettingZoo AEC: last with planes and mask, step with a random action"
    )
    noise = np.random.default_rng(0).random((VECTOR, game.spec.actions)) + 1

    def many(copy: bool, obs: str = "planes") -> Callable[[int], tuple[int, int]]:
        """Return a call that plays steps of the vector environment, and says what all seats and the learner decided."""
        envs = SeatVectorEnv(game, VECTOR, seat=len(game.spec.seats) - 1, obs=obs, copy=copy)
        envs.reset(seed=0)

        def play_many(steps: int) -> tuple[int, int]:
            before = envs.seat.decisions
            for _ in range(steps):
                envs.step((envs.action_masks() * noise).argmax(axis=1))
            return envs.seat.decisions - before, steps * VECTOR

        return play_many

    about = f"Gymnasium vector of {VECTOR} games, last seat against random bots: decisions of all seats, planes of that seat"
    bare, kept, learner = many(copy=False), many(copy=True), many(copy=True, obs="features")
    yield Figure(f"{game.name}.vector", rate(lambda steps: bare(steps)[0]), "steps/s", f"{about}, copy=False")
    yield Figure(f"{game.name}.vector_copy", rate(lambda steps: kept(steps)[0]), "steps/s", f"{about}, copy=True")
    about = f"the same vector with features, copy=True: the learner's own steps, {VECTOR} a call"
    yield Figure(f"{game.name}.learner", rate(lambda steps: learner(steps)[1]), "steps/s", about)


def describe_random_play(game: Game, games: int = 200) -> tuple[float, float]:
    """Return the mean length of random games and the share of actions that changed the board."""
    length = float(Batch(game, games, 1).finish_random().mean())
    batch, chance = Batch(game, games, 1), np.random.default_rng(1)
    fields = [name for name in game.state_type.names or () if not name.startswith(NOT_THE_BOARD)]
    changed = total = 0
    for _ in range(50):
        before = np.array(batch.states)
        masks = batch.legal()
        batch.step((masks * (1 + chance.random(masks.shape))).argmax(axis=1))
        moved = np.zeros(games, bool)
        for field in fields:
            moved |= (before[field] != batch.states[field]).reshape(games, -1).any(axis=1)
        changed, total = changed + int(moved.sum()), total + games
    return length, changed / total
