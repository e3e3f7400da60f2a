"""Records as they stand in files: one type a format. The types say all that a reader in another language must know.

Numbers that pass 2^53 (seed, digests) are texts: many readers of JSON would round them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ludus.core import BadRecord, Fault, Record, Result, one_line, runs

FORMAT = 2  # the one that is written
DIGEST = 16  # hexadecimal digits of one
LONGEST_NAME, LONGEST_TEXT = 100, 500  # letters of what a loaded record keeps

Whole = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class Head(msgspec.Struct):
    """What tells a record from other files, and one format from another."""

    game: str
    result: Any
    format: int = 1  # the first one did not say so


class Format1(msgspec.Struct, frozen=True):
    """The first format: seed and digests as numbers, a pair a decision."""

    game: str
    rules: int
    options: dict[str, int]
    seed: int
    agents: tuple[str, ...]
    result: Result
    decisions: tuple[tuple[Whole, Whole], ...] = ()
    digests: tuple[Annotated[int, Meta(ge=0)], ...] = ()
    faults: tuple[Fault, ...] = ()
    forfeit: int | None = None
    position: str = ""

    def record(self) -> Record:
        """Return the record that was written."""
        return Record(**{name: getattr(self, name) for name in self.__struct_fields__})


class Format2(msgspec.Struct, frozen=True, omit_defaults=True):
    """One played game."""

    format: Annotated[int, Meta(description="2. Readers refuse what is higher than they know")]
    game: Annotated[str, Meta(description="Its name, as `ludus games` lists it")]
    rules: Annotated[int, Meta(description="Version of the rules; another one may play otherwise")]
    options: Annotated[dict[str, int], Meta(description="Every option of the game, by name")]
    seed: Annotated[str, Meta(pattern="^[0-9]{1,19}$", description="In decimal digits. With the position it fixes all chance")]
    seats: Annotated[tuple[str, ...], Meta(description="Their names, in order; elsewhere a seat is its place here, from 0")]
    agents: Annotated[tuple[str, ...], Meta(description="Names by seat")]
    result: Annotated[Result, Meta(description="How it ended, or stands")]
    decisions: Annotated[
        tuple[Annotated[tuple[Whole, ...], Meta(min_length=2)], ...],
        Meta(description="All that was played, in runs of one seat: the seat, then its actions as the rules number them"),
    ] = ()
    times: Annotated[
        tuple[Annotated[float, Meta(ge=0)], ...],
        Meta(description="By run: milliseconds that its answers took together. Left out where all are 0"),
    ] = ()
    digests: Annotated[
        str,
        Meta(
            pattern=f"^([0-9a-f]{{{DIGEST}}})*$",
            description=f"{DIGEST} hexadecimal digits a turn: the digest of the position as it ended, one after the other",
        ),
    ] = ""
    faults: Annotated[tuple[Fault, ...], Meta(description="The verdicts: what went wrong, in its order")] = ()
    forfeit: Annotated[int | None, Meta(description="The seat that lost by a fault, if one did")] = None
    position: Annotated[str, Meta(description="The start, in the game's text form, where it was not dealt")] = ""
    hashes: Annotated[
        tuple[str, ...],
        Meta(description="By seat: a hash of what the agent's files held, an empty text for one that has none"),
    ] = ()

    def record(self) -> Record:
        """Return the record that was written."""
        decisions = tuple((seat, action) for seat, *actions in self.decisions for action in actions)
        if any(one[0] == next_one[0] for one, next_one in pairwise(self.decisions)):
            raise BadRecord("two runs of one seat follow each other")
        if self.times and len(self.times) != len(self.decisions):
            raise BadRecord(f"it has {len(self.times)} times for {len(self.decisions)} runs of decisions")
        digests = tuple(int(self.digests[k : k + DIGEST], 16) for k in range(0, len(self.digests), DIGEST))
        return Record(
            self.game, self.rules, self.options, int(self.seed), self.agents, self.result, decisions, digests, self.faults,
            self.forfeit, self.position, self.seats, self.hashes, self.times,
        )  # fmt: skip


FORMATS: dict[int, type[Format1] | type[Format2]] = {1: Format1, 2: Format2}


def encode(record: Record) -> bytes:
    """Return a record as JSON in the newest format, on one line."""
    digests = "".join(f"{digest:0{DIGEST}x}" for digest in record.digests)
    times: Any = tuple(int(ms) if ms == int(ms) else ms for ms in record.times)  # 0, not 0.0; it is shorter
    return msgspec.json.encode(
        Format2(
            FORMAT, record.game, record.rules, record.options, str(record.seed), record.seats, record.agents, record.result,
            tuple(map(tuple, runs(record.decisions))), times, digests, record.faults, record.forfeit, record.position,
            record.hashes,
        )
    )  # fmt: skip


def decode(data: bytes) -> Record:
    """Read a record of any format; what is wrong is a BadRecord, in words that follow the name of a file."""
    try:
        head = msgspec.json.decode(data, type=Head)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadRecord(_what_it_is(data, error)) from None
    kind = FORMATS.get(head.format)
    if kind is None:
        newer = f"is of format {head.format}, and this Ludus reads {min(FORMATS)} to {max(FORMATS)}"
        raise BadRecord(f"{newer}: get a newer one" if head.format > FORMAT else newer)
    try:
        return _clean(msgspec.json.decode(data, type=kind).record())
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadRecord(f"is no sound record: {one_line(str(error))}") from None
    except BadRecord as error:
        raise BadRecord(f"is no sound record: {error}") from None


def _what_it_is(data: bytes, error: Exception) -> str:
    """Tell other programs' JSON from what is no JSON at all."""
    if isinstance(error, msgspec.ValidationError | RecursionError):
        return f"is no record of a game: {one_line(str(error))}"
    if not data.strip():
        return "is empty"
    return f"is cut off or no JSON: {one_line(str(error))}"


def _clean(record: Record) -> Record:
    """Return a record whose texts are single lines of bounded length: it comes from outside, and will be printed."""
    faults = tuple(msgspec.structs.replace(fault, **_lines(fault)) for fault in record.faults)
    named = {key: tuple(one_line(name, LONGEST_NAME) for name in getattr(record, key)) for key in ("agents", "seats", "hashes")}
    return msgspec.structs.replace(record, faults=faults, **named)


def _lines(fault: Fault) -> dict[str, Any]:
    """Return what a fault says in words, as single lines."""
    found: dict[str, Any] = {}
    for key, value in msgspec.structs.asdict(fault).items():
        if isinstance(value, str):
            found[key] = one_line(value, LONGEST_TEXT)
        elif isinstance(value, tuple):
            found[key] = tuple(one_line(line, LONGEST_TEXT) for line in value)
    return found
