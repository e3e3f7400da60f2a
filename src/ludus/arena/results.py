"""What a ledger tells: its games as ratings take them, the table, faults by bot, and all of it as plain data."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from .rating import Level, Ratings, Sample, Sampled, curves, standing

if TYPE_CHECKING:
    from .entries import Entrant, Entry
    from .ledger import Ledger


class Blamed(NamedTuple):
    """What one bot did wrong in one way."""

    entrant: int
    kind: str
    times: int
    game: int  # the first one
    text: str  # what was said there


@dataclass(frozen=True)
class Results:
    """The results of a tournament so far."""

    title: str
    game: str
    facts: dict[str, str]  # under what it was played
    entrants: tuple[Entrant, ...]  # as the standing numbers them
    entries: tuple[Entry, ...]
    standing: Ratings
    blamed: tuple[Blamed, ...]
    anomalies: tuple[str, ...]

    @cached_property
    def curves(self) -> list[tuple[int, list[Level]]]:
        """Online ratings after so many games."""
        return curves(self.standing.sample)

    def pace(self, entrant: int) -> tuple[float, float]:
        """Return what an answer took, in ms: on average, and at worst."""
        mine = [
            (entry, seat)
            for entry in self.entries
            for seat, who in enumerate(entry.entrants)
            if who == self.entrants[entrant].id
        ]
        answers = sum(entry.answers[seat] for entry, seat in mine)
        mean = 1000 * sum(entry.seconds[seat] for entry, seat in mine) / answers if answers else 0.0
        return mean, 1000 * max((entry.worst[seat] for entry, seat in mine), default=0.0)


def results_of(ledger: Ledger) -> Results:
    """Read all games of a ledger and rate who played them."""
    entries = tuple(ledger.entries())
    played = {who for entry in entries for who in entry.entrants}
    entrants = tuple(one for one in ledger.entrants() if one.is_current or one.id in played)
    number = {one.id: place for place, one in enumerate(entrants)}
    spec = ledger.game.spec
    games = [
        Sampled(
            tuple(number[who] for who in entry.entrants), entry.outcome, entry.points, entry.pair, entry.faults, entry.number
        )
        for entry in entries
    ]
    sides = tuple(spec.side(seat) for seat in range(len(spec.seats)))
    sample = Sample(tuple(_name(one) for one in entrants), spec.seats, sides, games)
    return Results(
        ledger.terms.name or spec.title, spec.title, _facts(ledger, len(entries)), entrants, entries, standing(sample),
        _blamed(ledger, number), tuple(text for _, text in ledger.anomalies()),
    )  # fmt: skip


def _name(one: Entrant) -> str:
    """Return a name that no other entrant has: an older version of a bot is named by its hash, too."""
    return one.name if one.is_current else f"{one.name} ({one.hash[:8]})"


def _facts(ledger: Ledger, games: int) -> dict[str, str]:
    terms, counts = ledger.terms, ledger.counts()
    planned = "" if counts.played >= counts.planned else f" of {counts.planned}"
    options = ", ".join(f"{name} {value}" for name, value in terms.options.items())
    levels = sorted({one.level for one in ledger.entrants() if one.is_current})
    dealt = f"open, from {terms.seed} on" if terms.seed is not None else f"committed by {ledger.commitment}"
    told = {
        "format": terms.format.replace("-", " "), "games": f"{games}{planned}", "clock": ledger.clock, "options": options,
        "sides": "each seat its own bot" if terms.sides == "each" else "", "isolation": ", ".join(levels),
        "seeds": terms.seeds or dealt, "Ludus": ledger.ludus,
    }  # fmt: skip
    return {key: value for key, value in told.items() if value}


def _blamed(ledger: Ledger, number: dict[int, int]) -> tuple[Blamed, ...]:
    """Count verdicts by bot and kind, and keep the first of each."""
    first: dict[tuple[int, str], Any] = {}
    counts: Counter[tuple[int, str]] = Counter()
    for verdict in ledger.verdicts():
        key = (number[verdict.entrant], verdict.kind)
        first.setdefault(key, verdict)
        counts[key] += 1
    return tuple(Blamed(who, kind, counts[who, kind], one.game, one.text) for (who, kind), one in sorted(first.items()))


def results_data(results: Results) -> dict[str, Any]:
    """Return results as plain data: the table, duels, how sure it is who is better, verdicts, faults."""
    table, names = results.standing, results.standing.sample.names
    rows = []
    for place, row in enumerate(table.rows, 1):
        mean, worst = results.pace(row.entrant)
        one = results.entrants[row.entrant]
        kept = {key: value for key, value in row._asdict().items() if key not in ("entrant", "by_seat")}
        seats = {seat: {"games": games, "score": score} for seat, (games, score) in row.by_seat.items()}
        rows.append(
            {"place": place, **kept, "mean_ms": mean, "worst_ms": worst, "by_seat": seats, "word": one.word, "hash": one.hash}
        )
    duels = [{"one": names[a], "other": names[b], **duel._asdict()} for (a, b), duel in table.duels.items() if a < b]
    order = [row.entrant for row in table.rows]
    better = {names[a]: {names[b]: round(float(table.superiority[a, b]), 4) for b in order if a != b} for a in order}
    return {
        "title": results.title, "game": results.game, "facts": results.facts, "table": rows, "duels": duels,
        "superiority": better, "side_points": list(table.side_points), "verdicts": list(table.verdicts),
        "faults": [{**one._asdict(), "entrant": names[one.entrant]} for one in results.blamed],
        "anomalies": list(results.anomalies),
    }  # fmt: skip
