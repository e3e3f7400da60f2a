"""Scenes in a terminal: boards as text, in colour or not, as wide as there is room; or told in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from ludus.core import NOBODY, Number, Scene, spelled

from .board import draw_boards
from .paper import Block, Line, Paper, beside, flowed, wrapped
from .signs import QUIET, STRONG, Grid, grid_of, style_of
from .words import legend, number_name, piece_sentences, sentences

PANEL_GAP = 3
NARROWEST_PANEL = 24  # columns that words beside a board need
WIDEST_PANEL = 56
MOST_EVENTS = 12


def draw(scene: Scene, paper: Paper | None = None) -> list[str]:
    """Return a scene as lines of text, none longer than the paper is wide."""
    paper = paper or Paper()
    head = [[(line, STRONG)] for line in wrapped(paper.say(f"{scene.title}: {scene.status}"), paper.width)]
    grid = grid_of(scene, paper.encoding)
    boards = [Block([], 0)] if is_bare(scene) else draw_boards(scene.board, grid, paper, PANEL_GAP + NARROWEST_PANEL)
    if isinstance(boards, int):
        return paper.lines(_cut([*head, *_instead(scene, paper, boards)], paper))
    left = paper.width - PANEL_GAP - boards[0].width if len(boards) == 1 and boards[0].width else 0
    if left >= NARROWEST_PANEL:
        left = min(left, WIDEST_PANEL)
        words = _apart(_numbers_listed(scene, paper, left), _events(scene, paper, left), _legend(scene, grid, paper, left))
        below = beside([boards[0], Block(words, left)], PANEL_GAP).lines
    else:
        told = _numbers_below(scene, paper) + _events(scene, paper, paper.width)
        below = [*(line for block in boards for line in block.lines), *_apart(told, _legend(scene, grid, paper, paper.width))]
    return paper.lines(_cut([*head, *below], paper))


def is_bare(scene: Scene) -> bool:
    """Whether there is no board to draw, numbers alone."""
    board = scene.board
    return board.width * board.height * board.layers == 1 and not (scene.pieces or scene.cells or board.columns)


def tell(scene: Scene, before: Scene | None = None, encoding: str = "utf-8") -> list[str]:
    """Return a scene as sentences, one a line, for pipes and screen readers; what the scene before told is left out."""
    return [spelled(sentence, encoding) for sentence in sentences(scene, before)]


def _instead(scene: Scene, paper: Paper, needed: int) -> Iterator[Line]:
    """Say that a board does not fit, and tell what a picture would show."""
    said = f"The board needs {needed} columns and there are {paper.width}: widen the terminal to see it."
    numbers = [f"{number_name(scene, number)} {number.text}" for number in scene.numbers]
    events = [event.text for event in scene.events]
    for sentence in (said, *numbers, *events, *piece_sentences(scene)):
        yield from ([(line, "")] for line in wrapped(paper.say(sentence), paper.width, 2))


def _numbers_listed(scene: Scene, paper: Paper, width: int) -> list[Line]:
    """Write a number a line, those of seats in a column a seat, if there is room."""
    seats = sorted({number.seat for number in scene.numbers if number.seat >= 0})
    rows: dict[str, dict[int, str]] = {}
    for number in scene.numbers:
        rows.setdefault(_base(scene, number), {})[number.seat] = paper.say(number.text)
    longest = max(map(len, rows), default=0)
    columns = [max(len(values.get(seat, "")) for values in rows.values()) for seat in seats]
    columns = [max(wide, len(paper.say(scene.seats[seat]))) for wide, seat in zip(columns, seats, strict=True)]
    general = max((len(values[NOBODY]) for values in rows.values() if NOBODY in values), default=0)
    if longest + 2 + max(general, sum(columns) + 2 * len(columns) - 2) > width:
        return flowed(_numbers(scene, paper), width)
    lines: list[Line] = [
        [(f"{name:<{longest}}  ", QUIET), (values[NOBODY], "")] for name, values in rows.items() if NOBODY in values
    ]
    if seats:
        lines.append([(" " * longest, "")])
        for wide, seat in zip(columns, seats, strict=True):
            name = paper.say(scene.seats[seat])
            lines[-1] += [("  ", ""), (name, style_of(f"seat{seat}")), (" " * (wide - len(name)), "")]
    for name, values in rows.items():
        if set(values) - {NOBODY}:
            cells = "  ".join(f"{values.get(seat, ''):<{wide}}" for wide, seat in zip(columns, seats, strict=True))
            lines.append([(f"{name:<{longest}}  ", QUIET), (cells.rstrip(), "")])
    return lines


def _base(scene: Scene, number: Number) -> str:
    """Return a number's name without its seat's."""
    name = number.name.replace(scene.seats[number.seat], "").strip() if number.seat >= 0 else number.name
    return name or number.name


def _numbers(scene: Scene, paper: Paper) -> list[Line]:
    return [[(paper.say(number_name(scene, number)) + " ", QUIET), (paper.say(number.text), "")] for number in scene.numbers]


def _numbers_below(scene: Scene, paper: Paper) -> list[Line]:
    """Write numbers after each other, those of each seat in lines of their own."""
    lines: list[Line] = []
    for seat in dict.fromkeys([number.seat for number in scene.numbers]):
        own = [number for number in scene.numbers if number.seat == seat]
        parts: list[Line] = [[(paper.say(_base(scene, number)) + " ", QUIET), (paper.say(number.text), "")] for number in own]
        if seat >= 0:
            parts[0] = [(paper.say(scene.seats[seat]), style_of(f"seat{seat}")), (" ", ""), *parts[0]]
        lines += flowed(parts, paper.width)
    return lines


def _events(scene: Scene, paper: Paper, width: int) -> list[Line]:
    """Write what happened."""
    texts = [event.text for event in scene.events if event.text != scene.status]
    if len(texts) > MOST_EVENTS:
        texts = [*texts[: MOST_EVENTS - 1], f"and {len(texts) - MOST_EVENTS + 1} more"]
    return [[(line, "")] for text in texts for line in wrapped(paper.say(f"> {text}"), width, 2)]


def _legend(scene: Scene, grid: Grid, paper: Paper, width: int) -> list[Line]:
    """Write what the signs mean."""
    entries: list[Line] = []
    for sign, meaning, style in legend(scene, grid, paper.encoding):
        entries.append([(sign, style), (f" {paper.say(meaning)}", QUIET)])
    return flowed(entries, width)


def _apart(*parts: list[Line]) -> list[Line]:
    """Put an empty line between parts."""
    lines: list[Line] = []
    for part in filter(None, parts):
        lines += [[], *part] if lines else part
    return lines


def _cut(picture: list[Line], paper: Paper) -> list[Line]:
    """Leave out what the paper is too short for: the picture's last lines, which mean least."""
    if not paper.height or len(picture) <= paper.height:
        return picture
    said = wrapped(f"({len(picture) - paper.height + 1} more lines: a taller window shows them)", paper.width)[0]
    return [*picture[: paper.height - 1], [(said, QUIET)]]
