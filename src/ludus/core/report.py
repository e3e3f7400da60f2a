"""A Report is what a study of a position found, as plain data; doors print it and know no game."""

from __future__ import annotations

import msgspec


class Sheet(msgspec.Struct, frozen=True):
    """A small table: one title a column, rows of equal length."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]


class Chart(msgspec.Struct, frozen=True):
    """Bars, one below the other."""

    title: str
    unit: str  # written after each value
    bars: tuple[tuple[str, float], ...]


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """Facts by name, a line of play, tables and charts."""

    title: str
    facts: tuple[tuple[str, str | int | float], ...] = ()
    line: tuple[str, ...] = ()  # best play, a turn an entry
    sheets: tuple[Sheet, ...] = ()
    charts: tuple[Chart, ...] = ()
