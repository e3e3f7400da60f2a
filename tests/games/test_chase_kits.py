"""The kits' bots for Chase catch a greedy runner, where their languages are installed."""

from pathlib import Path

import pytest
from test_kits import every, kit, referee


@pytest.mark.parametrize("language", ["python", "javascript", "rust"])
def test_the_chasers_of_a_kit_catch_a_greedy_runner(language: str, tmp_path: Path) -> None:
    folder = kit(language, tmp_path)
    command = every.build(folder / "chaser.toml")["command"]
    report = referee.play_many("chase", command, folder, 2, "greedy", "pure")
    assert report["faults"] == []
    assert report["outcome"]["chaser1"] == 1
