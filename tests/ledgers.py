"""What tests of tournaments share: all that a ledger says of its games, as far as two runs must agree in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludus.arena import Ledger, Terms, Tournament


def told(place: str | Path) -> list[tuple[Any, Any]]:
    """Return every game of a ledger with its record; times are left out."""
    with Ledger.open(place) as ledger:
        names = {one.id: (one.name, one.hash) for one in ledger.entrants()}
        return [
            ((entry._replace(at=0, seconds=(), worst=()), [names[k] for k in entry.entrants]), ledger.kept(entry.number))
            for entry in ledger.entries()
        ]


def played(terms: Terms, place: str | Path, most: int = 10**9, **how: Any) -> int:
    """Play a tournament, or so many games of it, and return how many games were played."""
    count = 0
    with Tournament(terms, place, **how) as tournament:
        games = tournament.play()
        for _ in games:
            count += 1
            if count == most:
                games.close()
                break
    return count
