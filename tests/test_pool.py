"""The threads that share a batch: every game is stepped once, whoever takes it, sleeps, fails or is interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import numba
import numpy as np
import pytest
from ludus.engine.crew import BEDS, CALLED, DONE, LEFT, LINE, MOST_KERNELS, PIECES, Crew

from ludus.core import LudusError
from ludus.engine import Batch
from ludus.engine.batch import ENCODE
from ludus.engine.compiled import address
from ludus.engine.kernels import SEAT, STEPS
from ludus.games import load
from ludus.testing import same

GAME = load("chase")
HELPERS = 3
TO_BED = 0.05  # seconds after which no helper is awake


@pytest.fixture
def crew() -> Iterator[Crew]:
    """A crew that must be idle, and ready to help, when a test is done with it."""
    made = Crew(HELPERS)
    yield made
    assert made._box[LEFT] <= 0
    assert made._box[DONE] >= made._box[PIECES]
    time.sleep(TO_BED)
    check_that_helpers_help(made)


def share(crew: Crew, batch: Batch, pieces: int, *names: str) -> bool:
    """Run kernels, or play a random step, in every game of a batch."""
    kernels = [address(GAME, name) for name in names or ("random_steps",)]
    return crew.share(kernels, batch.n, pieces, batch._backend.address(batch.desk))


def pair(n: int) -> tuple[Batch, Batch]:
    """Return two equal batches that are ready for single random steps and for painting."""
    batches = Batch(GAME, n, 5), Batch(GAME, n, 5)
    for batch in batches:
        batch.play_random(1)
        batch.encode()
    return batches


def check_that_helpers_help(crew: Crew) -> None:
    """Let the leader do nothing but wait."""
    batch, _ = pair(300)
    steps, leaders = batch.desk.tally[:, 0].copy(), crew._take

    def wait(box: int) -> int:
        give_up = time.monotonic() + 10
        while crew._box[LEFT] > 0 and time.monotonic() < give_up:
            time.sleep(0.001)
        return 0

    try:
        crew._take = wait
        assert share(crew, batch, 10)
    finally:
        crew._take = leaders
    assert np.array_equal(batch.desk.tally[:, 0], steps + 1)


def test_every_game_is_stepped_once_by_crews_awake_and_asleep(crew: Crew) -> None:
    chance = np.random.default_rng(1)
    for n in (1, 7, 640, 5000):
        shared, alone = pair(n)
        for round_ in range(300):
            if round_ % 50 == 0:
                time.sleep(TO_BED)
            assert share(crew, shared, int(chance.integers(1, 40)))
            alone._run("random_steps")
        same(alone.states, shared.states, f"{n} games after 300 shared steps")
        assert np.array_equal(alone.desk.tally, shared.desk.tally)


def test_a_job_has_several_kernels_but_not_any_number(crew: Crew) -> None:
    shared, alone = pair(1000)
    for batch in (shared, alone):
        batch._plan(SEAT, -1)
    assert share(crew, shared, 9, "random_steps", *ENCODE)
    alone._run("random_steps")
    assert np.array_equal(shared.desk.planes, alone.encode())
    assert share(crew, shared, 9, *["observe"] * MOST_KERNELS)
    assert not share(crew, shared, 9, *["observe"] * (MOST_KERNELS + 1))


@pytest.mark.parametrize("where", ["_take", "_call"])
def test_an_interrupt_leaves_nobody_at_work(crew: Crew, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    shared, alone = pair(4000)
    steps = shared.desk.tally[:, 0].copy()
    time.sleep(TO_BED)

    def interrupted(*_: int) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(crew, where, interrupted)
        with pytest.raises(KeyboardInterrupt):
            share(crew, shared, 30)
    moved = shared.desk.tally[:, 0] - steps
    assert set(np.unique(moved)) <= {0, 1}  # some pieces may have been taken, none twice
    time.sleep(TO_BED)
    assert np.array_equal(shared.desk.tally[:, 0] - steps, moved)
    shared.load(alone.states)
    shared.desk.rngs[:], shared.desk.dice[:] = alone.desk.rngs, alone.desk.dice
    assert share(crew, shared, 30)
    alone._run("random_steps")
    same(alone.states, shared.states, "the step after an interrupt")


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
def test_ctrl_c_is_heard_when_no_piece_is_under_way(crew: Crew) -> None:
    batch, _ = pair(4 * HELPERS)
    batch._clear_tally()
    batch._plan(STEPS, 300_000)  # a piece takes some hundredths of a second
    threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        share(crew, batch, 4 * HELPERS)
    played = batch.desk.tally[:, 0].copy()
    assert set(np.unique(played)) <= {0, 300_000}
    time.sleep(TO_BED)
    assert np.array_equal(batch.desk.tally[:, 0], played)


def test_a_helper_that_was_marked_but_not_called_is_called_with_the_next_job(crew: Crew) -> None:
    time.sleep(TO_BED)
    batch, _ = pair(300)
    crew._put_up(crew._at, HELPERS, 1 + HELPERS, 0, 0, 0)  # an empty job, of which its leader says nothing
    assert crew._box[BEDS + CALLED :: LINE].all()
    crew._finish(crew._at, 1)
    assert share(crew, batch, 30)
    assert not crew._box[BEDS + CALLED :: LINE].any()


@numba.njit("void(int64, int64, int64)")  # type: ignore[misc]
def bad(first: int, last: int, table: int) -> None:
    """Stand in for a kernel whose rules raise."""
    if first == 0:
        raise ValueError


def test_an_error_in_compiled_code_is_told(crew: Crew) -> None:
    (code,) = bad.overloads.values()
    kernel = code.library.get_pointer_to_function(code.fndesc.llvm_func_name)
    with pytest.raises(LudusError, match="a rule raised an error in compiled code"):
        crew.share([kernel], 100, 10, 0)


def test_one_thread_leads_and_others_work_alone(crew: Crew) -> None:
    shared, _ = pair(500)
    before = shared.states.copy()
    with crew._lock:
        assert not share(crew, shared, 4)
    same(before, shared.states, "a batch that was not shared")


MANY_AT_ONCE = """
import threading
from ludus import Batch

def work():
    batch = Batch("chase", 1000)
    batch.play_random(50)
    assert batch.desk.tally[:, 0].sum() == 50_000

together = [threading.Thread(target=work) for _ in range(4)]
for thread in together: thread.start()
for thread in together: thread.join()
print([thread.name for thread in threading.enumerate()].count("ludus"))
"""

FORKED = """
import os, threading
from ludus import Batch

Batch("chase", 1000).play_random(3)  # the parent has threads now
if os.fork() == 0:
    assert threading.active_count() == 1
    batch = Batch("chase", 1000)
    batch.play_random(50)
    assert batch.desk.tally[:, 0].sum() == 50_000
    print([thread.name for thread in threading.enumerate()].count("ludus"), flush=True)
    os._exit(0)
raise SystemExit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.parametrize(
    "script", [MANY_AT_ONCE, pytest.param(FORKED, marks=pytest.mark.skipif(sys.platform == "win32", reason="no fork"))]
)
def test_a_process_makes_one_crew_and_a_fork_its_own(script: str) -> None:
    command = [sys.executable, "-W", "ignore", "-c", script]
    ran = subprocess.run(
        command, env={**os.environ, "LUDUS_THREADS": "3"}, timeout=120, check=False, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "2"
