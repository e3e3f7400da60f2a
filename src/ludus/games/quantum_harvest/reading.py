"""The text of a position: how it is written, and how it is read; whatever a person may write is read or refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ludus.core import BadRecord, LudusError, blank

from . import tables as t
from .actions import UNITS, parse_action
from .board import count_territory, describe_new, explore, recount
from .rules import SPEC, State, open_turn
from .sound import sound

SEATS = SPEC.seats
ENDS = ("running", "elimination", "energy", "territory", "limit_energy", "limit_territory", "limit_draw")
TILES, FOG = ".N#ZFG", "-12b"  # by code; explored by nobody, player1, player2, both
FACTS = {  # how many words each has
    "turn": 1, "goals": 3, "energy": 2, "territory": 2, "streak": 2, "next": 2, "reward": 2, "births": 1, "end": 1, "winner": 1,
    "deciding": 1, "slot": 1, "budget": 1, "picked": 1,
}  # fmt: skip
HIGH = 2**31 - 1
EVENT = {  # what is told of an attack, in this order, and the bounds of each number
    "seat": (0, 1), "unit": (-1, HIGH), "x": (-1, t.SIZE - 1), "y": (-1, t.SIZE - 1), "target": (0, HIGH),
    "to_x": (0, t.SIZE - 1), "to_y": (0, t.SIZE - 1), "health": (1, t.HEALTH_CAP), "boost": (0, t.BOOSTS - 1),
    "boosted": (0, 1), "field": (0, 1), "killed": (0, 1),
}  # fmt: skip
LONGEST = 200_000  # characters; the largest map with full rosters needs half of it
DEFAULT_VALUE = 1000  # of a node that is drawn without an amount
Lines = list[list[str]]  # the words of each


def parse(drawing: str, options: Mapping[str, int] | None = None) -> Any:
    """Read a position: a drawing of the map and units, with as many facts as one likes; the rest is as at the start.

    A tile is `.` empty, `N` node, `#` barrier, `Z` zone, `F` field or `G` gate, and who has explored it: `-` nobody, `1`,
    `2`, `b` both. Without these marks the units look around once.
    """
    if len(drawing) > LONGEST:
        raise BadRecord(f"a position has at most {LONGEST} characters, not {len(drawing)}")
    s = blank(State, SPEC, options)
    given: dict[str, list[str]] = {}
    rows: Lines = []
    lines: Lines = []
    for line in filter(None, (line.strip() for line in drawing.splitlines())):
        words = line.split()
        if words[0][0] in TILES and len(words[0]) <= 2:
            rows.append(words)
        elif words[0] in READERS:
            lines.append(words)
        else:
            _read_facts(line, given)
    is_fogged = _read_map(s, rows)
    _read_lines(s, lines, ("amount", *SEATS, "attack"))
    _settle(s, given, is_fogged)
    _read_lines(s, lines, ("promised", "order", "ran"))
    _settle_decision(s, given)
    if not sound(s):
        raise BadRecord("such a position cannot be: units, orders, decision or end contradict each other")
    return s


def _read_facts(line: str, given: dict[str, list[str]]) -> None:
    for fact in filter(None, (part.strip() for part in line.split(";"))):
        name, *words = fact.split()
        if name not in FACTS:
            raise BadRecord(f"cannot read {fact[:60]!r}; facts are: {', '.join(FACTS)}")
        if len(words) != FACTS[name] or name in given:
            raise BadRecord(f"{fact[:60]!r}: {name} is told once, in {FACTS[name]} words")
        given[name] = words


def _read_map(s: Any, rows: Lines) -> bool:
    """Read the tiles; return whether they say who has explored them."""
    if len(rows) != t.SIZE or any(len(row) != t.SIZE for row in rows):
        raise BadRecord(
            f"a position needs {t.SIZE} rows of {t.SIZE} tiles with blanks between; the option size sets another map"
        )
    is_fogged = False
    for y, row in enumerate(rows):
        for x, word in enumerate(row):
            if word[0] not in TILES or word[1:] not in ("", *FOG):
                raise BadRecord(
                    f"{word[:20]!r} at {x},{y} is no tile: one of {' '.join(TILES)}, then nothing or one of {' '.join(FOG)}"
                )
            s.tile[y, x] = TILES.index(word[0])
            seen = FOG.index(word[1]) if len(word) > 1 else 0
            is_fogged = is_fogged or len(word) > 1
            s.explored[0, y] |= (seen & 1) << x
            s.explored[1, y] |= (seen >> 1) << x
    s.amount[s.tile == t.ZONE] = t.ZONE_POWER
    s.amount[s.tile == t.NODE] = DEFAULT_VALUE
    return is_fogged


def _read_lines(s: Any, lines: Lines, kinds: tuple[str, ...]) -> None:
    """Read the lines of these kinds; what is wrong in one is told with it."""
    for words in lines:
        if words[0] in kinds:
            try:
                READERS[words[0]](s, words)
            except (ValueError, IndexError, LudusError) as error:
                raise BadRecord(f"cannot read {' '.join(words)[:80]!r} ({str(error)[:120]})") from None


def _read_amount(s: Any, words: list[str]) -> None:
    _, place, amount = words
    x, y = _cell(place)
    if s.tile[y, x] not in (t.NODE, t.ZONE):
        raise ValueError("only nodes and zones hold something")
    s.amount[y, x] = _number(amount, 1, 2**15 - 1)


def _read_unit(s: Any, words: list[str]) -> None:
    """Read `player1 0 scout 3,4 health 45 boost 2 born 7`; the last three may be left out."""
    seat = SEATS.index(words[0])
    k, unit = int(s.units[seat]), _number(words[1], 0, HIGH - 1)
    if k == t.UNITS:
        raise ValueError(f"a player has at most {t.UNITS} units")
    if unit < s.next_id[seat]:
        raise ValueError("units are told in the order of their ids")
    x, y = _cell(words[3])
    describe_new(s, seat, k, UNITS.index(words[2]), unit, x, y)
    extra = dict(zip(words[4::2], words[5::2], strict=True))
    if "health" in extra:
        s.unit_health[seat, k] = _halves(extra.pop("health"))
    s.unit_attacks[seat, k] = _number(extra.pop("boost", "0"), 0, t.ATTACKS_PER_BOOST)
    s.unit_born[seat, k] = _number(extra.pop("born", str(s.births)), 0, HIGH - 1)
    if extra:
        raise ValueError(f"no {', '.join(extra)} in a unit")
    s.births = max(int(s.births), int(s.unit_born[seat, k]) + 1)
    s.next_id[seat] = unit + 1
    s.units[seat] = k + 1


def _read_attack(s: Any, words: list[str]) -> None:
    n = int(s.last_events)
    if n == t.EVENTS:
        raise ValueError(f"at most {t.EVENTS} attacks are kept")
    for (key, bounds), word in zip(EVENT.items(), words[1:], strict=True):
        s[f"event_{key}"][n] = _number(word, *bounds)
    s.last_events = n + 1


def _read_promise(s: Any, words: list[str]) -> None:
    _, unit, kind = words
    k, corner = int(s.units[s.seat] + s.promised), int(s.seat) * (t.SIZE - 1)
    if k >= t.UNITS:
        raise ValueError(f"a player has at most {t.UNITS} units")
    describe_new(s, s.seat, k, UNITS.index(kind), _number(unit), corner, corner)
    s.promised += 1


def _read_order(s: Any, words: list[str]) -> None:
    """Read `order player1 slot 3: 12 move up`, or `ran player1 slot 3 paid 4: 12 move up`."""
    head, _, order = " ".join(words).partition(": ")
    unit, _, action = order.partition(" ")
    kind, name, _, slot, *paid = head.split()
    seat, ran = SEATS.index(name), kind == "ran"
    counts = s.last_orders if ran else s.orders
    n = int(counts[seat])
    if n == t.UNITS:
        raise ValueError(f"a player gives at most {t.UNITS} orders")
    s.order_unit[seat, n], s.order_slot[seat, n] = _number(unit), _number(slot, 0, t.UNITS - 1)
    s.order_action[seat, n] = parse_action(action)
    s.order_reward[seat, n] = _number(paid[1], t.SKIPPED, 2**15 - 1) if ran else 0
    counts[seat] = n + 1
    if not ran and seat == s.seat:
        s.ordered[int(slot)] = 1


READERS: dict[str, Callable[[Any, list[str]], None]] = {
    "amount": _read_amount, **dict.fromkeys(SEATS, _read_unit), "attack": _read_attack, "promised": _read_promise,
    "order": _read_order, "ran": _read_order,
}  # fmt: skip


def _settle(s: Any, given: dict[str, list[str]], is_fogged: bool) -> None:
    """Write the facts, and work out those that are missing."""
    if not is_fogged:
        for seat in range(t.SEATS):
            explore(s, seat)
    recount(s)
    count_territory(s)
    try:
        if "turn" in given:
            turn, limit = given["turn"][0].split("/")
            s.turn, s.opt_max_turns = _number(turn), _option("max_turns", limit)
        for name, word in zip(("energy_goal", "territory_goal", "territory_turns"), given.get("goals", ()), strict=False):
            s[f"opt_{name}"] = _option(name, word)
        for name, target in {"energy": s.energy, "territory": s.territory, "streak": s.streak, "next": s.next_id}.items():
            if name in given:
                target[:] = [_number(word) for word in given[name]]
        if "reward" in given:
            s.last_reward[:] = [_number(word, -HIGH - 1) for word in given["reward"]]
        if "births" in given:
            s.births = _number(given["births"][0])
        s.end = ENDS.index(given.get("end", ENDS)[0])
        s.winner = SEATS.index(given["winner"][0]) if "winner" in given else t.NOBODY
        open_turn(s, SEATS.index(given.get("deciding", SEATS)[0]))
    except (ValueError, LudusError) as error:
        raise BadRecord(f"a fact cannot be read ({str(error)[:120]})") from None


def _settle_decision(s: Any, given: dict[str, list[str]]) -> None:
    """Write which unit is asked: by itself the first without an order."""
    open_slots = np.flatnonzero(s.ordered[: s.units[s.seat] + s.promised] == 0).tolist()
    try:
        s.slot = _number(given["slot"][0], -1, t.UNITS - 1) if "slot" in given else min(open_slots, default=-1)
        s.budget = _number(given["budget"][0]) if "budget" in given else s.budget
        s.picked = _number(given["picked"][0], 0, 1) if "picked" in given else 0
    except ValueError as error:
        raise BadRecord(f"a fact cannot be read ({error})") from None


def _option(name: str, word: str) -> int:
    return next(option for option in SPEC.options if option.name == name).check(_number(word))


def _number(word: str, low: int = 0, high: int = HIGH) -> int:
    if not re.fullmatch(r"-?[0-9]{1,10}", word) or not low <= int(word) <= high:
        raise ValueError(f"a whole number from {low} to {high} is needed, not {word[:20]!r}")
    return int(word)


def _halves(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}(\.[05])?", word):
        raise ValueError(f"health is a number of halves, such as 22.5, not {word[:20]!r}")
    return int(float(word) * t.HALVES)


def _cell(word: str) -> tuple[int, int]:
    x, y = (_number(number, 0, t.SIZE - 1) for number in word.split(","))
    return x, y
