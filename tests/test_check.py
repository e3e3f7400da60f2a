"""`ludus check` tells authors what is wrong: each mistake in one sentence, and nothing where there is none."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent / "mistakes"))

from mistakes import MISTAKES, Mistake
from table import spoilt

from ludus import games
from ludus.engine import kernels_to_compile
from ludus.engine.pure import kernels_of
from ludus.testing import CheckFailed, check_game
from ludus.testing.ahead import KERNELS
from ludus.testing.judge import Judge

GAMES = Path(__file__).parent / "mistakes" / "games"


@pytest.fixture(autouse=True)
def no_game_is_left() -> Iterator[None]:
    """Games that are checked from their folders are known to the whole process: take them out again."""
    known = games._folders()
    before = dict(known)
    yield
    known.clear()
    known.update(before)


@pytest.mark.parametrize("name", ["trio", "cards", "bids"])
def test_the_games_themselves_pass(name: str) -> None:
    lines: list[str] = []
    check_game(GAMES / name, games=3, say=lines.append, effort=0.3)
    assert any(line.startswith("pure = cpu") for line in lines)
    game = games.load(name)
    assert set(KERNELS) <= set(kernels_of(game))
    assert kernels_to_compile(game, KERNELS) == []  # all that is compiled ahead was needed, and is kept


@pytest.mark.parametrize(("number", "mistake"), list(enumerate(MISTAKES)), ids=lambda part: str(getattr(part, "game", part)))
def test_a_mistake_is_told_in_a_sentence(number: int, mistake: Mistake, tmp_path: Path) -> None:
    with pytest.raises(CheckFailed) as caught:
        check_game(spoilt(mistake, number, tmp_path), games=3, ahead=False)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert len(sentence) <= 400
    for words in mistake.words:
        assert words in sentence


def test_rules_alone_are_checked_as_far_as_they_go(tmp_path: Path) -> None:
    folder = tmp_path / "rules_alone"
    folder.mkdir()
    (folder / "rules.py").write_text((GAMES / "trio" / "rules.py").read_text(encoding="utf-8"), encoding="utf-8")
    lines: list[str] = []
    check_game(folder, devices=("pure",), games=2, say=lines.append)
    assert any(line.startswith("skipped") and "bots.py" in line and "scene.py" in line for line in lines)


def test_a_slow_machine_looks_at_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    fast, slow, call = [], [], Judge.call

    def wait_and_call(judge: Judge, *arguments: Any, **more: Any) -> Any:
        time.sleep(1e-4)
        return call(judge, *arguments, **more)

    check_game(GAMES / "cards", devices=("pure",), games=2, say=fast.append, effort=0.03)
    monkeypatch.setattr(Judge, "call", wait_and_call)
    check_game(GAMES / "cards", devices=("pure",), games=2, say=slow.append, effort=0.03)
    assert any("whole games" in line for line in fast)
    assert [line for line in fast if "speed" not in line] == [line for line in slow if "speed" not in line]
