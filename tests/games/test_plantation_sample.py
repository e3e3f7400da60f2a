"""Positions that are drawn from a view are likely ones: the hidden sum is about what it is in play."""

import numpy as np
import pytest

from ludus.engine import Batch

TURN = 45


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["random_player", "tracker"])
def test_sampled_sums_are_those_of_play(bot: str) -> None:
    batch = Batch("plantation", 64, 7)
    while (batch.states["turn"] < TURN).any():
        batch.step(batch.choose([bot, bot]))
    for seat in range(2):
        true = batch.states["total"][:, 1 - seat].mean()
        other = batch.copy()
        drawn = []
        for _ in range(4):
            other.sample(np.array(batch.observe(seat)))
            drawn.append(other.states["total"][:, 1 - seat].mean())
        assert 0.75 * true < np.mean(drawn) < 1.25 * true
