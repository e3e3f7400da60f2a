"""A board that is no rectangle, as networks need it: which cells are neighbours, and where each action belongs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Graph:
    """The cells of a game's planes as a graph. A game names it as GRAPH in its graph.py; one without it is a rectangle."""

    neighbours: tuple[tuple[int, ...], ...]  # [cell][direction]; -1 = none
    whole: tuple[int, int]  # a channel whose first so many cells are numbers of the whole board
    channels: int  # of a head that has room for every action, a cell
    head: tuple[int, ...]  # [action] = cell × channels + channel; behind the last cell come those of the whole board
