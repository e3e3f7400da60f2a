"""Spall's simultaneous perturbation: all numbers are moved at once, to both sides, and both bots play each other.

One match tells the slope along a random direction, however many numbers there are. Places are from 0 to 1 between a number's
bounds. A step's size and reach shrink as Spall advises (exponents 0.602 and 0.101).
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np

from .numbers import Number

REACH, REACH_FALLS = 0.15, 0.101  # how far to both sides, at first
STRIDE, STRIDE_FALLS = 0.2, 0.602  # how far a whole win of one side moves, at first
SETTLING = 0.1  # a share of all steps, over which the first strides hardly shrink


def direction(seed: int, step: int, count: int) -> list[int]:
    """Return to which side each number is moved in a step: -1 or 1, the same for the same seed and step."""
    return [int(sign) for sign in np.random.default_rng([seed, step]).choice([-1, 1], count)]


def asked(
    places: Sequence[float], signs: Sequence[int], step: int, numbers: Sequence[Number]
) -> tuple[list[float], list[float]]:
    """Return the values of both bots of a step, from 1 on; whole numbers are at least one apart."""
    reach = REACH / step**REACH_FALLS
    plus, minus = [], []
    for place, sign, number in zip(places, signs, numbers, strict=True):
        own = max(reach, 0.5001 / (number.high - number.low)) if number.is_whole else reach
        middle = min(max(place, own), 1 - own) if own < 0.5 else 0.5  # both stay within the bounds
        plus.append(number.at(middle + sign * own))
        minus.append(number.at(middle - sign * own))
    return plus, minus


def moved(places: Sequence[float], signs: Sequence[int], step: int, steps: int, lead: float) -> list[float]:
    """Return the places after a step in which the plus side led by so much, -1 to 1."""
    settling = SETTLING * steps
    stride = STRIDE * ((settling + 1) / (settling + step)) ** (STRIDE_FALLS - REACH_FALLS)
    return [min(1.0, max(0.0, place + stride * lead * sign)) for place, sign in zip(places, signs, strict=True)]


def settled(path: Sequence[Sequence[float]]) -> list[float]:
    """Return where a path has come to: the mean of its last quarter, since single steps are noisy."""
    last = path[-max(1, len(path) // 4) :]
    return [fmean(places) for places in zip(*last, strict=True)]
