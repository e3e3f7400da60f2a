"""docs/tournaments.md does what it says: its commands and its Python are run."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludus.arena import read_terms
from ludus.cli.commands import app

PAGE = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text(encoding="utf-8")
BOT = "def act(view, legal):\n    return legal[0]\n"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the bots that the page names."""
    (tmp_path / "submissions").mkdir()
    (tmp_path / "bots" / "swift").mkdir(parents=True)
    for file in ("shy.py", "bots/shy.py", "submissions/other.py", "bots/swift/main.py"):
        (tmp_path / file).write_text(BOT)
    (tmp_path / "bots" / "swift" / "bot.toml").write_text('command = ["python", "main.py"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_commands(folder: Path) -> None:
    lines = [shlex.split(line, comments=True) for line in blocks("sh")[0].splitlines()]
    assert [line[:3][-1] for line in lines] == ["run", "status", "game", "export", "verify"]
    for line in lines:
        words = [{"40": "2", "2": "1"}.get(word, word) for word in line[1:]]  # fewer games, one job
        if words[1] == "game":
            words.append("--plain")
        done = CliRunner().invoke(app, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
    assert "12 games, of which 12 were played again, and all of it is as it is told" in done.output


def test_the_terms_and_the_python(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "cup.toml").write_text(blocks("toml")[0])
    terms = read_terms(folder / "cup.toml")
    assert terms.bots[2:] == (str(folder / "bots/shy.py"), str(folder / "bots/swift"), str(folder / "submissions"))
    (code,) = blocks("python")
    exec(code, {})
    printed = capsys.readouterr().out
    assert "Counts(planned=4, played=4, faults=0) ['greedy', 'careful']" in printed
