"""A training run that is killed ends as one that was left alone; shards of every game can be made."""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
RUN = shlex.split(
    "-m ludus train chase --out run -o size=8 -o max_turns=12 -s iterations=3 -s games=24 -s simulations=4 -s channels=8 "
    "-s blocks=1 -s steps=60 -s batch=64 -s save_steps=10 -s start_bot=greedy -s start_games=32 -s gate_rounds=8 "
    "-s gate_at_once=4"
)
KILLS = 10


def start(folder: Path) -> subprocess.Popen[bytes]:
    """Start the run, or go on with it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "LUDUS_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen([sys.executable, *RUN], cwd=folder, env=environment, stdout=subprocess.DEVNULL)


def contents(folder: Path) -> dict[str, bytes]:
    """Return what must be equal: shards, manifests, weights, judgements."""
    kinds = ("data/*/*", "checkpoints/*.safetensors", "gates/*", "best.safetensors")
    return {str(path.relative_to(folder)): path.read_bytes() for kind in kinds for path in sorted(folder.glob(kind))}


@pytest.mark.slow
def test_a_run_that_is_killed_ten_times_gives_the_same_shards_and_weights(tmp_path: Path) -> None:
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    alone.mkdir()
    killed.mkdir()
    begun = time.monotonic()
    assert start(alone).wait() == 0
    whole, rng, kills = time.monotonic() - begun, random.Random(1), 0
    while kills < KILLS:
        process = start(killed)
        try:
            process.wait(rng.uniform(0, whole))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        else:  # it was done before its moment came: what is left of the kills falls on a new run's beginning
            assert process.returncode == 0
            last = max((killed / "run" / "gates").iterdir())
            last.unlink()
    assert start(killed).wait() == 0
    assert contents(alone / "run") == contents(killed / "run")
    assert len(list((alone / "run" / "checkpoints").glob("*.safetensors"))) == 4
