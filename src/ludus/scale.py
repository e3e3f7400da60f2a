"""Run many units of work: here, in processes of this machine, or on a Ray cluster.

A unit gives the same result wherever and however often it runs, so that one that was lost is simply run again. What all units
share is sent to a worker once. Whoever asks for the results writes them down: workers keep nothing.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import active_children, connection, get_context, parent_process
from typing import Any

from ludus.core import BadValue, LudusError, MissingExtra, one_line

AHEAD = 2  # units a worker that are handed out: one is done, one waits
MOST_LOST = 5  # times in a row that workers may end before anything comes of it
MOST_FAILED = 3  # times that one unit may fail

Work = Callable[[Any, Any], Any]  # is given what all units share, and a unit; a function of a module
Tell = Callable[[str], None]  # is told in one line what went wrong and was mended


class UnitFailed(Exception):
    """A unit that failed through no fault of a bot's: what it said."""


class Here:
    """Units one after the other in this process."""

    slots = 1

    def __init__(self, work: Work, shared: Any, tell: Tell) -> None:
        self._work, self._shared = work, shared
        self.waited = 0.0  # seconds that went into the work, or into waiting for it

    def run(self, units: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Give each unit with its result."""
        for unit in units:
            begun = time.perf_counter()
            result = self._work(self._shared, unit)
            self.waited += time.perf_counter() - begun
            yield unit, result

    def close(self) -> None:
        """Nothing is held."""


class Processes:
    """Units in worker processes of this machine, as they come; workers that end are replaced."""

    def __init__(self, work: Work, shared: Any, tell: Tell, jobs: int) -> None:
        self.slots, self.waited, self._tell = jobs, 0.0, tell
        self._about = work, shared
        self._before = set(active_children())
        self._open()

    def run(self, units: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Give each unit with its result, in the order in which they are done."""
        flying: dict[Future[Any], Any] = {}
        lost: list[Any] = []
        failed: dict[int, int] = {}  # by unit: how often
        breaks, left = 0, iter(units)
        while True:
            again, lost, is_broken = lost, [], False
            for unit in chain(again, islice(left, max(0, AHEAD * self.slots - len(flying) - len(again)))):
                try:
                    flying[self._pool.submit(_work, unit)] = unit
                except BrokenProcessPool:
                    lost.append(unit)
                    is_broken = True
            if not flying and not lost:
                return
            for future in self._done(flying):
                unit = flying.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    lost.append(unit)
                    is_broken = True
                except LudusError:
                    raise
                except Exception as error:
                    _count_failure(failed, unit, error, self._tell)
                    lost.append(unit)
                else:
                    breaks = 0
                    yield unit, result
            if is_broken:
                lost += flying.values()
                flying, breaks = {}, breaks + 1
                self._restart(len(lost), breaks)

    def _done(self, flying: dict[Future[Any], Any]) -> set[Future[Any]]:
        begun = time.perf_counter()
        done = wait(flying, return_when=FIRST_COMPLETED).done if flying else set()
        self.waited += time.perf_counter() - begun
        return done

    def _restart(self, lost: int, breaks: int) -> None:
        if breaks >= MOST_LOST:
            raise LudusError(f"worker processes have ended {breaks} times in a row; what they said is above")
        self._tell(f"a worker process has ended; {lost} units that were under way are run again")
        self.close()
        self._open()

    def _open(self) -> None:
        self._pool = ProcessPoolExecutor(self.slots, get_context("spawn"), _sit_down, self._about)

    def close(self) -> None:
        """End the workers; whoever stops early does not wait for what is under way."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - self._before:
            worker.kill()
        while set(active_children()) - self._before:  # `join` may return too early: the pool's own thread waits for them, too
            time.sleep(0.001)


class Cluster:
    """Units on a Ray cluster, which places them, restarts workers and runs again what a lost machine had."""

    def __init__(self, work: Work, shared: Any, tell: Tell, address: str, jobs: int, cores: int) -> None:
        ray = _ray()
        self._ray, self._tell, self.waited = ray, tell, 0.0
        _join(ray, address, jobs * cores)
        self._shared = ray.put(shared)
        self._task = ray.remote(num_cpus=cores, max_retries=MOST_LOST)(_work_there(work))
        self.slots = max(1, int(ray.cluster_resources().get("CPU", 1)) // cores)

    def run(self, units: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Give each unit with its result, in the order in which they are done."""
        flying: dict[Any, Any] = {}
        failed: dict[int, int] = {}
        left = iter(units)
        while True:
            for unit in islice(left, max(0, AHEAD * self.slots - len(flying))):
                flying[self._task.remote(self._shared, unit)] = unit
            if not flying:
                return
            begun = time.perf_counter()
            done, _ = self._ray.wait(list(flying), num_returns=1)
            self.waited += time.perf_counter() - begun
            for reference in done:
                unit = flying.pop(reference)
                try:
                    result = self._ray.get(reference)
                except self._ray.exceptions.RayError as error:
                    if isinstance(cause := getattr(error, "cause", None), LudusError):
                        raise cause from None
                    _count_failure(failed, unit, cause or error, self._tell)
                    flying[self._task.remote(self._shared, unit)] = unit
                else:
                    yield unit, result

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        self._ray.shutdown()


Workers = Here | Processes | Cluster


def workers(
    work: Work, shared: Any, on: str = "here", jobs: int = 1, tell: Tell = lambda line: None, cores: int = 1
) -> Workers:
    """Return what runs units: `on` is "here" (with several jobs: in as many processes), "ray" or "ray://host:port".

    A unit keeps so many cores busy.
    """
    if on == "here":
        return Here(work, shared, tell) if jobs == 1 else Processes(work, shared, tell, jobs)
    if on == "ray" or on.startswith("ray://"):
        return Cluster(work, shared, tell, on, jobs, cores)
    raise BadValue(f"work is done on: here, ray, or ray://host:port, not {on!r}")


def _count_failure(failed: dict[int, int], unit: Any, error: Exception, tell: Tell) -> None:
    """Tell of a unit that failed through no fault of a bot's; one that fails again and again stops the run."""
    failed[id(unit)] = failed.get(id(unit), 0) + 1
    text = one_line(str(error) if isinstance(error, UnitFailed) else f"{type(error).__name__}: {error}", 300)
    if failed[id(unit)] >= MOST_FAILED:
        raise LudusError(f"a unit of work has failed {MOST_FAILED} times: {text}") from error
    tell(f"a unit has failed and is run again: {text}")


_here: tuple[Work, Any] | None = None  # what a worker process works with


def _sit_down(work: Work, shared: Any) -> None:
    """Get a worker process ready: Ctrl-C is for whoever started it, without whom it ends, and one core is its own."""
    global _here
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["LUDUS_THREADS"] = "1"
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _here = work, shared


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)


def _work(unit: Any) -> Any:
    assert _here is not None
    return _sent(*_here, unit)


def _sent(work: Work, shared: Any, unit: Any) -> Any:
    """Work, and let what is raised be something that can be sent: not every error can."""
    try:
        return work(shared, unit)
    except LudusError as error:
        raise LudusError(str(error)) from None
    except Exception as error:
        raise UnitFailed(one_line(f"{type(error).__name__}: {error}", 300)) from None


def _work_there(work: Work) -> Work:
    """Return the work as a cluster runs it."""

    def unit_of_work(shared: Any, unit: Any) -> Any:
        os.environ["LUDUS_THREADS"] = "1"
        return _sent(work, shared, unit)

    return unit_of_work


def _ray() -> Any:
    try:
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # a notice about a future default
        import ray
    except ImportError:
        raise MissingExtra("ray, which runs work on many machines,", "scale") from None
    return ray


def _join(ray: Any, address: str, cores: int) -> None:
    """Join a cluster: the one that is named, here or in RAY_ADDRESS; else one is started on this machine."""
    quiet = {"logging_level": "ERROR", "log_to_driver": False}
    named = os.environ.get("RAY_ADDRESS", "") if address == "ray" else address
    try:
        if named:
            ray.init(named, **quiet)
        else:
            ray.init("local", num_cpus=cores, include_dashboard=False, **quiet)
    except Exception as error:
        if isinstance(error, ImportError) or "ray[client]" in str(error):
            raise MissingExtra("the client of ray, which joins a cluster from outside,", "scale") from None
        said = str(error).strip().splitlines()[-1] if "Traceback" in str(error) else str(error)  # the cluster's own
        raise LudusError(f"no cluster answers at {named or 'this machine'}: {one_line(said)}") from None
