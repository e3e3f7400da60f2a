"""Features keep their meaning and every bit of their values: networks that were trained on them are at stake."""

import hashlib

import numpy as np
import pytest

from ludus.engine import Batch
from ludus.games import names

# Of the numbers of all seats in some hundred positions. Who changes a feature on purpose writes new ones, and trains again.
KEPT = {
    "battlegrid": "15c9764060026884",
    "chase": "390f78d8251d637a",
    "plantation": "63a5584faaa767c9",
    "quantum_harvest": "a72e3d7a24cb9ae4",
    "unit": "c38407859de296f2",
}


@pytest.mark.parametrize("name", names())
def test_features_are_what_they_were(name: str) -> None:
    batch, digest = Batch(name, 6, 3, device="pure"), hashlib.sha256()
    for _ in range(25):
        batch.play_random(11)
        for seat in range(len(batch.game.spec.seats)):
            digest.update(np.asarray(batch.features(seat), "<f4").tobytes())
    assert digest.hexdigest()[:16] == KEPT[name]
