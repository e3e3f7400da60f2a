"""A page of curves, one below the other, each on its own scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ludus.core import LudusError

from .charts import line_chart
from .markup import page, tag
from .sections import card
from .style import STYLE


def write_curves(file: Path, title: str, about: str, lines: Mapping[str, Sequence[float]], across: str) -> Path:
    """Write lines of values, one a chart, as a page of its own."""
    charts = []
    for name, values in lines.items():
        drawn = line_chart([(name, [(float(step), value) for step, value in enumerate(values)])], across, name)
        charts += [tag("h2", name), card(drawn)]
    try:
        file.write_text(page(title, STYLE, tag("h1", title), tag("p", about, class_="quiet"), *charts), encoding="utf-8")
    except OSError as error:
        raise LudusError(f"{file} cannot be written: {error.strerror or error}") from None
    return file
