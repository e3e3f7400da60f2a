"""How Unit looks: a position as a scene in true coordinates, and the line that says how it stands.

All layers cover one square. A row is one x of the rules and a column one z, so that vertex numbers run as one reads.
"""

from __future__ import annotations

from math import lcm
from typing import Any

from ludus.core import Bar, Cell, Event, Link, Mark, Piece, Scene

from .actions import action_name
from .board import EDGES, FORCE_CAP, HOME, LAYERS, PLACES, SEATS, SIZES, VERTICES
from .forms import form_of
from .rules import ATTACKER_WINS, CORNERS, DEFENDER_WINS, LIMIT, NO_FIGHT, RUNNING, SPEC
from .text import FLAGS, NEEDED, bare_energy, board, force, stacks

__all__ = ["board", "scene", "status"]

SPAN = lcm(*(n - 1 for n in SIZES))  # steps of a scene that every layer divides


def spot(vertex: int) -> tuple[int, int, int]:
    """Return x, y and layer of a vertex in a scene."""
    layer, x, z = PLACES[vertex]
    step = SPAN // (SIZES[layer] - 1)
    return z * step, x * step, layer


def link(start: int, to: int, role: str) -> Link:
    """Return a line between two vertices."""
    x, y, z = SPOTS[start]
    to_x, to_y, to_z = SPOTS[to]
    return Link(x, y, to_x, to_y, role, z, to_z)


SPOTS = tuple(spot(v) for v in range(VERTICES))
CORNER_OF = {corner: seat for seat in range(SEATS) for corner in HOME[seat]}
SQUARE = tuple((x, y, z) for z in range(LAYERS) for y in range(SPAN + 1) for x in range(SPAN + 1))
TAKEN = frozenset(SPOTS)
HOLES = tuple(place for place in SQUARE if place not in TAKEN)
COLUMNS = tuple(link(start, to, "neutral") for start, d, to in EDGES if d == 5)  # a flat drawing cannot show these neighbours


def status(s: Any) -> str:
    """Return the line that says whose action it is and what it has done, or how the game ended."""
    if s.end == CORNERS:
        return f"{SPEC.seats[s.winner]} holds both enemy corners and wins"
    if s.end == LIMIT:
        return "the limit is reached: " + ("a draw" if s.winner < 0 else f"{SPEC.seats[s.winner]} is ahead and wins")
    done = [flag for flag in FLAGS if s[flag]]
    return f"{SPEC.seats[s.seat]} to act" + (f", has {' and '.join(done)}" if done else "")


def scene(view: Any) -> Scene:
    """Return what a seat sees as a scene, x to the right = z of the rules; every seat sees the same."""
    standing = stacks(view)
    origins, to = _touched(view)
    role = "danger" if view.last_fight != NO_FIGHT else "path"
    weak = [vertex for vertex, _, pieces, energy in standing if pieces * energy < NEEDED[vertex]]
    totals = [sum(pieces for _, seat, pieces, _ in standing if seat == k) for k in range(SEATS)]
    return Scene(
        title=SPEC.title,
        width=SPAN + 1,
        height=SPAN + 1,
        status=status(view),
        layers=LAYERS,
        cells=_cells(bare_energy(view)),
        pieces=tuple(_piece(*stack) for stack in standing),
        marks=(*(_mark(v, role) for v in (*origins, to) if v >= 0), *(_mark(v, "neutral") for v in weak)),
        links=(*COLUMNS, *(link(origin, to, role) for origin in origins)),
        numbers=(
            ("turn", str(view.turn)),
            ("actions", f"{view.actions}/{view.opt_max_actions}" if view.opt_max_actions else str(view.actions)),
            *((f"{name} pool", str(view.pool[k])) for k, name in enumerate(SPEC.seats)),
            *((f"{name} pieces", str(totals[k])) for k, name in enumerate(SPEC.seats)),
        ),
        events=_events(view, origins, to, {stack[0] for stack in standing}),
        holes=HOLES,
    )


def _cells(bare: dict[int, int]) -> tuple[Cell, ...]:
    """Show home corners, and energy where nobody stands."""
    found = []
    for vertex in sorted({*CORNER_OF, *bare}):
        x, y, z = SPOTS[vertex]
        energy = bare.get(vertex)
        if vertex in CORNER_OF:
            found.append(Cell(x, y, "goal", z, f"h{CORNER_OF[vertex]}", energy))
        else:
            found.append(Cell(x, y, "resource", z, str(energy)[:2], energy))
    return tuple(found)


def _piece(vertex: int, seat: int, pieces: int, energy: int) -> Piece:
    """Show a stack: its id is its place, its text how many pieces."""
    x, y, z = SPOTS[vertex]
    strength, is_occupied = force(vertex, pieces, energy), pieces * energy >= NEEDED[vertex]
    word = "occupied" if is_occupied else "not occupied"
    return Piece(
        f"vertex-{vertex}", x, y, f"seat{seat}", str(pieces) if pieces < 100 else "++", z,
        bars=(Bar("energy", energy, max(FORCE_CAP, energy)), Bar("force", strength if is_occupied else 0, FORCE_CAP)),
        about=f"vertex {vertex}: {pieces} of {SPEC.seats[seat]}, energy {energy}, force {strength:.3g}, {word}",
    )  # fmt: skip


def _mark(vertex: int, role: str) -> Mark:
    x, y, z = SPOTS[vertex]
    return Mark(x, y, role, z)


def _touched(view: Any) -> tuple[list[int], int]:
    """Return where the last action came from, and where it went; -1 = nowhere."""
    if view.last_action < 0:
        return [], -1
    form = form_of(view.last_action)
    origins: list[int] = form["origins"] if "origins" in form else [form["from"]] if "from" in form else []
    return origins, next((int(form[key]) for key in ("vertex", "to", "target") if key in form), -1)


def _events(view: Any, origins: list[int], to: int, held: set[int]) -> tuple[Event, ...]:
    """Tell the last action, how its fight went, and the end if it was one; who is the stack that stands there now, if any."""
    if view.last_seat < 0:
        return ()
    who = f"vertex-{to}" if to in held else ""
    x, y, z = SPOTS[origins[0]] if origins else (None, None, 0)
    to_x, to_y, to_z = SPOTS[to] if to >= 0 else (None, None, 0)
    name = action_name(view.last_action)
    text = f"{SPEC.seats[view.last_seat]}: {name}"
    events = [Event(name.split()[0], text, who, x, y, to_x, to_y, z=z, to_z=to_z)]
    if view.last_fight != NO_FIGHT:
        forces = [f"{part / view.last_unit:.3g}" for part in view.last_force.tolist()]
        winner = {ATTACKER_WINS: "the attacker wins", DEFENDER_WINS: "the defender wins"}.get(view.last_fight, "a draw")
        events.append(Event("fight", f"{forces[0]} against {forces[1]}: {winner}", who, to_x, to_y, z=to_z))
    if view.end != RUNNING:
        events.append(Event("end", status(view)))
    return tuple(events)
