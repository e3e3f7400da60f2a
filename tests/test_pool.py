"""The threads that share a batch: every game is stepped once, whoever takes it, is parked, fails or is interrupted."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import numba
import numpy as np
import pytest
from conftest import interrupt

from ludus.core import LudusError
from ludus.engine import Batch
from ludus.engine.compiled import address
from ludus.engine.kernels import SEAT, STEPS
from ludus.engine.memory import ENCODE
from ludus.engine.pool import DONE, LEFT, LINE, MOST_KERNELS, PARKED, PIECES, WOKEN, WORKERS, WorkerPool
from ludus.games import load, names
from ludus.testing import same

GAME = load(names()[0])
HELPERS = 3
PATIENCE = 60  # seconds after which a test gives up on something that must come


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    """A pool that must be idle, and ready to help, when a test is done with it."""
    made = WorkerPool(HELPERS)
    yield made
    assert made._box[LEFT] <= 0
    assert made._box[DONE] >= made._box[PIECES]
    wait_until_idle(made)
    check_that_helpers_help(made)


def wait_for(is_so: Callable[[], bool]) -> None:
    """Wait for something that other threads do."""
    give_up = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < give_up, "nothing happened for a minute"
        time.sleep(0.001)


def wait_until_idle(pool: WorkerPool) -> None:
    """Wait until every worker is parked, or parked and about to be woken."""
    wait_for(lambda: bool((pool._box[WORKERS + PARKED :: LINE] | pool._box[WORKERS + WOKEN :: LINE]).all()))


def share(pool: WorkerPool, batch: Batch, pieces: int, *names: str) -> bool:
    """Run kernels, or play a random step, in every game of a batch."""
    kernels = [address(GAME, name) for name in names or ("random_steps",)]
    return pool.share(kernels, batch.n, pieces, batch._backend.address(batch._buffers))


def pair(n: int) -> tuple[Batch, Batch]:
    """Return two equal batches that are ready for single random steps and for painting."""
    batches = Batch(GAME, n, 5), Batch(GAME, n, 5)
    for batch in batches:
        batch.play_random(1)
        batch.encode()
    return batches


def check_that_helpers_help(pool: WorkerPool) -> None:
    """Let the leader do nothing but wait."""
    batch, _ = pair(300)
    steps, leaders = batch._buffers.tally[:, 0].copy(), pool._take

    def wait(box: int) -> int:
        wait_for(lambda: pool._box[LEFT] <= 0)
        return 0

    try:
        pool._take = wait
        assert share(pool, batch, 10)
    finally:
        pool._take = leaders
    assert np.array_equal(batch._buffers.tally[:, 0], steps + 1)


def test_every_game_is_stepped_once_by_pools_awake_and_asleep(pool: WorkerPool) -> None:
    chance = np.random.default_rng(1)
    for n in (1, 7, 640, 5000):
        shared, alone = pair(n)
        for round_ in range(300):
            if round_ % 50 == 0:
                wait_until_idle(pool)
            assert share(pool, shared, int(chance.integers(1, 40)))
            alone._run("random_steps")
        same(alone.states, shared.states, f"{n} games after 300 shared steps")
        assert np.array_equal(alone._buffers.tally, shared._buffers.tally)


def test_a_job_has_several_kernels_but_not_any_number(pool: WorkerPool) -> None:
    shared, alone = pair(1000)
    for batch in (shared, alone):
        batch._plan((SEAT, -1))
    assert share(pool, shared, 9, "random_steps", *ENCODE)
    alone._run("random_steps")
    assert np.array_equal(shared._buffers.planes, alone.encode())
    assert share(pool, shared, 9, *["observe"] * MOST_KERNELS)
    assert not share(pool, shared, 9, *["observe"] * (MOST_KERNELS + 1))


@pytest.mark.parametrize("where", ["_take", "_wake"])
def test_an_interrupt_leaves_nobody_at_work(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    shared, alone = pair(4000)
    steps = shared._buffers.tally[:, 0].copy()
    wait_until_idle(pool)

    def interrupted(*_: int) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(pool, where, interrupted)
        with pytest.raises(KeyboardInterrupt):
            share(pool, shared, 30)
    moved = shared._buffers.tally[:, 0] - steps
    assert set(np.unique(moved)) <= {0, 1}  # some pieces may have been taken, none twice
    wait_until_idle(pool)
    assert np.array_equal(shared._buffers.tally[:, 0] - steps, moved)
    shared.load(alone.states)
    shared._buffers.rngs[:], shared._buffers.dice[:] = alone._buffers.rngs, alone._buffers.dice
    assert share(pool, shared, 30)
    alone._run("random_steps")
    same(alone.states, shared.states, "the step after an interrupt")


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
def test_ctrl_c_is_heard_when_no_piece_is_under_way(pool: WorkerPool) -> None:
    batch, _ = pair(4 * HELPERS)
    batch._clear_tally()
    batch._plan((STEPS, 20_000))
    interrupt(lambda: share(pool, batch, 4 * HELPERS), lambda: batch._buffers.tally[:, 0].any())
    played = batch._buffers.tally[:, 0].copy()
    assert (played % 20_000 == 0).all()
    assert played.max() - played.min() <= 20_000  # pieces of one job are played once or not at all
    wait_until_idle(pool)
    assert np.array_equal(batch._buffers.tally[:, 0], played)


def test_a_worker_that_was_marked_but_not_woken_is_woken_with_the_next_job(pool: WorkerPool) -> None:
    wait_until_idle(pool)
    batch, _ = pair(300)
    pool._post(pool._at, HELPERS, 1 + HELPERS, 0, 0, 0)  # an empty job, of which its leader says nothing
    assert pool._box[WORKERS + WOKEN :: LINE].all()
    pool._finish(pool._at, 1)
    assert share(pool, batch, 30)
    assert not pool._box[WORKERS + WOKEN :: LINE].any()


@numba.njit("void(int64, int64, int64)")  # type: ignore[misc]
def bad(first: int, last: int, table: int) -> None:
    """Stand in for a kernel whose rules raise."""
    if first == 0:
        raise ValueError


def test_an_error_in_compiled_code_is_told(pool: WorkerPool) -> None:
    (code,) = bad.overloads.values()
    kernel = code.library.get_pointer_to_function(code.fndesc.llvm_func_name)
    with pytest.raises(LudusError, match="a rule raised an error in compiled code"):
        pool.share([kernel], 100, 10, 0)


def test_one_thread_leads_and_others_work_alone(pool: WorkerPool) -> None:
    shared, _ = pair(500)
    before = shared.states.copy()
    pool._leader["thread"] = threading.get_ident() + 1
    assert not share(pool, shared, 4)
    same(before, shared.states, "a batch that was not shared")
    pool._leader["thread"] = threading.get_ident()  # as an interrupt at the wrong moment may leave it
    assert share(pool, shared, 4)
    assert not pool._leader


MANY_AT_ONCE = """
import threading
from ludus import Batch, games

def work():
    batch = Batch(games.names()[0], 1000)
    batch.play_random(50)
    assert batch._buffers.tally[:, 0].sum() == 50_000

together = [threading.Thread(target=work) for _ in range(4)]
for thread in together: thread.start()
for thread in together: thread.join()
print([thread.name for thread in threading.enumerate()].count("ludus"))
"""

FORKED = """
import os, threading
from ludus import Batch, games

Batch(games.names()[0], 1000).play_random(3)  # the parent has threads now
if os.fork() == 0:
    assert threading.active_count() == 1
    batch = Batch(games.names()[0], 1000)
    batch.play_random(50)
    assert batch._buffers.tally[:, 0].sum() == 50_000
    print([thread.name for thread in threading.enumerate()].count("ludus"), flush=True)
    os._exit(0)
raise SystemExit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.parametrize(
    "script", [MANY_AT_ONCE, pytest.param(FORKED, marks=pytest.mark.skipif(sys.platform == "win32", reason="no fork"))]
)
def test_a_process_makes_one_pool_and_a_fork_its_own(script: str) -> None:
    command = [sys.executable, "-W", "ignore", "-c", script]
    ran = subprocess.run(
        command, env={**os.environ, "LUDUS_THREADS": "3"}, timeout=120, check=False, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "2"
