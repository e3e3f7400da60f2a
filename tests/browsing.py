"""What tests in a real browser share: Chromium, a site that this process serves, records, and pages that may not err."""

from __future__ import annotations

import functools
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ludus.arena import write_record
from ludus.core import Fault, Record
from ludus.engine import Table
from ludus.games import load

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
WIDE, PHONE = {"width": 1280, "height": 820}, {"width": 390, "height": 844}
SCENE = ".viewer .status"
OPENED = ".viewer, .error:not([hidden])"


class Quiet(SimpleHTTPRequestHandler):
    """Serve a folder and say nothing."""

    def log_message(self, *_: Any) -> None:
        """Print no line a request."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder to this machine and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def launched() -> Iterator[Any]:
    """Start Debian's Chromium."""
    api = pytest.importorskip("playwright.sync_api")
    if not Path(CHROMIUM).exists():
        pytest.skip("chromium is not installed: make test-browser installs it")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def tab(chromium: Any, **how: Any) -> Iterator[Any]:
    """Open an empty tab of its own; what its console calls an error, or an exception, fails the test."""
    context = chromium.new_context(**{"viewport": WIDE, "reduced_motion": "no-preference", **how})
    context.set_default_timeout(20_000)
    page, wrong = context.new_page(), list[str]()
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    try:
        yield page
        assert not wrong, wrong
    finally:
        context.close()


def random_record(name: str, decisions: int = 60, seed: int = 7, position: str = "", **more: Any) -> Record:
    """Return a game of random play, uncompiled, which may have been stopped."""
    table, chance = Table(load(name), seed, "pure", position or None), random.Random(seed)
    played, digests = [], []
    for _ in range(decisions):
        if table.over:
            break
        turn, seat, action = table.turn, table.seat, chance.choice(table.legal())
        table.apply(action)
        played.append((seat, action))
        if table.turn != turn or table.over:
            digests.append(table.digest())
    spec = table.spec
    given: dict[str, Any] = {
        "game": name, "rules": spec.version, "options": dict(table.game.options), "seed": seed,
        "agents": tuple(f"agent {seat}" for seat in range(len(spec.seats))), "result": table.result(),
        "decisions": tuple(played), "digests": tuple(digests), "seats": spec.seats, "position": position,
    }  # fmt: skip
    return Record(**{**given, **more})


def hostile_record(name: str) -> Record:
    """Return a record whose agent calls itself, and prints, markup."""
    markup = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    record = random_record(name)
    fault = Fault(record.decisions[5][0], 5, "crash", markup, stderr=(markup, "second line"))
    return random_record(name, agents=(markup,) * len(record.agents), faults=(fault,))


def saved(record: Record, folder: Path, name: str = "game.json.gz") -> Path:
    """Write a record and return its file."""
    write_record(record, folder / name)
    return folder / name


def open_file(page: Any, address: str, file: Path) -> None:
    """Load the page and give it a file."""
    page.goto(address)
    page.wait_for_selector(".dropzone")
    page.set_input_files("input[aria-label=record]", str(file))
    page.wait_for_selector(OPENED)


def turn_of(page: Any) -> int:
    """Return which turn is shown."""
    return int(page.inner_text(".count").split("/")[0])


def turns_of(page: Any) -> int:
    """Return the last turn there is."""
    return int(page.inner_text(".count").split("/")[1])


def set_up(page: Any, site: str, name: str, **options: Any) -> None:
    """Go where a game is set up, and fill in those of the options that it has."""
    page.goto(site)
    page.click(f".gamecard:has-text('{load(name).spec.title}')")
    page.wait_for_selector(".setup")
    for key, value in options.items():
        if page.locator(f"input[name={key}]").count():
            page.fill(f"input[name={key}]", str(value))
