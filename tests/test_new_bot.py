"""How people come to a bot of their own: `ludus new bot` in any language, and what shells offer."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ludus.cli.completion import LANGUAGES
from ludus.cli.new_kit import kits
from ludus.core import dealt_seed
from ludus.games import load, names

GAME = names()[0]
SEAT = load(GAME).spec.seats[0]
TOOLS = {"c++": "g++", "javascript": "node", "rust": "rustc", "java": "javac", "go": "go", "php": "php", "python": "python3"}


def ludus(*words: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    command, env = [sys.executable, "-m", "ludus", *words], {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=300, env=env)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_in_any_language_plays_at_once(language: str, tmp_path: Path) -> None:
    done = ludus("new", "bot", GAME, "mine", "--language", language, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    settings = tomllib.loads((tmp_path / "mine" / "bot.toml").read_text())
    assert settings["name"] == "mine"
    about = (tmp_path / "mine" / "README.md").read_text()
    assert f"ludus play {GAME} mine\n" in about
    assert " ".join(settings["command"]) in about
    assert "chaser" not in about
    assert not list((tmp_path / "mine").glob("chaser*"))
    if shutil.which(TOOLS[language]) is None:
        assert "could not be built" in done.stdout or "is not installed here" in done.stdout
        pytest.skip(f"no {TOOLS[language]} here: the new bot in {language} is not played")
    done = ludus("play", GAME, "mine", "--seed", "1", "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    done = ludus("new", "bot", GAME, "mine", "--language", "cobol", cwd=tmp_path)
    assert done.stderr == f"ludus: unknown language 'cobol'; there is: {', '.join(LANGUAGES)}\n"
    (tmp_path / "mine").mkdir()
    assert "exists already" in ludus("new", "bot", GAME, "mine", "--language", "go", cwd=tmp_path).stderr


def test_every_language_has_a_kit_and_every_kit_a_language() -> None:
    assert {folder.name for folder in kits().iterdir() if (folder / "bot.toml").is_file()} == set(LANGUAGES.values())


def offered(line: str) -> list[str]:
    """Return what a shell offers after a line."""
    words = line.split(" ")
    return ludus(_LUDUS_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1)).stdout.split()


@pytest.mark.parametrize(
    ("line", "due"),
    [
        ("ludus ma", ["match"]),
        (f"ludus rules {GAME[:-1]}", [GAME]),
        (f"ludus match {GAME} rando", ["random"]),
        (f"ludus play {GAME} {SEAT}=rando", [f"{SEAT}=random"]),
        (f"ludus play {GAME} hum", ["human"]),
        (f"ludus check {GAME} --bot rando", ["random"]),
        (f"ludus play {GAME} --deb", ["--debug"]),
        (f"ludus new bot {GAME} --language c", ["c++"]),
        ("ludus play nim rando", []),
    ],
)
def test_a_shell_offers_games_bots_and_options(line: str, due: list[str]) -> None:
    assert [word for word in offered(line) if word in due or not due] == due


def test_a_shell_waits_for_nothing_heavy() -> None:
    code = "import ludus.cli.commands, ludus.cli.completion as c, sys\n"
    code += f"class Line: params = {{'game': {GAME!r}}}\nassert c.players(Line, '') and c.game_names('')\n"
    code += "print([name for name in ('numba', 'rich', 'ludus.engine', 'ludus.agents') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert "complete -o" in ludus("--show-completion", "bash").stdout


def test_anybody_can_check_how_a_match_was_dealt(tmp_path: Path) -> None:
    """By the command, and by the lines of docs/matches.md, which need nothing of Ludus."""
    seats = len(load(GAME).spec.seats)
    done = ludus("match", GAME, *["random"] * seats, "--games", "5", "--swap", "--json")
    report = json.loads(done.stdout)
    first = next(line for line in done.stderr.splitlines() if "its hash: " in line)
    assert first.endswith(report["commitment"])
    assert report["games"][0]["seats"] == dict.fromkeys(load(GAME).spec.seats, "random")
    file = tmp_path / "match.json"
    file.write_text(done.stdout)
    fine = ludus("verify-deal", "match.json", "--commitment", report["commitment"], cwd=tmp_path)
    assert (fine.returncode, fine.stderr) == (0, "")
    page = (Path(__file__).parents[1] / "docs" / "matches.md").read_text()
    snippet = page.partition("```python\n")[2].partition("```")[0]
    check = [sys.executable, "-c", snippet]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, text=True).stdout == "dealt as committed\n"
    report["games"][-1]["seed"] = dealt_seed(bytes.fromhex(report["secret"]), 99)
    file.write_text(json.dumps(report))
    assert ludus("verify-deal", "match.json", cwd=tmp_path).returncode == 1
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode == 1
    assert ludus("verify-deal", "match.json", "--commitment", "0" * 64, cwd=tmp_path).stdout.startswith(
        "FAILED: the secret's hash is "
    )
    file.write_text("{}")
    assert "is no report of a match" in ludus("verify-deal", "match.json", cwd=tmp_path).stderr
