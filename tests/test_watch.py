"""A training run as something to look at: what is measured, the newest network, who plays; and folders that are none."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludus.cli.commands import app
from ludus.core import LudusError
from ludus.games import Game, load, names
from ludus.school import Run
from ludus.viewers.server import Story

torch = pytest.importorskip("torch")


def made_run(folder: Path, game: Game, step: int = 0, **chosen: Any) -> None:
    """Write what a learner leaves behind at a save: what was asked for, and weights."""
    from ludus.school import LearnArguments, Net, Sizes
    from ludus.school.files import agree

    a = LearnArguments(game.name, dict(game.options), channels=8, blocks=1, **chosen)
    agree(a, folder, ())
    torch.manual_seed(step)
    net = Net(game, Sizes(a.channels, a.blocks, a.input, a.kind))
    torch.save({"net": net.state_dict(), "updates": step}, folder / "learner.pt")
    os.utime(folder / "learner.pt", (1000 + step, 1000 + step))


@pytest.fixture
def game() -> Game:
    return load(names()[0])


def test_a_folder_that_is_no_run_gets_a_sentence(tmp_path: Path) -> None:
    for words, said in (
        (None, "it has no arguments.json"),
        ("{}", "says no game"),
        ("[", "says no game"),
        ("[" * 100_000, "says no game"),
        ('{"game": 3, "options": []}', ""),
    ):
        if words is not None:
            (tmp_path / "arguments.json").write_text(words)
        done = CliRunner().invoke(app, ["watch", str(tmp_path), "--no-open"])
        assert done.exit_code != 0
        assert isinstance(done.exception, LudusError), done.exception
        assert said in str(done.exception)
        assert "\n" not in str(done.exception)


def test_measurements_are_read_while_they_are_written(tmp_path: Path, game: Game) -> None:
    made_run(tmp_path, game)
    run = Run(tmp_path)
    assert run.measured() == []
    lines = [{"step": 1, "charts/SPS": 5.0}, {"step": 1, "evaluate/x": 0.5}, {"step": 2, "charts/SPS": 6.0}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "metrics.jsonl").write_text(text + '{"step": 3, "cha')
    assert run.measured() == lines


def test_the_newest_network_is_exported_once_and_plays(tmp_path: Path, game: Game) -> None:
    from ludus.school import open_network

    made_run(tmp_path / "run", game, 7)
    run = Run(tmp_path / "run")
    found = run.newest(tmp_path)
    assert found is not None
    assert found.name == "run, step 7"
    assert open_network(found.file, game).about.game == game.name
    assert run.newest(tmp_path) is None, "there is no newer one"
    made_run(tmp_path / "run", game, 9)
    again = run.newest(tmp_path)
    assert again is not None
    assert again.name == "run, step 9"
    assert again.file.read_bytes() != found.file.read_bytes()
    (tmp_path / "run" / "best.onnx").write_bytes(again.file.read_bytes())
    last = run.newest(tmp_path)
    assert last is not None
    assert last.file == (tmp_path / "run" / "best.onnx").resolve()


def test_who_plays_is_as_in_the_run(tmp_path: Path, game: Game) -> None:
    first, *others = game.spec.seats
    for chosen, due in (
        ({}, ["net"] * len(game.spec.seats)),
        ({"seat": "any", "bots": "weak"}, ["net"] * len(game.spec.seats)),
        ({"seat": first, "bots": "weak"}, ["net", *["weak"] * len(others)]),
        ({"seat": first, "bots": "weak:1,self:3"}, ["net", *["weak"] * len(others)]),
        ({"seat": first, "bots": "self"}, ["net"] * len(game.spec.seats)),
        ({"seat": ", ".join(others), "bots": f"{first}=strong"}, ["strong", *["net"] * len(others)]),
    ):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        made_run(folder, game, **chosen)
        assert Run(folder).agents("net") == due


def test_whoever_comes_late_hears_the_game_of_now_and_what_lasts() -> None:
    story = Story()
    story.tell({"curves": 1}, lasts=True)
    story.tell({"game": 1})
    count, told = story.after(0, 0.0)
    assert (count, len(told)) == (2, 2)
    story.begin()
    story.tell({"game": 2})
    assert story.after(count, 0.0) == (3, [b'{"game":2}'])
    assert story.after(0, 0.0) == (3, [b'{"curves":1}', b'{"game":2}'])
