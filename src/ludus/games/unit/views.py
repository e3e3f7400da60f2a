"""A seat's view of Unit as plain data: what each key means, the data, and the way back to the row.

As in a drawing x runs to the right and y down: x is the z of the rules, y their x, so that vertex numbers run as one reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from ludus.core import PlainView, about

from .actions import action_name, parse_action
from .board import FORCE_CAP, FORCE_UNIT, GRAVITIES, HOME, LAYOUT, LEAST_FORCES, OCCUPIES, OFFSETS, PLACES, SIZES
from .forms import form_of
from .rules import CORNERS, LIMIT, NO_FIGHT, RUNNING, SPEC, clear_last, holds, put

FIGHTS = ("", "attacker_win", "defender_win", "draw")  # by last_fight
ENDS = {RUNNING: "running", CORNERS: "corners", LIMIT: "limit"}
LAYERS_SHOWN = tuple(zip(SIZES, OFFSETS, GRAVITIES, LEAST_FORCES, strict=True))
NEEDED = OCCUPIES.tolist()  # pieces × energy to be occupied, by vertex
GRAVITY = [GRAVITIES[layer] for layer, _, _ in PLACES]  # by vertex
WHERE = [(layer, z, x) for layer, x, z in PLACES]  # layer, x, y as shown, by vertex
OPTION_FIELDS = [(option.name, f"opt_{option.name}") for option in SPEC.options]
REWARDS = """Nothing before the end; then 1 for who wins and -1 for who loses, 0 for both in a draw. Points are the same."""
# What each plane of `encode` shows, for the page of its environments.
PLANES = (
    "own pieces, in tens",
    "enemy pieces, in tens",
    "energy, in tens",
    "own exerted force, as a share of the cap",
    "enemy exerted force",
    "own occupied vertices",
    "enemy occupied vertices",
    "gravity, in thirds",
    "own corners",
    "enemy corners",
    "numbers on the first vertices: my turn, placed, infused, moved, own and enemy pool in tens, share of the actions used",
)


class Layer(TypedDict):
    """One layer of the board."""

    size: Annotated[int, about("rows and columns")]
    first_vertex: Annotated[int, about("number of its upper left vertex; they run row by row: first_vertex + y × size + x")]
    gravity: Annotated[int, about("the force of a stack is pieces × energy / gravity")]
    least_force: Annotated[
        int, about("the force that a stack needs to be occupied here, and, with the gravity of where it stands, to move here")
    ]


class Stack(TypedDict):
    """Pieces that stand on one vertex."""

    vertex: Annotated[int, about("its number, as in the names of actions")]
    layer: Annotated[int, about("from 0")]
    x: Annotated[int, about("column on its layer, to the right")]
    y: Annotated[int, about("row on its layer, down")]
    owner: Annotated[str, about("a seat")]
    pieces: Annotated[int, about("how many")]
    energy: Annotated[int, about("of the vertex")]
    force: Annotated[float, about("pieces × energy / gravity, at most the cap of the rules")]
    occupied: Annotated[bool, about("whether its force counts: only then it fights")]


class Shown(PlainView):
    """What `public` tells."""

    end: Annotated[Literal["running", "corners", "limit"], about("how the game ended, or `running`")]
    winner: Annotated[str | None, about("the seat that has won; null while it runs, and in a draw")]
    placed: Annotated[bool, about("whether the seat to move has placed in this turn")]
    infused: Annotated[bool, about("whether it has infused")]
    moved: Annotated[bool, about("whether it has moved")]
    pools: Annotated[dict[str, int], about("by seat the pieces that it may still place")]
    actions: Annotated[int, about("accepted so far; options.max_actions ends the game")]
    layers: Annotated[
        list[Layer],
        about("the board; neighbours are the four beside, and those above and below at equal x / (size - 1), y / (size - 1)"),
    ]
    homes: Annotated[dict[str, list[int]], about("by seat its two corners, as vertices; who holds both of the other's wins")]
    stacks: Annotated[list[Stack], about("every stack, by vertex")]
    bare_energy: Annotated[dict[str, int], about("by vertex, written as a text, the energy where nobody stands")]
    last: Annotated[tuple[str, str] | None, about("the last action: who, and its name; null at the start")]
    last_fight: Annotated[Literal["attacker_win", "defender_win", "draw"] | None, about("how it went, if it was one")]
    last_forces: Annotated[tuple[float, float] | None, about("the attacker's force, a pincer's product, and the defender's")]


def stacks(s: Any) -> list[tuple[int, int, int, int]]:
    """Return every stack as vertex, seat, pieces and energy, in the order of the vertices."""
    pieces, energy = s.pieces.tolist(), s.energy.tolist()
    first, second = (sum(word << 32 * k for k, word in enumerate(words)) for words in s.held.tolist())
    found, left = [], first | second
    while left:
        lowest = left & -left
        vertex = lowest.bit_length() - 1
        found.append((vertex, 0 if first & lowest else 1, pieces[vertex], energy[vertex]))
        left ^= lowest
    return found


def bare_energy(s: Any) -> dict[int, int]:
    """Return the energy on vertices that nobody holds."""
    pieces = s.pieces.tolist()
    return {vertex: energy for vertex, energy in enumerate(s.energy.tolist()) if energy and not pieces[vertex]}


def force(vertex: int, pieces: int, energy: int) -> float:
    """Return the force of a stack whether or not it is occupied."""
    return min(float(FORCE_CAP), pieces * energy / GRAVITY[vertex])


def owner(s: Any, vertex: int) -> int:
    """Return the seat that holds a vertex, or -1."""
    return 0 if holds(s, 0, vertex) else 1 if holds(s, 1, vertex) else -1


def public(view: Any) -> dict[str, Any]:
    """Return a view as plain data, for people and for other languages."""
    seats, last = SPEC.seats, view.last_seat
    return {
        "me": seats[view.me],
        "to_move": seats[view.seat],
        "turn": view.turn,
        "over": view.end != RUNNING,
        "end": ENDS[view.end],
        "winner": None if view.winner < 0 else seats[view.winner],
        "placed": view.placed == 1,
        "infused": view.infused == 1,
        "moved": view.moved == 1,
        "pools": dict(zip(seats, view.pool.tolist(), strict=True)),
        "actions": view.actions,
        "layers": [
            {"size": size, "first_vertex": first, "gravity": gravity, "least_force": least}
            for size, first, gravity, least in LAYERS_SHOWN
        ],
        "homes": {name: list(home) for name, home in zip(seats, HOME, strict=True)},
        "stacks": [_stack(*stack) for stack in stacks(view)],
        "bare_energy": {str(vertex): energy for vertex, energy in bare_energy(view).items()},
        "last": None if last < 0 else [seats[last], action_name(view.last_action)],
        "last_fight": FIGHTS[view.last_fight] or None,
        "last_forces": None if view.last_fight == NO_FIGHT else [part / view.last_unit for part in view.last_force.tolist()],
        "options": {"layout": LAYOUT, **{name: view[field] for name, field in OPTION_FIELDS}},
    }


def _stack(vertex: int, seat: int, pieces: int, energy: int) -> dict[str, Any]:
    layer, x, y = WHERE[vertex]
    return {
        "vertex": vertex, "layer": layer, "x": x, "y": y, "owner": SPEC.seats[seat], "pieces": pieces, "energy": energy,
        "force": force(vertex, pieces, energy), "occupied": pieces * energy >= NEEDED[vertex],
    }  # fmt: skip


def read_view(shown: Mapping[str, Any], view: Any) -> None:
    """Write a view of zeros from what `public` told of it."""
    seats = SPEC.seats
    view.me, view.seat, view.turn, view.actions = (
        seats.index(shown["me"]),
        seats.index(shown["to_move"]),
        shown["turn"],
        shown["actions"],
    )
    for name, field in OPTION_FIELDS:
        view[field] = shown["options"][name]
    view.end = next(end for end, name in ENDS.items() if name == shown["end"])
    view.winner = -1 if shown["winner"] is None else seats.index(shown["winner"])
    for flag in ("placed", "infused", "moved"):
        view[flag] = shown[flag]
    view.pool[:] = [shown["pools"][name] for name in seats]
    for stack in shown["stacks"]:
        put(view, seats.index(stack["owner"]), stack["vertex"], stack["pieces"], stack["energy"])
    for vertex, energy in shown["bare_energy"].items():
        view.energy[int(vertex)] = energy
    clear_last(view)
    if shown["last"] is not None:
        _read_last(shown, view)
    if view.winner >= 0:
        view.last_reward[view.winner], view.last_reward[1 - view.winner] = 1, -1


def _read_last(shown: Mapping[str, Any], view: Any) -> None:
    """Write the last action; forces are whole parts of a unit, which a pincer multiplies by each of its origins."""
    who, name = shown["last"]
    view.last_seat, view.last_action = SPEC.seats.index(who), parse_action(name)
    if shown["last_fight"] is not None:
        view.last_fight = FIGHTS.index(shown["last_fight"], 1)
        view.last_unit = FORCE_UNIT ** len(form_of(view.last_action).get("origins", [0]))
        view.last_force[:] = [round(part * view.last_unit) for part in shown["last_forces"]]
