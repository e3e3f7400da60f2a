"""How a game looks: what its scene.py says, or the least that follows from its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ludus.core import Board, LudusError, NumberWord, Words, frame_type

from .derived import written

MOST_SHOWN = 16  # numbers of a field in a picture that nobody wrote
NEEDED = ("Frame", "BOARD", "WORDS", "show")  # what a scene.py must have


class Picture(NamedTuple):
    """The rules that fill frames, and the words for what they fill in."""

    frame: np.dtype[Any]
    board: Board
    words: Words
    show: Callable[..., None]  # (view, frame): what a seat sees
    show_all: Callable[..., None]  # (s, frame): what a spectator sees


def picture(game: Any) -> Picture:
    """Return how a game looks."""
    if not game.has("scene"):
        return _numbers_alone(game.state_type, game.view_type)
    try:
        frame, board, words, show = (game.says("scene", name) for name in NEEDED)
    except Exception as error:  # whatever an unfinished file does
        raise LudusError(f"scene.py of {game.name} cannot be read: {type(error).__name__}: {error}") from error
    for name, value in zip(NEEDED, (frame, board, words, show), strict=True):
        if value is None:
            raise LudusError(f"scene.py of {game.name} has no {name}; it needs {', '.join(NEEDED)}: see CONTRIBUTING.md")
    show_all = game.says("scene", "show_all")
    if show_all is None and game.hidden:
        raise LudusError(
            f"scene.py of {game.name} has no show_all(s, frame), which spectators of a game that hides something need"
        )
    return Picture(frame, board, words, show, show_all or show)


def _numbers_alone(state: np.dtype[Any], view: np.dtype[Any]) -> Picture:
    """Return the picture of a game that says nothing of its looks: no board, its numbers by the names of the fields."""
    names = list(dict.fromkeys([*_numbers(state), *_numbers(view)]))
    words = Words(status=("turn {turn}",), numbers=tuple(NumberWord(name) for name in names))

    def filling(source: str, dtype: np.dtype[Any]) -> Callable[..., None]:
        lines = [f"frame.turn, frame.seat = {source}.turn, {source}.seat"]
        for name in _numbers(dtype):
            place = names.index(name)
            lines.append(f"frame.number[{place}], frame.number_shown[{place}] = {source}.{name}, 1")
        return written(f"show({source}, frame)", lines)

    frame = frame_type(1, 1, pieces=1, numbers=max(1, len(names)))
    return Picture(frame, Board(1, 1), words, filling("view", view), filling("s", state))


def _numbers(dtype: np.dtype[Any]) -> Iterator[str]:
    """Name the numbers of a row: `field`, or `field[i]` of short lists."""
    for name in dtype.names or ():
        shape = dtype[name].shape
        if not shape:
            yield name
        elif len(shape) == 1 and shape[0] <= MOST_SHOWN:
            yield from (f"{name}[{k}]" for k in range(shape[0]))
