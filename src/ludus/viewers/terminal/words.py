"""Scenes in words: the legend of a picture, and sentences for pipes, for screen readers and for boards that do not fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from ludus.core import Number, Piece, Scene, place_names, spelled

from .signs import Grid, mark_sign, mark_style, piece_sign, style_of

NUMBER_ALONE = ("fog",)  # of these places it is told how many there are
Entry = tuple[str, str, str]  # sign, meaning, style


def legend(scene: Scene, grid: Grid, encoding: str = "utf-8") -> Iterator[Entry]:
    """Give what the signs on the board mean: pieces, then cells and marks that no piece hides."""
    meanings, said, shown = dict(scene.legend), set(), set(grid.signs)
    marks = set("".join(shown))
    groups: dict[tuple[str, int, str], set[str]] = {}
    for piece in scene.pieces:
        kind = f"{piece.kind} and its {piece.bars[0].name}" if scene.board.layers > 1 and piece.bars else piece.kind
        groups.setdefault((kind, piece.seat, piece.role), set()).add(piece_sign(scene, piece, encoding).rstrip("?"))
    for (kind, seat, role), signs in groups.items():
        meaning = meanings.get(min(signs)) if seat < 0 else None
        yield _pattern(signs), meaning or _called(scene, kind, seat), style_of(role)
        yield from (
            (sign, meanings[sign.upper()], style_of(role)) for sign in signs if len(signs) > 1 and sign.upper() in meanings
        )
    places = [(piece.x, piece.y, piece.z) for piece in scene.pieces]
    if len(set(places)) < len(places):
        yield "n", "after a sign: so many on one place", ""
    if any(piece.is_past or piece.text.endswith("?") for piece in scene.pieces):
        yield "?", meanings.get("?", "as last seen"), ""
    cells: dict[tuple[str, str, str], list[str]] = {}  # signs that differ in their numbers alone, by meaning and style
    for text, amount, role in dict.fromkeys([(cell.text, bool(cell.amount), cell.role) for cell in scene.cells]):
        sign = text or ("n" if amount else mark_sign(role, encoding))
        if spelled(sign, encoding) not in shown and not amount:
            continue
        cells.setdefault((_shape(sign), meaning_of(scene, role, text), style_of(role)), []).append(sign)
    for (_, meaning, style), alike in cells.items():
        sign = spelled(alike[0] if len(alike) == 1 else f"{min(alike)}…{max(alike)}", encoding)
        said.add((sign, meaning, style))
        yield sign, meaning, style
    for role in dict.fromkeys([mark.role for mark in scene.marks]):
        entry = mark_sign(role, encoding), meaning_of(scene, role), mark_style(role)
        if entry not in said and entry[0] in marks:
            yield entry


def meaning_of(scene: Scene, role: str, text: str = "") -> str:
    """Return what a cell or a mark means, in the game's own words if it has any."""
    exact, alike = _meanings(scene.legend)
    if role.startswith("seat") and text not in exact and role not in exact:
        return f"known to {scene.seats[int(role[4:])]} alone"
    return exact.get(text) or alike.get(_shape(text)) or exact.get(role) or role


@cache
def _meanings(legend: tuple[tuple[str, str], ...]) -> tuple[dict[str, str], dict[str, str]]:
    """Return a game's legend by sign, and by signs that differ in their numbers alone: it may say `n0 to n9`."""
    alike = {_shape(sign): meaning for key, meaning in legend for sign in key.split(" to ") if " to " in key}
    return dict(legend), alike


def _shape(sign: str) -> str:
    return re.sub(r"\d+|\?$", "0", sign) if sign else " "


def _pattern(signs: set[str]) -> str:
    """Return a sign for several that differ in their numbers alone."""
    if len(signs) == 1 and not next(iter(signs)).isdecimal() and ":" not in next(iter(signs)):
        return next(iter(signs))
    return re.sub(r"\d+(\.\d+)?", "n", min(signs))


def _called(scene: Scene, kind: str, seat: int) -> str:
    if seat < 0 or kind == scene.seats[seat]:
        return kind or "piece"
    return f"{scene.seats[seat]}'s {kind}" if kind else scene.seats[seat]


def sentences(scene: Scene, before: Scene | None = None) -> list[str]:
    """Tell a scene: how it stands, what happened, numbers, pieces, and what else is on the board.

    Of numbers, pieces and places that the scene before had told as they are it says nothing.
    """
    told = [f"{scene.title}: {scene.status}."]
    told += [f"{event.text}." for event in scene.events if event.text != scene.status]
    numbers, known = _numbers(scene), _numbers(before)
    if changed := [number for number in numbers if number not in known]:
        told.append("; ".join(changed) + ".")
    told += _changed(piece_sentences(scene), [] if before is None else piece_sentences(before))
    told += _changed(place_sentences(scene), [] if before is None else place_sentences(before))
    if before is not None:
        left = {piece.id for piece in scene.pieces}
        told += [f"no longer there: {_told(before, piece)}." for piece in before.pieces if piece.id not in left]
    return told


def _changed(sentences: Iterable[str], before: Iterable[str]) -> list[str]:
    known = set(before)
    return [sentence for sentence in sentences if sentence not in known]


def _numbers(scene: Scene | None) -> list[str]:
    return [f"{number_name(scene, number)} {number.text}" for number in scene.numbers] if scene is not None else []


def number_name(scene: Scene, number: Number) -> str:
    """Return what a number is called, with its seat."""
    seat = scene.seats[number.seat] if number.seat >= 0 else ""
    return number.name if seat in number.name else f"{seat} {number.name}"


def piece_sentences(scene: Scene) -> list[str]:
    """Tell each piece with its bars."""
    return [f"{_told(scene, piece)}." for piece in scene.pieces]


def _told(scene: Scene, piece: Piece) -> str:
    place = place_names(scene.board)[piece.x, piece.y, piece.z]
    about = piece.about or _called(scene, piece.kind, piece.seat)
    parts = [about if place in about else f"{about} on {place}"]
    parts += [f"{bar.name} {bar.value:g} of {bar.full:g}" for bar in piece.bars]
    return ", ".join(parts) + (" (as last seen)" if piece.is_past else "")


def place_sentences(scene: Scene) -> Iterator[str]:
    """Tell cells and marks by what they mean; runs along a row from one end to the other."""
    groups: dict[str, list[tuple[int, int, int]]] = {}
    counted = {meaning_of(scene, role) for role in NUMBER_ALONE}
    for cell in scene.cells:
        meaning = meaning_of(scene, cell.role, cell.text)
        sign = cell.amount or (cell.text if cell.text.lstrip("+-").isdecimal() else "")
        groups.setdefault(f"{meaning} {sign}".rstrip(), []).append((cell.z, cell.y, cell.x))
    for mark in scene.marks:
        groups.setdefault(meaning_of(scene, mark.role), []).append((mark.z, mark.y, mark.x))
    for meaning, places in groups.items():
        told = f"{len(places)} places" if meaning in counted else ", ".join(_runs(scene, sorted(set(places))))
        yield f"{meaning}: {told}."


def _runs(scene: Scene, places: Iterable[tuple[int, int, int]]) -> Iterator[str]:
    """Write places one by one, three or more in a row as a run."""
    names, run = place_names(scene.board), list[tuple[int, int, int]]()
    for z, y, x in [*places, (-1, -1, -1)]:
        if run and (z, y, x - 1) != run[-1]:
            ends = [names[a, b, c] for c, b, a in run]
            yield f"{ends[0]} to {ends[-1]}" if len(ends) > 2 else ", ".join(ends)
            run = []
        run.append((z, y, x))
