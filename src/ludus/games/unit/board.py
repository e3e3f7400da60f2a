"""The board of Unit as tables: vertices, edges, thresholds and the fixed set of action ids, all built from the layout.

The truth is README.md beside this file; D-numbers are its decisions. Kernels read the arrays here through `int(...)`.
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ludus.core import BadValue, structural

LAYOUT = structural("layout", 35753, low=33, high=77777, about="sizes of the layers, one digit each: 3, 5 or 7")

Table = npt.NDArray[np.signedinteger[Any]]

SEATS = 2
DIRECTIONS = 6  # x-1, x+1, z-1, z+1, layer-1, layer+1
OPPOSITE_ON_LAYER = (1, 0, 3, 2, 4, 5)  # what a half-turn makes of each direction
FORCE_CAP = 10


def layers_of(layout: int) -> tuple[int, ...]:
    """Read the sizes of the layers; a layer of 9 would ask for more force than the cap allows (D17)."""
    sizes = tuple(int(digit) for digit in str(layout))
    if not set(sizes) <= {3, 5, 7}:
        raise BadValue(f"option layout is written with the digits 3, 5 and 7, one a layer, such as 35753, not {layout}")
    return sizes


SIZES = layers_of(LAYOUT)
LAYERS = len(SIZES)
OFFSETS = tuple(sum(n * n for n in SIZES[:k]) for k in range(LAYERS))
VERTICES = sum(n * n for n in SIZES)
WORDS = -(-VERTICES // 32)  # of 32 bits, one bit a vertex

PLACES = tuple((layer, x, z) for layer, n in enumerate(SIZES) for x in range(n) for z in range(n))  # by vertex
GRAVITIES = tuple((n - 1) // 2 for n in SIZES)  # by layer
LEAST_FORCES = tuple(g * g for g in GRAVITIES)  # by layer, to be occupied there or to enter
FORCE_UNIT = lcm(*GRAVITIES)  # forces are whole numbers of 1/FORCE_UNIT: sixths on the usual board


def vertex_at(layer: int, x: int, z: int) -> int:
    """Return the number of a vertex; x is the slow index."""
    return OFFSETS[layer] + x * SIZES[layer] + z


def neighbour(vertex: int, direction: int) -> int:
    """Return the vertex one step away, or -1; layers are linked where relative positions are equal (D2)."""
    layer, x, z = PLACES[vertex]
    last = SIZES[layer] - 1
    if direction < 4:
        x += (-1, 1, 0, 0)[direction]
        z += (0, 0, -1, 1)[direction]
        return vertex_at(layer, x, z) if 0 <= x <= last and 0 <= z <= last else -1
    layer += (-1, 1)[direction - 4]
    if not 0 <= layer < LAYERS:
        return -1
    other = SIZES[layer] - 1
    if x * other % last or z * other % last:
        return -1
    return vertex_at(layer, x * other // last, z * other // last)


NEIGHBOURS = tuple(tuple(neighbour(v, d) for d in range(DIRECTIONS)) for v in range(VERTICES))
EDGES = tuple((v, d, to) for v in range(VERTICES) for d, to in enumerate(NEIGHBOURS[v]) if to >= 0)
PINCERS = tuple(
    (target, origins)
    for target in range(VERTICES)
    for origins in range(1 << DIRECTIONS)
    if origins.bit_count() >= 2 and all(NEIGHBOURS[target][d] >= 0 for d in range(DIRECTIONS) if origins >> d & 1)
)

# Home corners of seat 0 and 1, on the lowest and on the highest layer (D3), as rules name them: HOME[seat][0 or 1].
HOME = tuple((corner, OFFSETS[-1] + last) for corner, last in ((0, 0), (SIZES[0] ** 2 - 1, SIZES[-1] ** 2 - 1)))

# Action ids: end of turn, places (corner 0 of both seats, then corner 1), infusions, moves, attacks, pincers.
END_TURN, PLACE = 0, 1
INFUSE = PLACE + 2 * SEATS
MOVE = INFUSE + VERTICES
ATTACK = MOVE + len(EDGES)
PINCER = ATTACK + len(EDGES)
ACTIONS = PINCER + len(PINCERS)


def table(values: Any, dtype: str = "i2") -> Table:
    """Return a read-only array for kernels."""
    array: Table = np.array(values, dtype)
    array.flags.writeable = False
    return array


def distances(start: int) -> list[int]:
    """Return how many steps each vertex is from `start`, enemies and thresholds aside."""
    steps, queue = {start: 0}, deque([start])
    while queue:
        vertex = queue.popleft()
        for to in NEIGHBOURS[vertex]:
            if to >= 0 and to not in steps:
                steps[to] = steps[vertex] + 1
                queue.append(to)
    return [steps[v] for v in range(VERTICES)]


def powers_to(corner: int) -> list[int]:
    """Return the least pieces × energy with which a stack can walk from each vertex to a corner, by any way."""
    least = {corner: 1}
    queue = [(1, corner)]
    while queue:
        power, vertex = heappop(queue)
        for start, _, to in EDGES:
            if to == vertex:
                needed = max(power, GRAVITIES[PLACES[start][0]] * LEAST_FORCES[PLACES[to][0]])
                if needed < least.get(start, needed + 1):
                    least[start] = needed
                    heappush(queue, (needed, start))
    return [least[v] for v in range(VERTICES)]


def pincer_ranks() -> list[list[int]]:
    """Return the place of a set of origins among the sets of two or more in `around`: [around][origins]."""
    ranks = [[0] * 64 for _ in range(64)]
    for around in range(64):
        sets = [origins for origins in range(64) if origins & ~around == 0 and origins.bit_count() >= 2]
        for rank, origins in enumerate(sets):
            ranks[around][origins] = rank
    return ranks


LAYER = table([layer for layer, _, _ in PLACES], "i1")
NEIGHBOUR = table(NEIGHBOURS)  # [vertex, direction]; -1 = none
FIRST_EDGE = table([sum(v < k for v, _, _ in EDGES) for k in range(VERTICES + 1)])  # [vertex]; edges are in its order
EDGE_FROM = table([v for v, _, _ in EDGES])
EDGE_TO = table([to for _, _, to in EDGES])
EDGE_BIT = table([1 << d for _, d, _ in EDGES], "i1")
CORNER = table(HOME, "i8")  # [seat, 0 or 1]
FORCE_FACTOR = table([FORCE_UNIT // GRAVITIES[layer] for layer, _, _ in PLACES], "i1")  # [vertex], times pieces × energy

# Pieces × energy that a stack needs to be occupied where it stands [vertex], and to move along an edge [edge].
OCCUPIES = table([GRAVITIES[layer] * LEAST_FORCES[layer] for layer, _, _ in PLACES])
ENTERS = table([GRAVITIES[PLACES[v][0]] * LEAST_FORCES[PLACES[to][0]] for v, _, to in EDGES])

AROUND = table([sum(1 << d for d in range(DIRECTIONS) if NEIGHBOURS[v][d] >= 0) for v in range(VERTICES)], "i1")
PINCER_RANK = table(pincer_ranks(), "i1")  # [AROUND of the target, origins]
PINCER_FIRST = table([PINCER + sum(target < v for target, _ in PINCERS) for v in range(VERTICES + 1)])  # [target]
PINCER_TARGET = table([target for target, _ in PINCERS])  # [id - PINCER]
PINCER_ORIGINS = table([origins for _, origins in PINCERS], "i1")  # [id - PINCER]; bit d = neighbour in direction d
STEPS_TO = table([[distances(corner) for corner in HOME[seat]] for seat in range(SEATS)], "i1")  # [seat, 0 or 1, vertex]
POWER_TO = table([[powers_to(corner) for corner in HOME[seat]] for seat in range(SEATS)], "i1")  # [seat, 0 or 1, vertex]

# The place of the lowest set bit of a 32-bit word, by de Bruijn's sequence.
DE_BRUIJN = 0x077CB531
BIT_PLACE = table([k for _, k in sorted(((DE_BRUIJN << k & 0xFFFFFFFF) >> 27, k) for k in range(32))], "i1")
