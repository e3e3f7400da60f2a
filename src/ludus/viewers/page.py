"""Records and games in a web page: served to this machine's browser, written as one file, or as a site for any file host."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any

from ludus.core import BadRecord, LudusError, one_line

from .envelope import Shelf, envelope, open_for_page, packed, whole_shelf
from .page_files import FIRST, SERVED, page_files, single_file, with_policy
from .server import PageServer


def write_html(source: Path, target: Path) -> None:
    """Write a record, or a replay file of an original program, as one file that shows it wherever there is a browser."""
    shelf = Shelf()
    opened = _opened_well(source, shelf)
    chunks = _chunks(shelf, opened)
    told = envelope(shelf.embedded(), opened, is_served=False, chunks=chunks)
    _write(target, single_file(told, source.name, bool(chunks)))


def _chunks(shelf: Shelf, opened: dict[str, Any]) -> dict[str, str]:
    """Return what draws boards of several layers, if one is shown: it is larger than all the rest."""
    boards = [module.about["board"] for module in shelf.modules] + [opened.get("original", {}).get("board")]
    if not any(board and board.get("layers", 1) > 1 for board in boards):
        return {}
    return {"board3d": packed(page_files()["assets/board3d.js"])}


def write_site(folder: Path) -> list[str]:
    """Write a static site on which every installed game is played; return the games' titles."""
    shelf = whole_shelf(builds=True)
    files = {**page_files(), **shelf.files(), "ludus.json": envelope(shelf.listed(), None, is_served=False)}
    files[FIRST] = with_policy(files[FIRST].decode(), SERVED).encode()
    files |= {place: file.read_bytes() for place, file in shelf.network_files().items()}
    for place, data in files.items():
        _write(folder / place, data)
    return [module.about["title"] for module in shelf.modules]


def show_page(source: Path | None, opens: bool = True, port: int = 0) -> None:
    """Show the page, with a file if one is given, in this machine's browser, until it is closed or Ctrl-C comes."""
    shelf = whole_shelf()
    opened = None if source is None else _opened_well(source, shelf)
    server = PageServer(shelf, opened, port=port)
    try:
        invite(server, opens)
        server.wait()
    except KeyboardInterrupt:
        print()
    finally:
        server.close()


def invite(server: PageServer, opens: bool) -> None:
    """Open the page in the browser, and say where it is."""
    is_open = opens and _is_shown(server.address)
    what = "is open in your browser; close it or press Ctrl-C to end" if is_open else "can be opened in a browser; Ctrl-C ends"
    print(f"{server.address} {what}", flush=True)


def _opened_well(source: Path, shelf: Shelf) -> dict[str, Any]:
    """Open a file that the user has named; what is wrong with it is said before any page is."""
    opened = open_for_page(source, one_line(source.name, 100), shelf)
    if "error" in opened:
        raise BadRecord(opened["error"])
    return opened


def _is_shown(address: str) -> bool:
    try:
        return webbrowser.open(address)
    except Exception:  # whatever a browser's starter does
        return False


def _write(file: Path, data: Any) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f".{file.name}.part")
        part.write_bytes(data)
        part.replace(file)
    except OSError as error:
        raise LudusError(f"{one_line(str(file))} cannot be written: {one_line(error.strerror or str(error))}") from None
