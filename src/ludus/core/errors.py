"""Every error that Ludus raises on purpose: what came, what was allowed, what to do."""

from __future__ import annotations

from collections.abc import Iterable


class LudusError(Exception):
    """Report wrong use; the message is one sentence for people."""


class UnknownName(LudusError):
    """A game, seat, bot, option, device or action that does not exist."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} {name!r}; there is: {', '.join(known) or 'none'}")


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
    except TypeError:
        raise BadValue(f"{what} must be a whole number from {low} to {high}, not {value!r}") from None
    if not low <= number <= high:
        raise BadValue(f"{what} must be from {low} to {high}, not {number}")
    return number
