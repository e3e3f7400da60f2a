"""A bot's numbers: where they are declared, and the same bot with others.

A Python file declares them as constants of its own, `weight = 1.0` on a line of the module; a command has `{weight}` in
its arguments. So no bot has to be written for being tuned.
"""

from __future__ import annotations

import ast
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from ludus.agents import bot_files
from ludus.core import BadValue, UnknownName

RANGE = re.compile(r"(\w+)=(-?[\d.]+(?:e-?\d+)?)\.\.(-?[\d.]+(?:e-?\d+)?)")


@dataclass(frozen=True)
class Number:
    """A number that may be changed; one whose bounds are whole is whole, unless the bot declares it with a point."""

    name: str
    low: float
    high: float
    is_whole: bool

    def at(self, place: float) -> float:
        """Return the value at a place from 0 to 1."""
        value = self.low + min(1.0, max(0.0, place)) * (self.high - self.low)
        return float(round(value)) if self.is_whole else float(f"{value:.6g}")

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 to 1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def written(self, value: float) -> str:
        """Return a value as it is written in a bot."""
        return str(round(value)) if self.is_whole else repr(value)


def read_number(text: str) -> Number:
    """Read `weight=0.1..2`, or `depth=1..5` for whole numbers."""
    found = RANGE.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError
        name, low, high = found[1], float(found[2]), float(found[3])
    except ValueError:
        raise BadValue(f"a number to tune is written name=low..high, as in weight=0.1..2, not {text!r}") from None
    if low >= high:
        raise BadValue(f"the bounds of {name} are the wrong way round: {low:g} and {high:g}")
    return Number(name, low, high, not any(sign in found[2] + found[3] for sign in ".e"))


def declared(word: str, numbers: list[Number]) -> dict[str, float]:
    """Return the values that a bot has now; a command's are in the middle. What it does not declare is an error."""
    if word.startswith("cmd:"):
        for number in numbers:
            if f"{{{number.name}}}" not in word:
                raise BadValue(f"the command has no {{{number.name}}} in its arguments, where the number would go")
        return {number.name: number.at(0.5) for number in numbers}
    file = _python_file(word)
    known = {name: value for name, (value, _) in _constants(file).items()}
    for number in numbers:
        if number.name not in known:
            raise UnknownName(f"number of {file.name}", number.name, known)
    return {number.name: float(known[number.name]) for number in numbers}


def as_declared(word: str, numbers: list[Number]) -> list[Number]:
    """Return the numbers as a bot has them: `weight = 1.0` is not whole, though somebody writes weight=0..2."""
    if word.startswith("cmd:"):
        return numbers
    known = _constants(_python_file(word))
    return [replace(number, is_whole=number.is_whole and isinstance(known[number.name][0], int)) for number in numbers]


def variant(word: str, numbers: list[Number], values: dict[str, float], folder: Path) -> str:
    """Return the word of the same bot with other numbers; of a file, a copy of it is made in a folder, with all it needs."""
    if word.startswith("cmd:"):
        for number in numbers:
            word = word.replace(f"{{{number.name}}}", number.written(values[number.name]))
        return word
    file = _python_file(word).resolve()
    if folder.exists():
        shutil.rmtree(folder)
    for one in bot_files(file):
        copy = folder / one.relative_to(file.parent)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(one, copy)
    (folder / file.name).write_text(with_numbers(file, numbers, values), encoding="utf-8")
    return str(folder / file.name) + word[len(str(_python_file(word))) :]


def with_numbers(file: Path, numbers: list[Number], values: dict[str, float]) -> str:
    """Return a file's text with other numbers in the places of those that it declares; all else stays as it is."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    constants = _constants(file)
    places = sorted((constants[number.name][1], number) for number in numbers)
    for (line, start, end), number in reversed(places):
        whole = lines[line - 1].encode()  # columns of a syntax tree are bytes
        lines[line - 1] = (whole[:start] + number.written(values[number.name]).encode() + whole[end:]).decode()
    return "".join(lines)


def _python_file(word: str) -> Path:
    path, sign, _ = word.partition(".py:")
    file = Path(f"{path}.py" if sign else word)
    if file.suffix != ".py":
        raise BadValue(f"what can be tuned is a FILE.py with constants, or 'cmd:PROGRAM … {{weight}}', not {word!r}")
    if not file.is_file():
        raise BadValue(f"there is no agent file {file}")
    return file


def _constants(file: Path) -> dict[str, tuple[int | float, tuple[int, int, int]]]:
    """Return the numbers that a module declares at its top level: name, value, line and columns."""
    try:
        body = ast.parse(file.read_bytes()).body
    except (SyntaxError, ValueError) as error:
        raise BadValue(f"{file.name} cannot be read: {error}") from None
    found = {}
    for node in body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if len(targets) == 1 and isinstance(targets[0], ast.Name) and value is not None and value.lineno == value.end_lineno:
            inner = value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else value
            if isinstance(inner, ast.Constant) and isinstance(inner.value, int | float) and not isinstance(inner.value, bool):
                told = -inner.value if inner is not value else inner.value
                found[targets[0].id] = (told, (value.lineno, value.col_offset, value.end_col_offset or 0))
    return found
