"""Unit's board as networks need it: 117 vertices, six directions, and a head of 71 channels a vertex (D18)."""

from ludus.core import Graph

from .board import ACTIONS, NEIGHBOURS, VERTICES
from .original.network import head_index
from .rules import GLOBALS, TIME_USED

HEAD = tuple(head_index(action) for action in range(ACTIONS))
GRAPH = Graph(NEIGHBOURS, (GLOBALS, TIME_USED + 1), HEAD[0] // VERTICES, HEAD)
