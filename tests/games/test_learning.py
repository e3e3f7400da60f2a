"""Learners learn: PPO on features wins within as many decisions as two cores make in a minute, or in five."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

FILE = Path(__file__).parents[2] / "examples" / "ppo_features.py"
A_MINUTE, FIVE_MINUTES = 3_000_000, 15_000_000  # decisions of a learner, on two cores
CORNERS = {f"my steps to the other's {corner} corner": -0.8 for corner in ("low", "high")}
TO_ZONE = {"steps to the zone": -14}

CASES: dict[str, tuple[dict[str, Any], int, float]] = {
    "chase": ({"seat": "chaser1", "bots": {"runner": "greedy", "chaser2": "greedy"}}, A_MINUTE, 0.99),
    "battlegrid": ({"bots": "random", "potential": TO_ZONE, "sampled": True}, A_MINUTE, 0.95),
    "battlegrid_hunter": (
        {"bots": "hunter", "potential": TO_ZONE, "sampled": True, "layer": "relu", "anneal": True, "evaluated": 1024},
        18_000_000,
        0.85,
    ),
    "plantation": ({"bots": "random_player", "reward": "points", "sampled": True, "games": 256}, FIVE_MINUTES // 3, 0.9),
    "quantum_harvest": ({"bots": "random", "reward": "points", "sampled": True, "games": 256}, FIVE_MINUTES // 2, 0.95),
    "unit": ({"bots": "random", "potential": CORNERS, "sampled": True, "games": 256}, FIVE_MINUTES // 5, 0.9),
}


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("ppo_features", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo_features"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("case", CASES)
def test_ppo_on_features_wins(example: Any, case: str, seed: int) -> None:
    given, decisions, wanted = CASES[case]
    game = case.removesuffix("_hunter")
    settings = example.Settings(
        game=game,
        seed=seed,
        seconds=1e9,
        decisions=decisions,
        stop_at=wanted,
        **{"evaluated": 256, "evaluate_every": 20.0, **given},
    )
    _, best = example.train(settings)
    assert best >= wanted


@pytest.mark.slow
def test_two_chasers_learn_to_catch_a_greedy_runner(tmp_path: Path) -> None:
    """As `ludus learn chase --seat chasers` does, with as many decisions as two cores make in less than three minutes."""
    from ludus.games import load
    from ludus.school import learn_by_play, suited, table_against

    given = {"seat": "chasers", "decisions": 8_000_000, "evaluate_every": 100}
    learn_by_play(suited(load("chase"), "cpu", given), tmp_path, lambda line: print(line, flush=True))
    assert table_against(tmp_path, ["greedy"], 400)["chaser1+chaser2 vs greedy"] >= 0.99


def test_the_example_runs_and_says_what_it_measured(example: Any) -> None:
    said: list[str] = []
    settings = example.Settings(
        game="chase", games=16, steps=4, evaluated=8, decisions=100, options={"max_turns": 5}, threads=1,
        bots={"chaser1": "random", "chaser2": "random"},
    )  # fmt: skip
    _, best = example.train(settings, said.append)
    assert 0 <= best <= 1
    assert "decisions" in said[-1]
    assert "games" in said[-1]
