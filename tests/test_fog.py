"""A seat's picture shows what its view holds and nothing else: positions with equal views have equal frames."""

import numpy as np
import pytest

from ludus.engine import Batch, Table
from ludus.games import load, names

POSITIONS, AT_ONCE = 100_000, 4096
hidden = [name for name in names() if load(name).hidden]


def differing(name: str, positions: int, at_once: int) -> list[str]:
    """Compare the frames of positions that are drawn from views of random games; name the fields that differ."""
    game, chance, compared, wrong = load(name), np.random.default_rng(1), 0, list[str]()
    table, batch = Table(game, 1), Batch(game, at_once, 1)
    while compared < positions and not wrong:
        for _ in range(int(chance.integers(1, 60))):
            if table.over:
                table.begin()
            table.apply(int(chance.choice(table.legal())))
        seat = int(chance.integers(len(game.spec.seats)))
        due = table.frame(seat).copy().array
        batch.sample(table.observe(seat).copy())
        frames = batch.frames(seat)
        wrong = [field for field in due.dtype.names or () if not (frames[field] == due[field]).all()]
        compared += at_once
    return wrong


@pytest.mark.parametrize("name", hidden)
def test_positions_with_equal_views_look_alike(name: str) -> None:
    assert differing(name, 512, 128) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", hidden)
def test_a_hundred_thousand_positions_with_equal_views_look_alike(name: str) -> None:
    assert differing(name, POSITIONS, AT_ONCE) == []
