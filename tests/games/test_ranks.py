"""Two ranks that learn together (torchrun, gloo): they hold equal weights to the last bit, and learn; a run goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludus.engine import Batch
from ludus.school import open_network

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.slow

# What each rank runs: it learns, and leaves its own weights behind.
PROGRAM = """
import json, os, sys
from pathlib import Path
from ludus.school import settle
settle()
import torch
from ludus.school import ppo
told, folder = json.loads(sys.argv[1]), Path(sys.argv[2])
kept = []
class Learner(ppo.Learner):
    def __init__(self, *words):
        super().__init__(*words)
        kept.append(self)
ppo.Learner = Learner
ppo.learn_by_play(ppo.LearnArguments("chase", **told), folder, lambda line: print(line, flush=True))
torch.save({"net": kept[0].net.state_dict(), "updates": kept[0].updates, "decisions": kept[0].decisions},
           folder / f"rank{os.environ['RANK']}.pt")
"""
OTHERS = {"runner": "random", "chaser2": "random"}
ASKED = {
    "seat": "chaser1", "bots": ",".join(f"{seat}={bot}" for seat, bot in OTHERS.items()), "games": 128, "steps": 32,
    "against": "greedy", "evaluated": 16, "seed": 1, "epochs": 3, "save_every": 20, "evaluate_every": 100,
}  # fmt: skip


def learn(folder: Path, decisions: int) -> tuple[list[dict], float]:
    """Let two ranks learn; return what each ended with, and how many games its network wins."""
    program = folder.parent / "program.py"
    program.write_text(PROGRAM)
    words = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(program)]
    settings = {**os.environ, "OMP_NUM_THREADS": "1", "LUDUS_THREADS": "1"}
    done = subprocess.run(
        [*words, json.dumps({**ASKED, "decisions": decisions}), str(folder)], env=settings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [torch.load(folder / f"rank{rank}.pt", weights_only=True) for rank in range(2)], score(folder / "best.onnx")


def score(file: Path, games: int = 400) -> float:
    """Return the share of games that a network wins on the seat where it learned."""
    batch = Batch("chase", games, 5)
    seat, network = batch.seat("chaser1", OTHERS, obs="features"), open_network(file, batch.game)
    seen, won = seat.reset(), np.full(games, np.nan)
    while np.isnan(won).any():
        logits, _ = network(np.array(seen.obs))
        seen = seat.step(np.where(seen.mask != 0, logits, -np.inf).argmax(1))
        ended = (np.asarray(seen.done) != 0) & np.isnan(won)
        won[ended] = np.asarray(seat.final_outcomes)[ended] > 0
    return float(won.mean())


def test_two_ranks_hold_equal_weights_and_learn(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (first, second), before = learn(folder, 2 * 128 * 32 * 2)
    assert first["updates"] == second["updates"] == 2
    assert first["decisions"] == 2 * 128 * 32 * 2, "the decisions of all ranks count"
    (first, second), after = learn(folder, 600_000)  # goes on where it stood
    assert first["updates"] == second["updates"] > 2
    for name, weights in first["net"].items():
        assert torch.equal(weights, second["net"][name]), name
    print(f"the runner is caught in {before:.1%} of games, after learning in {after:.1%}")
    assert before < 0.9
    assert after > 0.97
