"""Elimination: heats, of which the last one loses a life; whoever has none left is out.

With two places a heat is a duel and this is the ordinary cup. With more the last of each heat falls behind, until too few are
left for a heat. A heat goes on, set-up by set-up, until it is decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .pairing import Field, Pairing, scores

MOST_EXTRA = 32  # set-ups that a tied heat is given; then the points decide, then the seeding


def eliminate(field: Field, lives: int) -> Iterator[list[Pairing]]:
    """Give the heats of a round, and more games of those that are tied; the rounds end when one, or too few, are left."""
    left = dict.fromkeys(field.entrants, lives)
    number = 0
    while len(left) >= field.places:
        number += 1
        heats = _heats(left, field)
        is_last = len(left) - len(heats) < field.places
        first = (number - 1) * field.setups
        yield [Pairing(number, heat, first + k) for k in range(field.setups) for heat in heats]
        for extra in range(MOST_EXTRA):
            tied = [heat for heat in heats if not _is_decided(field, number, heat, is_last)]
            if not tied:
                break
            yield [Pairing(number, heat, first + field.setups + extra) for heat in tied]
        for heat in heats:
            last = ranking(field, number, heat)[-1]
            left[last] -= 1
            if not left[last]:
                del left[last]


def ranking(field: Field, number: int, heat: Sequence[int]) -> list[int]:
    """Return the entrants of a heat, best first: by score, points, seeding."""
    found = scores(game for game in field.played(number) if set(game.entrants) == set(heat))
    return sorted(heat, key=lambda entrant: (*(-value for value in found[entrant]), field.entrants.index(entrant)))


def _is_decided(field: Field, number: int, heat: Sequence[int], is_last: bool) -> bool:
    """Whether the scores say who is last; in the last heat also who is first."""
    found = scores(game for game in field.played(number) if set(game.entrants) == set(heat))
    order = sorted(score for score, _ in found.values())
    return order[0] < order[1] and (not is_last or order[-1] > order[-2])


def _heats(left: dict[int, int], field: Field) -> list[tuple[int, ...]]:
    """Draw heats among those with as many lives, strong against weak; where no lives are alike enough, the best of all meet."""
    heats: list[tuple[int, ...]] = []
    for lives in sorted(set(left.values()), reverse=True):
        group = [entrant for entrant in field.entrants if left.get(entrant) == lives]
        count = len(group) // field.places
        if lives == 1:  # each heat of these puts one out, and enough must stay for the last one
            count = max(0, min(count, len(left) - field.places + (1 if len(left) == field.places else 0)))
        playing = group[len(group) - count * field.places :]  # the best ones have a bye
        heats += [tuple(playing[place * count + k if place % 2 == 0 else (place + 1) * count - 1 - k]
                        for place in range(field.places)) for k in range(count)]  # fmt: skip
    if not heats:
        ranked = sorted(left, key=lambda entrant: (-left[entrant], field.entrants.index(entrant)))
        heats = [tuple(ranked[: field.places])]
    return heats
