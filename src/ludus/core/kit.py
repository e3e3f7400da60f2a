"""Small rules that games and bots share: the index-th marked one, a pick with random ties, bits over the rows of a board."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .rng import draw
from .rule import rule

BLOCK = 64  # marks that are counted together


def parts_of(full: int, most: int = 128) -> npt.NDArray[np.float32]:
    """Return a table for features: whole numbers from -128 to 127 as parts of `full`, by their last 8 bits: `TABLE[k & 255]`.

    Those beyond `most` count as `most`. A look-up costs half of what making a float of a whole number and scaling it does.
    """
    numbers = (np.arange(256) + 128) % 256 - 128
    return (np.clip(numbers, -most, most) * (1 / full)).astype(np.float32)


@rule
def nth_marked(mask, index):
    """Return the place of the index-th mark, counted from 0, or -1 if there are fewer."""
    first = 0
    while first + BLOCK <= mask.shape[0]:  # counting a block takes as long as a few single looks
        count = 0
        for place in range(first, first + BLOCK):
            count += int(mask[place] != 0)
        if index < count:
            break
        index -= count
        first += BLOCK
    for place in range(first, mask.shape[0]):
        if mask[place] != 0:
            if index == 0:
                return place
            index -= 1
    return -1


@rule
def any_marked(mask, rng):
    """Return the place of any mark, all equally likely, or -1 if there is none."""
    count = 0
    for place in range(mask.shape[0]):
        count += int(mask[place])
    return nth_marked(mask, draw(rng, count)) if count > 0 else -1


@rule
def is_better(value, best, equals, rng):
    """Say whether a value takes the lead: a higher one does, the equals-th equal one by a fair draw.

    if is_better(value, best, equals, rng):
        chosen = action
    equals = 1 if value > best else equals + int(value == best)
    best = max(best, value)
    """
    return value > best or (value == best and draw(rng, equals + 1) == 0)


@rule
def count_bits(row):
    """Count the cells of a row, at most 64: pairs, fours, eights, then their sum; compilers know it as one instruction."""
    row = row - (row >> 1 & 0x5555555555555555)
    row = (row & 0x3333333333333333) + (row >> 2 & 0x3333333333333333)
    row = (row + (row >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (row * 0x0101010101010101 >> 56) & 0xFF


@rule
def first_bit(row):
    """Return the column of the first cell of a row."""
    return count_bits((row & -row) - 1)


@rule
def nth_bit(row, index):
    """Return the index-th cell of a row, as a bit."""
    for _ in range(index):
        row &= row - 1
    return row & -row


@rule
def flood_step(front, seen):
    """Let a flood over rows of bits take one step in four directions; say whether it reached anything new.

    `front` holds the cells that it reached last, `seen` those that it has reached or may not enter; bits beyond the last
    column must be set in `seen`.
    """
    is_spreading = False
    above = 0  # the row above, as it was before this step
    for y in range(front.shape[0]):
        here = int(front[y])
        below = int(front[y + 1]) if y + 1 < front.shape[0] else 0
        seen[y] |= here
        reached = ((here << 1) | (here >> 1) | above | below) & ~int(seen[y])
        front[y] = reached
        is_spreading = is_spreading or reached != 0
        above = here
    return is_spreading
