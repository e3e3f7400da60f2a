"""Pictures of a report as inline SVG: an interval in a row of the table, and curves over a tournament."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .markup import Markup, joined, tag

COLOURS = 8  # classes c0 to c7 of the style; more lines than that are grey
WIDE, NARROW, HEIGHT = 920, 400, 380  # a picture for screens, and one for phones
LEFT, RIGHT, TOP, BOTTOM = 52, 150, 28, 40
LABEL_GAP = 15


class Scale:
    """A straight scale from values to a picture."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        if high - low < 1e-9:
            low, high = low - 1, high + 1
        self.low, self.high, self._start, self._end = low, high, start, end

    def __call__(self, value: float) -> float:
        """Return where a value lies; one that is out of bounds lies at the end."""
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self._start + part * (self._end - self._start), 2)

    def ticks(self, about: int = 5) -> list[float]:
        """Return round values within, about so many."""
        rough = (self.high - self.low) / about
        unit = 10 ** math.floor(math.log10(rough))
        step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= rough)
        first = math.ceil(self.low / step - 1e-9)
        return [step * k for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def whisker(scale: Scale, value: float | None, low: float | None, high: float | None, width: int, said: str) -> Markup:
    """Draw a value with its interval on a common scale; an arrow where it is open to one side."""
    middle, parts = 11, [tag("line", x1=scale(0), x2=scale(0), y1=0, y2=22, class_="zero")]
    if low is not None or high is not None:
        start, end = scale(scale.low if low is None else low), scale(scale.high if high is None else high)
        parts.append(tag("line", x1=start, x2=end, y1=middle, y2=middle, class_="reach" if value is not None else "reach open"))
        for end_value, place, turn in ((low, start, 1), (high, end, -1)):
            if end_value is None:
                parts.append(tag("path", d=f"M{place + 5 * turn} 7 L{place} 11 L{place + 5 * turn} 15", class_="arrow"))
            else:
                parts.append(tag("line", x1=place, x2=place, y1=7, y2=15, class_="reach"))
    if value is not None:
        parts.append(tag("circle", cx=scale(value), cy=middle, r=4, class_="dot"))
    return tag(
        "svg", tag("title", said), *parts, viewBox=f"0 0 {width} 22", width=width, height=22, role="img", class_="whisker"
    )


def outcome_bar(wins: int, draws: int, losses: int) -> Markup:
    """Draw the shares of wins, draws and losses as one bar."""
    total, start, parts = max(1, wins + draws + losses), 0.0, []
    for count, kind in ((wins, "won"), (draws, "drawn"), (losses, "lost")):
        width = round(84 * count / total, 2)
        parts.append(tag("rect", x=start, y=0, width=width, height=8, class_=kind) if count else None)
        start += width
    said = f"{wins} won, {draws} drawn, {losses} lost"
    return tag("svg", tag("title", said), *parts, viewBox="0 0 84 8", width=84, height=8, role="img", class_="shares")


def line_chart(lines: Sequence[tuple[str, Sequence[tuple[float, float]]]], across: str, up: str) -> Markup:
    """Draw lines with their names at their ends, the first in the strongest colours; wide screens and phones have their own."""
    if not any(line for _, line in lines):
        return tag("p", "nothing has been played yet", class_="quiet")
    return joined(_lines(lines, across, up, WIDE, RIGHT, 18, "wide"), _lines(lines, across, up, NARROW, 96, 11, "narrow"))


def _lines(
    lines: Sequence[tuple[str, Sequence[tuple[float, float]]]],
    across: str,
    up: str,
    width: int,
    right: int,
    letters: int,
    kind: str,
) -> Markup:
    points = [point for _, line in lines for point in line]
    end = width - right
    x = Scale(min(p[0] for p in points), max(p[0] for p in points), LEFT, end)
    y = Scale(min(p[1] for p in points), max(p[1] for p in points), HEIGHT - BOTTOM, TOP)
    parts = [
        *(tag("line", x1=LEFT, x2=end, y1=y(t), y2=y(t), class_="grid zero" if t == 0 else "grid") for t in y.ticks()),
        *(tag("text", _number(t), x=LEFT - 8, y=y(t) + 4, class_="tick end") for t in y.ticks()),
        *(tag("text", _number(t), x=x(t), y=HEIGHT - BOTTOM + 18, class_="tick middle") for t in x.ticks(width // 110)),
        tag("text", across, x=(LEFT + end) / 2, y=HEIGHT - 4, class_="tick middle"),
        tag("text", up, x=4, y=10, class_="tick"),
    ]
    places = _apart([y(line[-1][1]) for _, line in lines], TOP, HEIGHT - BOTTOM)
    for k in reversed(range(len(lines))):
        name, line = lines[k]
        colour = f"c{k}" if k < COLOURS else "cx"
        drawn = " ".join(f"{x(a):g},{y(b):g}" for a, b in line)
        parts.append(tag("polyline", tag("title", name), points=drawn, class_=f"line {colour}"))
        if places[k] is not None:
            label = name if len(name) <= letters else name[: letters - 1] + "…"
            parts.append(tag("text", label, x=end + 8, y=places[k], class_=f"label {colour}"))
    said = f"{up} over {across}"
    return tag("svg", *parts, viewBox=f"0 0 {width} {HEIGHT}", role="img", class_=f"chart {kind}", aria_label=said)


def _number(value: float) -> str:
    if value and abs(value) < 1:
        return f"{value:.2g}"
    return f"{value:,.0f}".replace("-", "−").replace(",", " ")


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float | None]:
    """Return places for labels near where they belong, none on another; those that find no room get none."""
    most = int((bottom - top) / LABEL_GAP) + 1
    chosen = sorted(range(min(len(wanted), most)), key=lambda k: wanted[k])
    places = [wanted[k] for k in chosen]
    for k in range(1, len(places)):
        places[k] = max(places[k], places[k - 1] + LABEL_GAP)
    over = max(0.0, (places[-1] if places else 0.0) - bottom)
    for k in reversed(range(len(places))):
        limit = bottom if k == len(places) - 1 else places[k + 1] - LABEL_GAP
        places[k] = min(places[k], limit) if over else places[k]
    found: list[float | None] = [None] * len(wanted)
    for k, place in zip(chosen, places, strict=True):
        found[k] = place + 4
    return found
