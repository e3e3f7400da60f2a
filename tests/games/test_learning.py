"""Features teach: a small PPO wins against the bots of every game, on a CPU, within minutes of the processor."""

import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="get it with: pip install -c constraints.txt 'ludus[learn]'")
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "ppo_features.py"
GREEDY = {"runner": "greedy", "chaser2": "greedy"}
# What is played, for how many seconds of the processor (all threads together, so that busy cores change nothing; two cores
# have two of them a second), and the share of games that must be won at the end, draws as half.
TARGETS = {
    "chase, a chaser beside a greedy one": ({"game": "chase", "seat": "chaser1", "bots": GREEDY}, 120, 0.99),
    "battlegrid against random": ({"game": "battlegrid", "bots": "random"}, 120, 0.95),
    "battlegrid against hunter": ({"game": "battlegrid", "bots": "hunter"}, 600, 0.85),
    "plantation against random_player": ({"game": "plantation", "bots": "random_player"}, 600, 0.90),
    "unit against random": ({"game": "unit", "bots": "random"}, 600, 0.90),
    "quantum harvest against random": ({"game": "quantum_harvest", "bots": "random"}, 600, 0.95),
}
MARGIN = 0.015  # learning ends above the share, so that fresh games do not fall below it by bad luck
FRESH = 12_345  # seed of games that learning never looked at


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("target", TARGETS)
def test_ppo_on_features_learns_to_win(target: str, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(EXAMPLE))
    given, seconds, share = TARGETS[target]
    best = {**example.get("BEST", {}).get(target, {}), **given}
    settings = example["Settings"](**best, seconds=seconds, seed=seed, threads=1, stop_at=min(1.0, share + MARGIN))
    with capsys.disabled():
        network, _ = example["train"](settings, say=lambda line: print(f"{target}, seed {seed}: {line}", flush=True))
    won: Any = example["evaluate"](network, replace(settings, evaluated=1024), FRESH)
    assert won >= share
