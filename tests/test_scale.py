"""Units of work: the same results here and in processes, workers replaced, what fails again and again said in one sentence."""

import os
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from ludus.core import BadValue, LudusError, UnknownName
from ludus.scale import workers


def squared(shared: int, unit: int) -> int:
    return shared + unit * unit


def killed_once(folder: str, unit: int) -> int:
    """Kill the worker that has unit 3, the first time."""
    if unit == 3 and not Path(folder, "killed").exists():
        Path(folder, "killed").touch()
        os.kill(os.getpid(), 9)
    return unit


def always_killed(_: Any, unit: int) -> int:
    os._exit(1)


def fails(times: Path, unit: int) -> int:
    """Fail at unit 2 as often as there are files to use up."""
    left = sorted(times.iterdir())
    if unit == 2 and left:
        left[0].unlink()
        raise MemoryError("no room")
    return unit


def refused(_: Any, unit: int) -> int:
    raise UnknownName("version", 2, ["1"])  # an error that cannot be sent as it is


@pytest.mark.parametrize("jobs", [1, 2])
def test_units_are_done_once_each(jobs: int) -> None:
    team = workers(squared, 1, jobs=jobs)
    assert sorted(team.run(range(20))) == [(k, 1 + k * k) for k in range(20)]
    assert sorted(team.run(range(3))) == [(0, 1), (1, 2), (2, 5)]  # the same workers again
    assert team.waited > 0
    team.close()
    assert active_children() == []


def test_a_worker_that_is_killed_is_replaced_and_its_units_are_run_again(tmp_path: Path) -> None:
    told: list[str] = []
    team = workers(killed_once, str(tmp_path), jobs=2, tell=told.append)
    assert sorted(team.run(range(12))) == [(k, k) for k in range(12)]
    team.close()
    assert len(told) == 1
    assert "units that were under way are run again" in told[0]


def test_what_fails_again_and_again_stops(tmp_path: Path) -> None:
    for k in range(2):
        (tmp_path / str(k)).touch()
    told: list[str] = []
    team = workers(fails, tmp_path, jobs=2, tell=told.append)
    assert sorted(team.run([1, 2])) == [(1, 1), (2, 2)]
    assert told == ["a unit has failed and is run again: MemoryError: no room"] * 2
    for k in range(9):
        (tmp_path / str(k)).touch()
    with pytest.raises(LudusError, match="failed 3 times: MemoryError: no room"):
        list(team.run([2]))
    team.close()
    for work, why in ((always_killed, "ended 5 times in a row"), (refused, "unknown version 2; there is: 1")):
        team = workers(work, None, jobs=2)
        with pytest.raises(LudusError, match=why):
            list(team.run([1]))
        team.close()


def test_unknown_places_are_refused() -> None:
    with pytest.raises(BadValue, match="here, ray, or ray://host:port"):
        workers(squared, 0, on="moon")
