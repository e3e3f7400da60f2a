"""Simulations a second of tree search with random playouts, on one core, beside OpenSpiel's C++ MCTSBot in one run.

    LUDUS_THREADS=1 python benchmarks/search.py

Both search from the start of a game, one playout a simulation. Chase and BattleGrid are also played with a limit that makes a
random game as long as one of OpenSpiel's connect four and hex; those lines are compared. Lines are measured in turns, and the
best turn counts: other programs on the machine can only make a turn slower. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

os.environ.setdefault("LUDUS_THREADS", "1")

from ludus.engine import Batch
from ludus.games import load, names
from ludus.school import Custom, PlayoutSearch, customs

NO_CUT = 100_000


@dataclass
class Line:
    """One game, searched by one library."""

    library: str
    game: str
    length: float  # decisions of a random game from the start, or of a playout that is cut
    search: Callable[[], None]
    rate: float = 0.0  # simulations a second


def open_spiel_lines(simulations: int) -> list[Line]:
    """Return OpenSpiel's connect four and hex."""
    import pyspiel

    lines = []
    for name in ("connect_four", "hex(board_size=11)"):
        game = pyspiel.load_game(name)
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)
        root = game.new_initial_state()
        lines.append(Line(f"OpenSpiel {_version()}", name, _open_spiel_length(game), lambda bot=bot, root=root: bot.step(root)))
    return lines


def _version() -> str:
    from importlib.metadata import version

    return version("open_spiel")


def _open_spiel_length(game: object, games: int = 200) -> float:
    import random

    chance, total = random.Random(1), 0
    for _ in range(games):
        state = game.new_initial_state()  # type: ignore[attr-defined]
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            total += 1
    return total / games


def ludus_line(name: str, simulations: int, is_whole: bool = False, **options: int) -> Line:
    """Return a game of the box, with whole playouts, or cut where `mcts` cuts them."""
    game = load(name, **options)
    batch = Batch(game, 256, 1, restart=False)
    length = float(batch.finish_random(NO_CUT).mean())
    custom = customs(game)
    if is_whole:
        custom = Custom(NO_CUT, 1.0, custom.horizon)
    search = PlayoutSearch(game, 1, simulations, "random", 1, custom=custom)
    view = Batch(game, 1, 1).observe().copy()
    shown = (
        f"{game.spec.title}, {', '.join(f'{key}={value}' for key, value in options.items())}" if options else game.spec.title
    )
    return Line("Ludus", shown, min(length, custom.cut), lambda: search(view))


def as_long_as(name: str, length: float, simulations: int, a_turn: int) -> Line:
    """Return a game whose limit of turns makes random games about so long."""
    return ludus_line(name, simulations, is_whole=True, max_turns=max(1, round(length / a_turn)))


def main() -> int:
    """Measure, and print a table or one object a line."""
    parser = argparse.ArgumentParser(description="simulations a second on one core")
    parser.add_argument("--simulations", type=int, default=10_000, help="of one search")
    parser.add_argument("--turns", type=int, default=5, help="times that every line is measured")
    parser.add_argument("--games", nargs="*", default=names(), help="of the box, with playouts as `mcts` cuts them")
    parser.add_argument("--json", action="store_true", help="one object a line")
    words = parser.parse_args()
    lines = [ludus_line(name, words.simulations) for name in words.games]
    try:
        theirs = open_spiel_lines(words.simulations)
    except ImportError:
        print("OpenSpiel is not installed (pip install open_spiel): our own lines alone", file=sys.stderr)
        theirs = []
    for other in theirs:
        lines += [other, as_long_as("chase", other.length, words.simulations, 3)]
        lines += [as_long_as("battlegrid", other.length, words.simulations, 1)]
    for line in lines:
        line.search()  # compiles
    for _ in range(words.turns):
        for line in lines:
            started = time.process_time()
            line.search()
            line.rate = max(line.rate, words.simulations / (time.process_time() - started))
    for line in lines:
        if words.json:
            print(json.dumps({key: value for key, value in vars(line).items() if key != "search"}))
        else:
            print(f"{line.library:18} {line.game:34} {line.length:7.1f} decisions {line.rate:12,.0f} simulations/s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
