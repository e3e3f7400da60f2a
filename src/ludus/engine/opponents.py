"""Who plays the seats that a learner leaves to others: bots inside the kernels, functions and bots with tables outside.

An opponent is a name, a function `policy(obs, mask, seat) -> actions` over the games in which it is to decide, a dictionary
{opponent: weight} (one is drawn at the start of each game), a NumPy array of names (one a game), or a schedule {decision: any
of these}, by how many decisions the learner has made. "self" is the learner itself: it is asked for that seat, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ludus.core import BadValue, UnknownName, shown
from ludus.games import Game

from .buffers import MOST_MIXED
from .kernels import compiled_bots
from .seat_kernels import LEARNER, STAYS
from .tools import Tools

Policy = Callable[[Any, Any, Any], Any]  # (obs [games, …], mask [games, actions], seat [games]) -> actions [games], own ids
SELF = "self"
NAMED = {"champion": "ludus.school"}  # the package whose `open_policy(game, word, device)` returns such a function
ODDS = 2**20  # what weights are shares of
HEAVIEST = 1e300  # so that the sum of weights is a number


class TableBot:
    """A bot of the game that needs tables: it plays outside the kernels, one game after the other."""

    def __init__(self, game: Game, name: str, device: str) -> None:
        if device == "cuda":
            raise BadValue(f"{name} needs tables, with which it plays on the CPU; take another opponent, or device='cpu'")
        self.game, self.name, self.tools = game, name, Tools(game, device)
        self._tables: dict[tuple[int, int], tuple[int, Any]] = {}  # by game and seat: of which game, the tables

    def __getstate__(self) -> Any:
        return self.game, self.name, self.tools.device

    def __setstate__(self, kept: Any) -> None:
        self.__init__(*kept)  # type: ignore[misc]

    def choose(self, game: int, number: int, seat: int, view: Any, own_mask: Any, dice: Any) -> int:
        """Return what the bot plays, in own ids; `number` counts the games that were played in this place."""
        record = view.view(np.recarray)[0]
        known, tables = self._tables.get((game, seat), (-1, None))
        if known != number:
            tables = self.tools.tables(self.name, record)
            self._tables[game, seat] = number, tables
        ids = self.game.own_ids[seat]
        mask = np.zeros(len(ids), np.int8)
        mask[ids] = own_mask
        action = int(self.tools.compiled(self.game.bots[self.name])(record, mask, dice, tables))
        return int(np.flatnonzero(ids == action)[0])


class Opponents:
    """The opponents of a learner in a batch, as numbers that the kernels know."""

    def __init__(self, game: Game, n: int, device: str, learner: Sequence[int], bots: Any) -> None:
        self.game, self.n, self.device = game, n, device
        self.learner = tuple(learner)  # seats that are the learner's in every game
        self._known = compiled_bots(game)
        self.outside: list[Policy | TableBot | None] = []  # by their number
        self.names: set[str] = set()  # of the bots that play inside the kernels
        self._opened: dict[str, Policy] = {}  # those that a room above brings, by name
        self.change(bots)

    def change(self, bots: Any) -> None:
        """Take other opponents from now on."""
        self.given = bots
        self._by_seat = self._sorted(bots)
        self.until = 0  # the decision of the learner at which a schedule says something else; below 0: never

    def line_up(self, decisions: int, in_use: Any) -> tuple[Any, dict[int, Any]]:
        """Return the mix of each seat [seat, choice, 2], and the numbers [n] of those that are given game by game.

        `in_use` are the numbers of those who play now: they keep them.
        """
        self._free(in_use)
        mix = np.zeros((len(self.game.spec.seats), MOST_MIXED, 2), np.int32)
        fixed: dict[int, Any] = {}
        changes = []
        for seat in range(len(mix)):
            given: Any = self._by_seat.get(seat, LEARNER)
            if _is_schedule(given):
                past = [start for start in given if start <= decisions]
                if not past:
                    raise BadValue(f"a schedule of opponents begins with decision 0, not {min(given)}")
                changes += [start for start in given if start > decisions]
                given = given[max(past)]
            if isinstance(given, np.ndarray):
                fixed[seat], given = self._each(given), STAYS
            mix[seat] = self._mixed(list(given.items()) if isinstance(given, Mapping) else [(given, 1)])
        self.until = min(changes, default=-1)
        return mix, fixed

    def _sorted(self, bots: Any) -> dict[int, Any]:
        """Return what was given for each seat that is not the learner's alone."""
        spec = self.game.spec
        seats = [seat for seat in range(len(spec.seats)) if seat not in self.learner]
        if isinstance(bots, Mapping) and bots and all(isinstance(k, str) and k in spec.seats for k in bots):
            given = {spec.seat(name): bot for name, bot in bots.items()}
            for seat in self.learner:
                if given.get(seat) is not None:
                    raise BadValue(f"{spec.seats[seat]} is played from outside: it has no opponent in it")
            return {seat: "random" if given.get(seat) is None else given[seat] for seat in seats}
        if isinstance(bots, Sequence) and not isinstance(bots, str):
            if len(bots) != len(spec.seats):
                raise BadValue(f"one bot a seat is needed ({', '.join(spec.seats)}), not {len(bots)}")
            if any(bots[seat] is None for seat in seats):
                raise BadValue("every other seat needs a bot")
            return {seat: bots[seat] for seat in seats}
        if bots is None:
            raise BadValue("every other seat needs a bot")
        return dict.fromkeys(seats, bots)

    def _each(self, names: Any) -> Any:
        if names.shape != (self.n,):
            raise BadValue(f"one opponent for each of the {self.n} games is needed, not {names.shape}")
        if names.dtype.kind not in "UO" or not all(isinstance(name, str) or callable(name) for name in names.tolist()):
            raise BadValue(f"an array of opponents has names, one for each game, not {shown(names)}")
        numbers = {name: self._number(name) for name in dict.fromkeys(names.tolist())}
        return np.array([numbers[name] for name in names.tolist()], np.int32)

    def _mixed(self, mixed: list[tuple[Any, Any]]) -> Any:
        """Return a mix [choice, 2] of opponents with their weights."""
        odds = odds_of([weight for _, weight in mixed])
        mix = np.zeros((MOST_MIXED, 2), np.int32)
        mix[: len(odds), 0] = [self._number(opponent) for opponent, _ in mixed]
        mix[: len(odds), 1], mix[len(odds) :, 1] = odds, odds[-1]
        return mix

    def _number(self, opponent: Any) -> int:
        """Return the number by which kernels know an opponent."""
        if isinstance(opponent, int | np.integer) and not isinstance(opponent, bool) and opponent in (LEARNER, STAYS):
            return int(opponent)
        if isinstance(opponent, str) and opponent == SELF and SELF not in self.game.bots:
            return LEARNER
        if isinstance(opponent, str):
            if opponent in self._known:
                self.names.add(opponent)
                return self._known.index(opponent)
            if opponent in NAMED and opponent not in self.game.bots:
                return self._number(self._named(opponent))
            if opponent not in self.game.bots:
                raise UnknownName("bot", opponent, [*self.game.bots, *NAMED, SELF])
            same = (k for k, other in enumerate(self.outside) if isinstance(other, TableBot) and other.name == opponent)
            return self._seated(next(same, -1), lambda: TableBot(self.game, opponent, self.device))
        if not callable(opponent):
            raise BadValue(f"an opponent is a bot's name or a function of (obs, mask, seat), not {shown(opponent)}")
        same = (k for k, other in enumerate(self.outside) if other is opponent)
        return self._seated(next(same, -1), lambda: opponent)

    def _named(self, word: str) -> Policy:
        """Open an opponent that a room above brings, once."""
        if word not in self._opened:
            self._opened[word] = import_module(NAMED[word]).open_policy(self.game, word, self.device)
        return self._opened[word]

    def _seated(self, place: int, make: Callable[[], Any]) -> int:
        """Return the number of somebody outside, who gets a place if there is none yet."""
        if place < 0:
            place = self.outside.index(None) if None in self.outside else len(self.outside)
            self.outside[place : place + 1] = [make()]
        return LEARNER - 1 - place

    def _free(self, in_use: Any) -> None:
        """Let go of those outside who play no more."""
        playing = {LEARNER - 1 - int(number) for number in np.unique(in_use) if number < LEARNER}
        for place in range(len(self.outside)):
            if place not in playing:
                self.outside[place] = None


def _is_schedule(given: Any) -> bool:
    return isinstance(given, Mapping) and bool(given) and all(isinstance(k, int) and not isinstance(k, bool) for k in given)


def odds_of(weights: list[Any]) -> Any:
    """Return the odds of a mix's opponents, each with those before it, as shares of about ODDS."""
    if not 0 < len(weights) <= MOST_MIXED or not all(_is_weight(weight) for weight in weights):
        raise BadValue(f"a mix is a dictionary of up to {MOST_MIXED} opponents with weights above 0, not {shown(weights)}")
    shares = np.array(weights, float)
    return np.maximum(1, np.round(shares / shares.sum() * ODDS)).astype(np.int32).cumsum()


def _is_weight(weight: Any) -> bool:
    return isinstance(weight, int | float | np.integer | np.floating) and bool(0 < weight < HEAVIEST)
