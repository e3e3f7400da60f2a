"""Everything that needs a GPU, in one run: cuda = cpu field by field, and how fast; needs no test runner.

usage: python benchmarks/gpu.py [--checks=speed,kernels,equal,torch,seat,bots] [GAME…]
"""

from __future__ import annotations

import json
import math
import sys
import time

import numpy as np
from kernels import times

from ludus.bench import measure
from ludus.engine import Batch
from ludus.engine.desk import layout
from ludus.engine.kernels import compiled_bots
from ludus.games import load, names
from ludus.testing import compare_devices, compare_seat, same

GAMES, STEPS, ODD, MANY = 4096, 500, 37, 2**20


def main(words: list[str]) -> None:
    """Check and measure the games, each for itself: one that fails does not hide the others."""
    checks = [check_speed, check_kernels, check_equal, check_torch, check_seat, check_bots]
    for word in words:
        if word.startswith("--checks="):
            checks = [globals()[f"check_{name}"] for name in word.removeprefix("--checks=").split(",")]
    for name in [word for word in words if not word.startswith("--")] or names():
        game = load(name)
        for check in checks:
            started = time.perf_counter()
            try:
                check(game)
                print(f"{name} {check.__name__}: ok, {time.perf_counter() - started:.1f} s", flush=True)
            except Exception as error:
                print(f"{name} {check.__name__}: FAILED {type(error).__name__}: {str(error)[:2000]}", flush=True)


def check_equal(game) -> None:
    """Compare cuda with cpu."""
    print(compare_devices(game, "cpu", "cuda", GAMES, STEPS))
    print(compare_devices(game, "cpu", "cuda", ODD, 20), f"for {ODD} games, which fill no block")


def check_bots(game) -> None:
    """Let bots play the same games on both."""
    for bot in compiled_bots(game):
        one, other = Batch(game, 64, 3), Batch(game, 64, 3, "cuda")
        bots = [bot] * len(game.spec.seats)
        lengths = one.finish(bots)
        same(lengths, other.finish(bots), f"lengths of games of {bot}")
        same(one.states, other._backend.to_host(other.states), f"rows after games of {bot}")


def check_torch(game) -> None:
    """Hand planes to torch and take actions back, without a copy."""
    import torch

    batch = Batch(game, 256, 1, "cuda")
    planes = torch.as_tensor(batch.encode(), device="cuda")
    if planes.data_ptr() != batch.desk.planes.__cuda_array_interface__["data"][0]:
        raise AssertionError("torch copied the planes")
    actions = torch.as_tensor(batch.legal(), device="cuda").to(torch.float32).argmax(dim=1)
    batch.step(actions)
    same(batch.desk.actions.copy_to_host(), actions.cpu().numpy().astype(np.int32), "actions from torch")


def check_seat(game) -> None:
    """Play the last seat from outside against random bots: the same on both, and how fast under a policy of torch's."""
    import torch

    print(compare_seat(game, "cpu", "cuda", ODD, 100))
    seats = len(game.spec.seats)
    many, decisions = Batch(game, MANY // 4, 3, "cuda"), 50
    many.set_bots(["random"] * (seats - 1) + [None])
    many.enter(seats - 1)
    masks = torch.as_tensor(many.desk.turned_masks, device="cuda")
    noise = 1 + torch.rand(masks.shape, device="cuda")
    for _ in range(2):  # the first round compiles
        before, started = _steps(many), time.perf_counter()
        for _ in range(decisions):
            many.face((masks * noise).argmax(dim=1), seats - 1)
        played = _steps(many) - before  # waits for the device
        speed = played / (time.perf_counter() - started) / 1e6
    print(f"{game.name} seat: {speed:.0f} M decisions of all seats a second, {MANY // 4} games, planes at each of the seat's")


def _steps(batch) -> int:
    return int(batch._backend.to_host(batch.desk.tally)[:, 0].sum())


def check_speed(game) -> None:
    """Print the benchmarks."""
    for figure in measure([game.name], "cuda"):
        print(json.dumps(figure.as_dict()), flush=True)


def check_kernels(game) -> None:
    """Print how long each kernel takes for a million games, and how many bytes its arrays have."""
    for kernel, seconds in times(game, "cuda", MANY):
        print(f"{game.name} {kernel}: {seconds * 1e6:.0f} µs for {MANY} games", flush=True)
    sizes = {field: shape[0].itemsize * math.prod(shape[1]) for field, shape in layout(game).items()}
    print(
        f"{game.name} bytes a game: { {field: sizes[field] for field in ('states', 'views', 'planes', 'masks')} }", flush=True
    )


if __name__ == "__main__":
    main(sys.argv[1:])
