"""What is left of a game that was played: its result, what went wrong, every decision, and enough to run it again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from .notebook import html_of

RUNNING, DECIDED, LIMIT = range(3)  # how a game stands
# What can be wrong, and what an author may try.
VERDICTS = {
    "crash": "mend the line that is named, or let a Python file call breakpoint() and look around with `ludus play … --debug`",
    "illegal": "choose among the legal actions that come with every question",
    "rubbish": "answer with one action, or with a list of the actions of a turn",
    "order": "leave out orders that mean nothing; they are not played",
    "timeout": "answer sooner, or think until a part of what the clock says is left",
    "babble": "print to stderr: stdout is for answers alone, one JSON object a line",
    "memory": "keep less, or ask for another limit",
    "output": "write less: an answer is one short line, and stderr is no place for whole data sets",
    "void": "it was not the bot's fault; play the game again",
}


class Result(msgspec.Struct, frozen=True):
    """How a game stands or ended."""

    status: int  # RUNNING, DECIDED or LIMIT
    outcome: tuple[float, ...]  # by seat, -1 to 1
    points: tuple[float, ...]  # by seat, in the game's own unit


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that an agent did wrong, or that happened to it: the verdict."""

    seat: int
    decision: int  # how many decisions had been taken
    kind: str  # one of VERDICTS
    text: str  # one line
    turn: int = 0
    ends: bool = False  # it cannot play on: it was late, has ended, or had to be ended
    stderr: tuple[str, ...] = ()  # the last lines that it wrote there

    @property
    def advice(self) -> str:
        """What to try."""
        return VERDICTS.get(self.kind, "")  # a record may come from elsewhere


class Decision(msgspec.Struct, frozen=True, array_like=True):
    """One action that was played."""

    seat: int
    action: int  # as the rules number it
    fault: Fault | None = None  # what was wrong, where another action stood in


class Record(msgspec.Struct, frozen=True, omit_defaults=True, eq=False):
    """One played game. Game, options, seed, position and decisions give it again; the digests check it.

    How it stands in a file, and how it is read from one, is said in the arena.
    """

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
    seats: tuple[str, ...] = ()  # their names
    hashes: tuple[str, ...] = ()  # by seat, of the contents of the agent's files, or "" where it has none
    times: tuple[float, ...] = ()  # milliseconds that the answers of each run of decisions of one seat took

    _repr_html_ = html_of  # in notebooks

    def __eq__(self, other: object) -> bool:
        """Compare what was played: the same game may take another time."""
        if not isinstance(other, Record):
            return NotImplemented
        return all(getattr(self, key) == getattr(other, key) for key in self.__struct_fields__ if key != "times")

    def __ne__(self, other: object) -> bool:  # a Struct brings one of its own
        return not self == other

    __hash__ = None  # type: ignore[assignment]


def runs(decisions: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return decisions as runs of one seat: the seat, then its actions."""
    found: list[list[int]] = []
    last = -1
    for seat, action in decisions:
        if seat == last:
            found[-1].append(action)
        else:
            found.append([seat, action])
            last = seat
    return found
