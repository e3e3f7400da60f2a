"""Game Name: the contract of Ludus, the rules as its README has them, and the strength of its bots."""

import pytest

from ludus import Batch, LudusError, Table, make
from ludus.games import load
from ludus.testing import check_game

GAME = "game_name"
SEATS = len(load(GAME).spec.seats)


def test_the_contract() -> None:
    check_game(GAME, games=3)


def claim(table: Table, cells: str) -> None:
    """Let the first seat claim these cells, one a round; the others claim cells that touch none of their own."""
    far = iter(range(26, 81, 2))
    for cell in cells.split():
        while table.seat != 0:
            table.apply(next(far))
        assert not table.over
        table.apply(table.game.parse_action(cell))


@pytest.mark.parametrize("cells", ["a1 b1 c1", "b1 b2 b3", "a1 b2 c3", "c1 b2 a3"])
def test_a_row_wins(cells: str) -> None:
    """Rule 3: across, down, and on both diagonals."""
    table = make(GAME, device="pure", size=9, row=3)
    claim(table, cells)
    assert table.result().outcome == (1, *[-1] * (SEATS - 1))


def test_a_longer_row_wins() -> None:
    """D2."""
    table = make(GAME, device="pure", size=9, row=4)
    claim(table, "a1 b1 d1 e1 c1")
    assert table.result().outcome[0] == 1


def test_a_full_board_is_a_draw() -> None:
    """D3."""
    table = make(GAME, device="pure", size=3, row=3)
    for cell in ("c1", "c2", "a1", "b2", "b3", "b1", "a2", "a3", "c3"):
        assert not table.over
        table.apply(table.game.parse_action(cell))
    assert table.over
    assert set(table.result().outcome) == {0}


@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        ("", "a position is"),
        ("row 3\n. . .\n. . .\n. . .", "a position is"),
        ("row 9; last -\n. . .\n. . .\n. . .", "a position is"),
        ("row 3; last -\n? . .\n. . .\n. . .", "a position is"),
        ("row 3; last a1\nX X .\n. . .\n. . .", "play cannot lead here"),
        ("row 3; last b1\nX . .\n. . .\n. . .", "play cannot lead here"),
        ("row 3; last a2\nX X X\nO O .\nO . .", "play cannot lead here"),
    ],
)
def test_what_cannot_be_is_refused(position: str, complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        load(GAME, size=3).parse(position)


def test_every_number_of_a_row_is_held_to_the_board() -> None:
    """What comes from outside is asked `sound` first: a wrong number must not reach the rules."""
    game = load(GAME, size=3)
    for field in game.state_type.names or ():
        for value in (-100, -2, 100):
            s = game.parse("row 3; last b1\nX O .\n. . .\n. . .")
            assert game.verbs.sound(s)
            s.array[field].reshape(-1)[0] = value
            assert not game.verbs.sound(s), (field, value)


def test_the_stronger_bot_wins() -> None:
    for strong in (0, SEATS - 1):
        batch = Batch(GAME, 400, seed=1)
        batch.finish(["greedy" if seat == strong else "random" for seat in range(SEATS)])
        _, outcomes, _ = batch.result()
        assert outcomes.mean(axis=0).argmax() == strong
