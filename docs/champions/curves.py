"""Draw the curves of the champions from the measurements beside this file; needs matplotlib, which nothing else here does.

usage: python docs/champions/curves.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt

HERE = Path(__file__).parent


def main() -> None:
    """Draw a picture for each NAME.jsonl."""
    for file in sorted(HERE.glob("*.jsonl")):
        draw(file)


def draw(file: Path) -> None:
    """Draw what a network scored against the bots that it was measured against, over its decisions."""
    curves: dict[str, list[tuple[float, float]]] = {}
    decisions = 0.0
    for line in file.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        decisions = row.get("charts/decisions", decisions)
        for tag, value in row.items():
            if tag.startswith("evaluate/"):
                curves.setdefault(tag.removeprefix("evaluate/"), []).append((decisions / 1e6, 100 * value))
    figure, axes = plt.subplots(figsize=(7, 3.5), dpi=110)
    for label, points in curves.items():
        axes.plot(*zip(*points, strict=True), label=label, marker=".", linewidth=1.2)
    axes.set(xlabel="million decisions", ylabel="score, %", ylim=(-2, 102), title=file.stem.replace("_", " "))
    axes.axhline(50, color="grey", linewidth=0.6)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file.with_suffix(".png"))
    plt.close(figure)


if __name__ == "__main__":
    main()
