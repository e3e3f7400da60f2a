"""Game Name: the contract of Ludus, the rules as its README has them, and the strength of its bots."""

import pytest

from ludus import Batch, Table, make
from ludus.games import load
from ludus.testing import check_game

GAME = "game_name"
RULES = load(GAME).rules
SEATS = RULES.SEATS


def test_the_contract() -> None:
    check_game(GAME, games=3)


def step(table: Table, words: str) -> None:
    """Play steps of all that are not out, seat by seat."""
    for word in words.split():
        table.apply(table.game.parse_action(word))


def test_all_step_at_once() -> None:
    """Rule 2."""
    table = make(GAME, device="pure")
    heads = table.s.head.tolist()
    step(table, "right " + "down " * (SEATS - 2))
    assert table.s.head.tolist() == heads
    step(table, "up")
    assert table.s.head[0] == heads[0] + 1
    assert table.turn == 1


def test_who_is_caught_by_its_own_trail_is_out() -> None:
    """Rule 3, D2: the first seat winds into its corner until no cell is free; the others keep away."""
    table = make(GAME, device="pure", size=15)
    winding = iter(("up", "right", "down", "down", "left", "left", "up", "up", "left"))
    while not table.s.out[0]:
        away = max(table.legal(), key=lambda action: RULES.DX[action] + RULES.DY[action])
        step(table, next(winding) if table.seat == 0 else table.game.action_name(away))
    assert table.turn == table.s.out[0] == 9
    assert table.rewards[0] == -1
    assert RULES.is_out(table.s, 0)


def test_plans_are_secret() -> None:
    """D3."""
    table = make(GAME, device="pure")
    before = table.observe(1).array.tobytes()
    table.apply(table.legal()[0])
    one = table.observe(1).copy()
    one.seat = 0
    assert one.array.tobytes() == before


@pytest.mark.parametrize("field", load(GAME).state_type.names or ())
def test_every_number_of_a_row_is_held_to_the_board(field: str) -> None:
    """What comes from outside is asked `sound` first: a wrong number must not reach the rules."""
    table = make(GAME, device="pure")
    for value in (-100, -2, 100):
        s = table.s.copy()
        assert table.game.verbs.sound(s)
        s.array[field].reshape(-1)[0] = value
        assert not table.game.verbs.sound(s), value


def test_the_stronger_bot_wins() -> None:
    for strong in (0, SEATS - 1):
        batch = Batch(GAME, 400, seed=1)
        batch.finish(["greedy" if seat == strong else "random" for seat in range(SEATS)])
        _, outcomes, _ = batch.result()
        assert outcomes.mean(axis=0).argmax() == strong
