"""The text form of a position: facts, a drawing of the map, a line a unit; `parse` reads it back, value for value."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import BadRecord, UnknownName

from . import tables as t
from .board import count_territory, describe_new, explore, recount
from .rules import SPEC, State, open_turn

SEATS = SPEC.seats
UNITS = ("harvester", "warrior", "scout")
ENDS = ("running", "elimination", "energy", "territory", "limit_energy", "limit_territory", "limit_draw")
TILES, FOG = ".N#ZFG", "-12b"  # by code; explored by nobody, player1, player2, both
DIRECTIONS = ("up-left", "up", "up-right", "left", "here", "right", "down-left", "down", "down-right")
BLOCKS = (
    (t.MOVE, "move"), (t.QUANTUM_MOVE, "quantum"), (t.BUILD_ZONE, "zone"), (t.BUILD_FIELD, "field"),
    (t.BUILD_BARRIER, "barrier"), (t.BUILD_GATE, "gate"),
)  # fmt: skip
SINGLE = {t.HARVEST: "harvest", t.NOTHING: "nothing", t.DONE: "done", t.HEAL: "heal"}
EVENT = ("seat", "unit", "x", "y", "target", "to_x", "to_y", "health", "boost", "boosted", "field", "killed")


def action_name(action: int) -> str:
    """Return an action as people write it: `attack up-left +3`."""
    for first, name in BLOCKS:
        if first <= action < first + t.DIRECTIONS:
            return f"{name} {DIRECTIONS[action - first]}"
    if action in SINGLE:
        return SINGLE[action]
    if t.SPAWN <= action < t.HEAL:
        return f"spawn {UNITS[action - t.SPAWN]}"
    if action >= t.TELEPORT:
        return f"teleport {(action - t.TELEPORT) % t.SIZE},{(action - t.TELEPORT) // t.SIZE}"
    if action >= t.PICK:
        return f"pick {action - t.PICK}"
    direction, boost = divmod(action - t.ATTACK, t.BOOSTS)
    return f"attack {DIRECTIONS[direction]}" + (f" +{boost}" if boost else "")


NUMBERS = {action_name(action): action for action in range(t.ACTIONS)}


def parse_action(text: str) -> int:
    """Read an action: its name, or its number."""
    word = " ".join(text.lower().split())
    if word.isdecimal() and int(word) < t.ACTIONS:
        return int(word)
    if word in NUMBERS:
        return NUMBERS[word]
    raise UnknownName("order", text, ("move up", "attack up-left +3", "teleport 3,4", "pick 5", *SINGLE.values(), "…"))


def order_name(unit: int, action: int) -> str:
    """Return an order as people write it: `12 attack up-left +3`."""
    return f"{unit} {action_name(action)}"


def text(s: Any) -> str:
    """Return a position as text that `parse` reads back."""
    lines = ["; ".join(_facts(s)), "; ".join(_decision(s))]
    lines += [" ".join(_tile(s, x, y) for x in range(t.SIZE)) for y in range(t.SIZE)]
    for y, x in np.argwhere(s.amount != 0).tolist():
        lines.append(f"amount {x},{y} {s.amount[y, x]}")
    for seat, name in enumerate(SEATS):
        for k in range(int(s.units[seat])):
            lines.append(f"{name} {_unit(s, seat, k)} born {s.unit_born[seat, k]}")
        promised = int(s.promised) if seat == s.seat else 0
        for k in range(int(s.units[seat]), int(s.units[seat]) + promised):
            lines.append(f"promised {s.unit_id[seat, k]} {UNITS[s.unit_type[seat, k]]}")
        count, words = int(s.orders[seat] or s.last_orders[seat]), "order" if s.orders[seat] else "ran"
        for n in range(count):
            order = order_name(s.order_unit[seat, n], int(s.order_action[seat, n]))
            paid = "" if words == "order" else f" paid {s.order_reward[seat, n]}"
            lines.append(f"{words} {name} slot {s.order_slot[seat, n]}{paid}: {order}")
    for n in range(int(s.last_events)):
        lines.append("attack " + " ".join(str(s[f"event_{key}"][n]) for key in EVENT))
    return "\n".join(lines) + "\n"


def parse(drawing: str) -> Any:
    """Read a position: a drawing of the map and units, with as many facts as one likes; the rest is as at the start.

    A tile is `.` empty, `N` node, `#` barrier, `Z` zone, `F` field or `G` gate, and who has explored it: `-` nobody, `1`,
    `2`, `b` both. Without these marks the units look around once.
    """
    lines = [line.strip() for line in drawing.strip().splitlines() if line.strip()]
    s = np.zeros(1, State).view(np.recarray)[0]
    for option in SPEC.options:
        setattr(s, f"opt_{option.name}", option.default)
    s.winner = t.NOBODY
    given: dict[str, list[str]] = {}
    rows: list[list[str]] = []
    later: list[list[str]] = []
    for line in lines:
        words = line.split()
        if words[0][0] in TILES and len(words[0]) <= 2:
            rows.append(words)
        elif words[0] in ("amount", *SEATS, "promised", "order", "ran", "attack"):
            later.append(words)
        else:
            given.update(_read_facts(line))
    is_fogged = _read_map(s, rows)
    _read_lines(s, later)
    _settle(s, given, is_fogged)
    _read_decision(s, given, later)
    return s


def _facts(s: Any) -> list[str]:
    both = {"energy": s.energy, "territory": s.territory, "streak": s.streak, "next": s.next_id, "reward": s.last_reward}
    facts = [f"turn {s.turn}/{s.opt_max_turns}", f"goals {s.opt_energy_goal} {s.opt_territory_goal} {s.opt_territory_turns}"]
    facts += [f"{name} {pair[0]} {pair[1]}" for name, pair in both.items()]
    facts += [f"births {s.births}", f"end {ENDS[s.end]}"]
    return facts + ([f"winner {SEATS[s.winner]}"] if s.winner != t.NOBODY else [])


def _decision(s: Any) -> list[str]:
    facts = [f"deciding {SEATS[s.seat]}", f"slot {s.slot}", f"budget {s.budget}"]
    return facts + (["picked 1"] if s.picked else [])


def _tile(s: Any, x: int, y: int) -> str:
    seen = (int(s.explored[0, y]) >> x & 1) + 2 * (int(s.explored[1, y]) >> x & 1)
    return TILES[s.tile[y, x]] + FOG[seen]


def _unit(s: Any, seat: int, k: int) -> str:
    boost = f" boost {s.unit_attacks[seat, k]}" if s.unit_attacks[seat, k] else ""
    place = f"{s.unit_x[seat, k]},{s.unit_y[seat, k]}"
    return f"{s.unit_id[seat, k]} {UNITS[s.unit_type[seat, k]]} {place} health {s.unit_health[seat, k] / t.HALVES:g}{boost}"


def _read_facts(line: str) -> dict[str, list[str]]:
    known = (
        "turn", "goals", "energy", "territory", "streak", "next", "reward", "births", "end", "winner", "deciding", "slot",
        "budget", "picked",
    )  # fmt: skip
    facts = {}
    for fact in filter(None, (part.strip() for part in line.split(";"))):
        name, *words = fact.split()
        if name not in known or not words:
            raise BadRecord(f"cannot read {fact!r}; facts are: {', '.join(known)}")
        facts[name] = words
    return facts


def _read_map(s: Any, rows: list[list[str]]) -> bool:
    """Read the tiles; return whether they say who has explored them."""
    if len(rows) != t.SIZE or any(len(row) != t.SIZE for row in rows):
        raise BadRecord(
            f"a position needs {t.SIZE} rows of {t.SIZE} tiles with blanks between; the option size sets another map"
        )
    is_fogged = False
    for y, row in enumerate(rows):
        for x, word in enumerate(row):
            if word[0] not in TILES or word[1:2] not in FOG:
                raise BadRecord(
                    f"{word!r} at {x},{y} is no tile: one of {' '.join(TILES)}, then nothing or one of {' '.join(FOG)}"
                )
            s.tile[y, x] = TILES.index(word[0])
            seen = FOG.index(word[1]) if len(word) > 1 else 0
            is_fogged = is_fogged or len(word) > 1
            s.explored[0, y] |= (seen & 1) << x
            s.explored[1, y] |= (seen >> 1) << x
    return is_fogged


def _read_lines(s: Any, lines: list[list[str]]) -> None:
    """Read amounts, units and attacks."""
    s.amount[s.tile == t.ZONE] = t.ZONE_POWER
    s.amount[s.tile == t.NODE] = 1000
    for words in lines:
        try:
            if words[0] == "amount":
                x, y = _cell(words[1])
                s.amount[y, x] = int(words[2])
            elif words[0] in SEATS:
                _read_unit(s, SEATS.index(words[0]), words[1:])
            elif words[0] == "attack":
                n = int(s.last_events)
                for key, word in zip(EVENT, words[1:], strict=True):
                    s[f"event_{key}"][n] = int(word)
                s.last_events = n + 1
        except (ValueError, IndexError) as error:
            raise BadRecord(f"cannot read {' '.join(words)!r} ({error})") from None


def _read_unit(s: Any, seat: int, words: list[str]) -> None:
    """Read `0 scout 3,4 health 45 boost 2 born 7`; the last three may be left out."""
    k = int(s.units[seat])
    x, y = _cell(words[2])
    describe_new(s, seat, k, UNITS.index(words[1]), int(words[0]), x, y)
    extra = dict(zip(words[3::2], words[4::2], strict=True))
    s.unit_health[seat, k] = int(float(extra.pop("health", t.HEALTH / t.HALVES)) * t.HALVES)
    s.unit_attacks[seat, k] = int(extra.pop("boost", 0))
    s.unit_born[seat, k] = int(extra.pop("born", s.births))
    if extra:
        raise ValueError(f"no {', '.join(extra)} in a unit")
    s.births = max(int(s.births), int(s.unit_born[seat, k]) + 1)
    s.next_id[seat] = max(int(s.next_id[seat]), int(words[0]) + 1)
    s.units[seat] = k + 1


def _settle(s: Any, given: dict[str, list[str]], is_fogged: bool) -> None:
    """Write the facts, and work out those that are missing."""
    try:
        if "turn" in given:
            s.turn, s.opt_max_turns = (int(word) for word in given["turn"][0].split("/"))
        if "goals" in given:
            s.opt_energy_goal, s.opt_territory_goal, s.opt_territory_turns = (int(word) for word in given["goals"])
        if not is_fogged:
            for seat in range(t.SEATS):
                explore(s, seat)
        recount(s)
        count_territory(s)
        for name, target in {"energy": s.energy, "territory": s.territory, "streak": s.streak, "next": s.next_id}.items():
            if name in given:
                target[:] = [int(word) for word in given[name]]
        s.births = int(given.get("births", [s.births])[0])
        s.end = ENDS.index(given.get("end", ["running"])[0])
        s.winner = SEATS.index(given["winner"][0]) if "winner" in given else t.NOBODY
    except (ValueError, IndexError) as error:
        raise BadRecord(f"a fact cannot be read ({error})") from None


def _read_decision(s: Any, given: dict[str, list[str]], lines: list[list[str]]) -> None:
    """Read who decides, and the orders given so far."""
    open_turn(s, SEATS.index(given.get("deciding", SEATS[:1])[0]))
    for words in lines:
        if words[0] == "promised":
            k, corner = int(s.units[s.seat] + s.promised), int(s.seat) * (t.SIZE - 1)
            describe_new(s, s.seat, k, UNITS.index(words[2]), int(words[1]), corner, corner)
            s.promised += 1
        elif words[0] in ("order", "ran"):
            _read_order(s, words)
    s.slot = int(given.get("slot", [s.slot])[0])
    s.budget = int(given.get("budget", [s.budget])[0])
    s.picked = int(given.get("picked", [0])[0])
    s.last_reward[:] = [int(word) for word in given.get("reward", (0, 0))]


def _read_order(s: Any, words: list[str]) -> None:
    """Read `order player1 slot 3: 12 move up`, or `ran player1 slot 3 paid 4: 12 move up`."""
    head, _, order = " ".join(words).partition(": ")
    unit, _, action = order.partition(" ")
    kind, seat_name, _, slot, *paid = head.split()
    seat = SEATS.index(seat_name)
    counts = s.orders if kind == "order" else s.last_orders
    n = int(counts[seat])
    s.order_unit[seat, n], s.order_slot[seat, n] = int(unit), int(slot)
    s.order_action[seat, n] = parse_action(action)
    s.order_reward[seat, n] = int(paid[1]) if paid else 0
    counts[seat] = n + 1
    if kind == "order" and seat == s.seat:
        s.ordered[int(slot)] = 1


def _cell(word: str) -> tuple[int, int]:
    x, y = (int(number) for number in word.split(","))
    if not (0 <= x < t.SIZE and 0 <= y < t.SIZE):
        raise ValueError(f"{word} is not on the map")
    return x, y
