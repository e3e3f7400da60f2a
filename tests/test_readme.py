"""The README and the page for bot writers are run: their Python, their commands, and what they say that those print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/bots.md"))
BLOCKS = re.findall(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```", TEXT, re.S | re.M)
PYTHON = [body for kind, file, body in BLOCKS if kind == "python" and not file]
FILES = {file: body for kind, file, body in BLOCKS if file}
INTERACTIVE = ("human", "--ask")


def commands() -> list[tuple[str, str]]:
    """Every `$ ludus …` line with the output that follows it."""
    found = []
    for kind, _, body in BLOCKS:
        if kind == "console":
            found += re.findall(r"^\$ (ludus .*)\n((?:(?!\$ ).*\n)*)", body, re.M)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, body in FILES.items():
        (tmp_path / name).write_text(body)
    return tmp_path


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_python(code: str, folder: Path) -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize(("command", "output"), commands(), ids=lambda value: value[:40])
def test_commands(command: str, output: str, folder: Path) -> None:
    words = [sys.executable, "-c", "from ludus.cli import main; main()", *command.split()[1:]]
    done = subprocess.run(words, cwd=folder, input="", capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"})
    assert done.returncode == 0, done.stderr
    if output:
        assert done.stdout == output
    elif any(word in command for word in INTERACTIVE):
        assert "end of input" in done.stdout


def test_there_is_something_to_run() -> None:
    assert len(PYTHON) >= 3
    assert len(commands()) >= 8
    assert FILES


def test_the_paths_that_it_names_exist() -> None:
    for path in re.findall(r"`((?:src|docs|tests|benchmarks)/[\w./]+)`", TEXT):
        if "GAME" not in path:
            assert (ROOT / path).exists(), path
