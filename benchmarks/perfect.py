"""How near a network for Chase comes to perfect play: its chasers against the perfect runner, its runner the other way round.

usage: python benchmarks/perfect.py [--games=400] [--jobs=2] [FILE]     FILE: a network; default: the champion

Both play from the same set-ups, each solved first; how long a game takes is compared with what perfect play makes of it.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ludus.engine import Table, Tools
from ludus.games import load
from ludus.school import champion_file, open_network
from ludus.school.network import chosen

RUNNER, LAST = 0, 2
PART, TOLD = 5, 50  # set-ups that a process takes at a time, and after which it is said how things stand


def main(words: list[str]) -> None:
    """Play, and print how many turns each side lost on average."""
    options = dict(word[2:].split("=") for word in words if word.startswith("--"))
    games, jobs = int(options.get("games", 400)), int(options.get("jobs", 2))
    named = [word for word in words if not word.startswith("--")]
    file = named[0] if named else str(champion_file(load("chase")))
    found: list[tuple[int, int, int]] = []
    with ProcessPoolExecutor(jobs) as pool:
        parts = [range(first, min(first + PART, games)) for first in range(0, games, PART)]
        for part in pool.map(compared, [file] * len(parts), parts):
            found += part
            if len(found) % TOLD == 0 and len(found) < games:
                tell(np.array(found))
    tell(np.array(found))


def tell(found: Any) -> None:
    """Print what the set-ups say that are played."""
    perfect, caught, lived = found.T
    print(f"{len(found)} set-ups; perfect play captures in turn {perfect.mean():.2f} on average")
    print(f"its chasers catch the perfect runner in turn {_spread(caught)}: {_spread(caught - perfect)} later")
    print(f"its runner is caught by perfect chasers in turn {_spread(lived)}: {_spread(perfect - lived)} earlier")
    print(f"never caught by its chasers: {int((caught >= load('chase').options['max_turns']).sum())}", flush=True)


def _spread(numbers: Any) -> str:
    return f"{numbers.mean():.2f} ± {1.96 * numbers.std(ddof=1) / len(numbers) ** 0.5:.2f}"


def compared(file: str, seeds: range) -> list[tuple[int, int, int]]:
    """Return by set-up the turn of the capture: both perfect, chasers of the network, runner of the network."""
    game = load("chase")
    tools, network = Tools(game), open_network(Path(file), game)
    perfect, solve = game.part("perfect"), game.part("solve")
    found = []
    for seed in seeds:
        table = Table(game, seed)
        values = perfect.solve_layout(np.array(table.s.wall, np.int64), tools.compiled)
        due = solve.turn_of(table.s, solve.value(table.s, values))
        turns = [played(Table(game, seed), network, values, perfect, is_runner) for is_runner in (False, True)]
        found.append((due, *turns))
    return found


def played(table: Table, network: Any, values: Any, perfect: Any, is_runner: bool) -> int:
    """Play a game between the network, on the runner's seat or on both chasers', and perfect play; return its last turn."""
    rng = np.random.default_rng(0)
    while not table.over:
        if (table.seat == RUNNER) == is_runner:
            shown = table.features() if network.input == "features" else table.encode()
            logits, _ = network(np.array(shown)[None])
            own = int(chosen(logits, table.own_mask()[None], network.about.heat, rng)[0])
            action = int(table.rule_id(table.seat, own))
        else:
            action = int(rng.choice(perfect.best_moves(table.s, table.mask, values)))
        table.apply(action)
    return int(table.s.turn) + int(table.s.last_seat != LAST)  # a turn is complete after the second chaser's move


if __name__ == "__main__":
    main(sys.argv[1:])
