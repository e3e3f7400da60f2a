"""What is left of a game that was played: its result, what went wrong, every decision, and enough to run it again."""

from __future__ import annotations

import msgspec

RUNNING, DECIDED, LIMIT = range(3)  # how a game stands
FORMAT = 1  # of a Record; a change that older programs cannot read raises it


class Result(msgspec.Struct, frozen=True):
    """How a game stands or ended."""

    status: int  # RUNNING, DECIDED or LIMIT
    outcome: tuple[float, ...]  # by seat, -1 to 1
    points: tuple[float, ...]  # by seat, in the game's own unit


class Fault(msgspec.Struct, frozen=True):
    """Something that an agent did wrong."""

    seat: int
    decision: int  # how many decisions had been taken
    kind: str  # "crash", "illegal", "rubbish", or "order": a part of an answer that means nothing
    text: str  # one line


class Decision(msgspec.Struct, frozen=True, array_like=True):
    """One action that was played."""

    seat: int
    action: int  # as the rules number it
    fault: Fault | None = None  # what was wrong, where another action stood in


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """One played game. Game, options, seed, position and decisions give it again; the digests check it."""

    game: str
    rules: int  # version of the rules
    options: dict[str, int]
    seed: int
    agents: tuple[str, ...]  # names by seat
    result: Result
    decisions: tuple[tuple[int, int], ...] = ()  # seat and action
    digests: tuple[int, ...] = ()  # of the row as each turn ended
    faults: tuple[Fault, ...] = ()
    forfeit: int | None = None  # the seat that lost by a fault
    position: str = ""  # the start as text, where it was given
    format: int = FORMAT
