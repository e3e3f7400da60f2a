"""Formats of tournaments: iterators of pairings, a file each.

A format gives lists of pairings. When it is asked for the next list, the games of the last one have been played, and it may
look at them; a format that looks at nothing gives all it has at once. So what comes next follows from the ledger alone,
and a tournament that was killed goes on where it stood.
"""

from __future__ import annotations

from .double_elimination import double_elimination
from .gauntlet import gauntlet
from .knock_out import knock_out
from .pairing import Field, Format, Pairing, Scored, orders, places_of, scores
from .round_robin import round_robin
from .swiss import swiss

FORMATS: dict[str, Format] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
    "knock-out": knock_out,
    "double-elimination": double_elimination,
}
OPEN = ("round-robin", "gauntlet")  # look at no result: games and entrants may be added later

__all__ = ["FORMATS", "OPEN", "Field", "Format", "Pairing", "Scored", "orders", "places_of", "scores"]
