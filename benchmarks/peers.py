"""Chase beside the nearest games of other libraries, in one run on one machine: `python benchmarks/peers.py`.

Three ways of driving a game are compared, each with its own kind: many games at once with observations, one game in a Python
loop over the library's native interface, and one game in PettingZoo's AEC loop. Counted are decisions of random legal play a
second, observations and masks or legal lists included. Libraries that are not installed are named and left out. The lines are
measured in turns, the best turn counts: other programs on the machine can only make a turn slower. On a busy machine
`--cpu-seconds` compares what a second of processor time yields.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

Work = Callable[[int], int]  # plays about so many decisions, returns how many it played
MANY, ONE, AEC = "many games at once, with observations", "one game in a Python loop", "PettingZoo AEC loop"
BATCH = 1024


@dataclass
class Line:
    """One game of one library, driven in one way."""

    way: str
    library: str
    game: str
    counted: str
    rate: float = 0.0


def main() -> int:
    """Measure what is installed and print a table, or lines of JSON."""
    parser = argparse.ArgumentParser(description="Chase beside the nearest games of other libraries")
    parser.add_argument("--turns", type=int, default=5, help="times that every line is measured")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of one measurement")
    parser.add_argument(
        "--cpu-seconds", action="store_true", help="count seconds of processor time of all threads, not of the clock"
    )
    parser.add_argument("--json", action="store_true", help="one object a line")
    words = parser.parse_args()
    lines, missing = [], []
    for source in (ludus_games, pgx_games, open_spiel_games, pettingzoo_games, pufferlib_games):
        try:
            lines += list(source())
        except ImportError as error:
            missing.append(f"{source.__name__.removesuffix('_games')}: {error}")
    clock = time.process_time if words.cpu_seconds else time.perf_counter
    amounts = [calibrate(work, words.seconds) for _, work in lines]
    for _ in range(words.turns):
        for (line, work), amount in zip(lines, amounts, strict=True):
            started = clock()
            line.rate = max(line.rate, work(amount) / (clock() - started))
    report([line for line, _ in lines], missing, words)
    return 0


def calibrate(work: Work, seconds: float) -> int:
    """Return how many decisions take about so long; compiling happens here."""
    work(1)
    amount = 64
    while True:
        started = time.perf_counter()
        work(amount)
        spent = time.perf_counter() - started
        if spent > seconds / 4:
            return max(1, int(amount * seconds / spent))
        amount *= 4


def report(lines: list[Line], missing: list[str], words: argparse.Namespace) -> None:
    """Print every line with its ratio to Chase driven in the same way."""
    for way in (MANY, ONE, AEC):
        own = next((line.rate for line in lines if line.way == way and line.library.startswith("ludus")), 0.0)
        if not words.json:
            unit = "dec./CPU s" if words.cpu_seconds else "decisions/s"
            print(f"\n{way}\n{'library':<20} {'game':<16} {unit:>14} {'Chase is':>10}  counted")
        for line in sorted((line for line in lines if line.way == way), key=lambda line: -line.rate):
            if words.json:
                print(json.dumps({**asdict(line), "chase_is": own / line.rate}))
            else:
                times = f"{own / line.rate:.2g} ×" if own / line.rate < 100 else f"{own / line.rate:.0f} ×"
                print(f"{line.library:<20} {line.game:<16} {line.rate:>14,.0f} {times:>10}  {line.counted}")
    for name in missing:
        print(f"not installed here: {name}", file=sys.stderr)


def version(name: str) -> str:
    """Return a library's name with its version."""
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return name


def ludus_games() -> Iterator[tuple[Line, Work]]:
    """Chase in all three ways."""
    from ludus import Batch, Table, __version__

    library, batch, table, chance = f"ludus {__version__}", Batch("chase", BATCH), Table("chase"), random.Random(0).random

    def many(amount: int) -> int:
        return batch.play_random(max(1, amount // BATCH), encode=True)[0]

    def one(amount: int) -> int:
        for _ in range(amount):
            actions = table.legal()
            if not actions:
                table.begin()
                actions = table.legal()
            table.encode()
            table.apply(actions[int(chance() * len(actions))])
        return amount

    yield Line(MANY, library, "chase", f"{BATCH} games, planes 6 × 15 × 15; threads on all cores"), many
    yield Line(ONE, library, "chase", "legal, encode, apply"), one
    try:
        from ludus.adapters.pettingzoo import env
    except ImportError:
        return
    yield Line(AEC, library, "chase", "last, step; planes, mask in info"), aec_loop(env("chase"))


def aec_loop(env: Any) -> Work:
    """Return a loop over an AEC environment without wrappers; dead steps take time but do not count."""
    chance = random.Random(0).random
    env.reset(seed=0)

    def play(amount: int) -> int:
        played = 0
        while played < amount:
            if not env.agents:
                env.reset()
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
            actions = mask.nonzero()[0]
            env.step(int(actions[int(chance() * len(actions))]))
            played += 1
        return played

    return play


def pgx_games() -> Iterator[tuple[Line, Work]]:
    """Board games of pgx: a compiled scan of random legal steps, new games following at once."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    for game in ("tic_tac_toe", "connect_four", "hex", "othello"):
        env = pgx.make(game)
        step = jax.vmap(auto_reset(env.step, env.init))

        def play_on(carry: Any, _: Any, step: Any = step) -> Any:
            state, key = carry
            key, sub, chance = jax.random.split(key, 3)
            noise = jax.random.uniform(sub, state.legal_action_mask.shape)
            action = jax.numpy.argmax(noise * state.legal_action_mask, axis=1)
            state = step(state, action, jax.random.split(chance, BATCH))
            return (state, key), state.observation.sum()  # summed, so that the compiler cannot leave observations out

        scan = jax.jit(lambda carry, play_on=play_on: jax.lax.scan(play_on, carry, None, 64))
        start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), BATCH))
        carry = [(start, jax.random.key(1))]

        def many(amount: int, scan: Any = scan, carry: list[Any] = carry) -> int:
            rounds = max(1, amount // (64 * BATCH))
            for _ in range(rounds):
                carry[0], sums = scan(carry[0])
            sums.block_until_ready()
            return rounds * 64 * BATCH

        device = jax.devices()[0].platform
        shape = " × ".join(map(str, env.observation_shape))
        yield Line(MANY, version("pgx"), game, f"{BATCH} games on {device}, observation {shape}; jit, vmap, scan"), many


def open_spiel_games() -> Iterator[tuple[Line, Work]]:
    """Games of OpenSpiel's C++ core, driven from Python."""
    import pyspiel

    chance = random.Random(0).random
    for name in ("tic_tac_toe", "connect_four", "breakthrough"):
        game = pyspiel.load_game(name)
        box = [game.new_initial_state()]

        def one(amount: int, game: Any = game, box: list[Any] = box) -> int:
            state = box[0]
            for _ in range(amount):
                if state.is_terminal():
                    state = game.new_initial_state()
                actions = state.legal_actions()
                state.observation_tensor()
                state.apply_action(actions[int(chance() * len(actions))])
            box[0] = state
            return amount

        size = game.observation_tensor_size()
        yield Line(ONE, version("open_spiel"), name, f"legal_actions, observation_tensor ({size}), apply_action"), one


def pettingzoo_games() -> Iterator[tuple[Line, Work]]:
    """Classic games and pursuit of PettingZoo, raw; tictactoe also with the wrappers that `env()` adds."""
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    for module, name in ((tictactoe_v3, "tictactoe"), (connect_four_v3, "connect_four")):
        yield Line(AEC, version("pettingzoo"), name, "last, step; raw_env, mask in the observation"), aec_loop(module.raw_env())
    yield Line(AEC, version("pettingzoo"), "tictactoe", "the same with the usual wrappers: env()"), aec_loop(tictactoe_v3.env())
    try:
        from pettingzoo.sisl import pursuit_v5 as pursuit
    except ImportError:  # the name before 1.27
        from pettingzoo.sisl import pursuit_v4 as pursuit

    env, chance = pursuit.raw_env(), np.random.default_rng(0)
    env.reset(seed=0)

    def pursue(amount: int) -> int:
        played = 0
        while played < amount:
            if not env.agents:
                env.reset()
            _, _, terminated, truncated, _ = env.last()
            env.step(None if terminated or truncated else int(chance.integers(5)))
            played += not (terminated or truncated)
        return played

    yield Line(AEC, version("pettingzoo"), "pursuit", "last, step; raw_env, 8 pursuers, 16 × 16; no mask"), pursue


def pufferlib_games() -> Iterator[tuple[Line, Work]]:
    """Connect four of PufferLib's Ocean: C behind one call a step for all games; actions drawn beforehand, legal or not."""
    from pufferlib.ocean.connect4.connect4 import Connect4

    env = Connect4(num_envs=BATCH)
    env.reset()
    draws = np.random.default_rng(0).integers(0, env.single_action_space.n, (64, BATCH))

    def many(amount: int) -> int:
        rounds = max(1, amount // BATCH)
        for k in range(rounds):
            env.step(draws[k % 64])
        return rounds * BATCH

    yield Line(MANY, version("pufferlib"), "connect4", f"{BATCH} games, one call a step from Python, one thread; no mask"), many


if __name__ == "__main__":
    sys.exit(main())
