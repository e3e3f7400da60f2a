"""The CUDA backend against the others; needs a device (`make test-gpu`)."""

import numpy as np
import pytest

from ludus.engine import Batch
from ludus.engine.cuda import why_not
from ludus.engine.kernels import compiled_bots
from ludus.games import load, names
from ludus.testing import compare_devices, compare_seat, same

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(bool(why_not()), reason=f"CUDA: {why_not()}")]


@pytest.mark.parametrize("name", names())
def test_cuda_equals_cpu(name: str) -> None:
    compare_devices(load(name), "cpu", "cuda", games=4096, steps=500)
    compare_devices(load(name), "cpu", "cuda", games=37, steps=20)  # fill no block


@pytest.mark.parametrize("name", names())
def test_a_seat_is_shown_the_same(name: str) -> None:
    compare_seat(load(name), "cpu", "cuda", games=37)


def test_planes_that_are_too_large_for_shared_memory() -> None:
    compare_devices(load("battlegrid", grid_size=62), "cpu", "cuda", games=37, steps=20)


@pytest.mark.parametrize("name", names())
def test_bots_play_the_same_games(name: str) -> None:
    game = load(name)
    for bot in compiled_bots(game):
        one, other = Batch(game, 64, 3), Batch(game, 64, 3, "cuda")
        bots = [bot] * len(game.spec.seats)
        assert (one.finish(bots) == other.finish(bots)).all()
        same(one.states, other._backend.to_host(other.states), f"rows after games of {bot}")


@pytest.mark.parametrize("name", names())
def test_planes_pass_to_torch_and_actions_come_back_without_a_copy(name: str) -> None:
    torch = pytest.importorskip("torch")
    batch = Batch(name, 256, 1, "cuda")
    planes = torch.as_tensor(batch.encode(), device="cuda")
    assert planes.data_ptr() == batch.desk.planes.__cuda_array_interface__["data"][0]
    actions = torch.as_tensor(batch.legal(), device="cuda").to(torch.float32).argmax(dim=1)
    batch.step(actions)
    assert np.array_equal(batch.desk.actions.copy_to_host(), actions.cpu().numpy())
