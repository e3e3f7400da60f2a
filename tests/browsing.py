"""What tests in a real browser share: Chromium, a site that this process serves, records, and pages that may not err."""

from __future__ import annotations

import base64
import functools
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.arena import write_record
from ludus.core import Fault, Record
from ludus.engine import Batch, Table
from ludus.games import load

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 60_000  # milliseconds for whatever is waited for: cores may be busy
WIDE, PHONE = {"width": 1280, "height": 820}, {"width": 390, "height": 844}
SCENE = ".viewer .status"
OPENED = ".viewer, .error:not([hidden])"
PLAY_RANDOM = """async ({ index, games, steps, rounds, bytes }) => {
  // Play the same random decisions as the other backend, several times over; the first ones are compared.
  const { about, module } = await ludus.app.envelope.load(index);
  const room = new ludus.Room(about, module, games, ["random_steps", "digest"]);
  const start = {}, seconds = [];
  for (const [name, text] of Object.entries(bytes)) start[name] = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  let digests = "";
  for (let round = 0; round < rounds; round++) {
    for (const [name, data] of Object.entries(start)) room.bytes(name).set(data);
    room.plan("steps", steps);
    const begun = performance.now();
    room.call("random_steps", games);
    seconds.push((performance.now() - begun) / 1000);
    room.call("digest", games);
    digests ||= Array.from(room.numbers("digests"), (digest) => digest.toString(16).padStart(16, "0")).join("");
  }
  return { digests, seconds: Math.min(...seconds) };
}"""


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
    context.set_default_timeout(PATIENCE)
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


def painted(page: Any) -> None:
    """Wait until what was done has been drawn: two pictures later, however long they take."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def set_up(page: Any, site: str, name: str, **options: Any) -> None:
    """Go where a game is set up, and fill in those of the options that it has."""
    page.goto(site)
    page.click(f".gamecard:has-text('{load(name).spec.title}')")
    page.wait_for_selector(".setup")
    for key, value in options.items():
        if page.locator(f"input[name={key}]").count():
            page.fill(f"input[name={key}]", str(value))


def random_play(page: Any, name: str, index: int, games: int, steps: int, rounds: int) -> tuple[dict[str, Any], str, float]:
    """Play the same random decisions in the page and by the CPU backend.

    Return what the page found (`digests` of all games, `seconds` of its best round), the digests and the best round of the CPU.
    """
    batch = Batch(name, games, 1, "cpu")
    batch.play_random(1)  # compiles
    batch.new(1)
    told = {key: np.ascontiguousarray(getattr(batch._buffers, key)).tobytes() for key in ("states", "rngs", "dice", "plan")}
    batch.play_random(steps)
    digests, seconds = "".join(f"{digest:016x}" for digest in np.asarray(batch.digest()).tolist()), []
    for _ in range(rounds):
        batch.new(1)
        begun = time.perf_counter()
        batch.play_random(steps)
        seconds.append(time.perf_counter() - begun)
    bytes_ = {key: base64.b64encode(value).decode() for key, value in told.items()}
    found = page.evaluate(PLAY_RANDOM, {"index": index, "games": games, "steps": steps, "rounds": rounds, "bytes": bytes_})
    return found, digests, min(seconds)
