"""Every error that Ludus raises on purpose: what came, what was allowed, what to do."""

from __future__ import annotations

from collections.abc import Iterable


class LudusError(Exception):
    """Report wrong use; the message is one sentence for people."""


class UnknownName(LudusError):
    """A game, seat, bot, option, device or action that does not exist."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} {shown(name)}; there is: {', '.join(known) or 'none'}")


class BadValue(LudusError):
    """A value of the wrong type or out of its bounds."""


class IllegalAction(LudusError):
    """An action that the rules refuse; `reason` is the word of the game's `why_not`."""

    def __init__(self, message: str, reason: str = "illegal") -> None:
        super().__init__(message)
        self.reason = reason


class BadRecord(LudusError):
    """A file that cannot be read as what it should be."""


class MissingExtra(LudusError):
    """Something that an extra of the package brings is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed; get it with: pip install 'ludus[{extra}]'")


def whole_number(value: object, what: str, low: int, high: int) -> int:
    """Return `value` as an int in low..high, or raise a BadValue that names `what`."""
    import operator

    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except Exception:  # a value may come from anybody
        raise BadValue(f"{what} must be a whole number from {low} to {high}, not {shown(value)}") from None
    if not low <= number <= high:
        raise BadValue(f"{what} must be from {low} to {high}, not {shown(number)}")
    return number


def known_word(value: object, kind: str, known: Iterable[str]) -> str:
    """Return `value` if it is one of the words that are known, or raise an UnknownName: arrays and lists are none."""
    words = list(known)
    if not isinstance(value, str) or value not in words:
        raise UnknownName(kind, value, words)
    return value


def shown(value: object, most: int = 80) -> str:
    """Return any value as a short piece of one line, whatever its own words for itself do."""
    kind = type(value)
    if issubclass(kind, int) and int.bit_length(value) > 66:  # type: ignore[arg-type]
        return f"a number of {int.bit_length(value)} bits"  # type: ignore[arg-type]
    try:
        return one_line(repr(value), most)
    except BaseException:  # a value may come from anybody
        return f"something of the type {one_line(type.__dict__['__name__'].__get__(kind), most)}"


def one_line(text: str, most: int = 200) -> str:
    """Return a text as one line without control characters, cut if it is too long."""
    plain = str.__str__(text)  # what a class of somebody's says of itself is not asked
    line = "".join(sign if sign.isprintable() else " " for sign in plain[: 4 * most])
    line = " ".join(line.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def printed_line(text: str, most: int = 500) -> str:
    """Return a line that a program printed: its spaces stay, control characters do not, and it is cut if it is too long."""
    signs = str.__str__(text)[: 4 * most].rstrip().expandtabs(4)[: most + 1]
    line = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in signs)
    return line if len(line) <= most else line[: most - 1] + "…"
