"""How many turns a search loses against perfect play in Chase, by its simulations: `python docs/pictures/search_curve.py`.

Every game begins with a layout that is solved (`ludus solve`), so that it is known when the runner is caught under best play.
`mcts` plays both chasers, or the runner, against `perfect`; what the capture comes later, or earlier, is lost. The figures go
to search-curve.json and the picture, which needs matplotlib, to search-curve.png; `--draw` draws it again from the figures.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import ludus
from ludus.engine import Table, Tools
from ludus.games import load

HERE = Path(__file__).parent
SIZE, TURNS = 9, 100  # of the board, and the limit of a game
SIMULATIONS = (10, 30, 100, 300, 1000, 3000)
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


def measure(games: int, jobs: int) -> list[dict[str, float | str]]:
    """Play, and return the mean loss of every role and number of simulations, with its standard error."""
    points: list[dict[str, float | str]] = []
    with ProcessPoolExecutor(jobs) as pool:
        for word, role in product(("random", *(f"mcts:{count}" for count in SIMULATIONS)), ROLES):
            found = pool.map(lost, [role] * games, [word] * games, range(games))
            losses = [loss for loss in found if loss is not None]
            error = statistics.stdev(losses) / len(losses) ** 0.5
            points.append({"role": role, "bot": word, "games": len(losses), "lost": statistics.mean(losses), "error": error})
            print(f"{role:8} {word:10} {points[-1]['lost']:6.2f} ± {error:.2f} turns lost, {len(losses)} games", flush=True)
            (HERE / "search-curve.json").write_text(json.dumps(points, indent=1) + "\n", encoding="utf-8")
    return points


def draw(points: list[dict[str, float | str]]) -> None:
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
        own = [point for point in points if point["role"] == role and point["bot"] != "random"]
        counts = [int(str(point["bot"]).partition(":")[2]) for point in own]
        losses, errors = ([float(point[key]) for point in own] for key in ("lost", "error"))
        axes.errorbar(counts, losses, errors, marker="o", capsize=3, color=colour)
        axes.set(xscale="log", xlabel="simulations a decision", ylabel="turns lost against perfect play")
        axes.set_title(f"mcts as {role}, Chase on {SIZE} × {SIZE}; bars are standard errors", fontsize=8)
        axes.set_ylim(bottom=0)
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
    is_there = json.loads((HERE / "search-curve.json").read_text(encoding="utf-8")) if words.draw else None
    draw(is_there or measure(words.games, words.jobs))


if __name__ == "__main__":
    main()
