"""What whole games tell that single positions do not: rewards against outcomes, turns, seats, seeds, planes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import plain

from .breach import fail
from .judge import Judge
from .play import ANY_ID, Course, play
from .work import Budget


def check_story(judge: Judge, courses: list[Course]) -> str:
    """Hold all games together to what every game keeps."""
    legal_play = [course for course in courses if course.seed < ANY_ID]
    finished = [course for course in legal_play if course.status]
    check_ends(judge, finished)
    _check_turns(judge, legal_play)
    _check_starts(judge, legal_play)
    if not any(course.planes_written for course in courses):
        fail(f"{judge.at('encode')} wrote nothing into any planes of {len(courses)} games")
    _check_planes_tell_the_mover(judge, legal_play)
    decisions = sum(len(course.actions) for course in courses)
    return f"{len(courses)} games, {decisions} decisions, {len(finished)} of them to the end"


def check_ends(judge: Judge, finished: list[Course]) -> None:
    """Hold finished games together: who won against what was paid, and who was ever asked."""
    for course in finished:
        _check_end(judge, course)
    _check_rewards(judge, [course for course in finished if course.status == 1])
    _check_seats(judge, finished)


def _sides(judge: Judge) -> dict[int, int]:
    """Return one seat of each side."""
    return {judge.spec.side(seat): seat for seat in reversed(range(len(judge.spec.seats)))}


def _check_end(judge: Judge, course: Course) -> None:
    outcome, total = course.outcome, np.sum(course.rewards, axis=0)
    firsts = list(_sides(judge).values())
    if len(firsts) > 1 and (outcome[firsts] > 0).all():
        fail(f"{judge.at('result')} lets every side win: {outcome.tolist()} ({course.name})")
    is_late = not np.any(course.rewards[:-1])  # rewards that come with the last decision alone say what the outcome says
    for one in firsts:
        for other in firsts:
            if outcome[one] <= outcome[other]:
                continue
            names = f"{judge.spec.seats[one]} ends above {judge.spec.seats[other]} ({outcome.tolist()})"
            against = total[one] < 0 < total[other] or (is_late and total[one] < total[other])
            if against or (is_late and total.any() and total[one] == total[other]):
                fail(
                    f"rules.py: result and last_reward contradict each other: {names}, but"
                    f" rewards sum up to {total.tolist()} ({course.name})"
                )


def _check_rewards(judge: Judge, decided: list[Course]) -> None:
    firsts = list(_sides(judge).values())
    if len(firsts) < 2 or not decided:
        return
    won = [course for course in decided if len({float(course.outcome[seat]) for seat in firsts}) > 1]
    if not won and len(decided) >= 6:
        fail(
            f"{judge.at('result')} gave every side the same outcome in all of"
            f" {len(decided)} decided games: does nobody ever win?"
        )
    if won and not any(np.any(course.rewards) for course in won):
        fail(f"{judge.at('apply')} never wrote a reward other than 0 in {len(won)} games that somebody won (last_reward)")
    against = equal = low_points = 0
    for course in won:
        total = np.sum(course.rewards, axis=0)
        best, worst = (seat(firsts, key=lambda k: float(course.outcome[k])) for seat in (max, min))
        against += int(total[best] < total[worst])
        equal += int(total[best] == total[worst])
        low_points += int(course.points[best] < course.points[worst])
    if low_points == len(won) >= 6 and len(firsts) == len(judge.spec.seats):
        fail(
            f"{judge.at('result')} gave the winner fewer points than the loser in all of"
            f" {len(won)} games; where less is better, write it negative"
        )
    if equal == len(won) >= 6:
        fail(f"rules.py: winner and loser got the same rewards (last_reward) in all of {len(won)} games that somebody won")
    if against > len(won) / 2:
        fail(
            f"rules.py: in {against} of {len(won)} games the winner's rewards (last_reward)"
            " sum up to less than the loser's: a sign?"
        )


def _check_seats(judge: Judge, finished: list[Course]) -> None:
    moved = {seat for course in finished for seat in course.seats}
    for seat, name in enumerate(judge.spec.seats):
        if finished and seat not in moved:
            fail(f"{judge.at('apply')} never gives the move to {name}, in {len(finished)} whole games")


def _check_turns(judge: Judge, courses: list[Course]) -> None:
    turns = [[_row(judge, row).turn for row in (course.rows[0], course.rows[-1])] for course in courses]
    for first, _ in turns:
        if first not in (0, 1):
            fail(f"{judge.at('new')} begins with turn {first}; turns are counted from 0 or 1")
    longest = max(len(course.actions) for course in courses)
    if longest >= 4 * len(judge.spec.seats) and all(first == last for first, last in turns):
        fail(f"{judge.at('apply')} never counts turn: it stands at {turns[0][0]} through whole games of {longest} decisions")


def _check_starts(judge: Judge, courses: list[Course]) -> None:
    drawing = [course for course in courses if course.draws_at_start]
    if len(drawing) > 3 and len({course.rows[0] for course in drawing}) == 1:
        fail(f"{judge.at('new')} draws, but {len(drawing)} seeds began with the same position")


def _check_planes_tell_the_mover(judge: Judge, courses: list[Course]) -> None:
    """Refuse planes that are the same whoever moves: a network could not tell for whom it plays."""
    looked = 0
    if len(judge.spec.seats) < 2 or judge.spec.own_ids:
        return
    for course in courses[:12]:
        for bytes_of_row in course.rows[1:60:2]:
            one = judge.row(_row(judge, bytes_of_row))
            other = judge.row(one)
            other.seat = (one.seat + 1) % len(judge.spec.seats)
            first, second = (judge.encode(judge.observe(s, s.seat)) for s in (one, other))
            if not np.array_equal(first, second):
                return
            looked += 1
    if looked >= 20:
        fail(f"{judge.at('encode')} fills the same planes whoever looks and moves: nothing there says whose move it is")


def check_memory(judge: Judge, courses: list[Course], amount: float) -> None:
    """Play a course of bots once more: what they remember from the game before would show."""
    played = [course for course in courses if any(course.players) and course.actions]
    for course in played:
        again = play(judge, course.seed, course.players, Budget(amount / len(played)), most=min(100, len(course.actions)))
        pairs = enumerate(zip(again.actions, course.actions, strict=False))
        place = next((k for k, (one, other) in pairs if one != other), None)
        if place is not None:
            bot = course.players[course.seats[place]] or "a rule"
            fail(f"bots.py: {bot} plays {course.name} differently the second time: it remembers something outside scratch")


def _row(judge: Judge, cells: bytes) -> Any:
    return plain(np.frombuffer(bytearray(cells), judge.game.state_type))
