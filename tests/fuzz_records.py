"""Records as somebody may have changed them: bytes and values of files, plain and gzipped; a part of fuzz.py."""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

from ludus.arena import Replay, read_record
from ludus.arena.formats import encode
from ludus.core import BadRecord, Record
from ludus.engine import Table
from ludus.games import Game

DECISIONS = 40  # of a game that is changed
VALUES: tuple[Any, ...] = (
    0, 1, -1, 2, 255, 2**31, -(2**63), 2**64, 10**400, 1.5, 1e308, None, True, "", "0", "x\x1b[2J\n", "9" * 400, [], [0],
    [[0, 0]], {}, {"x": 1},
)  # fmt: skip
SIGNS = (b"", b"0", b"9", b"[", b"]", b"{", b",", b'"', b"\0", b"\xff")


class RecordFuzzer:
    """Changes records of one game; `taken` counts those that were believed."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game, self.chance, self.taken = game, chance, 0
        self.file = Path(tempfile.mkdtemp(prefix="ludus-fuzz-")) / "record"
        self._whole = b""

    def problem(self) -> str:
        """Change a record and read it; return what is wrong with how that ended, or ""."""
        data = self.changed()
        self.file.write_bytes(data)
        try:
            record = read_record(self.file)
        except BadRecord as error:
            return _wrong_words(str(error))
        except Exception as error:
            return f"{error!r} reading {data!r}"
        return self.judged(record, data)

    def judged(self, record: Record, data: bytes) -> str:
        """Run what was read again on both devices, which must agree; other sizes would take long to compile."""
        sizes = {name for name, _ in self.game.sizes}
        is_usual = all(record.options.get(name) == self.game.options[name] for name in sizes)
        said = []
        for device in ("pure", "cpu") if is_usual else ("pure",):
            try:
                said.append(str(Replay(record, device).turns))
                self.taken += 1
            except BadRecord as error:
                said.append(str(error))
                if wrong := _wrong_words(str(error)):
                    return wrong
            except Exception as error:
                return f"{error!r} on {device} running {data!r}"
        return "" if len(set(said)) == 1 else f"pure and cpu do not agree ({said}) on {data!r}"

    def changed(self) -> bytes:
        """Return a record's file with some of its bytes or values changed."""
        if not self._whole or self.chance.random() < 0.01:
            self._whole = self.played()
        data = self._whole
        if self.chance.random() < 0.5:
            value = json.loads(data)
            for _ in range(self.chance.choice((1, 1, 2, 4))):
                self.change_value(value)
            data = json.dumps(value).encode()
        else:
            data = self.bytes_changed(data)
        if self.chance.random() < 0.2:
            data = gzip.compress(data, 1)
            data = self.bytes_changed(data) if self.chance.random() < 0.5 else data
        return data

    def played(self) -> bytes:
        """Return the beginning of a game, as a file."""
        from ludus.agents import make_agent
        from ludus.arena import Referee

        table = Table(self.game, self.chance.getrandbits(40))
        if self.chance.random() < 0.3:
            table = Table(self.game, self.chance.getrandbits(63), position=table.s.copy())
        referee = Referee(table, [make_agent(self.game, "random") for _ in table.spec.seats])
        for _ in zip(range(DECISIONS), referee.play(), strict=False):
            pass
        return encode(referee.record())

    def change_value(self, value: Any) -> None:
        """Go down to some place in plain data and put something else there, or take it away."""
        while True:
            keys = list(value) if isinstance(value, dict) else list(range(len(value)))
            if not keys:
                return
            key = self.chance.choice(keys)
            if isinstance(value[key], dict | list) and value[key] and self.chance.random() < 0.8:
                value = value[key]
                continue
            old = value[key]
            near = old + self.chance.choice((-1, 1)) if isinstance(old, int | float) else old
            # A copy: a list that is put in may be changed itself later on.
            value[key] = deepcopy(self.chance.choice((near, near, self.chance.choice(VALUES), self.chance.choice(VALUES))))
            if self.chance.random() < 0.2:
                del value[key]
            return

    def bytes_changed(self, data: bytes) -> bytes:
        for _ in range(self.chance.choice((1, 1, 1, 3, 10))):
            at, cut = self.chance.randrange(len(data) + 1), self.chance.choice((0, 1, 1, 4, 100, len(data)))
            added = self.chance.choice(
                (b"", b"0", b"9", b"[", b"]", b"{", b",", b'"', b"\0", b"\xff", self.chance.randbytes(4))
            )
            data = data[:at] + added + data[at + cut :]
        return data


def _wrong_words(text: str) -> str:
    """Say so if a refusal is not one plain sentence of bounded length."""
    return "" if text.isprintable() and len(text) < 1000 else f"a refusal that is not one plain line: {text!r}"
