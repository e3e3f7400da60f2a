"""Maximum likelihood ratings: Bradley and Terry's for two sides, Plackett and Luce's for more, as one model.

Every game is a row of choices: the best side is chosen among all, the next among the rest, each with a chance in proportion
to e^strength. Two sides make one choice, which is Bradley and Terry's model; sides that end level count as every order of
them, in equal parts, which for two is half a win each. A side is as strong as the mean of its bots, and where a game treats
its sides differently a part of the strength belongs to the side itself, so that a bot gains nothing by a good seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, log
from typing import Any

import numpy as np

from .scored import Field

ELO = 400 / log(10)  # points of Elo a unit of strength: ten to one is 400
RIDGE = 1e-4  # holds ratings that nothing else holds; moves others by less than a hundredth of a point
SIDE_DEVIATION = 2.0  # how uneven sides may be, before anything was seen: 350 points
MOST_STEPS, LONGEST_STEP, NEAR = 60, 1.5, 1e-10
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Choices:
    """All kinds of games of a field as choices; equal ones are merged, so that a million games cost no more than a hundred."""

    entrants: int
    sides: int
    kind: Array  # [choices] the kind of game that a choice belongs to
    weight: Array  # [choices] how often it is made in such a game
    column: Array  # [choices, terms] of the strengths that play a part …
    part: Array  # … how large a part
    option: Array  # … and in which side of the choice
    chosen: Array  # [choices, options] shares of the side that is chosen; of a level game several
    is_there: Array  # [choices, options]

    def chances(self, strength: Array) -> Array:
        """Return the chance of each side in each choice."""
        height = np.zeros(self.chosen.shape)
        for term in range(self.column.shape[1]):
            np.add.at(
                height, (np.arange(len(height)), self.option[:, term]), self.part[:, term] * strength[self.column[:, term]]
            )
        height = np.where(self.is_there, height, -np.inf)
        height = np.exp(height - height.max(axis=1, keepdims=True))
        return np.asarray(height / height.sum(axis=1, keepdims=True))

    def logs(self, strength: Array, kinds: int) -> Array:
        """Return the logarithm of the likelihood of a game of each kind."""
        chances = np.where(self.chosen > 0, self.chances(strength), 1.0)
        found = (self.chosen * np.log(np.maximum(chances, 1e-300))).sum(axis=1) * self.weight
        return np.bincount(self.kind, found, kinds)

    def slopes(self, strength: Array, kinds: int) -> Array:
        """Return by how much each kind of game pulls at each strength [kinds, strengths]."""
        pull = np.take_along_axis(self.chosen - self.chances(strength), self.option, axis=1) * self.part * self.weight[:, None]
        found = np.zeros((kinds, len(strength)))
        np.add.at(found, (self.kind[:, None].repeat(pull.shape[1], 1), self.column), pull)
        return found

    def bend(self, strength: Array, counts: Array) -> Array:
        """Return the second derivative of the likelihood, with its sign turned [strengths, strengths]."""
        n, chances = len(strength), self.chances(strength)
        mean = np.take_along_axis(chances, self.option, axis=1) * self.part  # of each term
        weight = (counts[self.kind] * self.weight)[:, None, None]
        is_same = self.option[:, :, None] == self.option[:, None, :]
        found = weight * (is_same * mean[:, :, None] * self.part[:, None, :] - mean[:, :, None] * mean[:, None, :])
        place = self.column[:, :, None] * n + self.column[:, None, :]
        return np.bincount(place.ravel(), found.ravel(), n * n).reshape(n, n)


def choices_of(field: Field) -> tuple[Choices, list[int]]:
    """Return the kinds of games of a field as choices, and the kind of each game."""
    kinds: dict[Any, int] = {}
    of_game = [kinds.setdefault(field.kind(game), len(kinds)) for game in field.games]
    return choices_of_kinds(list(kinds), len(field.names), len(set(field.sides))), of_game


def choices_of_kinds(kinds: Sequence[tuple[Any, Any]], entrants: int, sides: int) -> Choices:
    """Lay out the choices of kinds of games, each a line-up and a ranking."""
    rows = [(kind, *row) for kind, (line_up, ranking) in enumerate(kinds) for row in _choices_of_game(line_up, ranking)]
    terms = max((sum(len(line_up[side]) + 1 for side in there) for _, line_up, there, _, _ in rows), default=1)
    shape, most = (len(rows), terms), max((len(there) for _, _, there, _, _ in rows), default=1)
    column, part, option = np.zeros(shape, np.int64), np.zeros(shape), np.zeros(shape, np.int64)
    chosen, is_there = np.zeros((len(rows), most)), np.zeros((len(rows), most), bool)
    for k, (_, line_up, there, best, _) in enumerate(rows):
        term = 0
        for place, side in enumerate(there):
            is_there[k, place], chosen[k, place] = True, (side in best) / len(best)
            for index, share in ((entrants + side, 1.0), *((who, 1 / len(line_up[side])) for who in line_up[side])):
                column[k, term], part[k, term], option[k, term] = index, share, place
                term += 1
    kind, weight = np.array([row[0] for row in rows], np.int64), np.array([row[4] for row in rows])
    return Choices(entrants, sides, kind, weight, column, part, option, chosen, is_there)


def _choices_of_game(line_up: Any, ranking: Sequence[int]) -> list[tuple[Any, tuple[int, ...], tuple[int, ...], float]]:
    """Give the choices of a game: who was there, who of them was chosen, and in which part of all orders that happens."""
    found = []
    for place in sorted(set(ranking)):
        level = [side for side, other in enumerate(ranking) if other == place]
        below = [side for side, other in enumerate(ranking) if other > place]
        for count in range(len(level), 0, -1):
            if count + len(below) > 1:
                found += [(line_up, (*some, *below), some, 1 / comb(len(level), count)) for some in combinations(level, count)]
    return found


def fitted(choices: Choices, counts: Array) -> Array:
    """Return the strengths of all entrants, then of the sides, under which these games are most likely."""
    n = choices.entrants + choices.sides
    holds = np.full(n, RIDGE)
    holds[choices.entrants :] = SIDE_DEVIATION**-2
    strength = np.zeros(n)
    for _ in range(MOST_STEPS):
        slope = counts @ choices.slopes(strength, len(counts)) - holds * strength
        step = np.linalg.solve(choices.bend(strength, counts) + np.diag(holds), slope)
        step *= min(1.0, LONGEST_STEP / max(1e-300, float(np.abs(step).max())))
        strength += step
        if float(np.abs(step).max()) < NEAR:
            break
    return strength


def groups_of(field: Field) -> list[list[int]]:
    """Return groups of entrants that can be compared: within one everybody has scored, over others, against everybody.

    Between two groups one side has scored all, or they never met, and any difference would explain that.
    """
    n = len(field.names)
    scored = np.eye(n, dtype=bool)
    for line_up, ranking in {field.kind(game) for game in field.games}:
        for a, b in combinations(range(len(line_up)), 2):
            for one in line_up[a]:
                for other in line_up[b]:
                    scored[one, other] |= ranking[a] <= ranking[b]
                    scored[other, one] |= ranking[b] <= ranking[a]
    for _ in range(max(1, n.bit_length())):
        scored = (scored.astype(np.int64) @ scored) > 0
    same = scored & scored.T
    return [np.flatnonzero(same[k]).tolist() for k in range(n) if int(same[k].argmax()) == k]
