"""`ludus new game`: the project that it writes works as it is, and what cannot be is refused in a sentence."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ludus.games import names

NAME = "four_in_a_row"


def run(*words: str, cwd: Path, also: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a Python module, `also` importable."""
    path = os.pathsep.join(filter(None, [str(also or ""), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-W", "error", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, env={**os.environ, "PYTHONPATH": path})


def ludus(*words: str, cwd: Path, also: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run("-c", "from ludus.cli import main; main()", *words, cwd=cwd, also=also)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new game, with what pip would leave beside its package."""
    parent = tmp_path_factory.mktemp("new")
    done = ludus("new", "game", NAME, cwd=parent)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) <= 3
    facts = tomllib.loads((parent / NAME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = parent / NAME / f"{facts['name']}-{facts['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {facts['name']}\nVersion: {facts['version']}\n")
    entries = [f"{game} = {package}" for game, package in facts["entry-points"]["ludus.games"].items()]
    (about / "entry_points.txt").write_text("\n".join(["[ludus.games]", *entries]))
    return parent / NAME


def test_its_own_tests_pass(project: Path, tmp_path: Path) -> None:
    """They hold it to the contract on pure and cpu, and let its bots play."""
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(project / "tests"), cwd=tmp_path, also=project)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_command_line_knows_it(project: Path, tmp_path: Path) -> None:
    assert f"{NAME} (Four In A Row)" in ludus("games", cwd=tmp_path, also=project).stdout
    assert ludus("rules", NAME, cwd=tmp_path, also=project).stdout.startswith("# Four In A Row\n")
    assert "won: " in ludus("play", NAME, "x=greedy", "--seed", "1", cwd=tmp_path, also=project).stdout
    match = ludus("match", NAME, "greedy", "random", "--swap", "--json", cwd=tmp_path, also=project)
    assert json.loads(match.stdout)["agents"][0]["score"] > 0.9
    checked = ludus("check", NAME, cwd=tmp_path, also=project)
    assert checked.stdout.endswith("all checks passed\n"), checked.stdout


def test_nothing_is_left_of_the_starter(project: Path) -> None:
    files = [file for file in project.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert len(files) > 8
    for file in files:
        assert "game_name" not in str(file).lower() + file.read_text(encoding="utf-8").lower().replace(" ", "_"), file


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["Nim"], "a game's name is"),
        (["2048"], "a game's name is"),
        (["four-in-a-row"], "a game's name is"),
        (["nim_"], "a game's name is"),
        (["../nim"], "a game's name is"),
        (["class"], "a game's name is"),
        ([names()[0]], f"there is a game {names()[0]} already"),
        (["numpy"], "would hide another one"),
        (["tests"], "would hide another one"),
        (["nim", "here"], "here exists already"),
        (["nim", "here/file/nim"], "cannot write here/file/nim"),
    ],
)
def test_a_mistake_is_one_line(words: list[str], complaint: str, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "file").touch()
    done = ludus("new", "game", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["here"]
