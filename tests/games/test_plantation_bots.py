"""Plantation's bots: each beats the one before, on any board."""

import pytest

from ludus.arena import play_match
from ludus.engine import Batch
from ludus.games import load


@pytest.mark.parametrize(("strong", "weak"), [("tracker", "scry_and_die"), ("scry_and_die", "random_player")])
def test_each_bot_beats_the_one_before(strong: str, weak: str) -> None:
    series = play_match(load("plantation"), [strong, weak], games=100, seed=5, swap=True)
    assert series.summary(0)["wins"] >= 90


def test_bots_play_on_any_board_and_with_other_costs() -> None:
    for options in ({"rows": 1, "cols": 2}, {"rows": 2, "cols": 7, "moves": 1, "cost_fertilise": 2, "cost_scout": 3}):
        game = load("plantation", max_turns=30, **options)
        for bot in game.bots:
            batch = Batch(game, 2, 1, device="pure")
            batch.finish([bot, "random"])
            assert (batch.result()[0] == 1).all()
