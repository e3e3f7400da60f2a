"""The examples with other people's learners run, and what they train wins much more than whoever plays by chance."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = {  # what it needs, decisions, the share of games that must be won
    "stable_baselines": ("sb3_contrib", 300_000, 0.9),
    "torchrl_ppo": ("torchrl", 300_000, 0.9),
    "jax_loop": ("optax", 300_000, 0.9),
    "rllib_ppo": ("ray.rllib", 40_000, 0.7),
}
pytestmark = [pytest.mark.libraries, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import examples as if one stood in their folder."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield importlib.import_module
    for name in (*CASES, "scoring"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("name", CASES)
def test_an_example_learns(example: Any, name: str) -> None:
    library, decisions, wanted = CASES[name]
    pytest.importorskip(library, reason="get it with: make test-libraries")
    scoring = example("scoring")
    by_chance = scoring.score(scoring.by_chance)
    won = example(name).train(decisions)
    print(f"{name}: {won:.1%} of games, by chance {by_chance:.1%}")
    assert by_chance < 0.4
    assert won > wanted
