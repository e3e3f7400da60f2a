"""The learner's seats and its opponents as words say them: `chasers`, `tactician:3,self:1`, `runner=greedy,chaser2=random`."""

from __future__ import annotations

from typing import Any

from ludus.core import BadValue
from ludus.engine import Batch, Seat
from ludus.games import Game


def seat_of(batch: Batch, seat: str, bots: str, shown: str, reward: str) -> Seat:
    """Return the learner's seats of a batch, as words say it."""
    named = [name for word in seat.split(",") for name in _seats(batch.game, word.strip())]
    chosen: Any = seat if seat in ("all", "any") else named[0] if len(named) == 1 else named
    others: Any = bots
    if ":" in bots:
        others = {name.strip(): _weight(weight) for name, _, weight in (word.partition(":") for word in bots.split(","))}
    elif "=" in bots:
        pairs = [word.partition("=") for word in bots.split(",")]
        if any(not value for _, _, value in pairs):
            raise BadValue(f"opponents are a bot's name, or seat=bot with commas between, not {bots}")
        others = {name.strip(): value.strip() for name, _, value in pairs}
    return batch.seat(chosen, others, obs=shown, reward=reward)


def _seats(game: Game, word: str) -> list[str]:
    """Return the seats of a word: a seat, or those that are numbered, as chasers are chaser1 and chaser2."""
    return [name for name in game.spec.seats if f"{name.rstrip('0123456789')}s" == word and name != word] or [word]


def _weight(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        raise BadValue(f"a mix of opponents is name:weight with commas between, and a weight is a number, not {text}") from None
