"""The page as it was built (web/), and as one file that works from disk: scripts, styles, modules and the game inside it.

A page may run its own code and nothing else: its content security policy names what it holds by its hash, or by its place.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from pathlib import Path

from ludus.core import LudusError, one_line

PAGE = Path(__file__).parent / "page"
FIRST = "index.html"
KINDS = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png",
    ".ico": "image/x-icon", ".txt": "text/plain; charset=utf-8", ".gz": "application/gzip", ".onnx": "application/octet-stream",
}  # fmt: skip
SCRIPT = re.compile(r'<script\b[^>]*\bsrc="(?:\./)?([^"]+)"[^>]*></script>')
STYLE = re.compile(r'<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="(?:\./)?([^"]+)"[^>]*>')
POLICY = re.compile(r'[ \t]*<meta\b[^>]*http-equiv="Content-Security-Policy"[^>]*>\n?', re.I)
HINT = re.compile(r'[ \t]*<link\b(?=[^>]*\brel="(?:modulepreload|icon|manifest)")[^>]*>\n?')


def page_files() -> dict[str, bytes]:
    """Return the files of the page by their relative addresses."""
    found = {file.relative_to(PAGE).as_posix(): file.read_bytes() for file in sorted(PAGE.rglob("*")) if file.is_file()}
    if FIRST not in found:
        raise LudusError("the page is not part of this installation; in the project, build it: see web/README.md")
    return found


def policy(scripts: list[str], styles: list[str], is_alone: bool) -> str:
    """Return a content security policy: own code alone, and nobody to talk to but the server that the page came from."""
    whence = "'none'" if is_alone else "'self'"
    parts = {
        "default-src": "'none'", "script-src": " ".join([*scripts, "'wasm-unsafe-eval'"]), "style-src": " ".join(styles),
        "img-src": "data: blob:" if is_alone else "'self' data: blob:", "worker-src": "blob:" if is_alone else "'self' blob:",
        "font-src": "data:", "connect-src": whence, "base-uri": "'none'", "form-action": "'none'",
    }  # fmt: skip
    return "; ".join(f"{name} {value}" for name, value in parts.items())


SERVED = policy(["'self'"], ["'self'"], is_alone=False)


def single_file(told: bytes, title: str, has_chunks: bool = False) -> bytes:
    """Return the page as one file that needs nothing else, with what it is told inside."""
    files, scripts, styles = page_files(), ["blob:"] if has_chunks else [], list[str]()
    page = HINT.sub("", files[FIRST].decode())
    page = SCRIPT.sub(_inside(files, scripts, '<script type="module">', "</script>"), page)
    page = STYLE.sub(_inside(files, styles, "<style>", "</style>"), page)
    safe = told.decode().replace("<", "\\u003c")  # no text in it can end the block
    data = f'<script type="application/json" id="ludus">{safe}</script>'
    page = re.sub(r"<title>.*?</title>", lambda _: f"<title>{_text(title)}</title>", page, count=1, flags=re.S)
    page = re.sub(r"</head>", lambda found: f"{data}\n{found[0]}", page, count=1)
    return with_policy(page, policy(scripts, styles, is_alone=True)).encode()


def with_policy(page: str, wanted: str) -> str:
    """Return a page that brings its policy itself: no server sends one with it."""
    head = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{wanted}">'
    return POLICY.sub("", page).replace("<head>", head, 1)


def _inside(files: dict[str, bytes], hashes: list[str], first: str, last: str) -> Callable[[re.Match[str]], str]:
    """Return what puts a file in place of the tag that names it, and notes its hash."""

    def put(found: re.Match[str]) -> str:
        text = files[found[1]].decode()
        if last == "</script>":
            # The same to a reader of the code, and no end of the block to a reader of the page.
            text = text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
        hashes.append(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'")
        return f"{first}{text}{last}"

    return put


def _text(words: str) -> str:
    """Return words as text of a page."""
    import html

    return html.escape(one_line(words))
