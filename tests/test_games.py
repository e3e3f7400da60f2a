"""Every game: the contract, and its golden records through the function that the command line uses."""

import pytest

from ludus import golden
from ludus.games import load, names
from ludus.testing import check_game


@pytest.mark.parametrize("name", names())
def test_contract(name: str) -> None:
    lines: list[str] = []
    check_game(name, games=3, say=lines.append)
    assert any(line.startswith("pure = cpu") for line in lines)


@pytest.mark.parametrize("device", ["pure", "cpu"])
@pytest.mark.parametrize("name", names())
def test_golden_records(name: str, device: str) -> None:
    count = golden.check(name, golden.files_of(load(name)), device)
    assert count.games >= 100
    assert count.values > 10_000


@pytest.mark.parametrize("name", names())
def test_the_folder_is_complete(name: str) -> None:
    game = load(name)
    for file in ("rules", "view", "bots", "compat", "golden"):
        assert game.has(file), f"{name} has no {file}.py"
    assert (game.folder / "README.md").is_file()
