"""What makes a bot what it is: its files as a hash, and as a parcel that plays the same elsewhere."""

import sys
from pathlib import Path

import pytest

from ludus.agents import make_agent, pack
from ludus.core import BadValue
from ludus.games import Game


def hashed(game: Game, word: str) -> str:
    agent = make_agent(game, word, "process")
    agent.close()
    return agent.hash


def test_modules_that_a_file_imports_count_and_others_do_not(tiny: Game, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import helper\nfrom parts import inner\n\ndef act(view, legal):\n    return legal[helper.CHOICE]\n")
    (tmp_path / "helper.py").write_text("import other\nCHOICE = 0\n")
    (tmp_path / "other.py").write_text("import helper\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("")
    (tmp_path / "parts" / "inner.py").write_text("X = 1\n")
    (tmp_path / "rival.py").write_text("Y = 1\n")
    seen = [hashed(tiny, str(bot))]
    for file, is_counted in (("other.py", True), ("parts/inner.py", True), ("parts/__init__.py", True), ("rival.py", False)):
        (tmp_path / file).write_text("Z = 2\n")
        seen.append(hashed(tiny, str(bot)))
        assert (seen[-1] != seen[-2]) == is_counted, file
    bot.write_text("this is no Python\n")
    assert hashed(tiny, str(bot)) not in seen


def test_a_folder_counts_but_for_what_its_bot_writes(tiny: Game, tmp_path: Path) -> None:
    folder = tmp_path / "swift"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = ["python", "main.py"]\nwrites = ["memory*.json"]\n')
    for name in ("main.py", "weights.bin", "memory1.json", "run.log", ".state"):
        (folder / name).write_text("1\n")
    before = hashed(tiny, str(folder))
    for name in ("memory1.json", "run.log", ".state"):
        (folder / name).write_text("2\n")
        assert hashed(tiny, str(folder)) == before, name
    (folder / "weights.bin").write_text("2\n")
    assert hashed(tiny, str(folder)) != before


@pytest.mark.parametrize("kind", ["file", "class", "named", "folder", "command"])
def test_a_parcel_plays_the_same_elsewhere(tiny: Game, tmp_path: Path, kind: str) -> None:
    home, away = tmp_path / "at home", tmp_path / "away from home"
    home.mkdir()
    (home / "bot.py").write_text("import helper\n\nclass Mine:\n    def act(self, view, legal):\n        return legal[0]\n\n"
                                 "def act(view, legal):\n    return legal[helper.CHOICE]\n")  # fmt: skip
    (home / "helper.py").write_text("CHOICE = -1\n")
    (home / "run.sh").write_text("#!/bin/sh\nexit 0\n")
    (home / "run.sh").chmod(0o755)
    (home / "bot.toml").write_text('command = ["./run.sh"]\n')
    word = {
        "file": f"{home}/bot.py", "class": f"{home}/bot.py:Mine", "named": f"name=Other {home}/bot.py", "folder": str(home),
        "command": f"cmd:{sys.executable} '{home}/bot.py' --fast",
    }[kind]  # fmt: skip
    parcel = pack(tiny, word)
    assert parcel.hash == hashed(tiny, word)
    there = parcel.unpack(away)
    for file in home.iterdir():
        file.unlink()
    assert hashed(tiny, there) == parcel.hash
    agent = make_agent(tiny, there, "process")
    assert str(home) not in str(vars(agent))
    if kind == "folder":
        assert (away / "run.sh").stat().st_mode & 0o111
    if kind == "command":
        assert agent.command.words[1:] == [str(away / "bot.py"), "--fast"]
    agent.close()


def test_built_in_bots_need_no_files(tiny: Game) -> None:
    parcel = pack(tiny, "name=First random")
    assert (parcel.word, parcel.files) == ("name=First random", ())
    with pytest.raises(BadValue):
        pack(tiny, "cmd:")
