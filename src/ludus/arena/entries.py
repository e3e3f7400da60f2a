"""What a ledger holds, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ludus.core import one_line

from .units import MOST_VERDICTS, Outcome


class Entrant(NamedTuple):
    """A bot that takes part, or took part before it was changed."""

    id: int
    name: str
    word: str
    hash: str
    level: str
    is_current: bool


class Entry(NamedTuple):
    """One game that counts; seats are in the game's order."""

    number: int
    pair: int
    round: int
    seed: int
    entrants: tuple[int, ...]
    outcome: tuple[float, ...]
    points: tuple[float, ...]
    status: int
    decisions: int
    forfeit: int | None
    faults: tuple[int, ...]
    answers: tuple[int, ...]
    seconds: tuple[float, ...]
    worst: tuple[float, ...]
    at: float
    digest: str
    position: str


class Verdict(NamedTuple):
    """What was wrong in a game."""

    game: int
    seat: int
    entrant: int
    turn: int
    kind: str
    text: str


class Standing(NamedTuple):
    """What an entrant has done so far; score and points are means of its games."""

    id: int
    name: str
    hash: str
    is_current: bool
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    points: float
    faults: int


class Counts(NamedTuple):
    """How far a tournament is."""

    planned: int
    played: int
    faults: int


class Pair(NamedTuple):
    """A pairing as it stands in the ledger."""

    id: int
    round: int
    label: str
    seed: int
    position: str


def seat_rows(one: Outcome) -> Iterator[dict[str, Any]]:
    for seat, entrant in enumerate(one.entrants):
        count, spent, longest = one.answers[seat] if one.answers else (0, 0.0, 0.0)
        yield {
            "game": one.number, "seat": seat, "entrant": entrant, "outcome": one.result.outcome[seat],
            "points": one.result.points[seat], "faults": sum(fault.seat == seat for fault in one.faults),
            "answers": count, "seconds": spent, "worst": longest,
        }  # fmt: skip


def verdict_rows(one: Outcome) -> Iterator[dict[str, Any]]:
    left = dict.fromkeys(range(len(one.entrants)), MOST_VERDICTS)
    for place, fault in enumerate(one.faults):
        left[fault.seat] -= 1
        if left[fault.seat] >= 0:
            yield {"game": one.number, "place": place, "seat": fault.seat, "turn": fault.turn, "kind": fault.kind,
                   "text": one_line(fault.text, 500)}  # fmt: skip


def entry_of(row: Any, places: list[Any]) -> Entry:
    by_seat = list(zip(*places, strict=True))
    _, _, who, outcome, points, faults, answers, spent, worst = by_seat
    return Entry(
        row.number, row.pair, row.round, row.seed, who, outcome, points, row.status, row.decisions, row.forfeit, faults,
        answers, spent, worst, row.at, row.digest, row.position,
    )  # fmt: skip


def standing_of(one: Entrant, sums: Any) -> Standing:
    """Return how an entrant stands, from the sums over its games; None is one that has not played."""
    count, won, drawn, lost, outcomes, points, faults = sums or (0, 0, 0, 0, 0.0, 0.0, 0)
    mean = max(1, count)
    score = (outcomes / mean + 1) / 2 if count else 0.0
    return Standing(one.id, one.name, one.hash, one.is_current, count, won, drawn, lost, score, points / mean, int(faults))
