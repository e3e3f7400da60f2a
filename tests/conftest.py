"""What all tests share: a cache of compiled code of their own, so that they never depend on the user's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from ludus import games

# Compiled code of one test run is shared by its workers and kept for the next run: the cache is keyed by the sources.
os.environ.setdefault("LUDUS_CACHE_DIR", str(Path(tempfile.gettempdir()) / f"ludus-tests-{os.getuid()}"))

# Compiling happens inside tests, so a test's time says nothing; the same cases every time, so that a failure is one.
settings.register_profile("ludus", deadline=None, derandomize=True)
settings.load_profile("ludus")

ROOT = Path(__file__).parent.parent
# The command as a program. Of a process that was started in the background Python leaves Ctrl-C ignored.
START = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from ludus.cli import main; main()"


@contextmanager
def started(*words: str, **more: Any) -> Iterator[subprocess.Popen[str]]:
    """Run the command with some words beside the test; it never outlives it."""
    command = [sys.executable, "-c", START, *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def root() -> Path:
    """The source tree."""
    return ROOT


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A real browser."""
    from browsing import launched

    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with all games."""
    from browsing import served

    from ludus.viewers import write_site

    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    with served(folder) as address:
        yield address


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> games.Game:
    """A small game for tests (tests/tiny), installed as long as the test runs."""
    monkeypatch.setitem(games._folders(), "tiny", "tiny")
    return games.load("tiny")


@pytest.fixture
def own_handler() -> Iterator[None]:
    """Python's own handler of Ctrl-C: a process in the background starts without one."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt(work: Callable[[], object], is_time: Callable[[], bool]) -> None:
    """Work again and again until a Ctrl-C stops it, which comes as soon as the work has come so far."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def watch() -> None:
        while not is_time():
            time.sleep(0.0005)
        os.kill(os.getpid(), signal.SIGINT)

    watcher = threading.Thread(target=watch)
    try:
        watcher.start()  # in here: the signal may come before this returns
        while True:
            work()
    except KeyboardInterrupt:
        watcher.join()
    finally:
        signal.signal(signal.SIGINT, before)
