"""`ludus new game`: the project that it writes works as it is, and what cannot be is refused in a sentence."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ludus.cli import main
from ludus.games import names

NAME = "four_in_a_row"


def run(*words: str, cwd: Path, also: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a Python module, `also` importable."""
    path = os.pathsep.join(filter(None, [str(also or ""), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-W", "error", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=900, env={**os.environ, "PYTHONPATH": path})


def ludus(*words: str, cwd: Path, also: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run("-c", "from ludus.cli import main; main()", *words, cwd=cwd, also=also)


def written(parent: Path, name: str, *options: str) -> Path:
    """Write a new game, with what pip would leave beside its package."""
    done = ludus("new", "game", name, *options, cwd=parent)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) <= 3
    facts = tomllib.loads((parent / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = parent / name / f"{facts['name']}-{facts['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {facts['name']}\nVersion: {facts['version']}\n")
    entries = [f"{game} = {package}" for game, package in facts["entry-points"]["ludus.games"].items()]
    (about / "entry_points.txt").write_text("\n".join(["[ludus.games]", *entries]))
    return parent / name


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An open game of two seats."""
    return written(tmp_path_factory.mktemp("new"), NAME)


def run_its_tests(project: Path, *options: str) -> None:
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests", *options)
    done = run(*words, cwd=project, also=project)
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_own_tests_pass(project: Path) -> None:
    """They hold it to the contract on pure and cpu, which lets its bots play, too."""
    run_its_tests(project, "-k", "not stronger")


KINDS = {
    "tricks": ["--hidden"],
    "trails": ["--simultaneous", "--seats", "3"],
    "bids": ["--hidden", "--simultaneous", "--seats", "4"],
}
each_kind = pytest.mark.parametrize("name", KINDS)


@each_kind
def test_every_kind_works_as_it_is(name: str, tmp_path: Path) -> None:
    """All of it uncompiled, for time."""
    project = written(tmp_path, name, *KINDS[name])
    run_its_tests(project, "-k", "not contract and not stronger")
    check = f"from ludus.testing import check_game; check_game('{name}', devices=('pure',), games=1)"
    done = run("-c", check, cwd=tmp_path, also=project)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@each_kind
@pytest.mark.parametrize("seats", ["2", "8"])
def test_every_kind_passes_its_own_tests(name: str, seats: str, tmp_path: Path) -> None:
    project = written(tmp_path, name, *KINDS[name], "--seats", seats)
    run_its_tests(project)
    played = ludus("play", name, "greedy", "--seed", "1", cwd=tmp_path, also=project)
    assert "won: " in played.stdout.splitlines()[-1]
    agents = ["greedy", *["random"] * (int(seats) - 1)]
    match = ludus("match", name, *agents, "--swap", "--json", cwd=tmp_path, also=project)
    assert json.loads(match.stdout)["agents"][0]["score"] > 1 / int(seats)


def test_the_command_line_knows_it(project: Path, tmp_path: Path) -> None:
    assert f"{NAME} (Four In A Row)" in ludus("games", cwd=tmp_path, also=project).stdout
    assert ludus("rules", NAME, cwd=tmp_path, also=project).stdout.startswith("# Four In A Row\n")
    assert "won: " in ludus("play", NAME, "x=greedy", "--seed", "1", cwd=tmp_path, also=project).stdout


def test_nothing_is_left_of_the_template(project: Path) -> None:
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
        (["nim", "--seats", "1"], "2 to 8 seats"),
        (["nim", "--seats", "9"], "2 to 8 seats"),
    ],
)
def test_a_mistake_is_one_line(
    words: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "file").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["ludus", "new", "game", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr()
    assert (ended.value.code, printed.out) == (2, "")
    assert complaint in printed.err
    assert len(printed.err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["here"]
