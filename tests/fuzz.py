"""Throw rubbish at the borders of a game: texts, rows, views, actions, seats, options, records, calls, answers, lines of bots.

usage: python tests/fuzz.py GAME… [--minutes M] [--inputs N] [--seed S]

Every input must be refused with a LudusError, or be taken and then be safe: play goes on, `pure` and `cpu` agree, and what was
refused has changed nothing. Compiled code runs with bounds checked, in a cache of its own, so that reading outside an array is
an error and no crash. Exit code 1 at the first that is not so, with what is needed to try it again.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # before Numba is imported
    os.environ["NUMBA_BOUNDSCHECK"] = "1"
    os.environ.setdefault("LUDUS_CACHE_DIR", str(Path(tempfile.gettempdir()) / f"ludus-fuzz-{os.getuid()}"))

import numpy as np
from fuzz_agents import Line, Rubbish
from fuzz_calls import CallFuzzer
from fuzz_records import RecordFuzzer

from ludus.agents import Asker
from ludus.core import Agent, LudusError, plain
from ludus.engine import Batch, Table, compiled_bots
from ludus.games import Game, load

EXTREMES = (0, 1, -1, 2, 7, 100, 127, -128, 255, 32767, -32768, 65535, 10**6, 2**31 - 1, -(2**31), 2**62, -(2**63))
SWARM = 1024  # rows that are changed at once
SLOW = ("planner", "search", "tactician", "commander")  # bots that think for long
DECISIONS = 12  # that are played after an input that was taken


class Found(Exception):
    """An input that was neither refused nor safe."""


class Fuzzer:
    """One game under fire; `count` says how many inputs it has taken or refused."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.chance = game, random.Random(seed)
        self.table, self.pure = Table(game, seed), Table(game, seed, "pure")
        self.batch, self.many = Batch(game, 8, seed), Batch(game, SWARM, seed)
        self.cheap = [name for name in compiled_bots(game) if name not in SLOW]
        self.agent, self.records = Rubbish(self.chance), RecordFuzzer(game, self.chance)
        self.calls, self.drawn = CallFuzzer(game, self.chance), Batch(game, SWARM, seed)
        self.count = self.taken = 0

    def run(self, inputs: int, seconds: float) -> None:
        """Try inputs of all kinds until there were enough, or the time is over."""
        kinds = [
            self.row, self.row, self.rows, self.text, self.text, self.action, self.seat, self.option, self.answer, self.line,
            self.view, self.swarm, self.record, self.record, self.call,
        ]  # fmt: skip
        ends = time.monotonic() + seconds
        while self.count < inputs and time.monotonic() < ends:
            self.count += 1
            self.chance.choice(kinds)()

    def position(self) -> Any:
        """Return a row that play has reached."""
        table = self.table
        if table.over or self.chance.random() < 0.02:
            table.begin(self.chance.getrandbits(40))
        for _ in range(self.chance.randrange(12)):
            if not table.over:
                table.apply(self.chance.choice(table.legal()))
        return table.s.copy()

    def mutated(self) -> Any:
        """Return a row in which a few numbers, or many bytes, are others."""
        return self.changed(self.position())

    def changed(self, row: Any) -> Any:
        if self.chance.random() < 0.1:
            cells = row.bytes
            for _ in range(self.chance.choice((1, 4, len(cells)))):
                cells[self.chance.randrange(len(cells))] = self.chance.randrange(256)
            return row
        for _ in range(self.chance.choice((1, 1, 1, 2, 5))):
            field = row.array[self.chance.choice(row.dtype.names)].reshape(-1)
            place, bounds = self.chance.randrange(field.size), np.iinfo(field.dtype)
            value = self.chance.choice((int(field[place]) + self.chance.choice((-1, 1)), self.chance.choice(EXTREMES)))
            field[place] = min(max(value, int(bounds.min)), int(bounds.max))
        return row

    def row(self) -> None:
        """A row for a table."""
        row = self.mutated()
        refused = self.refused(lambda: self.pure.load(row), self.pure)
        if refused != self.refused(lambda: self.table.load(row), self.table):
            raise Found(f"pure and cpu do not agree whether this is a position: {row.tobytes().hex()}")
        if not refused:
            self.play_on(f"row {row.tobytes().hex()}")

    def rows(self) -> None:
        """Rows for a batch."""
        some = np.concatenate([self.mutated().array for _ in range(8)])
        before = self.batch.states.tobytes()
        try:
            self.batch.load(some)
        except LudusError:
            if before != self.batch.states.tobytes():
                raise Found(f"refused rows have changed the batch: {some.tobytes().hex()}") from None
            return
        self.taken += 1
        self.batch.play_random(DECISIONS, encode=True)
        if not self.game.spec.no_setup:
            self.batch.new()

    def view(self) -> None:
        """A view to draw a position from."""
        self.position()
        view = self.changed(self.table.observe(self.chance.randrange(len(self.game.spec.seats))).copy())
        self.meet_chance()
        refused = self.refused(lambda: self.pure.sample(view), self.pure)
        if refused != self.refused(lambda: self.table.sample(view), self.table):
            raise Found(f"pure and cpu do not agree whether this is a view: {view.tobytes().hex()}")
        if not refused:
            self.batch.sample(view)
            self.play_on(f"view {view.tobytes().hex()}")

    def swarm(self) -> None:
        """Thousands of rows at once, each with one number changed; those that are sound play on, bots included."""
        batch, chance = self.many, np.random.default_rng(self.chance.getrandbits(60))
        batch.play_random(1 + self.chance.randrange(40))
        rows = np.array(batch.states)
        names = [name for name in rows.dtype.names or () if chance.random() < 0.2] or ["seat"]
        for name, some in zip(names, np.array_split(chance.permutation(len(rows)), len(names)), strict=True):
            field = rows[name].reshape(len(rows), -1)
            bounds, places = np.iinfo(field.dtype), chance.integers(field.shape[1], size=len(some))
            nearby = field[some, places].astype(np.int64) + chance.integers(-2, 3, size=len(some))
            wild = chance.choice(np.array(EXTREMES, np.int64), size=len(some))
            values = np.where(chance.random(len(some)) < 0.5, nearby, wild)
            field[some, places] = np.clip(values, bounds.min, bounds.max)
            rows[name] = field.reshape(rows[name].shape)
        kept = rows[batch.sound(rows)]
        self.count += len(rows) - 1
        self.taken += len(kept)
        if len(kept):
            batch.load(kept[chance.integers(len(kept), size=batch.n)])
            self.look_at_all(batch)
            batch.play_random(DECISIONS, encode=True)
            if not batch.sound(np.array(batch.states)).all():
                raise Found(f"play leads from sound rows to others: {kept.tobytes().hex()}")
            batch.load(kept[chance.integers(len(kept), size=batch.n)])
            running = np.array(batch.states)[batch.counts() > 0]
            if not len(running):
                return
            batch.load(running[chance.integers(len(running), size=batch.n)])
            bots = [self.chance.choice(self.cheap) for _ in self.game.spec.seats]
            for _ in range(2):
                batch.step(batch.choose(bots))

    def look_at_all(self, batch: Batch) -> None:
        """Look at sound rows in every way that a batch has, and draw positions that look so, which must be sound as well."""
        for seat in range(len(self.game.spec.seats)):
            batch.features(seat)
            batch.frames(seat)
            self.drawn.sample(np.array(batch.observe(seat)), check=False)
            if not self.drawn.sound(np.array(self.drawn.states)).all():
                raise Found(f"a position drawn from a view is not sound: {np.array(batch.states).tobytes().hex()}")

    def text(self) -> None:
        """A text of a position with other letters, numbers and lines."""
        written = self.garbled(self.game.text(self.position()))
        tables = (self.pure, self.table)
        refused = {self.refused(lambda table=table: table.begin(1, written), table) for table in tables}  # type: ignore[misc]
        if len(refused) > 1:
            raise Found(f"pure and cpu do not agree whether this is a position: {written!r}")
        if not refused.pop():
            self.play_on(f"text {written!r}")

    def garbled(self, text: str) -> str:
        signs = "0123456789-+.,;:/#RABC xX|@=\n\t\0é█" + self.chance.choice(("", "9" * 30, "-" * 5, "\n" * 50))
        for _ in range(self.chance.choice((0, 1, 1, 2, 4, 20))):
            at = self.chance.randrange(len(text) + 1)
            cut = self.chance.choice((0, 1, 1, 3, 40))
            added = "".join(self.chance.choice(signs) for _ in range(self.chance.choice((0, 1, 1, 3))))
            if self.chance.random() < 0.1:
                added = str(self.chance.choice(EXTREMES))
            text = text[:at] + added + text[at + cut :]
        return text

    def action(self) -> None:
        """Something that is played as an action, alone and in a batch."""
        self.position()
        self.meet()
        action = self.something()
        if self.refused(lambda: self.table.apply(action), self.table) != self.refused(
            lambda: self.pure.apply(action), self.pure
        ):
            raise Found(f"pure and cpu do not agree on the action {action!r}")
        actions: Any = [self.something() for _ in range(self.batch.n)]
        before = self.batch.states.tobytes()
        try:
            self.batch.step(self.chance.choice((actions, np.array([self.whole() for _ in range(self.batch.n)]))))
        except LudusError:
            if before != self.batch.states.tobytes():
                raise Found(f"refused actions have changed the batch: {actions!r}") from None
        except (ValueError, OverflowError) as error:
            raise Found(f"actions {actions!r}: {error!r}") from None

    def seat(self) -> None:
        """Something that is given as a seat."""
        seat = self.something()
        for look in (self.table.observe, self.table.encode, self.table.peek, self.batch.observe, self.batch.encode):
            self.refused(lambda look=look: look(seat), self.table)  # type: ignore[misc]

    def option(self) -> None:
        """Options of any value, also together with a position."""
        names = [option.name for option in self.game.spec.options] or ["none"]
        options = {self.chance.choice(names): self.something() for _ in range(self.chance.choice((1, 1, 2)))}
        position = self.chance.choice((None, None, self.game.text(self.table.s)))
        try:
            table = Table(self.game.name, 1, "pure", position, **options)
        except LudusError:
            return
        self.taken += 1
        for _ in range(3):
            if not table.over:
                table.apply(table.legal()[0])

    def answer(self) -> None:
        """What an agent answers."""
        self.ask(self.agent)

    def line(self) -> None:
        """What a bot in a process of its own writes."""
        legal = [self.game.action_name(action, self.table.s) for action in self.table.legal()] or ["none"]
        sound = self.chance.choice(
            (
                {"action": self.chance.choice(legal)},
                {"action": self.whole()},
                {"actions": [self.chance.choice(legal), self.whole()]},
                {"action": legal[0], "turn": self.whole(), "remark": "hm\x1b[31m"},
                {"actions": [], "remarks": ["a", "b"]},
                {"error": "cannot"},
            )
        )
        written = json.dumps(sound).encode()
        for _ in range(self.chance.choice((0, 1, 2, 5))):
            at = self.chance.randrange(len(written) + 1)
            added = self.chance.choice(
                (b"", b"[", b"{", b'"', b"9" * 400, b"\xff", b"NaN", b"\\ud800", b"null", b"[" * 5000, b"\0")
            )
            written = written[:at] + added + written[at + self.chance.choice((0, 1, 8)) :]
        self.ask(Line(written))

    def ask(self, agent: Agent) -> None:
        """Ask an agent as a referee does; whatever it answers, play goes on and its faults are plain lines."""
        self.position()
        if self.table.over:
            return
        asker = Asker(self.table, self.table.seat, agent)
        asker.start(("rubbish",))
        for _ in range(3):
            if self.table.over or self.table.seat != asker.seat:
                return
            self.table.apply(asker.take().action)
            asker.after()
        for fault in asker.faults:
            if len(fault.text) > 200 or not fault.text.isprintable():
                raise Found(f"a fault's text is not one plain line: {fault.text!r}")

    def record(self) -> None:
        """A record's file, changed."""
        before = self.records.taken
        if problem := self.records.problem():
            raise Found(problem)
        self.taken += self.records.taken > before

    def call(self) -> None:
        """An entry that is called with a value of any kind."""
        before = self.calls.taken
        if problem := self.calls.problem():
            raise Found(problem)
        self.taken += self.calls.taken > before

    def refused(self, call: Any, table: Table) -> bool:
        """Whether a call is refused; then nothing may have changed."""
        before = bytes(table.s.bytes)
        try:
            call()
        except LudusError as error:
            if bytes(table.s.bytes) != before:
                raise Found(f"what was refused ({error}) has changed the position") from None
            if "\n" in str(error):
                raise Found(f"a refusal of several lines: {error}") from None
            return True
        self.taken += 1
        return False

    def meet(self) -> None:
        """Let the uncompiled table stand where the compiled one does."""
        self.pure = Table(self.game, 1, "pure", position=self.table.s)
        self.pure.rng[:] = self.table.rng

    def play_on(self, what: str) -> None:
        """Play some decisions on both tables, with every verb called, and compare them."""
        one, other = self.table, self.pure
        self.meet_chance()
        try:
            for _ in range(DECISIONS):
                if one.legal() != other.legal():
                    raise Found(f"masks differ after {what}")
                for seat in range(len(self.game.spec.seats)):
                    if not np.array_equal(one.encode(seat), other.encode(seat)):
                        raise Found(f"planes differ after {what}")
                if one.result() != other.result():
                    raise Found(f"results differ after {what}")
                if one.over:
                    break
                action = self.chance.choice(one.legal())
                one.apply(action)
                other.apply(action)
                if one.digest() != other.digest():
                    raise Found(f"rows differ after {what}")
            self.look(one)
        except (IndexError, ValueError, OverflowError, ZeroDivisionError, TypeError, KeyError, AttributeError) as error:
            raise Found(f"{type(error).__name__}: {error} after {what}") from error

    def meet_chance(self) -> None:
        self.pure.rng[:] = self.table.rng

    def look(self, table: Table) -> None:
        """Write a position down in every way."""
        game = self.game
        text = game.text(table.s)
        if bytes_of(game.parse(text)) != bytes_of(table.s):
            raise Found(f"the text does not read back: {text!r}")
        for seat in range(-1, len(game.spec.seats)):
            game.scene(table.s, seat)
            if seat >= 0:
                game.public(table.observe(seat))

    def whole(self) -> int:
        return self.chance.choice((*EXTREMES, self.chance.randrange(self.game.spec.actions)))

    def something(self) -> Any:
        """Return a value of any kind."""
        return self.chance.choice(
            (
                self.whole(),
                self.whole(),
                10**40,
                1.5,
                None,
                "up",
                True,
                [1],
                np.int8(1),
                np.array(2),
                np.array([1, 2]),
                b"x",
                object(),
            )
        )


def bytes_of(row: Any) -> dict[str, bytes]:
    """Return a row field by field: rows have gaps."""
    array = plain(row).array
    return {name: array[name].tobytes() for name in array.dtype.names}


def main(words: list[str]) -> int:
    """Fuzz the games that are named."""
    settings = {"minutes": 1.0, "inputs": 1e9, "seed": 0.0}
    names = []
    while words:
        word = words.pop(0)
        if word.startswith("--"):
            settings[word[2:]] = float(words.pop(0))
        else:
            names.append(word)
    for name in names:
        fuzzer, started = Fuzzer(load(name), int(settings["seed"])), time.monotonic()
        try:
            fuzzer.run(int(settings["inputs"]), 60 * settings["minutes"])
        except Found as found:
            print(f"{name}: input {fuzzer.count} with --seed {int(settings['seed'])}: {found}")
            return 1
        spent = time.monotonic() - started
        print(f"{name}: {fuzzer.count} inputs, {fuzzer.taken} taken and safe, 0 faults, {spent:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
