"""The loopback server behind a page: it serves what it holds in memory, to this machine's browser, and ends with the page.

Its address has a token that nobody can guess; whoever asks by another name than this machine's, or from another page, is
refused. The page keeps one stream open as long as it is there: through it a game that is being played is told, too.
"""

from __future__ import annotations

import json
import secrets
import tempfile
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ludus.core import LudusError, one_line

from .envelope import Shelf, envelope, open_for_page
from .page_files import FIRST, KINDS, SERVED, page_files

HERE = "127.0.0.1"
NAMES = (HERE, "localhost")
GRACE = 4.0  # seconds without a page until the server ends: a page that is loaded again comes back sooner
BEAT = 1.0  # seconds between two signs of life, by which a page that is gone is noticed
LARGEST = 64 << 20  # bytes of a file that is dropped on the page
HEADERS = {
    "Content-Security-Policy": SERVED, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store",
}  # fmt: skip
Move = Callable[[dict[str, Any]], dict[str, Any]]  # what a person decided in a page; what came of it


class Story:
    """Messages to pages: whoever comes late is told all that is still to be told."""

    def __init__(self) -> None:
        self._told: list[tuple[int, bytes, bool]] = []  # number, message, whether it lasts
        self._count, self._news = 0, threading.Condition()

    def tell(self, message: dict[str, Any], lasts: bool = False) -> None:
        """Add a message; one that lasts outlives the game."""
        with self._news:
            self._count += 1
            self._told.append((self._count, json.dumps(message, separators=(",", ":")).encode(), lasts))
            self._news.notify_all()

    def begin(self) -> None:
        """Forget what was told of the game before."""
        with self._news:
            self._told = [entry for entry in self._told if entry[2]]

    def after(self, count: int, seconds: float) -> tuple[int, list[bytes]]:
        """Return the messages after so many, and how many that makes; wait a while if there are none."""
        with self._news:
            if self._count <= count:
                self._news.wait(seconds)
            return self._count, [message for number, message, _ in self._told if number > count]


class PageServer:
    """Serve the page to one browser; `wait` returns when the page is gone."""

    def __init__(
        self, shelf: Shelf, opened: dict[str, Any] | None = None, move: Move | None = None, port: int = 0, run: str = ""
    ) -> None:
        self.shelf, self.opened, self.move, self.run, self.story = shelf, opened, move, run, Story()
        self.token = secrets.token_urlsafe(24)
        self._files = page_files()
        self._streams, self._has_come, self._is_gone = 0, threading.Event(), threading.Event()
        self._lock, self._opening = threading.Lock(), threading.Lock()
        self._timer: threading.Timer | None = None
        try:
            self._http = _Server((HERE, port), _handler(self))
        except OSError as error:
            raise LudusError(f"nothing can be served at {HERE}:{port}: {one_line(error.strerror or str(error))}") from None
        self.port = int(self._http.server_address[1])
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HERE}:{self.port}/{self.token}/"

    @property
    def is_gone(self) -> bool:
        """Whether the page was there and is no more."""
        return self._is_gone.is_set()

    def wait_for_page(self) -> None:
        """Wait until a page is there; Ctrl-C is heard."""
        while not self._has_come.wait(0.2):
            pass

    def wait(self) -> None:
        """Wait until the page is gone; Ctrl-C is heard."""
        while not self._is_gone.wait(0.2):
            pass

    def close(self) -> None:
        """Serve no more."""
        self._is_gone.set()
        self._http.shutdown()
        self._http.server_close()

    def file(self, place: str) -> tuple[bytes, str] | None:
        """Return what stands at a relative address, and its kind; None is nothing."""
        place = place or FIRST
        if place == "ludus.json":
            with self._lock:
                told = envelope(self.shelf.listed(), self.opened, True, self.move is not None, run=self.run)
                return told, KINDS[".json"]
        data = self._files.get(place) or self.shelf.files().get(place)
        if data is None and (file := self.shelf.network_files().get(place)) is not None:
            data = file.read_bytes()
        return None if data is None else (data, KINDS.get(Path(place).suffix, "application/octet-stream"))

    def open(self, data: bytes, name: str) -> bytes:
        """Open a file that was dropped on the page, and return what the page is told of it."""
        with self._opening, tempfile.TemporaryDirectory(prefix="ludus-") as folder:
            file = Path(folder) / "dropped"
            file.write_bytes(data)
            opened = open_for_page(file, one_line(name, 100) or "the file", self.shelf)
            with self._lock:
                return envelope(self.shelf.listed(), opened, True)

    def come(self) -> None:
        """Note that a page has opened its stream."""
        with self._lock:
            self._streams += 1
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        self._has_come.set()

    def go(self) -> None:
        """Note that a stream was closed; the last one ends the server if no other comes."""
        with self._lock:
            self._streams -= 1
            if self._streams == 0:
                self._timer = threading.Timer(GRACE, self._leave)
                self._timer.daemon = True
                self._timer.start()

    def _leave(self) -> None:
        with self._lock:
            if self._streams == 0:
                self._is_gone.set()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a browser that goes away in the middle of an answer is no error."""


def _handler(page: PageServer) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        server_of = page

    return Handler


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server_of: PageServer
    protocol_version, server_version, sys_version = "HTTP/1.1", "ludus", ""
    timeout = 60

    def do_GET(self) -> None:
        """Send a file, or the stream of what happens."""
        place = self._place()
        if place == "alive":
            self._stream()
        elif place is not None:
            found = self.server_of.file(place)
            if found is None:
                self._refuse(HTTPStatus.NOT_FOUND)
            else:
                self._send(*found)

    def do_POST(self) -> None:
        """Take a file that was dropped on the page, or a person's move."""
        place = self._place()
        if place is None:
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST:
            self.close_connection = True
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        data = self.rfile.read(int(length))
        if place == "open":
            self._send(self.server_of.open(data, unquote(self.headers.get("X-Name", ""))), KINDS[".json"])
        elif place == "move" and self.server_of.move is not None:
            self._send(json.dumps(self._moved(data)).encode(), KINDS[".json"])
        else:
            self._refuse(HTTPStatus.NOT_FOUND)

    def _moved(self, data: bytes) -> dict[str, Any]:
        try:
            told = json.loads(data)
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict) or self.server_of.move is None:
            return {"error": "a move is a JSON object"}
        return self.server_of.move(told)

    def _place(self) -> str | None:
        """Return the address behind the token, if whoever asks is our own page; else refuse."""
        port = self.server_of.port
        hosts = {f"{name}:{port}" for name in NAMES}
        origin = self.headers.get("Origin")
        if self.headers.get("Host") not in hosts or origin not in (None, *(f"http://{host}" for host in hosts)):
            self._refuse(HTTPStatus.FORBIDDEN)
            return None
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self._refuse(HTTPStatus.FORBIDDEN)
            return None
        parts = self.path.partition("?")[0].split("/", 2)
        if len(parts) < 3 or not secrets.compare_digest(parts[1].encode(), self.server_of.token.encode()):
            self._refuse(HTTPStatus.FORBIDDEN)
            return None
        return parts[2]

    def _stream(self) -> None:
        """Tell what happens until the page is gone; signs of life go between, so that this is noticed."""
        page, count = self.server_of, 0
        page.come()
        try:
            self._head(HTTPStatus.OK, "text/event-stream", None)
            while not page.is_gone:
                count, messages = page.story.after(count, BEAT)
                self.wfile.write(b"".join(b"data: " + message + b"\n\n" for message in messages) or b": here\n\n")
                self.wfile.flush()
        except OSError:
            pass
        finally:
            self.close_connection = True
            page.go()

    def _send(self, data: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._head(status, kind, len(data))
        self.wfile.write(data)

    def _refuse(self, status: HTTPStatus) -> None:
        self._send(f"{status.value} {status.phrase}\n".encode(), KINDS[".txt"], status)

    def _head(self, status: HTTPStatus, kind: str, length: int | None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is None:
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(length))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the address has the token in it."""
