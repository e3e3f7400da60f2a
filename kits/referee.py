"""Bots in processes of their own, played against built-in bots over pipes: as a referee does it, without clocks."""

from __future__ import annotations

import json
import select
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludus import Table
from ludus.core import agent_seed

LIMIT = 20.0  # seconds for an answer: slow machines may be busy, endless loops end


class Fault(Exception):
    """What a bot did wrong."""


class Bot:
    """A bot in a process of its own, which serves many games."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=folder, bufsize=0)
        self.slowest, self.taken, self.answers = 0.0, 0.0, 0

    def tell(self, **message: Any) -> None:
        """Send a message."""
        try:
            line = json.dumps(message, ensure_ascii=self.answers % 2 == 0)  # signs come in both forms
            self.process.stdin.write(line.encode() + b"\n")  # type: ignore[union-attr]
        except BrokenPipeError:
            raise Fault(f"has ended, status {self.process.wait()}") from None

    def ask(self, **message: Any) -> Any:
        """Send a message and return the answer."""
        began, line = time.perf_counter(), b""
        self.tell(**message)
        while not line.endswith(b"\n"):
            if not select.select([self.process.stdout], [], [], LIMIT)[0]:
                raise Fault(f"no answer to {message['type']} within {LIMIT:.0f} s")
            part = self.process.stdout.read(65536)  # type: ignore[union-attr]
            if not part:
                raise Fault(f"ended instead of answering {message['type']}, status {self.process.wait()}")
            line += part
        seconds = time.perf_counter() - began
        if message["type"] == "act":
            self.slowest, self.taken, self.answers = max(self.slowest, seconds), self.taken + seconds, self.answers + 1
        try:
            return json.loads(line)
        except ValueError:
            raise Fault(f"wrote {line[:60]!r} instead of a message") from None

    def close(self) -> bool:
        """Close its stdin and say whether it ended by itself."""
        self.process.stdin.close()  # type: ignore[union-attr]
        try:
            return self.process.wait(LIMIT) == 0
        except subprocess.TimeoutExpired:
            self.process.kill()
            return False
        finally:
            self.process.stdout.close()  # type: ignore[union-attr]


def decide(bot: Bot, table: Table) -> None:
    """Let a bot decide once, or for the rest of its turn, and play that."""
    view = table.game.public(table.observe())
    names = {table.game.action_name(action, table.s): action for action in table.legal()}
    answer = bot.ask(type="act", turn=table.turn, view=view, legal=list(names), ids=list(names.values()), clock=None, last_ms=0)
    seat = table.seat
    for action in answer.get("actions", [answer.get("action")]):
        if table.over or table.seat != seat:
            break
        number = names.get(action, action) if isinstance(action, str) else action
        if type(number) is not int or number not in table.legal():
            raise Fault(f"answered {answer}, which is none of the legal actions {list(names)[:9]}")
        table.apply(number)
        names = {table.game.action_name(legal, table.s): legal for legal in table.legal()}


def play(table: Table, bots: dict[int, Bot], against: str, seed: int) -> float:
    """Play a game with bots by seat and return what the first of them got."""
    game, seats = table.game, table.spec.seats
    table.begin(seed)
    table.seat_bots([None if seat in bots else against for seat in range(len(seats))])
    about: dict[str, Any] = {"protocol": 1, "game": game.name, "rules": table.spec.version, "seats": seats, "clock": None}
    about |= {"options": dict(game.options), "news": [{"é": -1.5e3}, [], {}, True]}  # unknown keys are to be ignored, too
    for seat, bot in bots.items():
        ready = bot.ask(type="hello", seat=seats[seat], seed=agent_seed(seed, seat), **about)
        if ready.get("type") != "ready" or not ready.get("name"):
            raise Fault(f"answered hello by {ready}")
        bot.tell(type="weather", text='unknown, to be ignored: "\\ \u2603 \U0001f600\n')
    table.play_bots()
    while not table.over:
        decide(bots[table.seat], table)
        table.play_bots()
    result = table.result()
    for seat, bot in bots.items():
        bot.tell(type="end", outcome=result.outcome[seat], outcomes=result.outcome, points=result.points, verdicts=[])
    return result.outcome[min(bots)]


def play_many(name: str, bot: Sequence[str], folder: Path, count: int, against: str, device: str) -> dict[str, Any]:
    """Play some games, the bot on one side after the other, and return what there is to report."""
    table = Table(name, device=device)
    sides = [[seat for seat in range(len(table.spec.seats)) if table.spec.side(seat) == side] for side in (0, 1)]
    bots = [Bot(bot, folder) for _ in range(max(map(len, sides)))]
    scores: list[list[float]] = [[], []]
    report: dict[str, Any] = {"game": name, "faults": []}
    try:
        for k in range(count):
            seats = sides[k % 2]
            scores[k % 2].append(play(table, dict(zip(seats, bots, strict=False)), against, k // 2))
    except Fault as fault:
        report["faults"].append(f"game {sum(map(len, scores))}: {fault}")
    closed = [each.close() for each in bots]
    if not all(closed) and not report["faults"]:
        report["faults"].append("did not end with status 0 when its stdin was closed")
    means = {table.spec.seats[seats[0]]: sum(got) / len(got) for seats, got in zip(sides, scores, strict=True) if got}
    answers = max(1, sum(each.answers for each in bots))
    milliseconds = {"mean": 1000 * sum(each.taken for each in bots) / answers, "worst": 1000 * max(e.slowest for e in bots)}
    return report | {"games": sum(map(len, scores)), "outcome": means, "milliseconds": milliseconds}
