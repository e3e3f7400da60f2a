"""How fast a network learns by playing: decisions a second, learning included, and what it scores; on a GPU where there is one.

usage: python benchmarks/learning.py [--device=cuda] [--seconds=12] [--scores=1] [RUN…]

RUN: GAME-features, GAME-planes, GAME-convolutions

Prints a line a run: the best pace between two measurements, memory, and the last score against one bot on all other seats,
which takes long where games do; --scores=0 leaves it out.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ludus.engine import compiled_bots, cuda_problem
from ludus.games import load, names
from ludus.school import ppo
from ludus.school.recipes import suited

# Networks as they are compared, whatever a game learns best with: two layers of 128 on features, two of 512 on planes, three
# convolutions of 64.
NETWORKS: dict[str, dict[str, Any]] = {
    "features": {"input": "features", "kind": "layers", "channels": 128, "blocks": 2, "minibatches": 4},
    "planes": {"input": "planes", "kind": "layers", "channels": 512, "blocks": 2, "minibatches": 8},
    "convolutions": {"input": "planes", "kind": "convolutions", "channels": 64, "blocks": 3, "minibatches": 8},
}
PLANES = 2**31  # bytes of planes that a GPU keeps between two updates


def main(words: list[str]) -> None:
    """Measure the runs that are named, or all of them."""
    options = dict(word[2:].split("=") for word in words if word.startswith("--"))
    device = options.get("device", "cpu" if cuda_problem() else "cuda")
    runs = [word for word in words if not word.startswith("--")]
    if options.get("scores") == "0":
        ppo.Learner.scores = lambda self, bots, games: {}  # type: ignore[method-assign]
    for run in runs or [f"{game}-{network}" for game in names() for network in NETWORKS]:
        game, _, network = run.rpartition("-")
        measure(game, network, device, float(options.get("seconds", 12)))


def measure(name: str, network: str, device: str, seconds: float) -> None:
    """Let one network learn against itself for some seconds."""
    game = load(name)
    given = {"seat": "all", "teacher": "", "epochs": 1, "spread": 0, "reward": "outcome", "scale": 1.0, **NETWORKS[network]}
    given |= {"minutes": seconds / 60, "against": compiled_bots(game)[0], "evaluated": 64, "evaluate_every": 10}
    if device == "cuda" and network != "features":
        cells = game.spec.planes[0] * game.spec.planes[1] * game.spec.planes[2]
        given["games"] = min(65536, 2 ** ((PLANES // (16 * cells)).bit_length() - 1))
    paces: list[float] = []
    pace_of = ppo.Learner.pace
    ppo.Learner.pace = lambda self: paces.append(pace_of(self)) or paces[-1]  # type: ignore[func-returns-value, method-assign]
    said, begun = [""], time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        ppo.Learner.write = lambda self: Path(folder)  # type: ignore[method-assign]
        arguments = suited(game, device, given)
        ppo.learn_by_play(arguments, Path(folder), said.append)
    ppo.Learner.pace = pace_of  # type: ignore[method-assign]
    sizes = f"{arguments.games} games, {arguments.steps} steps, {arguments.minibatches} minibatches"
    print(
        f"{name} {network}: {max(paces) / 1e6:.2f} M decisions/s ({sizes}, {_memory(device)}, "
        f"{time.perf_counter() - begun:.0f} s in all; {said[-1].partition(';')[2].strip()})",
        flush=True,
    )


def _memory(device: str) -> str:
    if device != "cuda":
        return "in ordinary memory"
    import torch

    used = torch.cuda.max_memory_allocated() >> 20
    torch.cuda.reset_peak_memory_stats()
    return f"{used} MB of torch's"


if __name__ == "__main__":
    main(sys.argv[1:])
