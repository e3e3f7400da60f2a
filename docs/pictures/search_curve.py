"""How many turns a search loses against perfect play in Chase, by its simulations: `python docs/pictures/search_curve.py`.

Every game begins with a layout that is solved (`ludus solve`), so that it is known when the runner is caught under best play.
`mcts` plays both chasers, or the runner, against `perfect`; what the capture comes later, or earlier, is lost. The figures go
to search-curve.json and the picture, which needs matplotlib, to search-curve.png; a run that was stopped goes on, and `--draw`
draws the figures that are there.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import ludus
from ludus.engine import Table, Tools
from ludus.games import load

HERE = Path(__file__).parent
FIGURES = HERE / "search-curve.json"
SIZE, TURNS = 9, 100  # of the board, and the limit of a game
SIMULATIONS = (10, 30, 100, 300, 1000, 3000)
PLAYOUTS = {"random": "o--", "greedy": "s-"}  # what plays on, and how it is drawn
Point = dict[str, Any]
ROLES = {"chasers": ("perfect", "{}", "{}"), "runner": ("{}", "perfect", "perfect")}


def lost(role: str, word: str, seed: int) -> float | None:
    """Return the turns that were lost in one game; None if nobody is ever caught here under best play."""
    game = load("chase", size=SIZE, max_turns=TURNS)
    table = Table(game, seed)
    values = Tools(game).tables("perfect", table.observe())
    moves = game.part("solve").value(table.s, values)
    if moves >= min(3 * TURNS, values.max()):
        return None
    agents = [part.format(word) for part in ROLES[role]]
    record = ludus.play("chase", agents, seed, size=SIZE, max_turns=TURNS)
    later = (len(record.decisions) - moves) / 3
    return later if role == "chasers" else -later


def measure(games: int, jobs: int) -> list[Point]:
    """Play, and return the mean loss of every role and bot, with its standard error; figures that are there are kept."""
    points: list[Point] = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.is_file() else []
    there = {(point["role"], point["bot"], point["asked"]) for point in points}
    words = ["random", *(f"mcts:{count}:{playout}" for playout in PLAYOUTS for count in SIMULATIONS)]
    with ProcessPoolExecutor(jobs) as pool:
        for word, role in product(words, ROLES):
            if (role, word, games) in there:
                continue
            found = pool.map(lost, [role] * games, [word] * games, range(games))
            losses = [loss for loss in found if loss is not None]
            mean, error = statistics.mean(losses), statistics.stdev(losses) / len(losses) ** 0.5
            points = [point for point in points if (point["role"], point["bot"]) != (role, word)]
            points.append({"role": role, "bot": word, "asked": games, "games": len(losses), "lost": mean, "error": error})
            FIGURES.write_text(json.dumps(points, indent=1) + "\n", encoding="utf-8")
            print(f"{role:8} {word:16} {mean:6.2f} ± {error:.2f} turns lost, {len(losses)} games", flush=True)
    return points


def draw(points: list[Point]) -> None:
    """Draw the curve."""
    try:
        import matplotlib
    except ImportError:
        print("no picture without matplotlib: pip install matplotlib", file=sys.stderr)
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6), dpi=120)
    for axes, (role, colour) in zip(panels, (("chasers", "#c0392b"), ("runner", "#2471a3")), strict=True):
        for playout, look in PLAYOUTS.items():
            own = [point for point in points if point["role"] == role and point["bot"].endswith(f":{playout}")]
            counts = [int(point["bot"].split(":")[1]) for point in own]
            losses, errors = [point["lost"] for point in own], [point["error"] for point in own]
            axes.errorbar(counts, losses, errors, fmt=look, capsize=3, color=colour, label=f"playouts by {playout}")
        axes.set(xscale="log", xlabel="simulations a decision", ylabel="turns lost against perfect play")
        axes.set_title(f"mcts as {role}, Chase on {SIZE} × {SIZE}; bars are standard errors", fontsize=8)
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False, fontsize=8)
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(HERE / "search-curve.png")


def main() -> None:
    """Measure and draw."""
    parser = argparse.ArgumentParser(description="turns lost against perfect play, by simulations")
    parser.add_argument("--games", type=int, default=20, help="of every point")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play")
    parser.add_argument("--draw", action="store_true", help="draw the figures that are there")
    words = parser.parse_args()
    draw(json.loads(FIGURES.read_text(encoding="utf-8")) if words.draw else measure(words.games, words.jobs))


if __name__ == "__main__":
    main()
