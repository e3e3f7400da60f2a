"""Swiss: in each round those meet who have done about as well so far, and have met least often before."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from .pairing import Field, Pairing, scores

MOST_TRIED = 20_000  # ways to pair a round that are looked at; then the best one so far is taken


def swiss(field: Field) -> Iterator[list[Pairing]]:
    """Give a round at a time; who finds no place in one has a bye, which counts as a won set-up, as few as possible."""
    total = dict.fromkeys(field.entrants, 0.0)
    points = dict(total)
    met: dict[frozenset[int], int] = {}
    byes = dict.fromkeys(field.entrants, 0)
    rounds = field.rounds or max(1, math.ceil(math.log2(len(field.entrants))))
    for number in range(1, rounds + 1):
        ranked = sorted(field.entrants, key=lambda entrant: (-total[entrant], -points[entrant], field.entrants.index(entrant)))
        idle = _idle(ranked, field.places, byes)
        groups = _groups([entrant for entrant in ranked if entrant not in idle], field.places, met)
        first = (number - 1) * field.setups
        yield [Pairing(number, group, first + k) for k in range(field.setups) for group in groups]
        for entrant, (score, margin) in scores(field.played(number)).items():
            total[entrant] += score
            points[entrant] += margin
        for entrant in idle:
            byes[entrant] += 1
            total[entrant] += field.setups * field.places
        for group in groups:
            for two in combinations(group, 2):
                met[frozenset(two)] = met.get(frozenset(two), 0) + 1


def _idle(ranked: Sequence[int], places: int, byes: dict[int, int]) -> list[int]:
    """Choose who has a bye: the last ones among those with the fewest so far."""
    order = sorted(ranked, key=lambda entrant: (byes[entrant], -ranked.index(entrant)))
    return order[: len(ranked) % places]


def _groups(ranked: Sequence[int], places: int, met: dict[frozenset[int], int]) -> list[tuple[int, ...]]:
    """Group neighbours in the ranking so that as few as possible meet again; among those ways the nearest ones first."""
    best: tuple[int, list[tuple[int, ...]]] = (-1, [])
    tried = 0

    def search(left: Sequence[int], cost: int, chosen: list[tuple[int, ...]]) -> bool:
        """Try from the top down; return whether nothing better can come."""
        nonlocal best, tried
        if best[0] >= 0 and cost >= best[0]:
            return False
        if not left:
            best = cost, chosen
            return cost == 0
        for others in combinations(left[1:], places - 1):
            tried += 1
            if tried > MOST_TRIED and best[0] >= 0:
                return True
            group = (left[0], *others)
            again = sum(met.get(frozenset(two), 0) for two in combinations(group, 2))
            rest = [entrant for entrant in left if entrant not in group]
            if search(rest, cost + again, [*chosen, group]):
                return True
        return False

    search(ranked, 0, [])
    return best[1]
