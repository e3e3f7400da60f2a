"""The interactive set-up of Chase: turns, obstacles, positions, who plays the runner and the chasers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.core import BadValue, LudusError, streams

from ..rules import CLEAR_ZONE, ROOM, RUNNER, SEATS, SPAWN_DISTANCE, SPEC, State, place_obstacles
from ..text import cell_name, parse_cell

Read = Callable[[str], str]
Say = Callable[[str], None]


def ask(read: Read, say: Say, bots: list[str], seed: int = 0) -> tuple[Any, list[str]]:
    """Ask for everything, each question until its answer is valid; return the position and a bot a seat."""
    s = np.zeros(1, State).view(np.recarray)[0]
    s.last_seat, s.last_action = -1, -1
    s.opt_max_turns = _number(read, say, "Number of turns: ", 1, SPEC.options[1].high)
    s.opt_obstacles = _number(read, say, f"Number of obstacles (0 to {ROOM}): ", 0, ROOM)
    by_hand = _choice(read, say, "Obstacles random or manual (r/m): ", ["r", "m"]) == 1
    for seat in range(SEATS):
        s.x[seat], s.y[seat] = _until_valid(read, say, f"{SPEC.seats[seat]} position, such as a 3: ", _agent_cell, s, seat)
    if by_hand:
        for number in range(s.opt_obstacles):
            x, y = _until_valid(read, say, f"obstacle {number + 1} position: ", _obstacle_cell, s)
            s.wall[y] |= 1 << x
    else:
        place_obstacles(s, streams(seed, 1)[0])
    controls = [*bots, "human"]
    listed = ", ".join(f"{number} {bot}" for number, bot in enumerate(controls, 1))
    words = [str(number) for number in range(1, len(controls) + 1)]
    chosen = [controls[_choice(read, say, f"{name} is played by ({listed}): ", words)] for name in SPEC.seats]
    return s, chosen


def _number(read: Read, say: Say, question: str, low: int, high: int) -> int:
    while True:
        typed = read(question).strip()
        if typed.isdecimal() and len(typed) < 10 and low <= int(typed) <= high:
            return int(typed)
        say(f"a whole number from {low} to {high} is needed")


def _choice(read: Read, say: Say, question: str, words: list[str]) -> int:
    while True:
        typed = read(question).strip().lower()
        if typed in words:
            return words.index(typed)
        say(f"answer with one of: {', '.join(words)}")


def _until_valid(read: Read, say: Say, question: str, check: Callable[..., tuple[int, int]], *context: Any) -> tuple[int, int]:
    while True:
        try:
            return check(read(question), *context)
        except LudusError as error:
            say(str(error))


def _agent_cell(typed: str, s: Any, seat: int) -> tuple[int, int]:
    """Read the cell of an agent: free, and a chaser 7 or more steps from the runner (D19)."""
    x, y = parse_cell(typed)
    for other in range(seat):
        if (s.x[other], s.y[other]) == (x, y):
            raise BadValue(f"{SPEC.seats[other]} already stands on {cell_name(x, y)}")
    apart = abs(x - int(s.x[RUNNER])) + abs(y - int(s.y[RUNNER]))
    if seat != RUNNER and apart < SPAWN_DISTANCE:
        raise BadValue(f"{cell_name(x, y)} is {apart} steps from the runner; {SPAWN_DISTANCE} or more are needed")
    return x, y


def _obstacle_cell(typed: str, s: Any) -> tuple[int, int]:
    """Read the cell of an obstacle: free, and not beside an agent."""
    x, y = parse_cell(typed)
    if int(s.wall[y]) >> x & 1:
        raise BadValue(f"an obstacle already stands on {cell_name(x, y)}")
    for seat, name in enumerate(SPEC.seats):
        if max(abs(x - int(s.x[seat])), abs(y - int(s.y[seat]))) <= CLEAR_ZONE:
            raise BadValue(f"{cell_name(x, y)} is too near to {name}: the cells around an agent stay free")
    return x, y
