"""docs/records.md, written from the types of the files: `python -m ludus.arena.records_page GAME > docs/records.md`."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from ludus.agents import make_agent
from ludus.core import Fault, Result
from ludus.engine import Table, compiled_bots
from ludus.games import load

from .formats import FORMAT, FORMATS, Format2, encode
from .record import LARGEST
from .referee import Referee

INTRODUCTION = f"""# Records, format {FORMAT}

A record is one played game: enough to run it again, and to check it. It is one JSON object, plain or gzipped; which of them
a file is, its first bytes tell, not its name. A file may also hold many of them, one a line. More than {LARGEST >> 20} MiB
of one record, unpacked, are never read.

`ludus play … --save game.json` keeps a game, also one that was stopped, and `ludus match … --save DIR` keeps every game of
a match in a file of its own (`0001.json.gz` …), from built-in bots or from outside. `ludus replay verify FILE…` plays them
again and compares every turn. From Python:

```python
import ludus
from ludus.arena import Replay, open_replay, read_record, rerun, write_record

record = ludus.play("{{game}}", seed=1)
write_record(record, "game.json.gz")
for table, decision in rerun(read_record("game.json.gz")):  # the start, then every decision
    pass
replay = open_replay("game.json.gz")  # or Replay(record): positions as the turns ended, in any order
print(replay.turns, replay.row(replay.turns).turn, replay.at(0).legal(), replay.decisions(1))
```

A record that is run again stops with one sentence where it is not the game that was played: at the first turn whose digest
differs, at an action that the rules refuse, a seat that is not to move, an end that is none. Readers ignore keys that they
do not know. Numbers that pass 2^53 are texts, since many readers of JSON would round them.

The same seed gives the same record, byte for byte, on every device and with any number of jobs; `times` aside, and what
faults say of times.

This page is written by the program from the types in `arena/formats.py`, and a test compares them.
"""
RESULT = {
    "status": "0 running: it was stopped; 1 decided; 2 ended by a limit",
    "outcome": "By seat, -1 to 1",
    "points": "By seat, in the game's own unit",
}
FAULT = {
    "seat": "Whose",
    "decision": "How many decisions had been taken",
    "kind": "One of the verdicts in `docs/protocol.md`",
    "text": "What was wrong, one line",
    "turn": "As the rules count it",
    "ends": "It cannot play on: it was late, has ended, or had to be ended",
    "stderr": "The last lines that it wrote there",
    "advice": "What to try",
}
DIGEST = """## Digests

A digest is one number of 64 bits for a position. The whole numbers of its row are taken field by field, in the order of
`State`, arrays in the order of their memory; gaps between fields do not count. The number at place *k* (from 0) is mixed
with its place and all are added up, modulo 2^64: `games/derived.py` has the few lines. A turn ends when `State.turn`
changes or the game is over; a turn that was not finished has no digest.
"""
OLDER = """## Older formats

Format 1 is read as well. It has no key `format`, `seats`, `times` and `hashes`; `seed` is a number, `decisions` is a list
of pairs of seat and action, and `digests` is a list of numbers.
"""


def records_page(game: str, seed: int = 4) -> str:
    """Return the page, with a game of that name as its example."""
    about = {field.name: field for field in msgspec.inspect.type_info(Format2).fields}  # type: ignore[attr-defined]
    keys = {name: _described(field.type) for name, field in about.items()}
    parts = [
        INTRODUCTION.replace("{game}", game), "## Keys\n", _table(Format2, keys), "### `result`\n", _table(Result, RESULT),
        "### each of `faults`\n", _table(Fault, FAULT), DIGEST, OLDER, _example(game, seed),
    ]  # fmt: skip
    assert set(FORMATS) == {1, FORMAT}, "say what was different in the older ones"
    return "\n".join(parts)


def _described(kind: Any) -> str:
    return str(kind.extra_json_schema["description"])


def _table(kind: type[msgspec.Struct], about: dict[str, str]) -> str:
    """Return a table of the keys; each must be described."""
    lines = ["| key | | |", "|---|---|---|"]
    for field in msgspec.structs.fields(kind):
        lines.append(f"| `{field.name}` | {'' if field.required else 'may be left out'} | {about[field.name]} |")
    return "\n".join(lines) + "\n"


def _example(game: str, seed: int) -> str:
    """Return a short game, stopped after some decisions."""
    table = Table(load(game), seed, "pure")
    bots = compiled_bots(table.game)
    referee = Referee(table, [make_agent(table.game, bots[0]) for _ in table.spec.seats])
    for _ in zip(range(12), referee.play(), strict=False):
        pass
    record = msgspec.structs.replace(referee.record(), times=())
    return (
        f"## Example\n\nThe first 12 decisions of {table.spec.title}, seed {seed}:\n\n```json\n{encode(record).decode()}\n```\n"
    )


if __name__ == "__main__":
    print(records_page(sys.argv[1]), end="")
