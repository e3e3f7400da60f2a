"""What a terminal's picture is drawn on: lines of spans, a width, and what the output can show."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TextIO

from ludus.core import spelled

Span = tuple[str, str]  # text, and how it is shown: numbers of an escape code, "" for nothing special
Line = list[Span]


class Paper(NamedTuple):
    """How much there is room for, and what can be shown."""

    width: int = 80
    height: int = 0  # lines; 0 = as many as it takes
    has_colour: bool = False
    encoding: str = "utf-8"

    def say(self, text: str) -> str:
        """Return a text with signs that can be shown here."""
        return spelled(text, self.encoding)

    def lines(self, picture: Iterable[Line]) -> list[str]:
        """Return a picture as text, with escape codes where there is colour."""
        if self.has_colour:
            return ["".join(f"\x1b[{style}m{text}\x1b[0m" if style else text for text, style in line) for line in picture]
        return ["".join([text for text, _ in line]).rstrip() for line in picture]


class Block(NamedTuple):
    """Part of a picture: lines of which none is longer than the width."""

    lines: list[Line]
    width: int


def encoding_of(out: TextIO) -> str:
    """Return the encoding of an output."""
    return getattr(out, "encoding", None) or "utf-8"


def wants_colour() -> bool:
    """Whether nobody has said that there shall be no colour."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def length(line: Line) -> int:
    """Return how many columns a line takes."""
    return sum([len(text) for text, _ in line])


def beside(blocks: Sequence[Block], gap: int) -> Block:
    """Put blocks side by side."""
    height, lines = max(len(block.lines) for block in blocks), []
    for row in range(height):
        line: Line = []
        due = 0  # blanks that stand before the next span
        for block in blocks:
            part = block.lines[row] if row < len(block.lines) else []
            if part:
                line += [(" " * due, ""), *part] if due else part
                due = gap + block.width - length(part)
            else:
                due += gap + block.width
        lines.append(line)
    return Block(lines, sum(block.width for block in blocks) + gap * (len(blocks) - 1))


def wrapped(text: str, width: int, indent: int = 0) -> list[str]:
    """Cut a text into lines at its blanks, or where a word is too long; lines after the first are indented."""
    if len(text) <= width:
        return [text]
    indent = indent if indent < width // 2 else 0
    lines, line = [], ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line.strip() else line + word
        while len(joined) > width:
            if line.strip():
                lines.append(line.rstrip())
                joined = " " * indent + word
            else:  # one word alone
                lines.append(joined[:width])
                joined = " " * indent + joined[width:]
            line = ""
        line = joined
    return [*lines, line.rstrip()] if line.strip() else lines


def flowed(parts: Iterable[Line], width: int, gap: int = 3) -> list[Line]:
    """Put short parts after each other, as many as fit into a line; one that is longer than that is cut into lines."""
    lines: list[Line] = []
    used = width
    for part in parts:
        long = length(part)
        if used + gap + long <= width:
            lines[-1] += [(" " * gap, ""), *part]
            used += gap + long
        elif long <= width:
            lines.append(list(part))
            used = long
        else:
            lines += _folded(part, width)
            used = width
    return lines


def _folded(part: Line, width: int) -> list[Line]:
    """Cut a part into lines; its first word, a sign, keeps its style, and all that follows has that of the last word."""
    (sign, style), *_, (_, quiet) = part
    first, *rest = wrapped("".join(text for text, _ in part), width, 2)
    head: Line = [(sign, style), (first[len(sign) :], quiet)] if first.startswith(sign) else [(first, quiet)]
    return [head, *([(line, quiet)] for line in rest)]
