"""A seed becomes the chance of a game and of its seats: rules, so that a web page, which has no Python, deals the same games.

`first_word` is what `streams_of` gives for one seed. `agent_word` is `agent_seed`: BLAKE2b (RFC 7693) of one short block, of
which compiled code has no library.
"""

from __future__ import annotations

import numpy as np

from .rng import _MIX_1, _MIX_2, _STEP, HIGHEST_SEED, agent_seed, streams_of
from .rule import compiled_as, rule

ROOM = 32  # words of 64 bits that a hash needs to work in: its state and its message
_START = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ],
    np.uint64,
)  # fmt: skip
_ORDER = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ],
    np.int8,
)  # of the message's words, by round
_ROUNDS, _MESSAGE = 12, 16  # the message stands behind the state
_SETTINGS = 0x01010008  # 8 bytes of digest, no key, one leaf
_PERSON = tuple(int.from_bytes(b"ludus agent".ljust(16, b"\0")[k : k + 8], "little") for k in (0, 8))


def _first_compiled(seed):
    word = np.uint64(seed)
    for _ in range(2):
        word = (word ^ (word >> np.uint64(30))) * np.uint64(_MIX_1)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(_MIX_2)
        word = (word ^ (word >> np.uint64(31))) + np.uint64(_STEP)
    return word - np.uint64(_STEP)


@compiled_as(_first_compiled)
def first_word(seed: int) -> int:
    """Return the rng of a game with this seed."""
    return int(streams_of(np.array([seed], np.uint64))[0, 0])


@rule
def _turned(word, bits):
    return (word >> np.uint64(bits)) | (word << np.uint64(64 - bits))


@rule
def _stir(room, a, b, c, d, one, other):
    """Mix two words of the message into four of the state."""
    room[a] = room[a] + room[b] + one
    room[d] = _turned(room[d] ^ room[a], 32)
    room[c] = room[c] + room[d]
    room[b] = _turned(room[b] ^ room[c], 24)
    room[a] = room[a] + room[b] + other
    room[d] = _turned(room[d] ^ room[a], 16)
    room[c] = room[c] + room[d]
    room[b] = _turned(room[b] ^ room[c], 63)


@rule
def _write_number(room, at, number):
    """Write a number in decimal digits from a byte of the message on; return the byte behind it."""
    power = 1
    while number // power >= 10:
        power *= 10
    while power > 0:
        digit = number // power % 10
        room[_MESSAGE + at // 8] |= np.uint64(48 + digit) << np.uint64(8 * (at % 8))
        at += 1
        power //= 10
    return at


def _agent_compiled(seed, seat, room):
    for k in range(ROOM):
        room[k] = np.uint64(0)
    at = _write_number(room, 0, np.int64(seed))
    room[_MESSAGE + at // 8] |= np.uint64(32) << np.uint64(8 * (at % 8))  # a space
    length = _write_number(room, at + 1, np.int64(seat))
    for k in range(8):
        room[k], room[8 + k] = _START[k], _START[k]
    room[0] ^= np.uint64(_SETTINGS)
    room[6] ^= np.uint64(_PERSON[0])
    room[7] ^= np.uint64(_PERSON[1])
    first = room[0]
    room[12] ^= np.uint64(length)
    room[14] = ~room[14]  # the last block is this one
    for turn in range(_ROUNDS):
        for k in range(8):
            one, other = room[_MESSAGE + _ORDER[turn % 10, 2 * k]], room[_MESSAGE + _ORDER[turn % 10, 2 * k + 1]]
            slant = k // 4  # columns, then diagonals
            a = k % 4
            _stir(room, a, 4 + (a + slant) % 4, 8 + (a + 2 * slant) % 4, 12 + (a + 3 * slant) % 4, one, other)
    return (first ^ room[0] ^ room[8]) & np.uint64(HIGHEST_SEED)


@compiled_as(_agent_compiled)
def agent_word(seed: int, seat: int, room: object) -> int:
    """Return the seed of a seat's own chance: what `agent_seed` gives."""
    return agent_seed(int(seed), seat)
