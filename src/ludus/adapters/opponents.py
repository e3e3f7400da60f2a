"""Who plays the seats that a learner leaves to others: the words that batches take, and, at one table, agents of every kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from typing import Any

import numpy as np

from ludus.agents import DEFAULT_BOT, make_agent
from ludus.core import BadValue, draw, shown
from ludus.engine import NAMED, odds_of
from ludus.games import Game

from .lens import Lens


def by_seat(game: Game, learner: Sequence[int], opponents: Any) -> dict[str, Any]:
    """Return who plays each other seat: one for all of them, a dictionary by seat or a list; who is left out is random."""
    spec = game.spec
    others = [seat for seat in range(len(spec.seats)) if seat not in learner]
    if isinstance(opponents, Mapping) and not is_mix(opponents) and not is_schedule(opponents):
        given = {spec.seat(name): word for name, word in opponents.items()}
    elif isinstance(opponents, list | tuple):
        if len(opponents) != len(spec.seats):
            raise BadValue(
                f"a list of opponents has one a seat ({', '.join(spec.seats)}), None for your own, not {len(opponents)}"
            )
        given = {seat: word for seat, word in enumerate(opponents) if word is not None}
    else:
        given = dict.fromkeys(others, opponents)
    for seat in learner:
        if seat in given:
            raise BadValue(f"{spec.seats[seat]} is the seat that is played from outside: it has no opponent in it")
    return {spec.seats[seat]: DEFAULT_BOT if given.get(seat) is None else given[seat] for seat in others}


def batch_opponents(game: Game, learner: Sequence[int], opponents: Any, lens: Lens) -> dict[str, Any]:
    """Return who plays each other seat of a batch; agents, which are asked one game at a time, are refused."""
    given = by_seat(game, learner, opponents)
    check_policies(given, lens)
    for seat, opponent in given.items():
        for word in words_of(opponent):
            if is_agent(game, word):
                raise BadValue(
                    f"{seat}: {word!r}: many games at once take bots by name and functions of (obs, mask, seat); "
                    "for agents take gym.make_vec(…, vectorization_mode='sync')"
                )
    return given


def check_policies(given: dict[str, Any], lens: Lens) -> None:
    """Refuse functions over arrays where there are none."""
    if not lens.is_own and any(is_policy(word) for opponent in given.values() for word in words_of(opponent)):
        raise BadValue("a function of (obs, mask, seat) looks at planes or features; take obs='planes' or obs='features'")


def words_of(opponent: Any) -> list[Any]:
    """List all who may play, of a schedule and of a mix as well."""
    if is_schedule(opponent):
        return [word for later in opponent.values() for word in words_of(later)]
    if is_mix(opponent):
        return list(opponent)
    if isinstance(opponent, np.ndarray) and (opponent.ndim != 1 or opponent.dtype.kind not in "UO"):
        raise BadValue(f"an array of opponents has names, one for each game, not {shown(opponent)}")
    return opponent.tolist() if isinstance(opponent, np.ndarray) else [opponent]


def is_schedule(opponent: Any) -> bool:
    """Whether this is {decision number: opponent}."""
    return isinstance(opponent, Mapping) and bool(opponent) and all(type(key) is int for key in opponent)


def is_mix(opponent: Any) -> bool:
    """Whether this is {opponent: weight}."""
    return isinstance(opponent, Mapping) and bool(opponent) and all(isinstance(w, int | float) for w in opponent.values())


def is_policy(word: Any) -> bool:
    """Whether this is a function of (obs, mask, seat) over arrays, not one of a view and its legal actions."""
    if isinstance(word, str | type) or not callable(word) or hasattr(word, "act"):
        return False
    taken = signature(word).parameters.values()
    places = [p for p in taken if p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
    return len(places) > 2 or any(p.kind is Parameter.VAR_POSITIONAL for p in taken)


def is_agent(game: Game, word: Any) -> bool:
    """Whether this is neither a bot of the game nor a policy; what is nothing at all is refused."""
    if is_policy(word) or (isinstance(word, str) and (word in game.bots or word in NAMED)):
        return False
    make_agent(game, word)
    return True


class Dealer:
    """Says who plays each seat of one table, game by game, as batches do: mixes are drawn with the table's dice."""

    def __init__(self, game: Game, learner: Sequence[int], opponents: Any, lens: Lens) -> None:
        given = by_seat(game, learner, opponents)
        check_policies(given, lens)
        self._words = {game.spec.seat(name): word for name, word in given.items()}
        for opponent in self._words.values():
            if is_mix(opponent):
                odds_of(list(opponent.values()))  # the same
            for word in words_of(opponent):
                if not is_policy(word):
                    make_agent(game, word)  # says what is wrong with it, if anything is

    def deal(self, decisions: int, dice: Any) -> dict[int, Any]:
        """Return who plays each seat in the game that begins, after so many decisions of the learner."""
        return {seat: self._drawn(_due(word, decisions), dice) for seat, word in sorted(self._words.items())}

    def _drawn(self, opponent: Any, dice: Any) -> Any:
        if not is_mix(opponent):
            return opponent
        odds = odds_of(list(opponent.values()))
        number = draw(dice, int(odds[-1])) if len(odds) > 1 else 0
        return list(opponent)[int(np.searchsorted(odds, number, "right"))]


def _due(opponent: Any, decisions: int) -> Any:
    if not is_schedule(opponent):
        return opponent
    past = [start for start in opponent if start <= decisions]
    if not past:
        raise BadValue(f"a schedule of opponents begins with decision 0, not {min(opponent)}")
    return opponent[max(past)]


def asked(policy: Callable[..., Any], seen: Any, mask: Any, seat: int) -> int:
    """Return what a function over batches plays in one game, in own ids."""
    answer = policy(seen[None], mask[None], np.array([seat]))
    try:
        return int(np.asarray(answer)[0])
    except Exception:  # whatever somebody's function returned
        raise BadValue(f"an opponent answers one whole number for each of its games, not {shown(answer)}") from None
