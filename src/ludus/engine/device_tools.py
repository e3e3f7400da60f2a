"""Small kernels that know no game: what a batch on a CUDA device does beside playing, without a way through ordinary memory."""

from __future__ import annotations

from numba import cuda

LOWEST, HIGHEST = -1, 2**31 - 1  # no game's actions


def narrow(n, source, target):
    """Copy whole numbers of any type; what does not fit becomes what no action is."""
    i = cuda.grid(1)
    if i < n:
        number = source[i]
        if number > HIGHEST:
            target[i] = HIGHEST
        elif number < LOWEST:
            target[i] = LOWEST
        else:
            target[i] = number


def check_places(n, index, source, bad):
    """Note if a number is outside 0..source-1."""
    i = cuda.grid(1)
    if i < n and (index[i] < 0 or index[i] >= source):
        bad[0] = i + 1


def gather(n, source, index, target):
    """Copy rows of one array, as words, to another; n counts words."""
    i = cuda.grid(1)
    if i < n:
        row, word = i // target.shape[1], i % target.shape[1]
        target[row, word] = source[index[row], word]


def add_up(n, numbers, sums):
    """Add up the columns of an array, in a grid of any size."""
    for column in range(numbers.shape[1]):
        total = 0
        i = cuda.grid(1)
        while i < n:
            total += numbers[i, column]
            i += cuda.gridsize(1)
        cuda.atomic.add(sums, column, total)
