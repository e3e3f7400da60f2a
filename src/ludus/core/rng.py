"""Randomness beside the row: one 64-bit word a game, the same numbers on every backend.

The generator is splitmix64 (Steele, Lea, Flood 2014): the word grows by a fixed step, a mixing function gives the output.
`draw` turns it into 0..n-1 without bias (Lemire 2019).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import LudusError
from .rule import compiled_as

Rng = Any  # one row of `streams`, or a Tape

_STEP = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_64 = 0xFFFFFFFFFFFFFFFF
_32 = 0xFFFFFFFF
HIGHEST_SEED = 2**63 - 1


class Tape:
    """Stand in for an rng and give recorded numbers; uncompiled only."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self.numbers = list(numbers)
        self.used = 0

    def next(self, n: int) -> int:
        """Return the next recorded number, which must be in 0..n-1."""
        if self.used == len(self.numbers):
            raise LudusError(f"the tape is at its end: a draw below {n} was asked for after {self.used} numbers")
        number = self.numbers[self.used]
        if not 0 <= number < n:
            raise LudusError(f"number {self.used} of the tape is {number}, but the draw was below {n}")
        self.used += 1
        return number

    def left(self) -> int:
        """Count the numbers that nobody asked for."""
        return len(self.numbers) - self.used


def streams(seed: int, count: int, first: int = 0) -> npt.NDArray[np.uint64]:
    """Return the rngs of games first..first+count-1 under one seed: an array [count, 1]."""
    words = np.arange(first + 1, first + count + 1, dtype=np.uint64).reshape(count, 1)
    words *= np.uint64(_STEP)
    words += np.uint64(_mix(seed & _64))
    return _mixed(words)


def streams_of(seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return for each seed [count] the rng of the first game under it: an array [count, 1]."""
    words = _mixed(seeds.astype(np.uint64).reshape(-1, 1)) + np.uint64(_STEP)
    return _mixed(words)


def _mixed(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    for shift, factor in ((30, _MIX_1), (27, _MIX_2)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return words ^ (words >> np.uint64(31))


def agent_seed(seed: int, seat: int) -> int:
    """Return the seed of a seat's own chance in a game; it tells nothing of the game's seed, since the hash goes one way."""
    word = hashlib.blake2b(f"{seed} {seat}".encode(), digest_size=8, person=b"ludus agent").digest()
    return int.from_bytes(word, "little") & HIGHEST_SEED


def dealt_seed(secret: bytes, number: int | str) -> int:
    """Return the seed of a contest's game, by its number or its label: nobody can guess the secret from any of them."""
    word = hashlib.blake2b(str(number).encode(), digest_size=8, key=secret, person=b"ludus deal").digest()
    return int.from_bytes(word, "little") & HIGHEST_SEED


def _mix(word: int) -> int:
    word = ((word ^ (word >> 30)) * _MIX_1) & _64
    word = ((word ^ (word >> 27)) * _MIX_2) & _64
    return word ^ (word >> 31)


def _draw_compiled(rng, n):  # type: ignore[no-untyped-def]
    bound = np.uint64(n)
    while True:
        rng[0] += np.uint64(_STEP)
        word = rng[0]
        word = (word ^ (word >> np.uint64(30))) * np.uint64(_MIX_1)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(_MIX_2)
        product = ((word ^ (word >> np.uint64(31))) >> np.uint64(32)) * bound
        low = product & np.uint64(_32)
        if low >= bound or low >= np.uint64(2**32 - n) % bound:
            return np.int64(product >> np.uint64(32))


@compiled_as(_draw_compiled)
def draw(rng: Rng, n: int) -> int:
    """Return a whole number in 0..n-1, all equally likely; n is from 1 to 2^32 - 1."""
    n = int(n)
    if isinstance(rng, Tape):
        return rng.next(n)
    while True:
        word = (int(rng[0]) + _STEP) & _64
        rng[0] = word
        product = (_mix(word) >> 32) * n
        low = product & _32
        if low >= n or low >= (2**32 - n) % n:
            return product >> 32
