"""Play whole games uncompiled: every verb at every decision, by chance and by the built-in bots; courses are kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludus.core import Row, agent_seed, plain, streams_of

from .breach import CheckFailed, TimeUp, fail
from .judge import Judge
from .rows import cells, checked

BOT_PATIENCE = 5.0  # seconds for one answer of a bot, uncompiled
CLOSE = 12  # decisions of a game that are looked at closely in any case
ANY_ID = 200  # seeds from here on are of games in which any id is played
SHARE = 0.5  # of the time of a game may go into looking closely at later ones


class Slow(CheckFailed):
    """A bot has not answered in its time: it is slow as Python runs it, or does not end."""


@dataclass
class Course:
    """One game as it was played: enough to play it again, and what came of it."""

    seed: int
    players: tuple[str, ...]  # a bot's name by seat; "" = by chance
    actions: list[int] = field(default_factory=list)
    rows: list[bytes] = field(default_factory=list)  # before each decision, and the last
    seats: list[int] = field(default_factory=list)  # who decided
    rewards: list[Any] = field(default_factory=list)  # [seat] of each decision
    status: int = 0
    outcome: Any = None
    points: Any = None
    draws_at_start: bool = False
    planes_written: bool = False

    @property
    def name(self) -> str:
        """Who plays, for sentences."""
        return f"game {self.seed} of {'/'.join(player or 'chance' for player in self.players)}"


def play(judge: Judge, seed: int, players: tuple[str, ...], until: float, most: int = 50_000, ids: bool = False) -> Course:
    """Play one game until its end, a time or a number of decisions; `ids`: any id is played, not only legal ones."""
    course, chance = Course(seed, players), np.random.default_rng(seed)
    judge.where = f" ({course.name}, at the start)"
    row, rng = judge.new(seed)
    course.draws_at_start = rng[0] != streams_of(np.array([seed], np.uint64))[0][0]
    seats = range(len(judge.spec.seats))
    dice = [streams_of(np.array([agent_seed(seed, seat)], np.uint64))[0] for seat in seats]
    memory = scratches(judge)
    start, spent = time.monotonic(), 0.0
    for number in range(most + 1):
        judge.where = f" ({course.name}, decision {number})"
        course.rows.append(bytes(row.bytes))
        now = time.monotonic()
        is_close = number < CLOSE or spent < SHARE * (now - start)
        mask = _stand(judge, course, row, is_close)
        if course.status or time.monotonic() > until or number == most:
            break
        seat = row.seat
        if players[seat]:
            action = ask_bot(judge, players[seat], row, mask, dice[seat], memory[seat], is_close)
        else:
            action = int(chance.choice(np.flatnonzero(mask) if not ids else np.arange(judge.spec.actions)))
        course.actions.append(action)
        course.seats.append(seat)
        judge.apply(row, action, rng, whole=is_close)
        course.rewards.append(row.last_reward.tolist())
        spent += time.monotonic() - now if is_close else 0.0
    judge.where = ""
    return course


def _stand(judge: Judge, course: Course, row: Row, is_close: bool) -> Any:
    """Hold a position to the contract; return its mask."""
    mask = judge.legal(row)
    course.status, course.outcome, course.points = judge.result(row)
    if (course.status == 0) != bool(mask.any()):
        says = f"result says {course.status}, but legal marks {int(mask.sum())} actions"
        fail(f"{judge.at('legal')} and result contradict each other: {says}{judge.where}")
    if course.status and not course.actions:
        fail(f"{judge.at('new')} makes a game that is over before its first decision{judge.where}")
    if not is_close and not course.status:
        return mask
    if not judge.sound(row):
        fail(f"{judge.at('sound')} refuses a position that was reached by play{judge.where}")
    if not course.status:
        judge.default(row, mask)
        if judge.call("is_out", judge.game.is_out, row, row.seat):
            fail(f"{judge.at('is_out')} says that {judge.spec.seats[row.seat]} is out, but it is asked for a move{judge.where}")
    for seat in range(len(judge.spec.seats)):
        view = judge.observe(row, seat)
        planes = judge.encode(view)
        if judge.spec.features:
            judge.features(view, row)
        course.planes_written = course.planes_written or bool(planes.any())
    return mask


def ask_bot(judge: Judge, name: str, row: Row, mask: Any, dice: Any, memory: Any, twice: bool = True) -> int:
    """Ask a bot uncompiled and hold its answer to the mask; `twice`: the same question gets the same answer."""
    bot = judge.game.bots[name]
    takes = bot.__code__.co_argcount
    view = judge.observe(row, row.seat)
    copies = (dice.copy(), memory.copy() if memory is not None else None)
    answer = _answer(judge, name, view, mask, dice, memory, takes)
    if twice and _answer(judge, name, view, mask, *copies, takes) != answer:
        fail(
            f"bots.py: {name} answers the same question differently: chance comes from draw(rng, n), memory from scratch alone"
        )
    if twice and copies[0][0] != dice[0]:
        fail(f"bots.py: {name} draws a different number of times when asked the same question twice")
    return answer


def _answer(judge: Judge, name: str, view: Row, mask: Any, dice: Any, memory: Any, takes: int) -> int:
    bot = judge.game.bots[name]
    given, before = cells(mask.copy(), "the mask"), bytes(view.bytes)
    more = (_open(memory),) if takes > 3 else ()
    try:
        answer = judge.call(f"the bot {name}{judge.where}", bot, view, given, dice, *more, seconds=BOT_PATIENCE)
    except CheckFailed as breach:
        if isinstance(breach.__cause__, TimeUp):
            raise Slow(str(breach)) from None
        raise
    if isinstance(answer, bool | np.bool_) or not isinstance(answer, int | np.integer):
        fail(f"bots.py: {name} answered {answer!r}, which is no action{judge.where}")
    if not 0 <= answer < judge.spec.actions or (judge.spec.refuses and not mask[answer]):
        fail(f"bots.py: {name} answered {int(answer)}, which is not marked{judge.where}")
    judge.check_untouched(f"bots.py: {name}", view, before)
    if not np.array_equal(np.asarray(given), mask):
        fail(f"bots.py: {name} changes the mask: it may only look")
    return int(answer)


def scratches(judge: Judge) -> list[Any]:
    """Return a bot's memory for each seat, empty."""
    dtype = judge.game.says("bots", "Scratch")
    return [None if dtype is None else np.zeros(1, dtype) for _ in judge.spec.seats]


def _open(memory: Any) -> Any:
    return checked(memory, "Scratch") if memory.dtype.names else cells(memory, "scratch")


def play_all(judge: Judge, games: int, bots: list[str], slow: Callable[[str, str], None], seconds: float) -> list[Course]:
    """Play games by chance, more where they are short, then each bot with itself and in each seat against chance.

    `slow` is told of a bot that has not answered in its time.
    """
    seats, start = len(judge.spec.seats), time.monotonic()
    found = []
    for seed in range(10 * games):
        if seed < 2 or time.monotonic() - start < seconds * (0.6 if seed < games else 0.3):
            found.append(play(judge, seed, ("",) * seats, start + 0.6 * seconds))
    line_ups = [(name,) * seats for name in bots]
    line_ups += [tuple(name if k == seat else "" for k in range(seats)) for name in bots for seat in range(seats)]
    share = max(0.5, 0.4 * seconds / max(1, len(line_ups)))
    for number, players in enumerate(line_ups):
        try:
            found.append(play(judge, 100 + number, players, time.monotonic() + share))
        except Slow as breach:
            slow(next(filter(None, players)), str(breach))
    if not judge.spec.refuses:
        found += [play(judge, ANY_ID + number, ("",) * seats, time.monotonic() + share, ids=True) for number in range(2)]
    return found


def kept_positions(judge: Judge, courses: list[Course], most: int) -> list[Row]:
    """Return positions of all courses, spread evenly over each, its last one too."""
    found: list[Row] = []
    share = max(3, most // max(1, len(courses)))
    for course in courses[:: max(1, share * len(courses) // most)]:
        places = np.unique(np.linspace(0, len(course.rows) - 1, share).astype(int))
        for place in places.tolist():
            found.append(plain(np.frombuffer(bytearray(course.rows[place]), judge.game.state_type)))
    return found
