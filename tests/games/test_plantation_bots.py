"""Plantation's bots: each beats the one before, on any board."""

from typing import Any

import numpy as np
import pytest

from ludus.arena import play_match
from ludus.core import plain, streams
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


def test_sampled_opponents_are_about_as_large_as_the_seat_that_looks() -> None:
    batch, sums = Batch("plantation", 32, 3, restart=False, max_turns=45), []
    batch.finish(["tracker", "tracker"])
    game = batch.game
    for number, row in enumerate(batch.states):
        s: Any = plain(np.array([row], game.state_type))
        s.end, s.moves, s.last_reward[:] = 0, 3, 0
        sampled = plain(game.empty(1))
        game.verbs.sample(game.look(s, 1), sampled, streams(number, 1)[0])
        sums.append((s.total[0], sampled.total[0]))  # type: ignore[attr-defined]
    true, guessed = np.mean(sums, axis=0)
    assert 0.8 < guessed / true < 1.2
