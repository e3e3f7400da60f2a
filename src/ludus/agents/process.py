"""A bot in a process of its own: lines go in, lines come out, under limits of time and length, and nothing stays behind."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import finalize

from ludus.core import printed_line

from . import stories
from .containment import Limits, setup
from .guard import Complaint
from .starting import clear_away, start_warden

CHUNK = 1 << 16
STDERR_KEPT = 1 << 14  # bytes of what a bot writes there in one turn
LONGEST_HEARD = 1 << 12  # bytes of a line that has not ended
GONE = "signal 9"  # what a warden stands for that was killed, and its bot with it
ENDING_S = 0.25  # within which a warden must have seen that its bot has ended
LONGEST_WAIT_S = 1e6
# Whoever answered last within this time is waited for awake as long: on an idle machine waking up costs more than an answer.
AWAKE_S = 2.5e-4
READABLE = select.POLLIN | select.POLLHUP | select.POLLERR


class Thinking(threading.local):
    """The processes of this thread that have been asked and have not answered."""

    def __init__(self) -> None:
        self.processes: list[Process] = []


_thinking = Thinking()


class Process:
    """A running bot. `send` a line, then `receive` one; several may think at once, and each one's time is its own."""

    def __init__(self, command: list[str], name: str, folder: Path, limits: Limits, level: str) -> None:
        self.folder, self.limits = folder, limits
        self.arrived = 0.0  # when the last line came
        self._line: bytes | None = None
        self._buffer, self._unsent = bytearray(), b""
        self._stderr, self._stderr_bytes = bytearray(), 0
        self._hear: Callable[[str], None] | None = None  # is given each line that it writes to stderr, as it comes
        self._unheard = b""  # the line that has not ended yet
        self._complaint: Complaint | None = None
        self._deadline, self._is_asked, self._is_quick = 0.0, False, False
        self._told: list[str] = []  # by the warden
        self._start(setup(command, name, folder, limits, level))

    def _start(self, about: dict[str, Any]) -> None:
        self._started = start_warden(about, self.folder)
        self._status, pipes = self._started.status, self._started.pipes
        self._in, self._out, self._err = (pipe.fileno() for pipe in pipes)
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        self._poll = select.poll()
        self._poll.register(self._out, READABLE)
        self._poll.register(self._err, READABLE)
        self._poll.register(self._status, READABLE)
        self._poll.register(self._in, select.POLLERR)  # somebody who closes it will not answer
        self._close = finalize(self, clear_away, self._started)

    @property
    def is_open(self) -> bool:
        """Whether it can be asked."""
        return self._close.alive and self._complaint is None

    @property
    def _is_waiting(self) -> bool:
        return self._is_asked and self._line is None and self._complaint is None

    def send(self, line: bytes, limit: float | None = None) -> None:
        """Write a line and start the time, after which an answer is too late; what is wrong is said by `receive`."""
        if self._complaint is None:
            self._forget_turn()
        self.sent = time.perf_counter()
        self._deadline = self.sent + (LONGEST_WAIT_S if limit is None else limit)
        self._unsent, self._is_asked = line, True
        self._write()
        if self not in _thinking.processes:
            _thinking.processes.append(self)

    def tell(self, line: bytes) -> None:
        """Write a line to which there is no answer."""
        self._unsent += line
        self._write()
        deadline = time.perf_counter() + self.limits.tell_s
        while self._unsent and self._complaint is None:
            if time.perf_counter() > deadline:
                self._fail("timeout", "does not read what it is told")
            _wait([self], deadline)
        if self._complaint is not None:
            raise self._complaint

    def wait(self) -> None:
        """Wait until a line has come, or none can come any more."""
        while self._is_waiting:
            _wait(_thinking.processes if self in _thinking.processes else [self], self._deadline)

    def receive(self) -> bytes:
        """Return the line that answers; what goes wrong instead is a Complaint."""
        self.wait()
        self._is_asked = False
        if self in _thinking.processes:
            _thinking.processes.remove(self)
        if self._hear is not None:
            self._drain_stderr()
        if self._complaint is not None:
            self._pass_on(b"\n")
            raise self._complaint
        line, self._line = self._line, None
        self._is_quick = self.arrived - self.sent < AWAKE_S
        assert line is not None
        return line

    @property
    def has_stderr(self) -> bool:
        """Whether it has written to stderr since it was asked."""
        return bool(self._stderr)

    def stderr(self) -> list[str]:
        """Return the last lines that it wrote to stderr since it was asked; of tracebacks those of the author."""
        lines = self._stderr.decode("utf-8", "replace").splitlines()
        return [printed_line(line) for line in stories.cut_tracebacks(lines, self.folder) if line.strip()]

    def listen(self, hear: Callable[[str], None] | None) -> None:
        """Let somebody else hear what it writes to stderr from now on; what is there already was for the last one."""
        if self._hear is not None:
            self._drain_stderr()
            self._pass_on(b"\n")
        self._hear = hear

    def close(self) -> None:
        """End the bot with all its children."""
        if self in _thinking.processes:
            _thinking.processes.remove(self)
        if self._close.alive:
            self.listen(None)
        self._close()

    def _forget_turn(self) -> None:
        """Begin a turn: what came unasked before is no answer."""
        self._read_stdout()
        if self._line is not None or self._buffer:
            early = self._line or bytes(self._buffer)
            self._fail("babble", f"wrote to stdout when nothing was asked: {stories.shown_line(early)}")
        self._stderr.clear()
        self._stderr_bytes = 0

    def _write(self) -> None:
        if self._complaint is not None:
            self._unsent = b""
            return
        try:
            written = os.write(self._in, self._unsent)
        except BlockingIOError:
            written = 0
        except OSError:
            self._unsent = b""
            self._end("closed its stdin")
            return
        self._unsent = self._unsent[written:]

    def _miss_stdin(self) -> None:
        """Judge a bot that has closed its stdin; an answer that it left behind counts."""
        self._read_stdout()
        if self._line is None:
            self._end("closed its stdin")

    def _read_stdout(self) -> None:
        try:
            data = os.read(self._out, CHUNK)
        except BlockingIOError:
            return
        now = time.perf_counter()
        if not data:
            self._end("closed its stdout")
        elif self._line is None and not self._buffer and data.find(b"\n") == len(data) - 1:  # the common case
            self._line, self.arrived = data, now
        else:
            self._buffer += data
            if self._line is None and (place := self._buffer.find(b"\n")) >= 0:
                self._line, self.arrived = bytes(self._buffer[: place + 1]), now
                del self._buffer[: place + 1]
            if len(self._buffer) > self.limits.stdout:
                start = stories.shown_line(bytes(self._buffer[:200]))
                self._fail("output", f"wrote more than {self.limits.stdout} bytes to stdout in one turn: {start}")

    def _read_stderr(self) -> None:
        try:
            data = os.read(self._err, CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._poll.unregister(self._err)
            self._err = -1
        self._stderr += data
        if self._hear is not None:
            self._pass_on(data)
        self._stderr_bytes += len(data)
        if len(self._stderr) > 2 * STDERR_KEPT:
            del self._stderr[:-STDERR_KEPT]
        if self._stderr_bytes > self.limits.stderr:
            self._fail("output", f"wrote more than {self.limits.stderr} bytes to stderr in one turn")

    def _pass_on(self, data: bytes) -> None:
        """Pass on the lines that have ended; one without end is cut."""
        *whole, rest = (self._unheard + data).split(b"\n")
        whole, self._unheard = ([*whole, rest], b"") if len(rest) > LONGEST_HEARD else (whole, rest)
        for line in whole:
            if self._hear is not None and line.strip():
                self._hear(printed_line(line[: 4 * LONGEST_HEARD].decode("utf-8", "replace")))

    def _end(self, what: str) -> None:
        """Find out how the bot ended, and with which words."""
        ending = self._how_it_ended()
        self._drain_stderr()
        kind, text = stories.of_ending(ending, what, self.stderr(), self.folder)
        self._fail(kind, text)

    def _how_it_ended(self) -> str:
        """Ask the warden, who may need a moment; "" is a bot that lives on."""
        deadline = time.perf_counter() + ENDING_S
        while not (endings := _endings(self._told)) and time.perf_counter() < deadline:
            if select.select([self._status], [], [], ENDING_S)[0]:
                self._hear_warden()
        return endings[0] if endings else ""

    def _hear_warden(self) -> None:
        """Take in what the warden says; one that says nothing any more has come to harm."""
        data = os.read(self._status, CHUNK).decode("utf-8", "replace")
        self._told += data.splitlines() if data else [GONE]

    def _read_status(self) -> None:
        """Judge a bot that has ended, whoever may still hold its pipes; an answer that it left behind counts."""
        self._hear_warden()
        if _endings(self._told):
            self._read_stdout()
            if self._line is None:
                self._end("has ended")
            else:
                self._poll.unregister(self._status)

    def _drain_stderr(self) -> None:
        for _ in range(32):
            if self._err < 0 or not select.select([self._err], [], [], 0)[0]:
                break
            self._read_stderr()

    def _expire(self) -> None:
        """Judge a bot whose time is up: it may have been stopped by a limit, or have printed half a line."""
        self._drain_stderr()
        seconds = self._deadline - self.sent
        half = f"; half a line came: {stories.shown_line(bytes(self._buffer))}" if self._buffer else ""
        self._fail("timeout", f"gave no answer within {seconds:.2f} s{half}")

    def _fail(self, kind: str, text: str) -> None:
        if self._complaint is None:
            self.arrived = time.perf_counter()
            self._complaint = Complaint(kind, text, ends=True, stderr=self.stderr())


def _wait(processes: list[Process], deadline: float) -> None:
    """Read and write for all that think, until something happens or the first one's time is up."""
    now = time.perf_counter()
    if len(processes) == 1 and not processes[0]._unsent:
        process = processes[0]
        until = min(process._deadline, deadline) if process._is_asked else deadline
        events, awake = [], min(now + AWAKE_S, until) if process._is_quick else 0.0
        while not events and time.perf_counter() < awake:
            events = process._poll.poll(0)
        _serve(process, events or process._poll.poll(max(0.0, until - now) * 1000))
        _judge_time(process)
        return
    poll, owners = select.poll(), {}
    for process in processes:
        for fd in (process._out, process._err, process._status):
            if fd >= 0 and process._complaint is None:
                poll.register(fd, READABLE)
                owners[fd] = process
        if process._complaint is None:
            poll.register(process._in, select.POLLOUT if process._unsent else select.POLLERR)
            owners[process._in] = process
    until = min([deadline, *(process._deadline for process in processes if process._is_waiting)])
    for fd, event in poll.poll(max(0.0, until - now) * 1000):
        _serve(owners[fd], [(fd, event)])
    for process in processes:
        _judge_time(process)


def _judge_time(process: Process) -> None:
    if process._is_waiting and time.perf_counter() >= process._deadline:
        process._expire()


def _serve(process: Process, events: list[tuple[int, int]]) -> None:
    for fd, _ in events:
        if fd == process._out:
            process._read_stdout()
        elif fd == process._err:
            process._read_stderr()
        elif fd == process._status:
            process._read_status()
        elif process._unsent:
            process._write()
        else:
            process._miss_stdin()


def _endings(told: list[str]) -> list[str]:
    return [line for line in told if not line.startswith("pid ")]
