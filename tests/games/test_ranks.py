"""Two ranks that learn together (torchrun, gloo): they hold equal weights to the last bit, and learn; a run goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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
class Learner(ppo._Learner):
    def __init__(self, *words):
        super().__init__(*words)
        kept.append(self)
ppo._Learner = Learner
ppo.learn_by_play(ppo.LearnArguments("chase", **told), folder, lambda line: print(line, flush=True))
torch.save({"net": kept[0].net.state_dict(), "updates": kept[0].updates, "decisions": kept[0].decisions},
           folder / f"rank{os.environ['RANK']}.pt")
"""
ASKED = {
    "seat": "chaser1,chaser2", "bots": "greedy", "games": 256, "steps": 32, "against": "greedy", "evaluated": 200, "seed": 1,
    "save_every": 20, "evaluate_every": 20,
}  # fmt: skip


def learn(folder: Path, decisions: int) -> tuple[list[dict], list[dict]]:
    """Let two ranks learn, and return what each ended with, and what was measured."""
    program = folder.parent / "program.py"
    program.write_text(PROGRAM)
    words = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(program)]
    settings = {**os.environ, "OMP_NUM_THREADS": "1", "LUDUS_THREADS": "1"}
    done = subprocess.run(
        [*words, json.dumps({**ASKED, "decisions": decisions}), str(folder)], env=settings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    ranks = [torch.load(folder / f"rank{rank}.pt", weights_only=True) for rank in range(2)]
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return ranks, [json.loads(line) for line in lines]


def test_two_ranks_hold_equal_weights_and_learn(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (first, second), _ = learn(folder, 20 * 256 * 32 * 2)
    assert first["updates"] == second["updates"] == 20
    assert first["decisions"] == 20 * 256 * 32 * 2, "the decisions of all ranks count"
    (first, second), measured = learn(folder, 3_000_000)  # goes on where it stood
    assert first["updates"] == second["updates"] > 20
    for name, weights in first["net"].items():
        assert torch.equal(weights, second["net"][name]), name
    scores = [line["evaluate/chaser1+chaser2 vs greedy"] for line in measured if "evaluate/chaser1+chaser2 vs greedy" in line]
    assert scores[0] < 0.5
    assert scores[-1] > 0.9
