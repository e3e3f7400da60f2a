"""The CUDA backend against the others; needs a device (`make test-gpu`)."""

import numpy as np
import pytest

from ludus.core import BadValue, IllegalAction
from ludus.engine import Batch, compiled_bots
from ludus.engine.cuda import why_not
from ludus.games import load, names, options_of
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
    """The first game has a size that shapes its board."""
    size = options_of(load(names()[0]))[0]
    compare_devices(load(names()[0], **{size.name: size.high}), "cpu", "cuda", games=37, steps=20)


@pytest.mark.parametrize("name", names())
def test_bots_play_the_same_games(name: str) -> None:
    game = load(name)
    for bot in compiled_bots(game):
        one, other = Batch(game, 64, 3), Batch(game, 64, 3, "cuda")
        bots = [bot] * len(game.spec.seats)
        assert (one.finish(bots) == other.finish(bots)).all()
        same(one.states, other.host(other.states), f"rows after games of {bot}")


@pytest.mark.parametrize("name", names())
def test_arrays_pass_to_torch_and_actions_come_back_without_a_copy(name: str) -> None:
    torch = pytest.importorskip("torch")
    batch = Batch(name, 256, 1, "cuda")
    for array in (batch.encode(), batch.legal(), batch.rewards, batch.done):
        assert torch.as_tensor(array, device="cuda").data_ptr() == array.__cuda_array_interface__["data"][0]
    for dtype in (torch.int64, torch.int32, torch.int16):
        actions = torch.as_tensor(batch.legal(), device="cuda").to(torch.float32).argmax(dim=1).to(dtype)
        batch._copy_actions(actions)
        assert np.array_equal(batch.host(batch._buffers.actions), actions.cpu().numpy())
        batch.step(actions)
    with pytest.raises(IllegalAction):
        batch.step(torch.full((256,), 2**32, device="cuda"))


def test_positions_are_taken_by_an_index_on_the_device() -> None:
    torch = pytest.importorskip("torch")
    batch, source = Batch(names()[0], 300, 1, "cuda"), Batch(names()[0], 200, 2, "cuda")
    index = torch.randint(200, (300,), device="cuda")
    batch.take(source, index)
    same(batch.host(batch.states), batch.host(source.states)[index.cpu().numpy()], "positions taken")
    with pytest.raises(BadValue):
        batch.take(source, index + 200)
