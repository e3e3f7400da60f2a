"""How Unit looks: scenes, the layers side by side as text, the text of a position, names and refusals of actions.

On a drawing a row is one x of the rules and a column one z, so that vertex numbers run as one reads.
"""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np

from ludus.core import BadRecord, Bar, Cell, Event, Link, Mark, Piece, Scene

from .actions import action_name, form_of, parse_action, why_not
from .board import EDGES, FORCE_CAP, FORCE_UNIT, GRAVITIES, HOME, LAYERS, OFFSETS, PLACES, SEATS, SIZES, VERTICES
from .rules import (
    ATTACKER_WINS,
    CORNERS,
    DEFENDER_WINS,
    LIMIT,
    MOST,
    NO_FIGHT,
    RUNNING,
    SPEC,
    State,
    clear_last,
    exerted,
    holds,
    judge,
    power,
    put,
)

__all__ = [
    "FIGHTS", "action_name", "board", "empty", "occupied", "owner", "parse", "parse_action", "public", "scene",
    "status", "text", "why_not",
]  # fmt: skip

FIGHTS = ("", "attacker_win", "defender_win", "draw")  # by last_fight
FLAGS = ("placed", "infused", "moved")
FACTS = (
    "turn 1; player0 to act; placed; infused; moved; pool 1 1; actions 0; last player0 place 0; "
    "fight draw 60 60 of 6; over draw; and options such as max_actions 500"
)
LETTERS = "AB"  # by seat
SPAN = lcm(*(n - 1 for n in SIZES))  # steps of a scene that every layer divides: all layers cover one square


def owner(s: Any, vertex: int) -> int:
    """Return the seat that holds a vertex, or -1."""
    return 0 if holds(s, 0, vertex) else 1 if holds(s, 1, vertex) else -1


def force(s: Any, vertex: int) -> float:
    """Return the force of a stack whether or not it is occupied."""
    product: int = power(s, vertex)
    return min(float(FORCE_CAP), product / GRAVITIES[PLACES[vertex][0]])


def occupied(s: Any, vertex: int) -> bool:
    """Say whether the stack on a vertex reaches its layer's threshold."""
    return bool(exerted(s, vertex) > 0)


def cell(s: Any, vertex: int) -> str:
    """Return a vertex as `A3:2` (3 pieces of seat 0 with energy 2), `:2` for bare energy, `.` for nothing."""
    who = owner(s, vertex)
    stack = f"{LETTERS[who]}{s.pieces[vertex]}" if who >= 0 else ""
    return f"{stack}:{s.energy[vertex]}" if stack or s.energy[vertex] else "."


def board(s: Any) -> str:
    """Draw the layers side by side, the smaller ones in the middle of the height."""
    cells = [cell(s, v) for v in range(VERTICES)]
    height = max(SIZES)
    parts = []
    for layer, n in enumerate(SIZES):
        here = cells[OFFSETS[layer] : OFFSETS[layer] + n * n]
        width = max(map(len, here))
        rows = [" ".join(f"{word:<{width}}" for word in here[x * n : x * n + n]) for x in range(n)]
        blank, above = " " * len(rows[0]), (height - n) // 2
        parts.append([blank] * above + rows + [blank] * (height - n - above))
    return "".join(" | ".join(row).rstrip() + "\n" for row in zip(*parts, strict=True))


def status(s: Any) -> str:
    """Return the line that says whose action it is and what it has done, or how the game ended."""
    if s.end == CORNERS:
        return f"{SPEC.seats[s.winner]} holds both enemy corners and wins"
    if s.end == LIMIT:
        return "the limit is reached: " + ("a draw" if s.winner < 0 else f"{SPEC.seats[s.winner]} is ahead and wins")
    done = [flag for flag in FLAGS if s[flag]]
    return f"{SPEC.seats[s.seat]} to act" + (f", has {' and '.join(done)}" if done else "")


def scene(s: Any, seat: int = -1) -> Scene:
    """Return the position as a scene in true coordinates, x to the right = z of the rules; every seat sees the same."""
    places = {_spot(v) for v in range(VERTICES)}
    square = range(SPAN + 1)
    return Scene(
        title=SPEC.title,
        width=SPAN + 1,
        height=SPAN + 1,
        status=status(s),
        layers=LAYERS,
        cells=_cells(s),
        pieces=tuple(_piece(s, v) for v in range(VERTICES) if owner(s, v) >= 0),
        marks=tuple(_marks(s)),
        links=(*_columns(), *_last_links(s)),
        numbers=(
            ("turn", str(s.turn)),
            ("actions", f"{s.actions}/{s.opt_max_actions}" if s.opt_max_actions else str(s.actions)),
            *((f"{name} pool", str(s.pool[k])) for k, name in enumerate(SPEC.seats)),
            *((f"{name} pieces", str(_total(s, k))) for k, name in enumerate(SPEC.seats)),
        ),
        events=_events(s),
        holes=tuple((x, y, z) for z in range(LAYERS) for y in square for x in square if (x, y, z) not in places),
    )


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages."""
    return {
        "me": SPEC.seats[view.me],
        "turn": int(view.turn),
        "to_act": SPEC.seats[view.seat],
        "placed": bool(view.placed),
        "infused": bool(view.infused),
        "moved": bool(view.moved),
        "pools": {name: int(view.pool[k]) for k, name in enumerate(SPEC.seats)},
        "actions": int(view.actions),
        "max_actions": int(view.max_actions),
        "over": bool(view.end != RUNNING),
        "winner": None if view.winner < 0 else SPEC.seats[view.winner],
        "homes": {name: list(HOME[k]) for k, name in enumerate(SPEC.seats)},
        "stacks": [_stack(view, v) for v in range(VERTICES) if owner(view, v) >= 0],
        "bare_energy": {str(v): int(view.energy[v]) for v in range(VERTICES) if owner(view, v) < 0 and view.energy[v]},
        "last": None if view.last_seat < 0 else [SPEC.seats[view.last_seat], form_of(int(view.last_action))],
        "last_fight": FIGHTS[view.last_fight] or None,
    }


def text(s: Any) -> str:
    """Return a position as a line of facts and a drawing, which `parse` reads back."""
    facts = [f"turn {s.turn}", f"{SPEC.seats[s.seat]} to act", *(flag for flag in FLAGS if s[flag])]
    facts += [f"pool {s.pool[0]} {s.pool[1]}", f"actions {s.actions}"]
    if s.last_seat >= 0:
        facts.append(f"last {SPEC.seats[s.last_seat]} {action_name(int(s.last_action))}")
    if s.last_fight != NO_FIGHT:
        facts.append(f"fight {FIGHTS[s.last_fight]} {s.last_force[0]} {s.last_force[1]} of {s.last_unit}")
    facts += [f"{o.name} {s[f'opt_{o.name}']}" for o in SPEC.options if s[f"opt_{o.name}"] != o.default]
    if s.end != RUNNING:
        facts.append(f"over {'draw' if s.winner < 0 else SPEC.seats[s.winner]}")
    return "; ".join(facts) + "\n" + board(s)


def empty() -> Any:
    """Return a row with the usual options and nothing on the board: the start of a game."""
    s = np.zeros(1, State).view(np.recarray)[0]
    for option in SPEC.options:
        s[f"opt_{option.name}"] = option.default
    s.turn, s.winner = 1, -1
    s.pool[:] = 1
    clear_last(s)
    return s


def parse(drawing: str) -> Any:
    """Read a position: facts, if any, then the layers side by side with `|` between, cells as `cell` writes them.

    Facts that are missing are those of the start of a game; layers that are not drawn are empty.
    """
    lines = [line for line in drawing.strip().splitlines() if line.strip()]
    s = empty()
    has_facts = bool(lines) and (";" in lines[0] or lines[0].split()[0] in ("turn", *SPEC.seats))
    facts = [part.strip() for part in lines.pop(0).split(";")] if has_facts else []
    for fact in filter(None, facts):
        _read_fact(s, fact)
    _read_board(s, lines)
    over = next((fact.split()[1] for fact in facts if fact.startswith("over ")), "")
    reward, end = s.last_reward.copy(), int(s.end)
    judge(s)
    came = "" if s.end == RUNNING else "draw" if s.winner < 0 else SPEC.seats[s.winner]
    if over != came or end != RUNNING:
        raise BadRecord(
            f"the board says that the game is {came or 'not over'}; the facts must say so: over {came or '(nothing)'}"
        )
    if not over:
        s.last_reward[:] = reward
    return s


def _read_fact(s: Any, fact: str) -> None:
    try:
        match fact.split():
            case [flag] if flag in FLAGS:
                s[flag] = 1
            case [seat, "to", "act"]:
                s.seat = SPEC.seats.index(seat)
            case ["pool", one, other]:
                s.pool[:] = _number(one), _number(other)
            case ["last", seat, *words]:
                s.last_seat, s.last_action = SPEC.seats.index(seat), parse_action(" ".join(words))
            case ["fight", kind, attacking, defending, "of", unit]:
                s.last_fight, s.last_unit = FIGHTS.index(kind, 1), int(unit)
                s.last_force[:] = int(attacking), int(defending)
            case ["over", winner] if winner in ("draw", *SPEC.seats):
                pass  # the board must say the same: see `parse`
            case [("turn" | "actions") as name, number]:
                s[name] = _number(number, low=int(name == "turn"))
            case [name, number] if name in (names := {o.name: o for o in SPEC.options}):
                s[f"opt_{name}"] = names[name].check(int(number))
            case _:
                raise ValueError
    except ValueError:
        raise BadRecord(f"cannot read {fact!r}; facts are: {FACTS}") from None


def _number(word: str, low: int = 0) -> int:
    if not low <= (number := int(word)) <= 10 * MOST:
        raise ValueError
    return number


def _read_board(s: Any, lines: list[str]) -> None:
    rows: list[list[list[str]]] = [[] for _ in SIZES]
    for line in lines:
        parts = [part.split() for part in line.split("|")]
        if len(parts) > LAYERS:
            raise BadRecord(f"a drawing has {LAYERS} layers with | between, not {len(parts)}")
        for layer, part in enumerate(parts):
            if part:
                rows[layer].append(part)
    for layer, n in enumerate(SIZES):
        if rows[layer] and (len(rows[layer]) != n or any(len(row) != n for row in rows[layer])):
            raise BadRecord(
                f"layer {layer} needs {n} rows of {n} cells with blanks between; the option layout sets another board"
            )
        for number, word in enumerate(word for row in rows[layer] for word in row):
            _read_cell(s, OFFSETS[layer] + number, word)


def _read_cell(s: Any, vertex: int, word: str) -> None:
    if word == ".":
        return
    stack, _, energy = word.partition(":")
    pieces = stack[1:] if stack else "0"
    if (stack and stack[0] not in LETTERS) or not energy.isdecimal() or not pieces.isdecimal():
        raise BadRecord(f"{word!r} on vertex {vertex} is none of: . A3:2 B3:2 :2")
    if not max(int(pieces), int(energy)) <= MOST or (stack and int(pieces) == 0):
        raise BadRecord(f"{word!r} on vertex {vertex}: a stack has 1 to {MOST} pieces, a vertex at most {MOST} energy")
    s.energy[vertex] = int(energy)
    if stack:
        put(s, LETTERS.index(stack[0]), vertex, int(pieces), int(energy))


def _spot(vertex: int) -> tuple[int, int, int]:
    """Return x, y and layer of a vertex in a scene."""
    layer, x, z = PLACES[vertex]
    step = SPAN // (SIZES[layer] - 1)
    return z * step, x * step, layer


def _stack(s: Any, vertex: int) -> dict[str, Any]:
    layer, x, z = PLACES[vertex]
    return {
        "vertex": vertex, "layer": layer, "x": x, "z": z, "owner": SPEC.seats[owner(s, vertex)],
        "pieces": int(s.pieces[vertex]), "energy": int(s.energy[vertex]), "force": force(s, vertex),
        "occupied": occupied(s, vertex),
    }  # fmt: skip


def _total(s: Any, seat: int) -> int:
    return sum(int(s.pieces[v]) for v in range(VERTICES) if owner(s, v) == seat)


def _cells(s: Any) -> tuple[Cell, ...]:
    """Show home corners, and energy where nobody stands."""
    found = []
    corners = {corner: seat for seat in range(SEATS) for corner in HOME[seat]}
    for vertex in range(VERTICES):
        bare = int(s.energy[vertex]) if owner(s, vertex) < 0 else 0
        x, y, z = _spot(vertex)
        if vertex in corners:
            found.append(Cell(x, y, "goal", z, f"h{corners[vertex]}", bare or None))
        elif bare:
            found.append(Cell(x, y, "resource", z, str(bare)[:2], bare))
    return tuple(found)


def _piece(s: Any, vertex: int) -> Piece:
    """Show a stack: its id is its place, its text how many pieces."""
    who, pieces, energy = owner(s, vertex), int(s.pieces[vertex]), int(s.energy[vertex])
    x, y, z = _spot(vertex)
    word = "occupied" if occupied(s, vertex) else "not occupied"
    return Piece(
        f"vertex-{vertex}", x, y, f"seat{who}", str(pieces) if pieces < 100 else "++", z,
        bars=(Bar("energy", energy, max(FORCE_CAP, energy)), Bar("force", exerted(s, vertex) / FORCE_UNIT, FORCE_CAP)),
        about=f"vertex {vertex}: {pieces} of {SPEC.seats[who]}, energy {energy}, force {force(s, vertex):.3g}, {word}",
    )  # fmt: skip


def _touched(s: Any) -> tuple[list[int], int]:
    """Return where the last action came from, and where it went; -1 = nowhere."""
    if s.last_action < 0:
        return [], -1
    form = form_of(int(s.last_action))
    origins: list[int] = form["origins"] if "origins" in form else [form["from"]] if "from" in form else []
    return origins, next((int(form[key]) for key in ("vertex", "to", "target") if key in form), -1)


def _marks(s: Any) -> list[Mark]:
    """Mark the last action, and stacks that are not occupied."""
    origins, to = _touched(s)
    role = "danger" if s.last_fight != NO_FIGHT else "path"
    marks = [_mark(v, role) for v in [*origins, to] if v >= 0]
    return marks + [_mark(v, "neutral") for v in range(VERTICES) if owner(s, v) >= 0 and not occupied(s, v)]


def _mark(vertex: int, role: str) -> Mark:
    x, y, z = _spot(vertex)
    return Mark(x, y, role, z)


def _link(start: int, to: int, role: str) -> Link:
    x, y, z = _spot(start)
    to_x, to_y, to_z = _spot(to)
    return Link(x, y, to_x, to_y, role, z, to_z)


def _columns() -> list[Link]:
    """The edges between layers, which a flat drawing cannot show as neighbours."""
    return [_link(start, to, "neutral") for start, direction, to in EDGES if direction == 5]


def _last_links(s: Any) -> list[Link]:
    origins, to = _touched(s)
    return [_link(origin, to, "danger" if s.last_fight != NO_FIGHT else "path") for origin in origins]


def _events(s: Any) -> tuple[Event, ...]:
    """Tell the last action, how its fight went, and the end if it was one."""
    if s.last_seat < 0:
        return ()
    who, (origins, to) = SPEC.seats[s.last_seat], _touched(s)
    x, y, z = _spot(origins[0]) if origins else (None, None, 0)
    to_x, to_y, to_z = _spot(to) if to >= 0 else (None, None, 0)
    name = action_name(int(s.last_action))
    events = [Event(name.split()[0], f"{who}: {name}", who, x, y, to_x, to_y, z=z, to_z=to_z)]
    if s.last_fight != NO_FIGHT:
        forces = [f"{int(value) / int(s.last_unit):.3g}" for value in s.last_force]
        winner = {ATTACKER_WINS: "the attacker wins", DEFENDER_WINS: "the defender wins"}.get(int(s.last_fight), "a draw")
        events.append(Event("fight", f"{forces[0]} against {forces[1]}: {winner}", who, to_x, to_y, z=to_z))
    if s.end != RUNNING:
        events.append(Event("end", status(s)))
    return tuple(events)
