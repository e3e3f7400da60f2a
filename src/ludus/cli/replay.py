"""`ludus replay`: what can be done with records."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress

from ludus.arena import Original, open_any, read_records, rerun
from ludus.core import BadRecord, LudusError, Record, UnknownName, one_line

from .pictures import NO_EXPORTS, VIEWS, Exports, write_pictures

if TYPE_CHECKING:
    from ludus.viewers import SceneReel, TableReel

DEVICES = ("cpu", "pure")
ENDINGS = (".json", ".jsonl", ".json.gz", ".jsonl.gz")  # of what is looked at in a folder


@dataclass
class Verdict:
    """What was found in one file."""

    file: str
    games: int = 0  # that are as they were recorded
    decisions: int = 0  # of those
    error: str = ""  # the first thing that is wrong, or ""


def verify(paths: list[Path], device: str, as_json: bool) -> int:
    """Run every record again and say of each file whether it is sound; return the exit code."""
    if device not in DEVICES:
        raise UnknownName("device", device, DEVICES)
    files, found = [file for path in paths for file in _files(path)], []
    console, is_seen = Console(stderr=True), sys.stdout.isatty()
    # What is printed meanwhile stands above the bar, but goes where it should if that is a pipe.
    with Progress(console=console, transient=True, redirect_stdout=is_seen, disable=not sys.stderr.isatty()) as progress:
        for file in progress.track(files, description=f"{len(files)} files"):
            verdict = _verified(file, device)
            found.append(verdict)
            if not as_json:
                print(_line(verdict))
    wrong = sum(bool(verdict.error) for verdict in found)
    if as_json:
        print(json.dumps({"files": [asdict(verdict) for verdict in found], "wrong": wrong}))
    elif len(found) > 1:
        games = sum(verdict.games for verdict in found)
        others = f"; {wrong} files are wrong" if wrong else ""
        print(f"{games} games in {len(found)} files are as they were recorded{others}")
    return 1 if wrong else 0


@dataclass(frozen=True)
class Look:
    """How a recorded game is looked at."""

    view: str | None = None
    is_plain: bool = False
    html: Path | None = None  # where it is written as a page
    opens: bool = True  # the browser
    port: int = 0

    def settled(self, has_file: bool) -> str:
        """Return the view: what was asked for, or the browser for whoever sits before a screen."""
        if self.view is not None and self.view not in VIEWS:
            raise UnknownName("view", self.view, VIEWS)
        if not has_file and (self.is_plain or self.view in ("terminal", "window")):
            raise LudusError("name a file to be shown; without one the page in the browser is opened")
        if self.view is None and not self.is_plain:
            return "browser" if not has_file or (_has_screen() and sys.stdout.isatty()) else "terminal"
        return self.view or "terminal"


def show_replay(file: Path | None, look: Look, wanted: Exports = NO_EXPORTS) -> None:
    """Write a recorded game as pictures or a page, or show it: in the browser, in a window, or in the terminal."""
    from ludus.viewers import show_page, write_html

    view = look.settled(file is not None)
    if look.html is not None:
        if file is None:
            raise LudusError("name the record that is to be written as a page")
        write_html(file, look.html)
        print(f"wrote {look.html}")
    elif view == "browser" and not wanted:
        show_page(file, look.opens, look.port)
    elif file is None:
        raise LudusError("name the record of which pictures are wanted")
    else:
        _show_reel(file, view, look.is_plain, wanted)


def _has_screen() -> bool:
    """Whether a browser could open a window here."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _show_reel(file: Path, view: str, is_plain: bool, wanted: Exports) -> None:
    """Write a recorded game as pictures, or show it: step by step in a terminal or a window, all of it elsewhere."""
    from ludus.viewers import Keys, Screen, show_reel, step_through

    reel, seats = _opened(file)
    if wanted:
        write_pictures(reel, wanted, file.name.partition(".")[0])
        return
    if view == "window":
        show_reel(reel, one_line(file.name))
        return
    screen = Screen(is_plain)
    names = ", ".join(f"{seat} {one_line(agent)}" for seat, agent in zip(seats, reel.names, strict=True))
    screen.head(f"{one_line(file.name)}: {names}")
    if screen.is_live and sys.stdin.isatty():
        with Keys() as keys:
            step_through(len(reel) - 1, reel.scene, screen, keys)
    else:
        step_through(len(reel) - 1, reel.scene, screen)


def _opened(file: Path) -> tuple[SceneReel | TableReel, tuple[str, ...]]:
    """Return what a file shows, and the names of the seats; a replay file of an original program brings its own scenes."""
    from ludus.viewers import SceneReel, reel_of

    opened = open_any(file)
    if not isinstance(opened, Original):
        return reel_of(opened), opened.game.spec.seats
    return SceneReel(opened.scenes, opened.names), opened.game.spec.seats


def _files(path: Path) -> list[Path]:
    """List the records of a folder; a file is itself, whatever its name."""
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.rglob("*") if file.name.endswith(ENDINGS) and not file.name.startswith("."))
    if not files:
        raise LudusError(f"{one_line(str(path))} holds no files whose names end in {', '.join(ENDINGS)}")
    return files


def _verified(file: Path, device: str) -> Verdict:
    """Run what a file holds again."""
    verdict = Verdict(one_line(str(file)))
    try:
        for number, record in enumerate(read_records(file), 1):
            verdict.error = _problem(record, device)
            if verdict.error:
                verdict.error = f"game {number}: {verdict.error}" if number > 1 else verdict.error
                break
            verdict.games += 1
            verdict.decisions += len(record.decisions)
    except BadRecord as error:
        verdict.error = str(error).removeprefix(f"{verdict.file} ")
    return verdict


def _problem(record: Record, device: str) -> str:
    try:
        for _ in rerun(record, device):
            pass
    except BadRecord as error:
        return str(error)
    return ""


def _line(verdict: Verdict) -> str:
    if verdict.error:
        return f"{verdict.file}: {verdict.error}"
    games = "" if verdict.games == 1 else f"{verdict.games} games, "
    return f"{verdict.file}: ok, {games}{verdict.decisions} decisions"
