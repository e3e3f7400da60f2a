"""What a game says of itself: its Spec, its options, its structural sizes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .errors import BadValue, UnknownName, shown, whole_number


@dataclass(frozen=True)
class Option:
    """A whole number that the user may set; a field `opt_NAME` of the row, or a structural size."""

    name: str
    default: int
    low: int
    high: int
    about: str

    def check(self, value: object) -> int:
        """Return the value if it is allowed, else raise a BadValue."""
        return whole_number(value, f"option {self.name}", self.low, self.high)


@dataclass(frozen=True)
class Contest:
    """What a referee does when an agent fails; options of a match may say otherwise."""

    on_fault: str = "replace"  # by the default action, or "forfeit"
    clock: str = "move=10"  # of a match, where nobody asks for another
    forfeit_points: float = 0.0  # a forfeit gives the others this many points, and the seat's side as many less than nothing


@dataclass(frozen=True)
class Spec:
    """The fixed facts of a game, as its rules.py declares them."""

    title: str
    version: int  # of the rules; a change of behaviour raises it
    seats: tuple[str, ...]
    actions: int  # ids 0..actions-1
    planes: tuple[int, int, int]  # what `encode` fills: [channel, y, x]
    options: tuple[Option, ...] = ()  # fields opt_NAME of the row
    plane_type: str = "f4"  # numpy type of the planes; small whole numbers travel faster as "u1"
    plane_high: float = 1.0  # the largest value that `encode` writes; the smallest is `plane_low`
    plane_low: float = 0.0
    sides: tuple[int, ...] = ()  # by seat: seats of one side win together; () = each seat for itself
    refuses: bool = True  # False: `apply` takes every id and gives a failing command its effect
    reward_unit: float = 1.0  # what 1 in `last_reward` is worth
    # Per seat the action ids as its planes show them: own_ids[seat][own id] = id in rules. () = boards are not turned.
    own_ids: tuple[tuple[int, ...], ...] = ()
    # Seats that commit in turn without seeing each other's choice resolve together (parallel environments).
    simultaneous: bool = False
    contest: Contest = Contest()
    features: tuple[str, ...] = ()  # what each number of `features` is called: a game's features.py says it, or its view
    reward: str = "original"  # what environments pay unless told otherwise: "original" (`last_reward`), "outcome" or "points"
    no_setup: str = ""  # why `new` cannot make a position at this structural size, or ""

    def side(self, seat: int) -> int:
        """Return the side of a seat."""
        return self.sides[seat] if self.sides else seat

    def seat(self, name: object) -> int:
        """Return the number of a seat that is named or numbered."""
        if isinstance(name, str) and name in self.seats:
            return self.seats.index(name)
        number = name if isinstance(name, str) else _as_number(name)
        if number.isdecimal() and len(number) < 9 and int(number) < len(self.seats):
            return int(number)
        raise UnknownName("seat", name, self.seats)


def _as_number(value: object) -> str:
    """Return a whole number as people write it, or "" for what is none."""
    try:
        return str(whole_number(value, "a seat", 0, 10**8))
    except BadValue:
        return ""


_sizes: dict[str, int] = {}  # structural values for the rules.py that is being run


def structural(name: str, default: int, low: int, high: int, about: str = "") -> int:
    """Declare a size that shapes the row, and return its value for this copy of the rules."""
    option = Option(name, default, low, high, about)
    rules = sys._getframe(1).f_globals  # the file that declares it remembers it
    rules["STRUCTURE"] = (*rules.get("STRUCTURE", ()), option)
    return option.check(_sizes.get(name, default))


@contextmanager
def structural_values(values: Mapping[str, int]) -> Iterator[None]:
    """Give `structural` its values while a rules.py runs."""
    _sizes.update(values)
    try:
        yield
    finally:
        _sizes.clear()


def check_options(options: tuple[Option, ...], given: Mapping[str, object]) -> dict[str, int]:
    """Return every option's value, given or default; unknown names and bad values are errors."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise UnknownName("option", name, (f"{o.name}={o.default} ({o.low} to {o.high})" for o in options))
    return {name: option.check(given.get(name, option.default)) for name, option in known.items()}


def parse_options(words: list[str]) -> dict[str, Any]:
    """Read `name=value` words as people write them."""
    options: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if name in options:
            raise BadValue(f"option {name} is given twice: {shown(options[name])} and {shown(value)}")
        try:
            options[name] = int(value)
        except ValueError:
            raise BadValue(f"an option is written name=number, not {shown(word)}") from None
    return options
