"""Everything that needs a GPU, in one run: cuda = cpu field by field, and how fast; needs no test runner.

usage: python benchmarks/gpu.py [--checks=loop,kernels,planes,speed,torch,tools,equal,seat,bots,start,graph,search] [GAME…]
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from functools import partial

import numpy as np
from kernels import seconds_of, times, wait

from ludus.bench import measure
from ludus.core import BadValue, IllegalAction
from ludus.engine import Batch, compiled_bots
from ludus.engine.buffers import layout
from ludus.engine.launch import block_of
from ludus.engine.memory import ENCODE
from ludus.games import load, names
from ludus.testing import compare_devices, compare_seat, same

CHECKS = ("loop", "kernels", "planes", "speed", "torch", "tools", "equal", "seat", "bots", "start", "graph", "search")
GAMES, STEPS, ODD, MANY = 4096, 500, 37, 2**20
LOOPS = (1024, 16_384, 262_144)  # games of the loop that a user writes
TEN = 10  # steps in a captured graph
ROUNDS, SECONDS = 3, 0.1  # of it; the best round counts


def main(words: list[str]) -> None:
    """Check and measure the games, each for itself: one that fails does not hide the others."""
    checks = [globals()[f"check_{name}"] for name in CHECKS]
    for word in words:
        if word.startswith("--checks="):
            checks = [globals()[f"check_{name}"] for name in word.removeprefix("--checks=").split(",")]
    for check in checks:
        for name in [word for word in words if not word.startswith("--")] or names():
            started = time.perf_counter()
            try:
                check(load(name))
                print(f"{name} {check.__name__}: ok, {time.perf_counter() - started:.1f} s", flush=True)
            except Exception as error:
                print(f"{name} {check.__name__}: FAILED {type(error).__name__}: {str(error)[:2000]}", flush=True)


def check_loop(game) -> None:
    """Measure the loop that a user writes: legal, encode, a choice in torch, step, done."""
    for games in LOOPS:
        batch, figures = Batch(game, games, 1, "cuda"), []
        for check in (True, False):
            play = partial(_loop, batch, check)
            play(3)  # compiles
            started = time.perf_counter()
            play(10)
            steps = max(10, int(10 * SECONDS / (time.perf_counter() - started)))
            spent = []
            for _ in range(ROUNDS):
                started = time.perf_counter()
                play(steps)
                spent.append((time.perf_counter() - started) / steps)
            figures.append(f"{games / min(spent) / 1e6:.1f} M decisions/s ({min(spent) * 1e6:.0f} µs) with check={check}")
        print(f"{game.name} loop of {games} games: {', '.join(figures)}", flush=True)


def _loop(batch: Batch, check: bool, steps: int) -> None:
    import torch

    ended = torch.zeros((), device="cuda", dtype=torch.int64)
    for _ in range(steps):
        mask = torch.as_tensor(batch.legal(), device="cuda")
        torch.as_tensor(batch.encode(), device="cuda")  # what a network would be given
        actions = (torch.rand(mask.shape, device="cuda") * mask).argmax(dim=1)
        batch.step(actions, check=check)
        ended += torch.as_tensor(batch.done, device="cuda").ne(0).sum()
    int(ended)  # waits for the device


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
        same(one.states, other.host(other.states), f"rows after games of {bot}")


def check_torch(game) -> None:
    """Hand arrays to torch and take actions back, without a copy."""
    import torch

    batch = Batch(game, 256, 1, "cuda")
    for array in (batch.encode(), batch.legal(), batch.rewards, batch.done, batch.seat(0).reset().reward):
        if torch.as_tensor(array, device="cuda").data_ptr() != array.__cuda_array_interface__["data"][0]:
            raise AssertionError("torch copied an array")
    for dtype in (torch.int32, torch.int64, torch.int16, torch.uint8):
        actions = torch.as_tensor(batch.legal(), device="cuda").to(torch.float32).argmax(dim=1).to(dtype)
        batch._copy_actions(actions)
        same(batch.host(batch._buffers.actions), actions.cpu().numpy().astype(np.int32), f"actions from torch, {dtype}")
        batch.step(actions)
    actions = torch.as_tensor(batch.legal(), device="cuda").to(torch.float32).argmax(dim=1)
    batch.step(actions.repeat_interleave(2)[::2])
    try:
        batch.step(torch.full((256,), 2**32, device="cuda"))
        raise AssertionError("an action of 33 bits was not refused")
    except IllegalAction:
        pass


def check_graph(game) -> None:
    """Capture steps of all seats, with the choice between them, in a CUDA graph: the same games, and how fast."""
    import torch

    from ludus.engine import on_stream

    for games in LOOPS[:2]:
        plain, captured = (Batch(game, games, 1, "cuda").seat("all", obs="features") for _ in range(2))
        masks = [torch.as_tensor(seat.reset().mask, device="cuda") for seat in (plain, captured)]
        noise = 1 + torch.rand(masks[0].shape, device="cuda")
        stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.stream(stream), on_stream(stream.cuda_stream):
            _play(captured, masks[1], noise)  # compiles, and takes the memory that it needs
        torch.cuda.synchronize()
        with torch.cuda.graph(graph, stream=stream), on_stream(stream.cuda_stream):
            _play(captured, masks[1], noise)
        spent = []
        for play in (partial(_play, plain, masks[0], noise), graph.replay):
            play()
            torch.cuda.synchronize()
            started = time.perf_counter()
            for _ in range(20):
                play()
            torch.cuda.synchronize()
            spent.append((time.perf_counter() - started) / 20 / TEN)
        _play(plain, masks[0], noise)  # capturing played nothing, so that both have played 22 times ten steps now
        same(plain.batch.host(plain.batch.states), captured.batch.host(captured.batch.states), "rows after a captured graph")
        figures = [f"{games / s / 1e6:.1f} M decisions/s ({s * 1e6:.0f} µs)" for s in spent]
        print(f"{game.name} seat steps of {games} games: {figures[0]}, in a CUDA graph {figures[1]}", flush=True)


def _play(seat, mask, noise) -> None:
    for _ in range(TEN):
        seat.step((mask * noise).argmax(dim=1))


def check_tools(game) -> None:
    """Take positions by an index on the device, copy, add up."""
    import torch

    batch, source = Batch(game, 300, 1, "cuda"), Batch(game, 200, 2, "cuda")
    source.play_random(10)
    index = torch.randint(200, (300,), device="cuda")
    batch.take(source, index)
    same(batch.host(batch.states), batch.host(source.states)[index.cpu().numpy()], "positions taken")
    same(batch.host(batch.copy().states), batch.host(batch.states), "a copy")
    try:
        batch.take(source, index + 100)
        raise AssertionError("an index outside was not refused")
    except BadValue:
        pass
    if batch.play_random(7)[0] != 300 * 7:
        raise AssertionError("steps are not added up")
    rules = Batch(game, 300, 1, "cuda", frame="rules")
    same(Batch(game, 300, 1, frame="rules").legal(), rules.host(rules.legal()), "masks in the ids of the rules")


def check_seat(game) -> None:
    """Play the last seat from outside against random bots: the same on both, and how fast under a policy of torch's."""
    import torch

    print(compare_seat(game, "cpu", "cuda", ODD, 100))
    seat, decisions = Batch(game, MANY // 4, 3, "cuda").seat(len(game.spec.seats) - 1), 50
    mask = torch.as_tensor(seat.reset().mask, device="cuda")
    noise = 1 + torch.rand(mask.shape, device="cuda")
    for _ in range(2):  # the first round compiles
        before, started = seat.decisions, time.perf_counter()
        for _ in range(decisions):
            seat.step((mask * noise).argmax(dim=1))
        played = seat.decisions - before  # waits for the device
        speed = played / (time.perf_counter() - started) / 1e6
    print(f"{game.name} seat: {speed:.0f} M decisions of all seats a second, {MANY // 4} games, planes at each of the seat's")


def check_speed(game) -> None:
    """Print the benchmarks."""
    for figure in measure([game.name], "cuda"):
        print(json.dumps(figure.as_dict()), flush=True)


def check_kernels(game) -> None:
    """Print how long each kernel takes for a million games, how long a start takes, and how many bytes arrays have."""
    for kernel, seconds in times(game, "cuda", MANY, rounds=3, seconds=0.05):
        print(f"{game.name} {kernel}: {seconds * 1e6:.0f} µs for {MANY} games", flush=True)
    few, starts = Batch(game, 32, 1, "cuda"), 2000
    few.result()
    wait(few)
    started = time.perf_counter()
    for _ in range(starts):
        few._run("result")
    print(f"{game.name} start of a kernel: {(time.perf_counter() - started) / starts * 1e6:.1f} µs", flush=True)
    sizes = {field: shape[0].itemsize * math.prod(shape[1]) for field, shape in layout(game).items()}
    print(f"{game.name} bytes a game: { {f: sizes[f] for f in ('states', 'views', 'planes', 'masks')} }", flush=True)


def check_planes(game) -> None:
    """Print how an encoded step compares with the memory's own pace, what its parts take, and what bounds those."""
    batch = Batch(game, MANY // 4, 1, "cuda")
    batch.play_random(300)  # into the middle of games
    batch.play_random(1, encode=True)
    planes, row = batch._buffers.planes, game.state_type.itemsize
    pace = seconds_of(batch, lambda: batch._backend.zero(planes), 3, 0.05)
    spent = seconds_of(batch, lambda: batch._run("random_step", *ENCODE), 3, 0.05)
    share = planes.nbytes / (planes.nbytes + 3 * row * batch.n)  # a step loads and stores a row, planes need it once more
    print(f"{game.name} encoded step: {spent * 1e6:.0f} µs for {batch.n} games, {pace / spent:.1%} of a memset's pace")
    print(f"{game.name} memset of planes: {pace * 1e6:.0f} µs; moving rows and planes alone would be {share:.0%}")
    for kernel in ("random_step", "observe", "encode", "own_legal", "features"):
        spent = seconds_of(batch, lambda kernel=kernel: batch._run(kernel), 3, 0.05)
        block, about = block_of(game, kernel), batch._backend.about(kernel)
        print(f"{game.name} {kernel}: {spent * 1e6:.0f} µs, {block.games} games a block of {block.threads} threads; {about}")


class Sums:
    """A network of whole numbers, so that both devices answer the same: it adds up what it is shown."""

    input = "planes"

    def __init__(self, game, device) -> None:
        import torch

        self.seats, self.device = len(game.spec.seats), device
        self.ids = torch.arange(game.spec.actions, device=device) * 17

    def __call__(self, shown, masks):
        """Return logits and values, as tensors or as arrays."""
        import torch

        sums = torch.as_tensor(shown, device=self.device).flatten(1).to(torch.float32).sum(1).to(torch.int64)
        logits = ((sums[:, None] * 31 + self.ids) % 97).to(torch.float32) / 97
        value = (sums % 13).to(torch.float32) / 13 - 0.5
        values = torch.stack([value, *[-value] * (self.seats - 1)], dim=1)
        return (logits, values) if self.device == "cuda" else (logits.numpy(), values.numpy())


def check_search(game, trees: int = 256, simulations: int = 32, many: int = 16_384) -> None:
    """Compare what both devices find, with playouts and with a network, and measure how many simulations a second they make."""
    import torch

    from ludus.school import GumbelSearch, PlayoutSearch, customs

    found = {}
    for device in ("cpu", "cuda"):
        batch = Batch(game, trees, 5)
        batch.finish_random(20)
        views, custom = np.array(batch.observe()), customs(game)
        playouts = PlayoutSearch(game, trees, simulations, "random", 1, device, custom)
        nets = GumbelSearch(game, trees, Sums(game, device), simulations, device=device, seed=1)
        found[device] = [np.array(search.trees.host(search(views).visits)) for search in (playouts, nets)]
    same_trees = [int((one == other).all(axis=1).sum()) for one, other in zip(*found.values(), strict=True)]
    print(f"{game.name} search: equal visits in {same_trees[0]} (playouts) and {same_trees[1]} (network) of {trees} trees")
    views = np.array(Batch(game, many, 5).observe())
    for kind in ("playouts", "network"):
        if kind == "playouts":
            search = PlayoutSearch(game, many, simulations, "random", 1, "cuda", custom)
        else:
            search = GumbelSearch(game, many, Sums(game, "cuda"), simulations, device="cuda", seed=1, nodes=2048)
        search(views)
        torch.cuda.synchronize()
        started = time.perf_counter()
        np.array(search.trees.host(search(views).actions))
        rate = many * simulations / (time.perf_counter() - started)
        print(f"{game.name} search: {rate:,.0f} simulations/s with {kind}, {many} trees on cuda", flush=True)
    assert min(same_trees) >= 0.98 * trees, "the devices find different things"


def check_start(game) -> None:
    """Measure a second process, which finds the machine code kept: from its start to the end of a step."""
    script = f"from ludus import Batch; b = Batch('{game.name}', 1024, device='cuda'); b.encode(); m = b.host(b.legal())"
    script += "; b.step(m.argmax(axis=1)); b.host(b.done)"
    for run in ("first", "second"):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", script], check=True)
        print(f"{game.name} {run} process: {time.perf_counter() - started:.1f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
