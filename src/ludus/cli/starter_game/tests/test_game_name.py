"""Game Name: the contract of Ludus, the rules as its README has them, and the strength of its bots."""

import pytest

from ludus import Batch, LudusError, make
from ludus.games import load
from ludus.testing import check_game

GAME = "game_name"


def test_the_contract() -> None:
    check_game(GAME, games=3)


@pytest.mark.parametrize("row", ["a1 b1 c1", "b1 b2 b3", "a1 b2 c3", "c1 b2 a3"])
def test_a_row_wins(row: str) -> None:
    """Rule 3: across, down, and on both diagonals."""
    table = make(GAME, device="pure", size=3)
    parse = table.game.parse_action
    first, second, third = (parse(cell) for cell in row.split())
    others = [cell for cell in table.legal() if cell not in (first, second, third)]
    for cell in (first, others[0], second, others[1], third):
        assert not table.over
        table.apply(cell)
    assert table.result().outcome == (1, -1)


def test_a_longer_row_wins() -> None:
    """D2."""
    table = make(GAME, device="pure", position="row 4; last d5\nX X . X X\n. . . . .\n. . . . .\n. . . . .\nO O . O O\n")
    table.apply(table.game.parse_action("c1"))
    assert table.result().outcome == (1, -1)


def test_a_full_board_is_a_draw() -> None:
    """D3."""
    table = make(GAME, device="pure", position="row 3; last c3\nX O X\nX O O\nO X X\n", size=3)
    assert table.over
    assert table.result().outcome == (0, 0)


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
    for seats, strong in ((["greedy", "random"], 0), (["random", "greedy"], 1)):
        batch = Batch(GAME, 100, seed=1)
        batch.finish(seats)
        _, outcomes, _ = batch.result()
        assert outcomes[:, strong].mean() > 0.8
