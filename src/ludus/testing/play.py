"""Play whole games uncompiled: every verb at every decision, by chance and by the built-in bots; courses are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from ludus.core import Row, agent_seed, plain, streams_of

from .breach import CheckFailed, TimeUp, fail
from .judge import Judge
from .rows import cells, checked
from .work import Budget, work

SLOW = 1_000_000  # cells for one answer of a bot, uncompiled, after which it is asked compiled: about a second
CLOSE = 12  # decisions of a game that are looked at closely in any case
SEEN = 3  # every third position may be seen by its mover alone
ANY_ID = 200  # seeds from here on are of games in which any id is played
# Of the work of a game so much may go into looking closely at later positions, and into what movers see of others: the rest is
# moves alone, so that late positions are reached, too.
CLOSE_SHARE, SEEN_SHARE = 0.4, 0.25


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
    is_cut: bool = False  # more work was not allowed

    @property
    def name(self) -> str:
        """Who plays, for sentences."""
        return f"game {self.seed} of {'/'.join(player or 'chance' for player in self.players)}"


def play(judge: Judge, seed: int, players: tuple[str, ...], budget: Budget, most: int = 50_000, ids: bool = False) -> Course:
    """Play one game to its end, for a budget or for a number of decisions; `ids`: any id is played, not only legal ones."""
    course, chance = Course(seed, players), np.random.default_rng(seed)
    judge.where = f" ({course.name}, at the start)"
    row, rng = judge.new(seed)
    course.draws_at_start = rng[0] != streams_of(np.array([seed], np.uint64))[0][0]
    seats = range(len(judge.spec.seats))
    dice = [streams_of(np.array([agent_seed(seed, seat)], np.uint64))[0] for seat in seats]
    memory = scratches(judge)
    start, close, seen = work.done, 0, 0
    for number in range(most + 1):
        judge.where = f" ({course.name}, decision {number})"
        course.rows.append(bytes(row.bytes))
        before = work.done
        is_close = number < CLOSE or close < CLOSE_SHARE * (before - start)
        is_seen = number % SEEN == 0 and seen < SEEN_SHARE * (before - start)
        mask, view = _stand(judge, course, row, is_close, is_seen)
        seen += work.done - before if is_seen and not is_close else 0
        course.is_cut = not course.status and budget.is_spent()
        if course.status or course.is_cut or number == most:
            break
        seat = row.seat
        if players[seat]:
            action = ask_bot(judge, players[seat], row, mask, dice[seat], memory[seat], is_close, view, SLOW)
        else:
            action = int(chance.choice(np.flatnonzero(mask) if not ids else np.arange(judge.spec.actions)))
        course.actions.append(action)
        course.seats.append(seat)
        judge.apply(row, action, rng, whole=is_close)
        course.rewards.append(row.last_reward.tolist())
        close += work.done - before if is_close else 0
    judge.where = ""
    return course


def _stand(judge: Judge, course: Course, row: Row, is_close: bool, is_seen: bool) -> tuple[Any, Row | None]:
    """Hold a position to the contract; return its mask, and what its mover sees if that was looked at."""
    mask = judge.legal(row)
    course.status, course.outcome, course.points = judge.result(row)
    if (course.status == 0) != bool(mask.any()):
        says = f"result says {course.status}, but legal marks {int(mask.sum())} actions"
        fail(f"{judge.at('legal')} and result contradict each other: {says}{judge.where}")
    if course.status and not course.actions:
        fail(f"{judge.at('new')} makes a game that is over before its first decision{judge.where}")
    if not is_close and not course.status:
        return mask, _seen(judge, row, row.seat, is_close)[0] if is_seen else None
    if not judge.sound(row):
        fail(f"{judge.at('sound')} refuses a position that was reached by play{judge.where}")
    if not course.status:
        judge.default(row, mask)
        if judge.call("is_out", judge.game.is_out, row, row.seat):
            fail(f"{judge.at('is_out')} says that {judge.spec.seats[row.seat]} is out, but it is asked for a move{judge.where}")
    seen = [_seen(judge, row, seat, is_close) for seat in range(len(judge.spec.seats))]
    course.planes_written = course.planes_written or any(bool(planes.any()) for _, planes in seen)
    return mask, seen[row.seat][0]


def _seen(judge: Judge, row: Row, seat: int, is_close: bool) -> tuple[Row, Any]:
    """Return what a seat sees, and its planes; closely, also at a glance."""
    view = judge.observe(row, seat)
    planes = judge.encode(view)
    if judge.spec.features:
        judge.features(view, row if is_close else None)
    return view, planes


def ask_bot(
    judge: Judge,
    name: str,
    row: Row,
    mask: Any,
    dice: Any,
    memory: Any,
    twice: bool = True,
    view: Row | None = None,
    most: float = inf,
) -> int:
    """Ask a bot uncompiled and hold its answer to the mask; `twice`: the same question gets the same answer.

    One that touches more cells than `most` is Slow.
    """
    bot = judge.game.bots[name]
    takes = bot.__code__.co_argcount
    view = judge.observe(row, row.seat) if view is None else view
    copies = (dice.copy(), memory.copy() if memory is not None else None)
    answer = _answer(judge, name, view, mask, dice, memory, takes, most)
    if twice and _answer(judge, name, view, mask, *copies, takes, most) != answer:
        fail(
            f"bots.py: {name} answers the same question differently: chance comes from draw(rng, n), memory from scratch alone"
        )
    if twice and copies[0][0] != dice[0]:
        fail(f"bots.py: {name} draws a different number of times when asked the same question twice")
    return answer


def _answer(judge: Judge, name: str, view: Row, mask: Any, dice: Any, memory: Any, takes: int, most: float) -> int:
    bot = judge.game.bots[name]
    given, before = cells(mask.copy(), "the mask"), bytes(view.bytes)
    more = (_open(memory),) if takes > 3 else ()
    try:
        started = work.done
        answer = judge.call(f"the bot {name}{judge.where}", bot, view, given, dice, *more, cells=most)
    except CheckFailed as breach:
        if isinstance(breach.__cause__, TimeUp):
            raise Slow(str(breach)) from None
        raise
    if work.done - started > most:  # before the watch has noticed
        raise Slow(f"the bot {name}{judge.where} has not returned after {most:,} cells")
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


def play_all(judge: Judge, games: int, bots: list[str], slow: Callable[[str, str], None], amount: float) -> list[Course]:
    """Play games by chance, more where they are short, then each bot with itself and in each seat against chance.

    `slow` is told of a bot that has not answered in its time. A long game gets half of what is left, so that others begin, too.
    """
    seats, budget = len(judge.spec.seats), Budget(0.6 * amount)
    found = []
    for seed in range(10 * games):
        if seed < games or not budget.is_spent(0.5):
            found.append(play(judge, seed, ("",) * seats, budget.share(0.5)))
    line_ups = [(name,) * seats for name in bots]
    line_ups += [tuple(name if k == seat else "" for k in range(seats)) for name in bots for seat in range(seats)]
    share = 0.4 * amount / max(4, len(line_ups))
    told: set[str] = set()
    for number, players in enumerate(line_ups):
        try:
            found.append(play(judge, 100 + number, players, Budget(share)))
        except Slow as breach:
            bot = next(filter(None, players))
            if bot not in told:
                slow(bot, str(breach))
            told.add(bot)
    if not judge.spec.refuses:
        found += [play(judge, ANY_ID + number, ("",) * seats, Budget(share), ids=True) for number in range(2)]
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
