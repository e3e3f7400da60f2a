"""How Quantum Harvest looks: what one side may see, made from its view alone, and all of it for spectators."""

from __future__ import annotations

from typing import Any

from ludus.core import Bar, Cell, Event, Link, Mark, Piece, Scene

from . import tables as t
from .actions import UNITS
from .rules import SPEC
from .text import attacks, units_of, units_seen

LETTERS = "HWS"  # by type of unit
ROLES = ("floor", "resource", "wall", "path", "danger", "goal")  # by tile
SYMBOLS = ("", "", "", "Z", "F", "G")  # by tile; nodes show how full they are
FULL_NODE = 2000
END_TEXTS = {
    t.ELIMINATION: "{} wins: no enemy is left",
    t.ENERGY: "{} wins by energy",
    t.TERRITORY: "{} wins by territory",
    t.LIMIT_ENERGY: "last turn: {} wins by more energy",
    t.LIMIT_TERRITORY: "last turn: {} wins by more territory",
    t.LIMIT_DRAW: "last turn: a draw",
}
LABELS = tuple(str(k) for k in range(t.SIZE))


def scene(view: Any) -> Scene:
    """Return what a seat sees; the unit that is asked is marked."""
    told, rows, k = _status(view, view.max_turns), view.explored.tolist(), int(view.slot)
    marks: tuple[Mark, ...] = ()
    if k >= 0 and view.end == t.RUNNING:
        x, y = int(view.my_x[k]), int(view.my_y[k])
        told, marks = f"{told}: {UNITS[view.my_type[k]]} {view.my_id[k]} at {x},{y} (slot {k})", (Mark(x, y, "safe"),)
    numbers = _numbers(view, view.max_turns, {int(view.me): (rows, int(view.mine))})
    return _scene(view, units_seen(view), int(view.events), rows, told, marks, numbers)


def scene_all(s: Any) -> Scene:
    """Return the whole position; what only one side has explored is tinted in that side's colour."""
    first, second = s.explored.tolist()
    marks = tuple(
        Mark(x, y, "seat0" if first[y] >> x & 1 else "seat1")
        for y in range(t.SIZE)
        for x in range(t.SIZE)
        if (first[y] ^ second[y]) >> x & 1 and s.tile[y, x] == t.EMPTY
    )
    rows = [one | other for one, other in zip(first, second, strict=True)]
    numbers = _numbers(s, s.opt_max_turns, {0: (first, int(s.units[0])), 1: (second, int(s.units[1]))})
    return _scene(s, units_of(s), int(s.last_events), rows, status(s), marks, numbers)


def status(s: Any) -> str:
    """Say in a line who gives orders, or how the game ended."""
    return _status(s, s.opt_max_turns)


def board(s: Any) -> str:
    """Draw the whole board in plain text: tiles, and units by letter, those of player1 in upper case."""
    stacks: dict[tuple[int, int], str] = {}
    for _, side, kind, x, y, *_ in units_of(s):
        stacks[x, y] = stacks.get((x, y), "") + (LETTERS[kind] if side == 0 else LETTERS[kind].lower())
    lines = ["   " + "".join(f"{x:>3}" for x in range(t.SIZE))]
    for y, row in enumerate(s.tile.tolist()):
        words = [stacks.get((x, y), ".n#zfg"[tile]) for x, tile in enumerate(row)]
        lines.append(f"{y:>2} " + "".join(f"{word if len(word) < 3 else word[0] + '+':>3}" for word in words))
    return "\n".join(["  ".join(f"{name} {value}" for name, value in scene_all(s).numbers), *lines]) + "\n"


def _scene(
    row: Any, units: Any, events: int, rows: list[int], told: str, marks: tuple[Mark, ...], numbers: tuple[tuple[str, str], ...]
) -> Scene:
    """Put a scene together from a position or a view: its units and how many attacks it tells; `rows` are explored tiles."""
    pieces, hits = tuple(_piece(*unit) for unit in units), list(attacks(row, events))
    return Scene(
        title=SPEC.title,
        width=t.SIZE,
        height=t.SIZE,
        status=told,
        columns=LABELS,
        rows=LABELS,
        cells=_cells(row, rows),
        pieces=pieces,
        marks=marks,
        links=tuple(
            Link(hit["x"], hit["y"], hit["to_x"], hit["to_y"], f"seat{SPEC.seats.index(hit['by'])}")
            for hit in hits
            if hit["x"] is not None
        ),
        numbers=numbers,
        events=_events(row, hits, {piece.id for piece in pieces}, told),
    )


def _status(row: Any, max_turns: int) -> str:
    if row.end == t.RUNNING:
        return f"turn {row.turn} of {max_turns}, {SPEC.seats[row.seat]} gives orders"
    if row.winner == t.NOBODY:
        return END_TEXTS[t.LIMIT_DRAW] if row.end == t.LIMIT_DRAW else "nobody is left: a draw"
    return END_TEXTS[int(row.end)].format(SPEC.seats[row.winner])


def _cells(row: Any, rows: list[int]) -> tuple[Cell, ...]:
    """Draw every tile that is not plain explored floor; nodes show how full they are, in tenths of a full one."""
    cells = []
    for y, (tiles, amounts) in enumerate(zip(row.tile.tolist(), row.amount.tolist(), strict=True)):
        for x, (code, amount) in enumerate(zip(tiles, amounts, strict=True)):
            if code == t.EMPTY:
                if not rows[y] >> x & 1:
                    cells.append(Cell(x, y, "fog"))
                continue
            label = SYMBOLS[code]
            if code == t.NODE:
                label = "?" if amount < 0 else str(min(9, amount * 10 // FULL_NODE))
            cells.append(Cell(x, y, ROLES[code], text=label, amount=float(amount) if amount > 0 else None))
    return tuple(cells)


def _piece(unit: int, side: int, kind: int, x: int, y: int, halves: int, boosts: int) -> Piece:
    health = halves / t.HALVES
    bars: tuple[Bar, ...] = (Bar("health", health, max(t.HEALTH / t.HALVES, health)),)
    about = f"{SPEC.seats[side]}'s {UNITS[kind]} {unit}: health {health:g}"
    if boosts:
        bars += (Bar("boosted attacks", boosts, t.ATTACKS_PER_BOOST),)
        about += f", {boosts} boosted attacks"
    letter = LETTERS[kind] + ("*" if boosts else "")
    return Piece(f"{SPEC.seats[side]}-{unit}", x, y, f"seat{side}", letter, bars=bars, about=about)


def _numbers(row: Any, max_turns: int, known: dict[int, tuple[list[int], int]]) -> tuple[tuple[str, str], ...]:
    """Fill the side panel: turn, energies, territories; of the sides that are known also what they explored and have."""
    numbers = [("turn", f"{row.turn}/{max_turns}")]
    for side, name in enumerate(SPEC.seats):
        numbers.append((f"{name} energy", f"{int(row.energy[side]) / t.QUARTERS:g}"))
        numbers.append((f"{name} territory", f"{100 * int(row.territory[side]) / t.SIZE**2:.1f} %"))
        if side in known:
            rows, units = known[side]
            explored = sum(bits.bit_count() for bits in rows)
            numbers.append((f"{name} explored", f"{100 * explored / t.SIZE**2:.1f} %"))
            numbers.append((f"{name} units", str(units)))
    return tuple(numbers)


def _events(row: Any, hits: list[dict[str, Any]], pieces: set[str], told: str) -> tuple[Event, ...]:
    """Tell the attacks of the last turn, and the end; who attacked is named if it is still to be seen."""
    events = []
    for hit in hits:
        kind, who = "kill" if hit["killed"] else "attack", f"{hit['by']}-{hit['unit']}"
        places = (hit[key] for key in ("x", "y", "to_x", "to_y", "damage"))
        events.append(Event(kind, hit["text"], who if who in pieces else "", *places))
    if row.end != t.RUNNING:
        events.append(Event("end", told))
    return tuple(events)
