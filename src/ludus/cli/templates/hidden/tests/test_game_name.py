"""Game Name: the contract of Ludus, the rules as its README has them, and the strength of its bots."""

import pytest

from ludus import Batch, make
from ludus.games import load
from ludus.testing import check_game

GAME = "game_name"
RULES = load(GAME).rules
SEATS = RULES.SEATS


def test_the_contract() -> None:
    check_game(GAME, games=3)


def test_everybody_is_dealt_a_hand() -> None:
    """Rule 1."""
    s = make(GAME, seed=1, device="pure").s
    assert [RULES.held_by(s, seat) for seat in range(SEATS)] == [RULES.HAND] * SEATS


def test_the_highest_card_takes_the_trick() -> None:
    """Rule 3."""
    table = make(GAME, seed=1, device="pure")
    laid = []
    for _ in range(SEATS):
        laid.append(table.legal()[-1])
        table.apply(laid[-1])
    taker = laid.index(max(laid))
    assert table.s.points.tolist() == [int(seat == taker) for seat in range(SEATS)]


def test_cards_of_others_are_unseen() -> None:
    """D3."""
    table = make(GAME, seed=1, device="pure")
    card = table.legal()[0]
    assert table.observe(1).where[card] == RULES.UNSEEN
    table.apply(card)
    assert table.observe(1).table[0] == (RULES.NONE if RULES.SIMULTANEOUS else card)


@pytest.mark.parametrize("field", load(GAME).state_type.names or ())
def test_every_number_of_a_row_is_held_to_the_game(field: str) -> None:
    """What comes from outside is asked `sound` first: a wrong number must not reach the rules."""
    table = make(GAME, seed=1, device="pure")
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
