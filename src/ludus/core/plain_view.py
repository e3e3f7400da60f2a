"""A view as plain data: what those of all games have in common, and how a key says what it means.

A game declares its keys as a TypedDict; the pages for bot writers are made from it, and tests hold `public` to it. In all
games x runs to the right and y down, both from 0.
"""

from __future__ import annotations

from typing import Annotated, TypedDict

from msgspec import Meta

Place = tuple[int, int]  # x, y
Area = tuple[int, int, int, int]  # x_min, y_min, x_max, y_max, both corners inside


def about(meaning: str) -> Meta:
    """Return what a key means, to be annotated to its type."""
    return Meta(description=meaning)


class PlainView(TypedDict):
    """The keys of every game."""

    me: Annotated[str, about("the seat that looks: your own")]
    to_move: Annotated[str | None, about("the seat that decides; null where nobody does any more")]
    turn: Annotated[int, about("what the rules call a turn, as they count it")]
    over: Annotated[bool, about("whether the game has ended")]
    options: Annotated[dict[str, int], about("every option of this game by its name, below")]
