"""What a hidden game gets without files of words: a seat is shown its view and nothing else."""

from pathlib import Path

import pytest

from ludus import games, make
from ludus.cli.new import write_game
from ludus.testing import CheckFailed, check_game


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hidden, simultaneous template whose view tells the end, without the files that have a default."""
    project = tmp_path_factory.mktemp("new") / "project"
    write_game("bare_cards", project, hidden=True, simultaneous=True, seats=3)
    folder = project / "bare_cards"
    for file in ("actions", "bots", "scene", "text"):
        (folder / f"{file}.py").unlink()
    rules = (folder / "rules.py").read_text(encoding="utf-8")
    rules = rules.replace('[("me", "i4"), *OPEN]', '[("me", "i4"), ("is_over", "i4"), *OPEN]')
    rules = rules.replace("    view.me, view.seat,", "    view.is_over = is_over(s)\n    view.me, view.seat,")
    (folder / "rules.py").write_text(rules, encoding="utf-8")
    games.add_folder(folder)
    return project


def test_a_seat_is_shown_its_view(project: Path) -> None:
    table = make("bare_cards", seed=1, device="pure")
    card = table.legal()[0]
    table.apply(card)
    numbers = {seat: table.game.scene(table.s, seat).numbers for seat in (-1, 0, 1)}
    shown = {seat: {number.name: number.text for number in some} for seat, some in numbers.items()}
    laid = {seat: [some[f"table[{k}]"] for k in range(3)] for seat, some in shown.items()}
    assert laid == {-1: [str(card), "-1", "-1"], 0: [str(card), "-1", "-1"], 1: ["-1"] * 3}
    assert shown[1]["me"] == "1"
    assert "where[0]" not in shown[1]  # too long to be read


def test_the_end_is_told(project: Path) -> None:
    table = make("bare_cards", seed=1, device="pure")
    assert table.game.public(table.observe(0))["over"] is False
    assert table.game.scene(table.s).status == "turn 0"
    while not table.over:
        table.apply(table.legal()[0])
    assert table.game.public(table.observe(0))["over"] is True
    assert table.game.scene(table.s).status == f"turn {table.turn}"


def test_spectators_need_a_scene_of_their_own(tmp_path: Path) -> None:
    write_game("foggy_cards", tmp_path / "project", hidden=True, simultaneous=False, seats=2)
    folder = tmp_path / "project" / "foggy_cards"
    scene = (folder / "scene.py").read_text(encoding="utf-8")
    (folder / "scene.py").write_text(scene.replace("def show_all", "def all_of_it"), encoding="utf-8")
    with pytest.raises(CheckFailed, match="show_all"):
        check_game(folder, devices=("pure",), games=1)
