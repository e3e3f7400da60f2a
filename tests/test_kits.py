"""Every kit plays every game without a fault, where its language is installed."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ludus import Table, games

KITS = Path(__file__).parents[1] / "kits"
SHORT = {"max_turns": 20, "max_actions": 60}  # options that end a game early, where a game has them
ODD_SIGNS = 'a"b\\c / é ☃ 😀 {[,]}: \x7f'


def script(name: str) -> ModuleType:
    """Import a script of the kits, which are no package."""
    spec = importlib.util.spec_from_file_location(name, KITS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


referee, every = script("referee"), script("all")


@pytest.mark.parametrize("language", every.TOOLS)
def test_a_kit_plays_every_game(language: str, tmp_path: Path) -> None:
    folder = kit(language, tmp_path)
    bot = referee.Bot(every.build(folder / "bot.toml")["command"], folder)
    try:
        for k, name in enumerate(games.names()):  # one process serves them all, on either side
            known = {option.name for option in games.options_of(games.load(name))}
            table = Table(name, device="pure", **{option: value for option, value in SHORT.items() if option in known})
            seat = k % len(table.spec.seats)
            referee.play(table, {seat: bot}, "random", k)
            assert table.over
        for _ in range(2):  # as it is, and with escapes
            assert bot.ask(type="act", turn=0, view={}, legal=[ODD_SIGNS]) == {"action": ODD_SIGNS}
    finally:
        assert bot.close()


@pytest.mark.parametrize("language", every.TOOLS)
def test_a_kit_is_small_and_says_how_it_is_run(language: str) -> None:
    (helper,) = [*(KITS / language).glob("ludus_bot.*"), *(KITS / language).glob("LudusBot.*")]
    assert len(helper.read_text().splitlines()) < 150
    about = (KITS / language / "README.md").read_text()
    assert " ".join(every.tomllib.loads((KITS / language / "bot.toml").read_text())["command"]) in about


def kit(language: str, folder: Path) -> Path:
    """Copy a kit to where it can be built, if its language is here."""
    tool = every.TOOLS[language]
    if shutil.which(tool) is None:
        pytest.skip(f"no {tool} here: the kit for {language} is not played")
    return Path(shutil.copytree(KITS / language, folder / language, ignore=shutil.ignore_patterns("build", "__pycache__")))
