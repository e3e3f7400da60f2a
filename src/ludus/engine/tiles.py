"""What written kernels import: the 32 threads of a warp load and store the rows of its games together.

Between memory and the threads' own (launch.py) they move 16 words of every row at a time, a tile, so that neighbours touch
neighbouring words, and swap them in shared memory. Into shared memory itself (sharing.py) rows go as they lie.
"""

from __future__ import annotations

from numba import cuda

WARP = 32  # threads that step together
TILE = 16  # words of a row that a warp moves at a time


@cuda.jit(device=True)
def load_rows(source, first, rows, tile, own):
    """Load the rows of a warp, from `first` on, each to the thread that has its game."""
    lane = cuda.laneid & WARP - 1
    for start in range(0, own.shape[0], TILE):
        word = lane % TILE
        row = lane // TILE if start + word < own.shape[0] else rows
        while row < rows:  # numba's `range` with steps is much slower
            tile[row, word] = source[first + row, start + word]
            row += WARP // TILE
        cuda.syncwarp()
        for k in range(min(TILE, own.shape[0] - start)):
            own[start + k] = tile[lane, k]
        cuda.syncwarp()


@cuda.jit(device=True)
def store_rows(own, target, first, rows, tile):
    """Store the rows of a warp where they came from."""
    lane = cuda.laneid & WARP - 1
    for start in range(0, own.shape[0], TILE):
        for k in range(min(TILE, own.shape[0] - start)):
            tile[lane, k] = own[start + k]
        cuda.syncwarp()
        word = lane % TILE
        row = lane // TILE if start + word < own.shape[0] else rows
        while row < rows:
            target[first + row, start + word] = tile[row, word]
            row += WARP // TILE
        cuda.syncwarp()


@cuda.jit(device=True)
def load_words(source, block, own):
    """Load the words of a block into shared memory; each thread has eight on their way at a time."""
    start, word = block * own.shape[0], cuda.laneid & WARP - 1
    end = min(own.shape[0], source.shape[0] - start)
    while word + 7 * WARP < end:
        here = start + word
        a, b, c, d = source[here], source[here + WARP], source[here + 2 * WARP], source[here + 3 * WARP]
        here += 4 * WARP
        e, f, g, h = source[here], source[here + WARP], source[here + 2 * WARP], source[here + 3 * WARP]
        own[word], own[word + WARP], own[word + 2 * WARP], own[word + 3 * WARP] = a, b, c, d
        word += 4 * WARP
        own[word], own[word + WARP], own[word + 2 * WARP], own[word + 3 * WARP] = e, f, g, h
        word += 4 * WARP
    while word < end:
        own[word] = source[start + word]
        word += WARP


@cuda.jit(device=True)
def store_words(own, target, block):
    """Store the words of a block where they belong; four at a time, as they are loaded."""
    start, word = block * own.shape[0], cuda.laneid & WARP - 1
    end = min(own.shape[0], target.shape[0] - start)
    while word + 3 * WARP < end:
        a, b, c, d = own[word], own[word + WARP], own[word + 2 * WARP], own[word + 3 * WARP]
        here = start + word
        target[here], target[here + WARP], target[here + 2 * WARP], target[here + 3 * WARP] = a, b, c, d
        word += 4 * WARP
    while word < end:
        target[start + word] = own[word]
        word += WARP


@cuda.jit(device=True)
def clear_words(own):
    """Set words to zero."""
    word = cuda.laneid & WARP - 1
    while word < own.shape[0]:
        own[word] = 0
        word += WARP
