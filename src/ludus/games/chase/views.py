"""A seat's view of Chase as plain data: what each key means, the data, and the way back to the row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from ludus.core import Place, PlainView, about

from .actions import ACTION_NAMES
from .rules import CAUGHT, RUNNING, SIZE, SPEC

END_NAMES = ("running", "caught", "walled_in", "escaped")
REWARDS = """Nothing before the end. A catch gives each chaser 1 and the runner -1; a runner that gets away has 1 and the
chasers 0, as outcomes they have lost. The two chasers win and lose together."""
# What each plane of `encode` shows, for the page of its environments.
PLANES = (
    "walls",
    "the runner",
    "chaser1",
    "chaser2",
    "who looks",
    "turns used: a bar along the top row, full at max_turns",
)


class Shown(PlainView):
    """What `public` tells."""

    end: Annotated[Literal["running", "caught", "walled_in", "escaped"], about("how the game ended, or `running`")]
    size: Annotated[int, about("rows and columns of the board")]
    cells: Annotated[dict[str, Place], about("by seat where it stands: [x, y]")]
    walls: Annotated[list[Place], about("the cells that nobody may enter: [x, y]")]
    last: Annotated[tuple[str, str] | None, about("the last move: who, and its action; null at the start")]


def walls(s: Any) -> list[list[int]]:
    """List the obstacles of a position or a view as [x, y], row by row."""
    return [[x, y] for y, row in enumerate(s.wall.tolist()) if row for x in range(SIZE) if row >> x & 1]


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages."""
    seats, last = SPEC.seats, view.last_seat
    return {
        "me": seats[view.me],
        "to_move": seats[view.seat],
        "turn": int(view.turn),
        "over": bool(view.end != RUNNING),
        "end": END_NAMES[view.end],
        "size": SIZE,
        "cells": dict(zip(seats, map(list, zip(view.x.tolist(), view.y.tolist(), strict=True)), strict=True)),
        "walls": walls(view),
        "last": None if last < 0 else [seats[last], ACTION_NAMES[view.last_action]],
        "options": {"size": SIZE, "obstacles": int(view.opt_obstacles), "max_turns": int(view.opt_max_turns)},
    }


def read_view(shown: Mapping[str, Any], view: Any) -> None:
    """Write a view of zeros from what `public` told of it."""
    seats = SPEC.seats
    view.me, view.seat, view.turn = seats.index(shown["me"]), seats.index(shown["to_move"]), shown["turn"]
    for option in SPEC.options:
        view[f"opt_{option.name}"] = shown["options"][option.name]
    view.end = END_NAMES.index(shown["end"])
    for seat, (x, y) in enumerate(shown["cells"][name] for name in seats):
        view.x[seat], view.y[seat] = x, y
    for x, y in shown["walls"]:
        view.wall[y] |= 1 << x
    who, action = shown["last"] or (None, None)
    view.last_seat = -1 if who is None else seats.index(who)
    view.last_action = -1 if action is None else ACTION_NAMES.index(action)
    view.last_reward[:] = end_rewards(view.end)


def end_rewards(end: int) -> tuple[int, ...]:
    """Return what the last move of a game that ended so gave each seat."""
    return (0, 0, 0) if end == RUNNING else (-1, 1, 1) if end == CAUGHT else (1, 0, 0)
