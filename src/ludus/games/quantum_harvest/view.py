"""How Quantum Harvest looks: scenes for a spectator or through one side's fog, text boards, names of orders, public views."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import Bar, Cell, Event, Link, Mark, Piece, Scene

from . import tables as t
from .orders import damage
from .rules import SPEC, View, observe
from .texts import UNITS, action_name, order_name, parse, parse_action, text

__all__ = [
    "action_name", "board", "order_name", "parse", "parse_action", "public", "scene", "status", "text", "why_not",
]  # fmt: skip

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


def fallback(s: Any) -> int:
    """Return what is played for an agent that failed: no orders for the rest of the turn (D33)."""
    return t.DONE


def why_not(s: Any, seat: int, action: int) -> str:
    """Return why a seat cannot decide this now, or ""; orders that will fail are taken all the same."""
    if s.end != t.RUNNING:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    return "" if 0 <= action < t.ACTIONS else "bad_action"


def scene(s: Any, seat: int = -1) -> Scene:
    """Return the position as a scene; for a seat only what it may see."""
    return Scene(
        title=SPEC.title,
        width=t.SIZE,
        height=t.SIZE,
        status=status(s, seat),
        columns=tuple(str(x) for x in range(t.SIZE)),
        rows=tuple(str(y) for y in range(t.SIZE)),
        cells=_cells(s, seat),
        pieces=_pieces(s, seat),
        marks=_marks(s, seat),
        links=_links(s, seat),
        numbers=_numbers(s, seat),
        events=_events(s, seat),
    )


def board(s: Any, seat: int = -1) -> str:
    """Draw the board in plain text: tiles, units by letter (player1 upper case), `?` where the seat has not looked."""
    stacks: dict[tuple[int, int], str] = {}
    for piece in _pieces(s, seat):
        letter = piece.text[:1] if piece.role == "seat0" else piece.text[:1].lower()
        stacks[piece.x, piece.y] = stacks.get((piece.x, piece.y), "") + letter
    lines = ["   " + "".join(f"{x:>3}" for x in range(t.SIZE))]
    for y in range(t.SIZE):
        lines.append(f"{y:>2} " + "".join(f"{_symbol(s, seat, stacks.get((x, y), ''), x, y):>3}" for x in range(t.SIZE)))
    numbers = "  ".join(f"{name} {value}" for name, value in _numbers(s, seat))
    return "\n".join([numbers, *lines]) + "\n"


def _symbol(s: Any, seat: int, units: str, x: int, y: int) -> str:
    """Return at most two characters for a tile: its units, else what it is."""
    if units:
        return units if len(units) < 3 else units[0] + "+"
    is_dark = s.tile[y, x] == t.EMPTY and seat >= 0 and not _explored(s, seat, x, y)
    return "?" if is_dark else ".n#zfg"[s.tile[y, x]]


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages."""
    me, enemy = int(view.me), 1 - int(view.me)
    seen = [[int(row) >> x & 1 for x in range(t.SIZE)] for row in view.explored]
    slot = int(view.slot)
    return {
        "me": SPEC.seats[me],
        "size": t.SIZE,
        "turn": int(view.turn),
        "max_turns": int(view.max_turns),
        "over": bool(view.end != t.RUNNING),
        "energy": {"mine": int(view.energy[me]) / t.QUARTERS, "theirs": int(view.energy[enemy]) / t.QUARTERS},
        "territory": {"mine": int(view.territory[me]), "theirs": int(view.territory[enemy]), "goal": int(view.territory_goal)},
        "map": ["".join(".N#ZFG"[code] for code in row) for row in view.tile.tolist()],
        "explored": ["".join(".#"[mark] for mark in row) for row in seen],
        "amounts": [[x, y, int(view.amount[y, x])] for y in range(t.SIZE) for x in range(t.SIZE) if view.amount[y, x] > 0],
        "units": _public_units(view, "my", int(view.mine + view.promised)),
        "enemies": _public_units(view, "their", int(view.theirs)),
        "asked": None if slot < 0 else int(view.my_id[slot]),
        "energy_left": int(view.budget) / t.QUARTERS,
        "orders": [
            order_name(_ordered_unit(view, int(k)), int(action))
            for k, action in zip(view.order_slot[: view.orders], view.order_action[: view.orders], strict=True)
        ],
        "last": _public_last(view),
        "attacks": [_attack_text(view, n) for n in range(int(view.events))],
    }


def _public_last(view: Any) -> list[list[Any]]:
    """List my orders of the last turn and what each paid; None = the unit was not there any more."""
    last = (view[f"last_{name}"][: view.last_orders].tolist() for name in ("unit", "action", "paid"))
    return [
        [order_name(unit, action), None if paid == t.SKIPPED else paid / t.QUARTERS]
        for unit, action, paid in zip(*last, strict=True)
    ]


def _ordered_unit(view: Any, slot: int) -> int:
    """Return the id of a unit by its slot; promised ones have the ids after the last."""
    return int(view.my_id[slot]) if slot < view.mine else int(view.next_id) + slot - int(view.mine)


def _public_units(view: Any, side: str, count: int) -> list[dict[str, Any]]:
    names = ("id", "type", "x", "y", "health", "attacks")
    units = []
    for unit, kind, x, y, health, attacks in zip(*(view[f"{side}_{n}"][:count].tolist() for n in names), strict=True):
        units.append({"id": unit, "type": UNITS[kind], "x": x, "y": y, "health": health / t.HALVES, "boosted_attacks": attacks})
    return units


def status(s: Any, seat: int = -1) -> str:
    """Say in a line who is asked for what, or how the game ended; which unit is asked only to its own side."""
    if s.end == t.RUNNING:
        asked = ""
        if seat == s.seat and s.slot >= 0:
            k = int(s.slot)
            asked = (
                f": {UNITS[s.unit_type[seat, k]]} {s.unit_id[seat, k]} at {s.unit_x[seat, k]},{s.unit_y[seat, k]} (slot {k})"
            )
        return f"turn {s.turn} of {s.opt_max_turns}, {SPEC.seats[s.seat]} gives orders{asked}"
    if s.winner == t.NOBODY:
        return END_TEXTS[t.LIMIT_DRAW] if s.end == t.LIMIT_DRAW else "nobody is left: a draw"
    return END_TEXTS[int(s.end)].format(SPEC.seats[s.winner])


def _explored(s: Any, seat: int, x: int, y: int) -> bool:
    return bool(int(s.explored[seat, y]) >> x & 1)


def _cells(s: Any, seat: int) -> tuple[Cell, ...]:
    """Draw every tile that is not plain explored floor; nodes show how full they are, in tenths of a full one."""
    cells = []
    for y in range(t.SIZE):
        for x in range(t.SIZE):
            code, amount = int(s.tile[y, x]), float(s.amount[y, x])
            known = seat < 0 or _explored(s, seat, x, y)
            if code == t.EMPTY:
                if not (known if seat >= 0 else _explored(s, 0, x, y) or _explored(s, 1, x, y)):
                    cells.append(Cell(x, y, "fog"))
                continue
            label = SYMBOLS[code]
            if code == t.NODE:
                label = str(min(9, int(amount * 10 / FULL_NODE))) if known else "?"
            cells.append(Cell(x, y, ROLES[code], text=label, amount=amount if known and code in (t.NODE, t.ZONE) else None))
    return tuple(cells)


def _marks(s: Any, seat: int) -> tuple[Mark, ...]:
    """Tint what only one side has explored in that side's colour, for a spectator; show a seat which unit is asked."""
    marks = []
    if seat == s.seat and s.slot >= 0 and s.end == t.RUNNING:
        marks.append(Mark(int(s.unit_x[seat, s.slot]), int(s.unit_y[seat, s.slot]), "safe"))
    if seat < 0:
        for y in range(t.SIZE):
            for x in range(t.SIZE):
                first, second = _explored(s, 0, x, y), _explored(s, 1, x, y)
                if first != second and s.tile[y, x] == t.EMPTY:
                    marks.append(Mark(x, y, "seat0" if first else "seat1"))
    return tuple(marks)


def _pieces(s: Any, seat: int) -> tuple[Piece, ...]:
    """Draw the units in the order of creation; stacks are pieces on one tile."""
    pieces = []
    for side in range(t.SEATS):
        for k in range(int(s.units[side])):
            x, y = int(s.unit_x[side, k]), int(s.unit_y[side, k])
            if seat in (-1, side) or _explored(s, seat, x, y):
                pieces.append((int(s.unit_born[side, k]), _piece(s, side, k, x, y)))
    return tuple(piece for _, piece in sorted(pieces, key=lambda pair: pair[0]))


def _piece(s: Any, side: int, k: int, x: int, y: int) -> Piece:
    unit, kind = int(s.unit_id[side, k]), int(s.unit_type[side, k])
    health, attacks = int(s.unit_health[side, k]) / t.HALVES, int(s.unit_attacks[side, k])
    bars: tuple[Bar, ...] = (Bar("health", health, max(t.HEALTH / t.HALVES, health)),)
    if attacks:
        bars += (Bar("boosted attacks", attacks, t.ATTACKS_PER_BOOST),)
    about = f"{SPEC.seats[side]}'s {UNITS[kind]} {unit}: health {health:g}" + (
        f", {attacks} boosted attacks" if attacks else ""
    )
    mark = "*" if attacks else ""
    return Piece(f"{SPEC.seats[side]}-{unit}", x, y, f"seat{side}", LETTERS[kind] + mark, bars=bars, about=about)


def _seen_attacks(s: Any, seat: int) -> list[tuple[int, bool]]:
    """List the attacks of the last turn, and whether the attacker is to be seen."""
    found = []
    for n in range(int(s.last_events)):
        x, y = int(s.event_x[n]), int(s.event_y[n])
        found.append((n, seat < 0 or s.event_seat[n] == seat or _explored(s, seat, x, y)))
    return found


def _links(s: Any, seat: int) -> tuple[Link, ...]:
    """Draw the shots of the last turn in the colour of who fired."""
    links = []
    for n, shown in _seen_attacks(s, seat):
        if shown:
            x, y, to_x, to_y = (int(s[f"event_{key}"][n]) for key in ("x", "y", "to_x", "to_y"))
            links.append(Link(x, y, to_x, to_y, f"seat{s.event_seat[n]}"))
    return tuple(links)


def _numbers(s: Any, seat: int) -> tuple[tuple[str, str], ...]:
    """Fill the side panel: turn, then energy, territory, explored share and units of each side as far as they are known."""
    numbers = [("turn", f"{s.turn}/{s.opt_max_turns}")]
    for side, name in enumerate(SPEC.seats):
        numbers.append((f"{name} energy", f"{s.energy[side] / t.QUARTERS:g}"))
        numbers.append((f"{name} territory", f"{100 * int(s.territory[side]) / t.SIZE**2:.1f} %"))
        if seat in (-1, side):
            explored = sum(int(row).bit_count() for row in s.explored[side])
            numbers.append((f"{name} explored", f"{100 * explored / t.SIZE**2:.1f} %"))
            numbers.append((f"{name} units", str(int(s.units[side]))))
    return tuple(numbers)


def _events(s: Any, seat: int) -> tuple[Event, ...]:
    """Tell the attacks of the last turn, and the end."""
    view = np.zeros(1, View).view(np.recarray)[0]
    observe(s, max(seat, 0), view)
    row = s if seat < 0 else view
    events = []
    for n, shown in _seen_attacks(s, seat):
        side = int(s.event_seat[n])
        x, y, to_x, to_y = (int(s[f"event_{key}"][n]) for key in ("x", "y", "to_x", "to_y"))
        dealt = float(damage(int(s.event_boost[n]), int(s.event_boosted[n]), int(s.event_field[n])) / t.HALVES)
        kind, who = "kill" if s.event_killed[n] else "attack", f"{SPEC.seats[side]}-{s.event_unit[n]}" if shown else ""
        told, from_x, from_y = _attack_text(row, n), x if shown else None, y if shown else None
        events.append(Event(kind, told, who, from_x, from_y, to_x, to_y, dealt))
    if s.end != t.RUNNING:
        events.append(Event("end", status(s)))
    return tuple(events)


def _attack_text(row: Any, n: int) -> str:
    """Tell one attack in a line, from a position or from a view."""
    side, unit, target = int(row.event_seat[n]), int(row.event_unit[n]), int(row.event_target[n])
    boosted, on_field = int(row.event_boosted[n]), int(row.event_field[n])
    dealt = damage(int(row.event_boost[n]), boosted, on_field) / t.HALVES
    who = f"{SPEC.seats[side]}'s {unit}" if unit >= 0 else f"an unseen warrior of {SPEC.seats[side]}"
    extras = [word for word, is_so in (("boosted", boosted), ("halved by a field", on_field)) if is_so]
    end = "and destroys it" if row.event_killed[n] else f"of {int(row.event_health[n]) / t.HALVES:g}"
    return f"{who} hits {SPEC.seats[1 - side]}'s {target} for {dealt:g} {end}" + (f" ({', '.join(extras)})" if extras else "")
