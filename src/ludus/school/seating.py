"""The learner's seats and its opponents as words say them: `chasers`, `tactician:3,past:1`, `runner=greedy,chaser2=random`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.core import BadValue
from ludus.engine import Batch, Seat
from ludus.games import Game

from .past import PAST


def seat_of(batch: Batch, seat: str, bots: str, shown: str, reward: str, past: Sequence[Any] = ()) -> Seat:
    """Return the learner's seats of a batch, as words say it; `past` are those whom that word means."""
    named = [name for word in seat.split(",") for name in _seats(batch.game, word.strip())]
    chosen: Any = seat if seat in ("all", "any") else named[0] if len(named) == 1 else named
    others: Any
    if "=" in bots:
        pairs = [word.partition("=") for word in bots.split(",")]
        if any(not value for _, _, value in pairs):
            raise BadValue(f"opponents are a bot's name, or seat=bot with commas between, not {bots}")
        others = {name.strip(): _mix(value, past) for name, _, value in pairs}
    else:
        others = _mix(bots, past)
    return batch.seat(chosen, others, obs=shown, reward=reward)


def _mix(words: str, past: Sequence[Any]) -> dict[Any, float]:
    """Return opponents and their weights; past selves share theirs, and before there are any it is the learner's."""
    mix: dict[Any, float] = {}
    for word in words.split(","):
        name, _, weight = (part.strip() for part in word.partition(":"))
        meant: Sequence[Any] = (past or ["self"]) if name == PAST else [name]
        for opponent in meant:
            mix[opponent] = mix.get(opponent, 0.0) + _weight(weight) / len(meant)
    return mix


def _seats(game: Game, word: str) -> list[str]:
    """Return the seats of a word: a seat, or those that are numbered, as chasers are chaser1 and chaser2."""
    return [name for name in game.spec.seats if f"{name.rstrip('0123456789')}s" == word and name != word] or [word]


def _weight(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        raise BadValue(f"a mix of opponents is name:weight with commas between, and a weight is a number, not {text}") from None
