"""The symmetries of Unit's board, as permutations of vertices and of action ids.

Transpose and layer flip leave both players' corners where they are; the half-turn swaps the players.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .board import (
    AROUND,
    ATTACK,
    DIRECTIONS,
    EDGES,
    HOME,
    INFUSE,
    LAYERS,
    MOVE,
    NEIGHBOURS,
    PINCER,
    PINCER_FIRST,
    PINCER_RANK,
    PINCERS,
    PLACE,
    PLACES,
    SEATS,
    SIZES,
    VERTICES,
    Table,
    table,
    vertex_at,
)


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A way to turn the board that leaves the game the same."""

    name: str
    vertices: Table  # [vertex]: where it goes
    actions: Table  # [id]: the same action on the turned board
    swaps_players: bool

    def position(self, rows: Any) -> Any:
        """Return the turned copy of positions, an array of State; what happened last is turned, too."""
        turned = rows.copy()
        turned["pieces"][..., self.vertices] = rows["pieces"]
        turned["energy"][..., self.vertices] = rows["energy"]
        turned["held"] = 0
        for vertex in range(VERTICES):
            for seat in range(SEATS):
                holder = 1 - seat if self.swaps_players else seat
                to = int(self.vertices[vertex])
                bit = rows["held"][..., seat, vertex >> 5] >> (vertex & 31) & 1
                turned["held"][..., holder, to >> 5] |= bit << (to & 31)
        acted = rows["last_action"] >= 0
        turned["last_action"][acted] = self.actions[rows["last_action"][acted]]
        if self.swaps_players:
            _swap_players(turned, rows)
        return turned

    def planes(self, planes: Any) -> Any:
        """Return the turned copy of planes [..., channel, 1, vertex]; the last channel, of the whole board, stays."""
        turned = planes.copy()
        turned[..., :-1, :, self.vertices] = planes[..., :-1, :, :]
        return turned


def _swap_players(turned: Any, rows: Any) -> None:
    """Give every seat's own numbers to the other."""
    for name in ("pool", "last_reward"):
        turned[name] = rows[name][..., ::-1]
    turned["seat"] = 1 - rows["seat"]
    turned["opt_starting_player"] = 1 - rows["opt_starting_player"]
    for name in ("winner", "last_seat"):
        somebody = rows[name] >= 0
        turned[name][somebody] = 1 - rows[name][somebody]


def _symmetry(name: str, turn: Callable[[int, int, int], tuple[int, int, int]]) -> Symmetry:
    """Work out both permutations from what happens to a place (layer, x, z)."""
    vertices = [vertex_at(*turn(*place)) for place in PLACES]
    swaps = vertices[HOME[0][0]] not in HOME[0]
    return Symmetry(name, table(vertices), table(_actions(vertices, swaps)), swaps)


def _actions(vertices: list[int], swaps: bool) -> list[int]:
    """Return where each action id goes when the vertices go there."""
    edge_number = {(v, to): k for k, (v, _, to) in enumerate(EDGES)}
    place_number = {HOME[seat][k]: PLACE + SEATS * k + seat for k in range(2) for seat in range(SEATS)}
    ids = [0] * INFUSE
    for corner, number in place_number.items():
        ids[number] = place_number[vertices[corner]]
    ids += [INFUSE + vertices[v] for v in range(VERTICES)]
    edges = [edge_number[vertices[v], vertices[to]] for v, _, to in EDGES]
    ids += [MOVE + k for k in edges] + [ATTACK + k for k in edges]
    for target, origins in PINCERS:
        to = vertices[target]
        turned = 0
        for direction in range(DIRECTIONS):
            if origins >> direction & 1:
                turned |= 1 << NEIGHBOURS[to].index(vertices[NEIGHBOURS[target][direction]])
        ids.append(int(PINCER_FIRST[to]) + int(PINCER_RANK[AROUND[to], turned]))
    assert len(ids) == PINCER + len(PINCERS)
    return ids


HALF_TURN = _symmetry("half_turn", lambda layer, x, z: (layer, SIZES[layer] - 1 - x, SIZES[layer] - 1 - z))
TRANSPOSE = _symmetry("transpose", lambda layer, x, z: (layer, z, x))
SYMMETRIES = {"transpose": TRANSPOSE, "half_turn": HALF_TURN}
if SIZES[::-1] == SIZES:  # other layouts have no layer flip
    SYMMETRIES["layer_flip"] = _symmetry("layer_flip", lambda layer, x, z: (LAYERS - 1 - layer, x, z))
