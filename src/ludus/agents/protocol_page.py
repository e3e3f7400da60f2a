"""docs/protocol.md, written from the types of the messages: `python -m ludus.agents.protocol_page GAME > docs/protocol.md`."""

from __future__ import annotations

import json
import sys
from typing import Any

from ludus.core import VERDICTS, Start, agent_seed, time_control
from ludus.engine import Table

from . import wire
from .containment import Limits
from .remote import act_message, hello_message

INTRODUCTION = """# The wire protocol, version {version}

Any program can play: it reads one JSON object a line from stdin and answers with one JSON object a line on stdout, each in
UTF-8, ending in a newline and flushed. Nothing else may go to stdout. stderr is the bot's own: it is kept, a turn at a time,
and shown when something goes wrong. A bot is seated as `cmd:./my_bot --fast`, or as a folder with a `bot.toml`
(`command = ["./my_bot"]`, and if you like `name`, `memory_mb`); both run in the folder of the bot.

A game begins with `hello`, which the bot answers with `ready`. Each `act` is answered with an action, by its name or its
number, or with the actions of a turn, in their order. After `end` another `hello` may follow: a process serves many games.
When stdin closes the bot ends. Keys and types of messages that a bot does not know it must ignore: more may come.

This page is written by the program from the types in `agents/wire.py`, and a test compares them.
"""
CLOCKS = """## Clocks

`hello` says how long the bot may think: `"kind": "game"` is `start` seconds for the game, and each finished turn gives
`increment` back; the increment of the turn that is being played counts already. `"kind": "move"` is `start` seconds for each
turn anew. `null` is no limit. The clock runs from the moment in which `act` is written until the newline of the answer is
read; `clock.left` in `act` says what is left, `last_ms` what the answer before took. A bot that does not answer in time has
lost. In games in which the seats move at once, all of them are asked at once and their clocks run together.

No clock runs from `hello` to `ready`: in every game a bot has {start_s:.0f} seconds there to load or compile what it needs.
"""


def protocol_page(game: str, seed: int = 3) -> str:
    """Return the page, with a game of that name as its example."""
    parts = [INTRODUCTION.format(version=wire.PROTOCOL), "## To the bot\n", *map(_message, wire.TO_BOT)]
    parts += ["## From the bot\n", *map(_message, wire.FROM_BOT), CLOCKS.format(start_s=Limits().start_s)]
    parts += [_verdicts(), _example(game, seed)]
    parts += ["## JSON Schema\n", f"```json\n{json.dumps(wire.schema(), indent=1)}\n```"]
    return "\n".join(parts) + "\n"


def _message(kind: type) -> str:
    """Return one message as a heading and a table of its keys."""
    about = wire.schema()["$defs"][kind.__name__]
    tag = about["properties"].get("type", {}).get("enum", [""])[0]
    title = f"### `{tag}`" if tag else "### the answer to `act`"
    lines = [title, "", about["description"], "", "| key | type | |", "|---|---|---|"]
    for name, value in about["properties"].items():
        if name != "type":
            optional = "" if name in about["required" if "required" in about else "title"] else " (optional)"
            lines.append(f"| `{name}` | {_type(value)}{optional} | {value.get('description', '')} |")
    return "\n".join(lines) + "\n"


def _type(value: dict[str, Any]) -> str:
    """Return a type of the schema in words."""
    if "anyOf" in value:
        return " or ".join(_type(part) for part in value["anyOf"])
    if "allOf" in value:
        return _type(value["allOf"][0])
    if "$ref" in value:
        parts = wire.schema()["$defs"][value["$ref"].rpartition("/")[2]]["properties"]
        return "{" + ", ".join(f"{name}: {_type(part)}" for name, part in parts.items()) + "}"
    if value.get("type") == "array":
        return f"list of {_type(value['items'])}"
    return str(value.get("type", "object"))


def _verdicts() -> str:
    lines = [
        "## Verdicts\n",
        "What goes wrong is judged, and told to both sides in `end`:\n",
        "| kind | what to try |",
        "|---|---|",
    ]
    return "\n".join([*lines, *(f"| `{kind}` | {advice} |" for kind, advice in VERDICTS.items())]) + "\n"


def _example(game: str, seed: int) -> str:
    """Return the first turns of a game as they go over the wire to the first seat; the others play at random."""
    table = Table(game, seed, "pure")
    start = Start(table.game, table.seat, table.spec.seats, agent_seed(seed, 0), control=time_control("1+0.1"))
    ready = {"type": "ready", "name": "First Choice", "version": "1"}
    lines = [("->", wire.encode(hello_message(start)).decode()), ("<-", json.dumps(ready))]
    for left, last_ms in ((1.0, 0.0), (1.0992, 0.81)):
        legal = table.legal()
        message = act_message(table.game, table.observe(), legal, left, last_ms)
        reply = {"action": message.legal[0], "turn": message.turn}
        lines += [("->", wire.encode(message).decode()), ("<-", json.dumps(reply))]
        table.apply(legal[0])
        while not table.over and table.seat != start.seat:
            table.apply(table.legal()[0])
    seats = len(table.spec.seats)
    outcomes = [1.0 if seat == start.seat else -1.0 for seat in range(seats)]
    fault = wire.Verdict(table.spec.seats[-1], "timeout", "gave no answer within 1.15 s")
    lines.append(("->", wire.encode(wire.End(1.0, outcomes, outcomes, [fault])).decode()))
    shown = "\n".join(f"{way} {line.strip()}" for way, line in lines)
    title = (
        f"## Example: {table.spec.title}, seed {seed}\n\n`->` goes to the bot at the first seat, `<-` comes from it; the turns"
    )
    return f"{title} between are left out.\n\n```\n{shown}\n```\n"


if __name__ == "__main__":
    print(protocol_page(sys.argv[1]), end="")
