"""The wire protocol: one JSON object a line, to a bot's stdin and from its stdout. These types are the truth about it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

PROTOCOL = 1
LONGEST_LINE = 1_000_000  # bytes that one line of a bot may have


class WireClock(msgspec.Struct, frozen=True):
    """How long a bot may think: `kind` is "game" or "move" (each turn anew)."""

    kind: str
    start: Annotated[float, Meta(description="Seconds")]
    increment: Annotated[float, Meta(description="Seconds that each turn gives back")]


class Left(msgspec.Struct, frozen=True):
    """What is left of the bot's time."""

    left: Annotated[float, Meta(description="Seconds")]


class Verdict(msgspec.Struct, frozen=True):
    """Something that went wrong in the game."""

    seat: str
    kind: str
    text: str


class Hello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """A game begins. The bot answers `ready`."""

    protocol: int
    game: str
    rules: Annotated[int, Meta(description="Version of the rules")]
    seat: str
    seats: list[str]
    options: dict[str, int]
    seed: Annotated[int, Meta(description="For the bot's own chance")]
    clock: Annotated[WireClock | None, Meta(description="Null: no limit")]


class Act(msgspec.Struct, frozen=True, tag_field="type", tag="act", omit_defaults=True):
    """The bot is to move. It answers with an action, or with the actions of a turn."""

    turn: int
    view: Annotated[dict[str, Any], Meta(description="What the seat may know")]
    legal: Annotated[list[str], Meta(description="The names of the legal actions")]
    ids: Annotated[list[int], Meta(description="Their numbers, in the same order")]
    clock: Annotated[Left | None, Meta(description="Null: no limit")]
    last_ms: Annotated[float, Meta(description="What the answer before this one took")]
    row: Annotated[str | None, Meta(description="The view as base64 of a row, for bots that asked for rows")] = None


class After(msgspec.Struct, frozen=True, tag_field="type", tag="after", omit_defaults=True):
    """What came of a decision, for bots that asked for it. No answer."""

    view: dict[str, Any]
    row: str | None = None


class End(msgspec.Struct, frozen=True, tag_field="type", tag="end"):
    """The game is over. No answer; another `hello` may follow."""

    outcome: Annotated[float, Meta(description="The bot's own, -1 to 1")]
    outcomes: Annotated[list[float], Meta(description="By seat")]
    points: Annotated[list[float], Meta(description="By seat, in the game's own unit")]
    verdicts: list[Verdict]


class Ready(msgspec.Struct, frozen=True, tag_field="type", tag="ready"):
    """The bot's answer to `hello`."""

    name: str = ""
    version: str = ""
    after: Annotated[bool, Meta(description="Asks for `after` messages")] = False
    rows: Annotated[bool, Meta(description="Asks for views as rows, too: Python with Ludus at hand")] = False


class Reply(msgspec.Struct, frozen=True):
    """The bot's answer to `act`: one of action, actions and error."""

    action: int | str | None = None
    actions: list[int | str] | None = None
    turn: Annotated[int | None, Meta(description="If it is there it must be the turn that was asked")] = None
    remark: Annotated[str | None, Meta(description="Kept with the game")] = None
    remarks: Annotated[
        list[str] | None, Meta(description="On parts of the answer that mean nothing: each is a fault that changes nothing")
    ] = None
    error: Annotated[str | None, Meta(description="The bot cannot answer this time; it stays")] = None


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
