"""The wire protocol: one JSON object a line, to a bot's stdin and from its stdout. These types are the truth about it."""

from __future__ import annotations

from typing import Any

import msgspec

PROTOCOL = 1
LONGEST_LINE = 1_000_000  # bytes that one line of a bot may have


class WireClock(msgspec.Struct, frozen=True):
    """How long a bot may think: `kind` is "game" or "move" (each turn anew)."""

    kind: str
    start: float  # seconds
    increment: float  # seconds that each turn gives back


class Left(msgspec.Struct, frozen=True):
    """What is left of the bot's time."""

    left: float  # seconds


class Verdict(msgspec.Struct, frozen=True):
    """Something that went wrong in the game."""

    seat: str
    kind: str
    text: str


class Hello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """A game begins. The bot answers `ready`."""

    protocol: int
    game: str
    rules: int  # version of the rules
    seat: str
    seats: list[str]
    options: dict[str, int]
    seed: int  # for the bot's own chance
    clock: WireClock | None  # null: no limit


class Act(msgspec.Struct, frozen=True, tag_field="type", tag="act", omit_defaults=True):
    """The bot is to move. It answers with an action, or with the actions of a turn."""

    turn: int
    view: dict[str, Any]  # what the seat may know
    legal: list[str]  # the names of the legal actions
    ids: list[int]  # their numbers, in the same order
    clock: Left | None  # null: no limit
    last_ms: float  # what the answer before this one took
    row: str | None = None  # the view as base64 of a row, for bots that asked for rows


class After(msgspec.Struct, frozen=True, tag_field="type", tag="after", omit_defaults=True):
    """What came of a decision, for bots that asked for it. No answer."""

    view: dict[str, Any]
    row: str | None = None


class End(msgspec.Struct, frozen=True, tag_field="type", tag="end"):
    """The game is over. No answer; another `hello` may follow."""

    outcome: float  # the bot's own, -1 to 1
    outcomes: list[float]  # by seat
    points: list[float]  # by seat, in the game's own unit
    verdicts: list[Verdict]


class Ready(msgspec.Struct, frozen=True, tag_field="type", tag="ready"):
    """The bot's answer to `hello`."""

    name: str = ""
    version: str = ""
    after: bool = False  # asks for `after` messages
    rows: bool = False  # asks for views as rows, too: Python with Ludus at hand


class Reply(msgspec.Struct, frozen=True):
    """The bot's answer to `act`: one of action, actions and error."""

    action: int | str | None = None
    actions: list[int | str] | None = None
    turn: int | None = None  # if it is there it must be the turn that was asked
    remark: str | None = None  # kept with the game
    remarks: list[str] | None = None  # on parts of the answer that mean nothing: each is a fault that changes nothing
    error: str | None = None  # the bot cannot answer this time; it stays


TO_BOT = (Hello, Act, After, End)
FROM_BOT = (Ready, Reply)

_encoder = msgspec.json.Encoder()
_decoders: dict[type, msgspec.json.Decoder[Any]] = {kind: msgspec.json.Decoder(kind) for kind in (*TO_BOT, *FROM_BOT)}


def encode(message: Any) -> bytes:
    """Return a message as a line."""
    return _encoder.encode(message) + b"\n"


def decode(line: bytes, kind: type) -> Any:
    """Read a line as a message of that kind; raise a ValueError that says what is wrong."""
    try:
        return _decoders[kind].decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from None


def schema() -> dict[str, Any]:
    """Return the JSON Schema of all messages."""
    _, parts = msgspec.json.schema_components([*TO_BOT, *FROM_BOT], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Ludus wire protocol {PROTOCOL}",
        "toBot": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in TO_BOT],
        "fromBot": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in FROM_BOT],
        "$defs": dict(sorted(parts.items())),
    }
