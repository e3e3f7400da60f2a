"""A training run that is killed again and again ends as one that was left alone."""

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
    "-m ludus train chase --out run -o size=8 -o max_turns=12 -s iterations=2 -s games=16 -s simulations=4 -s channels=8 "
    "-s blocks=1 -s steps=40 -s batch=64 -s save_steps=8 -s start_bot=greedy -s start_games=16 -s gate_rounds=4 "
    "-s gate_at_once=2"
)
KILLS = 10
MOST_CHANGES = 8  # files that are begun, written on or put in place between a start and a kill


def start(folder: Path) -> subprocess.Popen[bytes]:
    """Start the run, or go on with it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "LUDUS_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen([sys.executable, *RUN], cwd=folder, env=environment, stdout=subprocess.DEVNULL)


def state(folder: Path) -> set[tuple[str, int]]:
    """Return every file with the time of its last change; files that are being written count, too."""
    found = set()
    for path in folder.rglob("*"):
        try:
            found.add((str(path), path.stat().st_mtime_ns))
        except FileNotFoundError:
            continue
    return found


def kill_after(process: subprocess.Popen[bytes], folder: Path, changes: int) -> bool:
    """Kill a run as soon as so much has changed in its folder; return whether it came to that."""
    seen = state(folder)
    while process.poll() is None:
        changed = state(folder) - seen
        if len(changed) >= changes:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return True
        time.sleep(0.01)
    assert process.returncode == 0
    return False


def contents(folder: Path) -> dict[str, bytes]:
    """Return what must be equal: shards, manifests, weights, judgements."""
    kinds = ("data/*/*", "checkpoints/*.safetensors", "gates/*", "best.safetensors")
    return {str(path.relative_to(folder)): path.read_bytes() for kind in kinds for path in sorted(folder.glob(kind))}


@pytest.mark.slow
def test_a_run_that_is_killed_ten_times_gives_the_same_shards_and_weights(tmp_path: Path) -> None:
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    alone.mkdir()
    killed.mkdir()
    assert start(alone).wait() == 0
    rng, kills = random.Random(1), 0
    while kills < KILLS and kill_after(start(killed), killed, rng.randint(1, MOST_CHANGES)):
        kills += 1
    assert kills == KILLS  # the run was not done before
    assert not (killed / "run" / "best.safetensors").exists()
    assert start(killed).wait() == 0
    assert contents(alone / "run") == contents(killed / "run")
    assert len(list((alone / "run" / "checkpoints").glob("*.safetensors"))) == 3
