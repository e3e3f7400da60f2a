"""Views as a few numbers: the same on every device, named, in the own frame, and held to that by the check."""

from typing import Any

import numpy as np
import pytest

from ludus import games
from ludus.core import LudusError, rule
from ludus.engine import Batch, Table
from ludus.games import Game, load
from ludus.games import game as game_module
from ludus.games.featured import Features
from ludus.testing import CheckFailed
from ludus.testing.hidden import check_twins
from ludus.testing.judge import Judge
from ludus.testing.play import kept_positions, play
from ludus.testing.watch import Watch
from ludus.testing.work import Budget

GAMES = games.names()


def positions(judge: Judge) -> list[Any]:
    """Return some positions of a game that is played by chance."""
    course = play(judge, 1, ("",) * len(judge.spec.seats), Budget(1e9), most=40)
    return kept_positions(judge, [course], 6)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_names_its_features(name: str) -> None:
    game = load(name)
    names = game.spec.features
    assert game.has("features")
    assert 10 < len(names) == len(set(names)) < 500
    batch = Batch(game, 3, 1, device="pure")
    numbers = batch.features()
    assert numbers.shape == (3, len(names))
    assert numbers.dtype == np.float32
    assert np.abs(numbers).max() <= 1
    table = Table(game, 0, device="pure")
    for seat in range(len(game.spec.seats)):
        batch.load(table.s)
        assert np.array_equal(table.features(seat), batch.features(seat)[0])


@pytest.mark.parametrize("name", GAMES)
def test_features_are_held_to_the_contract_in_play(name: str) -> None:
    """Bounds, litter in the gaps of a view, and a glance beside the whole view: `play` asks at every position."""
    with Watch() as watch:
        judge = Judge(load(name), watch)
        rows = positions(judge)
        if hasattr(judge.game.rules, "twin"):
            check_twins(judge, rows)


@rule
def not_in_the_own_frame(view, out):  # type: ignore[no-untyped-def]
    out[0] = view.me


@pytest.mark.parametrize("name", [name for name in GAMES if hasattr(load(name).rules, "twin")])
def test_features_that_are_not_in_the_own_frame_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(name)
    monkeypatch.setitem(game_module._features, game.package, Features(("who looks",), not_in_the_own_frame))
    monkeypatch.delitem(game_module._specs, game.package, raising=False)
    with Watch() as watch:
        judge = Judge(game, watch)
        rows = positions(judge)
        with pytest.raises(CheckFailed, match=r"'who looks' is . in a position and . in its twin"):
            check_twins(judge, rows)
    game_module._specs.pop(game.package, None)


def test_a_game_without_features_has_the_numbers_of_its_view(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "rules.py").write_text(PLAIN, encoding="utf-8")
    known = dict(games._folders())  # not the process's own: the game is forgotten afterwards
    monkeypatch.setattr(games, "_folders", lambda: known)
    game = load(games.add_folder(tmp_path / "plain"))
    assert game.spec.features == ("seat", "turn", "pile[0]", "pile[1]", "last_reward[0]", "last_reward[1]")
    table = Table(game, device="pure")
    assert table.features().tolist() == [0, 0, pytest.approx(3 / 7), pytest.approx(-4 / 8), 0, 0]


def test_a_game_that_turns_its_board_must_write_them(tiny: Game) -> None:
    assert tiny.spec.features == ()
    for ask in (Table(tiny, device="pure").features, Batch(tiny, 2, device="pure").features):
        with pytest.raises(LudusError, match="Tiny turns its board for a seat"):
            ask()


def test_features_go_with_own_ids() -> None:
    turned = next(name for name in GAMES if load(name).spec.own_ids)
    with pytest.raises(LudusError, match="frame='own'"):
        Batch(turned, 2, device="pure", frame="rules").features()


PLAIN = '''"""Take from a pile."""

import numpy as np

from ludus.core import Option, Spec, rule

SPEC = Spec("Plain", 1, ("a", "b"), 1, (1, 1, 1), options=(Option("most", 5, 1, 9, "most"),))
State = np.dtype(
    [("opt_most", "i4"), ("seat", "i4"), ("turn", "i4"), ("pile", "i1", 2), ("last_reward", "i4", 2), ("big", "i1", 300)],
    align=True,
)


@rule
def new(s, rng):
    s.seat, s.turn, s.pile[0], s.pile[1] = 0, 0, 3, -4
    s.big[:] = 1


@rule
def legal(s, mask):
    mask[0] = 1
    return 1


@rule
def apply(s, action, rng):
    s.turn += 1


@rule
def encode(view, planes):
    planes[0, 0, 0] = 1


@rule
def result(s, outcome, points):
    return 0
'''
