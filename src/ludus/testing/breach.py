"""What is wrong, in one sentence that names the place in the author's files."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from ludus.core import LudusError, one_line

MOST = 400  # characters of a sentence


class CheckFailed(LudusError):
    """A game or a bot does not keep the contract."""


class Misuse(Exception):
    """Something that a rule may not do with a row or a table; the checked ones raise it."""


class TimeUp(BaseException):
    """A call has not returned in its time. No `except Exception` of an author may catch it."""


def fail(words: str) -> NoReturn:
    """Raise a breach of the contract."""
    raise CheckFailed(one_line(words, MOST))


def told(error: BaseException, folder: Path, doing: str = "") -> CheckFailed:
    """Return an error as a breach: where in the author's files, what was called, what happened."""
    place, what = place_of(error, folder), one_line(str(error), 300)
    if isinstance(error, TimeUp):
        what = f"a loop that does not end? {doing or 'it'} has not returned after {what}"
    elif isinstance(error, FloatingPointError):
        what = f"{what}: a number is larger than its type; read it through int(…) first"
    elif not isinstance(error, Misuse | LudusError):
        what = f"{type(error).__name__}: {what}"
    if doing and not isinstance(error, TimeUp):
        what += f" ({doing})"
    return CheckFailed(one_line(f"{place}: {what}" if place else what, MOST))


def place_of(error: BaseException, folder: Path) -> str:
    """Return the innermost place of an error that stands in a file of the folder."""
    if isinstance(error, SyntaxError) and error.filename and _is_in(error.filename, folder):
        return f"{_short(error.filename, folder)} line {error.lineno}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if _is_in(frame.filename, folder):
            inside = f", in {frame.name}" if frame.name.isidentifier() else ""
            return f"{_short(frame.filename, folder)} line {frame.lineno}{inside}"
    return ""


def at(function: Callable[..., Any]) -> str:
    """Return where a function of the author's is defined."""
    code = function.__code__
    return f"{Path(code.co_filename).name} line {code.co_firstlineno}"


def _is_in(file: str, folder: Path) -> bool:
    return Path(file).resolve().is_relative_to(folder.resolve())


def _short(file: str, folder: Path) -> str:
    return str(Path(file).resolve().relative_to(folder.resolve()))
