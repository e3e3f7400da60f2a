"""Ctrl-C in the middle of a step: what is shown after it belongs to the positions as they are."""

import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import interrupt

from ludus.core import LudusError
from ludus.engine import Batch, Table
from ludus.engine.pure import kernels_of
from ludus.games import Game, load, names

pytestmark = pytest.mark.usefixtures("own_handler")


@pytest.fixture
def interrupted(tiny: Game, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let a signal come inside a kernel of Tiny, uncompiled, after its first game; the kernel is whole again then."""

    def patch(name: str) -> None:
        kernel = kernels_of(tiny)[name]

        def step_and_signal(i: int, b: Any) -> None:
            kernel(i, b)
            monkeypatch.setitem(kernels_of(tiny), name, kernel)
            signal.raise_signal(signal.SIGINT)

        monkeypatch.setitem(kernels_of(tiny), name, step_and_signal)

    return patch


def check_masks(batch: Batch) -> None:
    """Compare masks and counts with those of a batch that never knew another position."""
    fresh = Batch(batch.game, batch.n, device="pure")
    fresh.load(np.asarray(batch.states))
    assert np.array_equal(batch.legal(), fresh.legal())
    assert np.array_equal(batch.counts(), fresh.counts())


def test_an_interrupted_step_leaves_no_stale_mask(tiny: Game, interrupted: Callable[[str], None]) -> None:
    batch = Batch(tiny, 3, device="pure")
    batch.step([0, 0, 0])
    before = batch.states.copy()
    assert batch.legal()[0, 1] == 1
    interrupted("step")
    with pytest.raises(KeyboardInterrupt):
        batch.step([1, 1, 1])
    assert batch.states["total"][0] == before["total"][0] + 2  # the first game was stepped, the others not
    assert np.array_equal(batch.states[1:], before[1:])
    check_masks(batch)


@pytest.mark.parametrize("kernel", ["new", "random_steps", "bot_game"])
def test_other_ways_to_change_positions(tiny: Game, interrupted: Callable[[str], None], kernel: str) -> None:
    batch = Batch(tiny, 3, device="pure")
    ways = {"new": batch.new, "random_steps": lambda: batch.play_random(1), "bot_game": lambda: batch.finish(["random"] * 3)}
    ways[kernel]()
    batch.new()
    batch.step(batch.legal().argmax(axis=1))
    batch.legal()
    interrupted(kernel)
    with pytest.raises(KeyboardInterrupt):
        ways[kernel]()
    check_masks(batch)


def test_an_interrupted_table_knows_its_position(tiny: Game, interrupted: Callable[[str], None]) -> None:
    interrupted("play_one")
    table = Table(tiny, 1, "pure")
    assert table.legal() == [0, 1, 2, 3]
    with pytest.raises(KeyboardInterrupt):
        table.apply(2)
    assert table.legal() == [0, 1, 3]
    assert table.mask.tolist() == [1, 1, 0, 1]


@pytest.mark.parametrize("kernel", ["new", "sound"])
def test_an_interrupted_start_leaves_the_position_that_was_there(
    tiny: Game, interrupted: Callable[[str], None], kernel: str
) -> None:
    other = Table(tiny, 2, "pure").s.copy()
    table = Table(tiny, 1, "pure", other if kernel == "new" else None)  # has not called this kernel yet
    table.apply(2)
    before = bytes(table.s.bytes)
    interrupted(kernel)
    with pytest.raises(KeyboardInterrupt):
        table.begin(2, None if kernel == "new" else other)
    assert bytes(table.s.bytes) == before
    assert table.legal() == Table(tiny, 1, "pure", table.s).legal()


def test_an_interrupted_seat_begins_again(tiny: Game, interrupted: Callable[[str], None]) -> None:
    """Some games have gone on and others not: no answer fits what the seat was shown."""
    batch = Batch(tiny, 3, device="pure")
    seat = batch.seat(1)
    mask = seat.reset(1).mask.copy()
    interrupted("seat_step")
    with pytest.raises(KeyboardInterrupt):
        seat.step(mask.argmax(axis=1))
    with pytest.raises(LudusError, match=r"begin with reset\(\)"):
        seat.step(mask.argmax(axis=1))
    assert np.array_equal(seat.reset(1).mask, mask)


@pytest.mark.parametrize("games", [100, 5000])
def test_compiled_play_that_is_interrupted(games: int) -> None:
    """Few games are stepped by one thread, many by all of them."""
    batch = Batch(load(names()[0]), games, 3)
    batch.legal()
    interrupt(lambda: batch.play_random(50), lambda: batch._buffers.tally is not None and batch._buffers.tally.any())
    check_masks(batch)
    batch.step(batch.legal().argmax(axis=1))
    check_masks(batch)


COMMAND = """
import ctypes, signal, sys, time
import ludus.cli, ludus.cli.listing
signal.signal(signal.SIGINT, signal.default_int_handler)
come = lambda: signal.raise_signal(signal.SIGINT)
ludus.cli.listing.print_games = lambda: ({}, time.sleep(20))
sys.argv = ["ludus", "games"]
ludus.cli.main()
"""


@pytest.mark.parametrize("way", ["come()", "ctypes.CFUNCTYPE(None)(come)()"])
def test_every_command_hears_ctrl_c_and_says_so(way: str) -> None:
    """Also one that falls into a call back from C, as when something is compiled: Python drops it with a traceback."""
    done = subprocess.run([sys.executable, "-c", COMMAND.format(way)], capture_output=True, text=True, timeout=15)
    assert (done.returncode, done.stderr.strip()) == (130, "stopped")
