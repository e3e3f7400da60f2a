"""What the written kernels of `launch.py` import: the 32 threads of a warp load and store the rows of its games together.

They move 16 words of every row at a time, a tile, so that neighbours touch neighbouring words, and swap them in shared memory.
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
