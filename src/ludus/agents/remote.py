"""Agents in processes of their own: a bot that speaks the wire protocol, or the line protocol of a game's original."""

from __future__ import annotations

import binascii
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.core import Agent, Answer, Result, Start, one_line

from . import wire
from .containment import Limits
from .function import read_action
from .guard import Complaint
from .process import Process
from .stories import OUT_OF_MEMORY, shown_line

LOG_LINES = 1000  # of what a bot writes that are kept here


@dataclass(frozen=True)
class Command:
    """What runs a bot."""

    words: list[str]
    folder: Path  # its own
    name: str
    level: str = "process"
    limits: Limits = field(default_factory=Limits)
    speaks: str = ""  # "wire", "original", or "": its first answer tells


class Remote(Agent):
    """A bot in a process, which lives for many games; `close` ends it."""

    is_elsewhere = True

    def __init__(self, command: Command) -> None:
        self.command, self.name, self.level = command, command.name, command.level
        self.log: list[tuple[int, str]] = []  # turn and line of what it wrote to stderr in this game
        self._process: Process | None = None
        self._dialect: Agent | None = None  # of the game's original, if it speaks that
        self._speaks = command.speaks
        self._last_ms, self._turn = 0.0, 0
        self._is_thinking = False  # whether a dialect's line is one that the clock counts for

    def start(self, start: Start) -> None:
        """Say hello, to a new process if there is none."""
        self._start, self.log, self._turn = start, [], 0
        if self._process is None or not self._process.is_open:
            self.close()
            command = self.command
            self._process = Process(command.words, command.name, command.folder, command.limits, command.level)
            self._dialect, self._speaks = None, command.speaks
        self._process.listen(self.hear)
        if self._dialect is None:
            self._greet(self._process, start)
        if self._dialect is not None:
            self._dialect.start(start)
        self._last_ms = 0.0  # a handshake is no answer

    def ask(self, view: Any, legal: list[int]) -> None:
        """Send what the seat sees and may do; the clock starts when it is written."""
        self._asked, self.spent, self._turn = (view, legal), 0.0, int(view.turn)
        if self._dialect is not None:
            return
        message = act_message(self._start.game, view, legal, self.left, self._last_ms, self._ready.rows)
        self._open().send(wire.encode(message), self.limit)

    def wait(self) -> None:
        """Wait until the answer is there, or too late; what is wrong is said when it is read."""
        if self._dialect is None and self._process is not None:
            self._process.wait()

    def answer(self) -> Any:
        """Wait for the answer until it is too late."""
        if self._dialect is not None:
            self._dialect.left, self._is_thinking = self.left, True
            try:
                return self._dialect.act(*self._asked)
            finally:
                self._is_thinking = False
        return self._read(self._receive(), self._asked[0])

    def after(self, view: Any) -> None:
        """Tell what came of a decision, if the bot wants to know."""
        if self._dialect is not None:
            self._dialect.after(view)
        elif self._ready.after:
            self._tell(wire.encode(wire.After(self._start.game.public(view), _row(view) if self._ready.rows else None)))

    def end(self, result: Result) -> None:
        """Tell how the game ended; a process that was ended hears nothing."""
        if self._process is None or not self._process.is_open:
            return
        if self._dialect is not None:
            self._dialect.end(result)
            return
        seats = self._start.game.spec.seats
        verdicts = [wire.Verdict(seats[fault.seat], fault.kind, fault.text) for fault in self.verdicts]
        own = result.outcome[self._start.seat]
        self._tell(wire.encode(wire.End(own, list(result.outcome), list(result.points), verdicts)))

    def close(self) -> None:
        """End the process with all its children."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def exchange(self, line: str) -> str:
        """Send a line of another protocol and return the one that answers it, as text."""
        process = self._open()
        process.send(line.encode(), self.limit if self._is_thinking else self.command.limits.tell_s)
        return self._receive().decode("utf-8", "replace")

    def _open(self) -> Process:
        if self._process is None:
            raise Complaint("crash", "has ended", ends=True)
        return self._process

    def _tell(self, line: bytes) -> None:
        process = self._open()
        try:
            process.tell(line)
        except Complaint:
            self._keep(process)
            self.close()
            raise

    def _greet(self, process: Process, start: Start) -> None:
        """Shake hands; a game whose original had a protocol greets in both, and the answer tells which one is spoken."""
        line, dialect = wire.encode(hello_message(start)), start.game.says("original", "line_agent")
        if dialect is not None and self._speaks != "wire":
            line = start.game.says("original", "greeting")(self.name, line)
        process.send(line, self.command.limits.start_s)
        answer = self._receive()
        try:
            self._ready, self._speaks = wire.decode(answer, wire.Ready), "wire"
        except ValueError as error:
            if dialect is None or self._speaks == "wire" or answer.lstrip().startswith(b"{"):
                self.close()
                raise _no_message(answer, error, ends=True) from None
            self._speaks, self._ready = "original", wire.Ready()
            self._dialect = dialect(self.exchange, self.name)

    def _receive(self) -> bytes:
        process = self._open()
        try:
            line = process.receive()
        except Complaint:
            self._keep(process)
            self.spent = process.arrived - process.sent
            self.close()
            raise
        self.spent = process.arrived - process.sent
        self._last_ms = round(self.spent * 1000, 3)
        self._keep(process)
        return line

    def _keep(self, process: Process) -> None:
        if process.has_stderr:
            for line in process.stderr():
                self._note(line)

    def _note(self, line: str) -> None:
        """Keep a line; of many the last ones."""
        self.log.append((self._turn, line))
        if len(self.log) > 2 * LOG_LINES:
            del self.log[:-LOG_LINES]

    def _read(self, line: bytes, view: Any) -> Answer:
        """Take a reply apart."""
        try:
            reply = wire.decode(line, wire.Reply)
        except ValueError as error:
            complaint = _no_message(line, error)
            if complaint.ends:
                self.close()
            raise complaint from None
        if reply.error is not None:
            kind = "memory" if any(sign in reply.error for sign in OUT_OF_MEMORY) else "crash"
            raise Complaint(kind, one_line(reply.error), stderr=self._open().stderr())
        if reply.turn is not None and reply.turn != view.turn:
            raise Complaint("rubbish", f"answered for turn {reply.turn} when turn {view.turn} was asked")
        found = reply.actions if reply.action is None else [reply.action]
        if not found:
            raise Complaint("rubbish", f"answered {shown_line(line)}, which names no action")
        actions: Sequence[int] = [read_action(self._start.game, action, view) for action in found]
        if reply.remark:
            self._note(one_line(reply.remark))
            if self.hear is not None:
                self.hear(one_line(reply.remark))
        return Answer(actions, reply.remarks or ())


def hello_message(start: Start) -> wire.Hello:
    """Return what a bot is told as a game begins."""
    game, control = start.game, start.control
    clock = None if control is None else wire.WireClock(control.kind, control.start, control.increment)
    seats = list(game.spec.seats)
    return wire.Hello(
        wire.PROTOCOL, game.name, game.spec.version, seats[start.seat], seats, dict(game.options), start.seed, clock
    )


def act_message(game: Any, view: Any, legal: list[int], left: float | None, last_ms: float, rows: bool = False) -> wire.Act:
    """Return what a bot is told when it is to move."""
    names = [game.action_name(action, view) for action in legal]
    clock = None if left is None else wire.Left(round(left, 4))
    return wire.Act(int(view.turn), game.public(view), names, legal, clock, last_ms, _row(view) if rows else None)


def _no_message(line: bytes, error: ValueError, ends: bool = False) -> Complaint:
    """Tell text that went to the wrong place from a message that is wrong."""
    if line.lstrip().startswith(b"{"):
        return Complaint("rubbish", f"sent {shown_line(line)}, which is no message: {error}", ends)
    return Complaint("babble", f"wrote text on stdout: {shown_line(line)}", ends=True)


def _row(view: Any) -> str:
    return binascii.b2a_base64(bytes(view.bytes), newline=False).decode()
