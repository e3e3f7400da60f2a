"""One viewer for all games of a report: the page of Ludus as a file beside the report, which gets a record by its link.

A page from disk may fetch nothing, so that a link holds the record itself, gzipped, behind the `#`.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Sequence

from ludus.arena import record_as_json
from ludus.core import Record
from ludus.engine import module_of
from ludus.games import Game

from ..envelope import Shelf, envelope, packed
from ..page_files import page_files, single_file

# The page takes files that are dropped on it; this drops the one that the link holds, as soon as the page is there.
TAKE = """
const held = /^#record=([\\w-]+)&name=([^&]*)/.exec(location.hash);
if (held) addEventListener("load", () => {
  const letters = atob(held[1].replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  void window.ludus.app.take(new File([bytes], decodeURIComponent(held[2])));
});
"""


def viewer_page(games: Sequence[Game], title: str) -> str:
    """Return the page that shows records of these games; a LudusError says why it cannot be had."""
    shelf = Shelf()
    for game in games:
        shelf.place(module_of(game))
    is_layered = any(module.about["board"].get("layers", 1) > 1 for module in shelf.modules)
    chunks = {"board3d": packed(page_files()["assets/board3d.js"])} if is_layered else {}
    page = single_file(envelope(shelf.embedded(), None, is_served=False, chunks=chunks), title, bool(chunks)).decode()
    digest = base64.b64encode(hashlib.sha256(TAKE.encode()).digest()).decode()
    page = page.replace("script-src ", f"script-src 'sha256-{digest}' ", 1)
    return page.replace("</head>", f"<script>{TAKE}</script>\n</head>", 1)


def fragment(record: Record, name: str) -> str:
    """Return what stands behind the viewer's address to open a record; `name` is of letters, digits and hyphens."""
    held = base64.urlsafe_b64encode(gzip.compress(record_as_json(record), 9, mtime=0)).decode().rstrip("=")
    return f"#record={held}&name={name}"
