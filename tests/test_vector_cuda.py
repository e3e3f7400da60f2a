"""The vector environment on a GPU: torch's tensors, and the same games as on the CPU."""

from typing import Any

import numpy as np
import pytest

from ludus.adapters.vector import SeatVectorEnv
from ludus.games import load, names

pytestmark = pytest.mark.gpu
N = 64


def on_host(thing: Any) -> Any:
    """Return arrays and what is made of them in ordinary memory."""
    if isinstance(thing, dict):
        return {key: on_host(part) for key, part in thing.items()}
    return thing.cpu().numpy() if hasattr(thing, "cpu") else thing


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(np.array_equal(one, other))


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(("mode", "obs"), [("SameStep", "features"), ("NextStep", "masked")])
def test_a_gpu_plays_the_same_games_in_torchs_tensors(name: str, mode: str, obs: str) -> None:
    torch = pytest.importorskip("torch")
    short = {"max_turns": 12} if "max_turns" in {option.name for option in load(name).spec.options} else {}
    cpu, gpu = (
        SeatVectorEnv(name, N, device=device, obs=obs, autoreset_mode=mode, seed=1, **short) for device in ("cpu", "cuda")
    )
    (due, due_info), (seen, info) = cpu.reset(), gpu.reset()
    chance = np.random.default_rng(1)
    for step in range(60):
        assert same(due, on_host(seen)), step
        mask = due_info["action_mask"]
        assert same(mask, on_host(info["action_mask"]))
        actions = (mask * (1 + chance.random(mask.shape))).argmax(axis=1)
        due, *due_told, due_info = cpu.step(actions)
        seen, *told, info = gpu.step(torch.as_tensor(actions, device="cuda"))
        assert all(part.is_cuda for part in told)
        assert all(same(a, on_host(b)) for a, b in zip(due_told, told, strict=True)), step
        if "final_obs" in due_info:
            assert same(due_info["_final_obs"], on_host(info["_final_obs"]))
            for i in np.flatnonzero(due_info["_final_obs"]):
                assert same(due_info["final_obs"][i], on_host(info["final_obs"])[i])
            assert same(due_info["final_info"]["outcome"], on_host(info["final_info"]["outcome"]))


def test_what_a_gpu_returns_is_the_callers_to_keep() -> None:
    env = SeatVectorEnv(names()[0], N, device="cuda", seed=1)
    first, info = env.reset()
    kept = first.clone()
    second, *_ = env.step(info["action_mask"].int().argmax(dim=1))
    assert (first == kept).all()
    assert not (first == second).all()
