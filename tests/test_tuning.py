"""Tuning: numbers are found where bots declare them, better ones are found by matches, and a killed search goes on."""

from pathlib import Path
from typing import Any

import pytest

from ludus.arena import Conditions, Number, Tuning, read_number
from ludus.arena.tuning.numbers import as_declared, declared, variant, with_numbers
from ludus.arena.tuning.spsa import asked, direction, moved, settled
from ludus.cli.tune import spark
from ludus.core import BadRecord, BadValue, LudusError, UnknownName
from ludus.games import Game

BOT = '''"""Add what makes it full, as often as care says."""
import random
from beside import GOAL

care, größe = 1, 2  # two at once are none of ours
care = 0.2  # how often
bias: float = -1.5
depth = 3; name = "x"


def act(view, legal):
    """A turn is two decisions; the sum that is left should not let the next one win."""
    return legal[-1] if random.random() < care else legal[0]
'''


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "beside.py").write_text("GOAL = 30\n")
    (tmp_path / "mine" / "bot.py").write_text(BOT, encoding="utf-8")
    return tmp_path / "mine" / "bot.py"


def test_how_numbers_are_written() -> None:
    assert read_number("weight=0.1..2") == Number("weight", 0.1, 2, False)
    assert read_number("depth=1..5") == Number("depth", 1, 5, True)
    assert read_number("bias=-1.5..-0.5").at(0.5) == -1
    assert Number("depth", 1, 5, True).at(0.4) == 3
    assert Number("depth", 1, 5, True).written(3.0) == "3"
    for wrong in ("weight", "weight=2", "weight=2..1", "=1..2", "weight=a..b", "weight=1.2.3..4"):
        with pytest.raises(BadValue):
            read_number(wrong)


def test_numbers_stand_in_the_file_and_nothing_else_is_changed(bot: Path, tmp_path: Path) -> None:
    numbers = [read_number(text) for text in ("care=0.0..1.0", "bias=-2.0..2.0", "depth=1..9")]
    assert declared(str(bot), numbers) == {"care": 0.2, "bias": -1.5, "depth": 3}
    asked = as_declared(str(bot), [read_number(text) for text in ("care=0..1", "depth=1..9")])
    assert [number.is_whole for number in asked] == [False, True]  # what has a point is not whole
    text = with_numbers(bot, numbers, {"care": 0.75, "bias": 0.25, "depth": 7.0})
    assert text == BOT.replace("care = 0.2", "care = 0.75").replace("= -1.5", "= 0.25").replace("depth = 3", "depth = 7")
    word = variant(f"{bot}:Class", numbers, {"care": 0.5, "bias": 1.0, "depth": 2.0}, tmp_path / "copy")
    assert word == f"{tmp_path / 'copy' / 'bot.py'}:Class"
    assert (tmp_path / "copy" / "beside.py").read_text() == "GOAL = 30\n"
    with pytest.raises(UnknownName, match=r"unknown number of bot.py 'hope'; there is: care, bias, depth"):
        declared(str(bot), [read_number("hope=0..1")])


def test_commands_have_places_for_numbers(tmp_path: Path) -> None:
    numbers = [read_number("depth=1..5")]
    assert declared("cmd:./bot --depth {depth}", numbers) == {"depth": 3}
    assert variant("cmd:./bot --depth {depth}", numbers, {"depth": 4.0}, tmp_path) == "cmd:./bot --depth 4"
    with pytest.raises(BadValue, match=r"no \{depth\}"):
        declared("cmd:./bot", numbers)
    with pytest.raises(BadValue, match=r"FILE\.py"):
        declared("random", numbers)


def test_spsa_climbs_a_hill_in_noise() -> None:
    """The chance to win falls with the distance from the top; the search ends near it, in both numbers."""
    import numpy as np

    rng, top, steps = np.random.default_rng(3), (0.8, 0.3), 150
    numbers = [Number("a", 0, 1, False), Number("b", 0, 1, False)]
    places, path = [0.2, 0.7], []

    def height(values: list[float]) -> float:
        return -4 * sum((value - best) ** 2 for value, best in zip(values, top, strict=True))

    for step in range(1, steps + 1):
        signs = direction(7, step, 2)
        plus, minus = asked(places, signs, step, numbers)
        chance = 1 / (1 + np.exp(-(height(plus) - height(minus))))
        places = moved(places, signs, step, steps, 2 * rng.binomial(20, chance) / 20 - 1)
        path.append(places)
    assert settled(path) == pytest.approx(top, abs=0.1)


def test_both_bots_stay_within_bounds_and_apart() -> None:
    whole, real = Number("depth", 1, 3, True), Number("weight", -1.0, 1.0, False)
    for place in (0.0, 0.1, 0.5, 1.0):
        for step in (1, 1000):
            plus, minus = asked([place, place], [1, -1], step, [whole, real])
            assert plus[0] - minus[0] >= 1
            assert plus[1] < minus[1]
            assert all(1 <= value <= 3 for value in (plus[0], minus[0]))
            assert all(-1 <= value <= 1 for value in (plus[1], minus[1]))


def tuning(tiny: Game, bot: Path, folder: Path, **changed: Any) -> Tuning:
    told = {"games": 60, "seed": 5, "conditions": Conditions()} | changed
    return Tuning(tiny, str(bot), [read_number("care=0.0..1.0")], folder=folder, **told)


@pytest.mark.slow
def test_a_search_goes_on_where_it_was_killed(tiny: Game, bot: Path, tmp_path: Path) -> None:
    whole = tuning(tiny, bot, tmp_path / "whole")
    path = list(whole.run())
    assert len(path) == whole.steps > 3
    assert whole.checked is not None
    assert "against what it was" in whole.verdict()
    killed = tuning(tiny, bot, tmp_path / "killed")
    for step in killed.run():
        if step.step == 3:
            break
    with (tmp_path / "killed" / "steps.jsonl").open("ab") as file:
        file.write(b'{"step": {"step": 4, "pl')  # the line that was being written
    again = tuning(tiny, bot, tmp_path / "killed")
    assert [step.step for step in again.path] == [1, 2, 3]
    assert list(again.run()) == path[3:]
    assert (again.best(), again.checked) == (whole.best(), whole.checked)
    done = tuning(tiny, bot, tmp_path / "killed")
    assert list(done.run()) == []
    assert done.verdict() == whole.verdict()
    assert f"care = {whole.best()['care']!r}" in Path(done.tuned()).read_text(encoding="utf-8")
    with pytest.raises(LudusError, match="another search: games"):
        tuning(tiny, bot, tmp_path / "killed", games=80)


@pytest.mark.parametrize("line", [b"{", b"[" * 100_000, b"3", b'{"step": {"no": 1}}', b'{"step": 3}', b"\xff"])
def test_a_search_whose_file_is_damaged_says_so(tiny: Game, bot: Path, tmp_path: Path, line: bytes) -> None:
    tuning(tiny, bot, tmp_path / "folder")
    with (tmp_path / "folder" / "steps.jsonl").open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(BadRecord, match=r"steps\.jsonl is damaged .* name another folder with --out"):
        tuning(tiny, bot, tmp_path / "folder")


def test_the_curve_in_a_line() -> None:
    assert spark([0, 1, 2, 4], Number("x", 0, 4, False)) == "▁▃▅█"
    assert spark([], Number("x", 0, 4, False)) == ""
