"""The threads that share a batch: every game is stepped once, whoever takes it, sleeps, or is interrupted."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

from ludus.engine import Batch
from ludus.engine.compiled import address
from ludus.engine.crew import DONE, LEFT, PIECES, Crew
from ludus.games import load
from ludus.testing import same

GAME = load("chase")


@pytest.fixture(scope="module")
def crew() -> Crew:
    return Crew(3)


def share(crew: Crew, batch: Batch, pieces: int) -> bool:
    """Play a random step in every game of a batch."""
    return crew.share([address(GAME, "random_steps")], batch.n, pieces, batch._backend.address(batch.desk))


def pair(n: int) -> tuple[Batch, Batch]:
    """Return two equal batches that are ready for single random steps."""
    batches = Batch(GAME, n, 5), Batch(GAME, n, 5)
    for batch in batches:
        batch.play_random(1)
    return batches


def test_every_game_is_stepped_once_by_crews_awake_and_asleep(crew: Crew) -> None:
    chance = np.random.default_rng(1)
    for n in (1, 7, 640, 5000):
        shared, alone = pair(n)
        for round_ in range(300):
            if round_ % 50 == 0:
                time.sleep(0.01)  # all lie down meanwhile
            assert share(crew, shared, int(chance.integers(1, 40)))
            alone._run("random_steps")
        same(alone.states, shared.states, f"{n} games after 300 shared steps")
        assert np.array_equal(alone.desk.tally, shared.desk.tally)


def test_an_interrupt_leaves_no_piece_under_way_and_the_crew_ready(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    shared, alone = pair(4000)
    steps = shared.desk.tally[:, 0].copy()
    with monkeypatch.context() as patch:

        def interrupted(box: int) -> int:
            raise KeyboardInterrupt

        patch.setattr(crew, "_take", interrupted)
        with pytest.raises(KeyboardInterrupt):
            share(crew, shared, 30)
    assert crew._box[LEFT] <= 0
    assert crew._box[DONE] == crew._box[PIECES] == 30
    moved = shared.desk.tally[:, 0] - steps
    assert set(np.unique(moved)) <= {0, 1}  # some pieces may have been taken, none twice
    time.sleep(0.01)
    assert np.array_equal(shared.desk.tally[:, 0] - steps, moved)
    shared.load(alone.states)
    shared.desk.rngs[:], shared.desk.dice[:] = alone.desk.rngs, alone.desk.dice
    assert share(crew, shared, 30)
    alone._run("random_steps")
    same(alone.states, shared.states, "the step after an interrupt")


def test_one_thread_leads_and_others_work_alone(crew: Crew) -> None:
    shared, _ = pair(500)
    before = shared.states.copy()
    with crew._lock:
        assert not share(crew, shared, 4)
    same(before, shared.states, "a batch that was not shared")


FORKED = """
import os
from ludus import Batch
from ludus.testing import same

Batch("chase", 1000).play_random(3)  # the parent has threads now
if os.fork() == 0:
    batch = Batch("chase", 1000)
    batch.play_random(50)
    os._exit(0 if batch.desk.tally[:, 0].sum() == 50_000 else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork there")
def test_a_fork_has_a_crew_of_its_own() -> None:
    ran: Any = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], env=None, timeout=120, check=False)
    assert ran.returncode == 0
