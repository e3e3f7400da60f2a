"""The folder of a report: index.html, the games of every two bots that met in games.html, and what shows them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

from ludus.arena import Entry, Results, write_record
from ludus.core import LudusError, Record
from ludus.games import Game

from . import sections
from .markup import Markup, joined, page, tag
from .style import STYLE
from .viewer import fragment, viewer_page

VIEWER, RECORDS = "viewer.html", "records"
MORE = "How ratings and intervals are made: docs/ratings.md of Ludus."


def write_report(
    results: Results,
    game: Game,
    folder: Path,
    record: Callable[[int], Record],
    most: int,
    progress: Callable[[int, int], None] = lambda done, all_: None,
    viewer: str = "",
) -> str:
    """Write the pages with the last games of every two bots, so many at most; return what is missing, or "".

    Each game is a link to a viewer that holds it: one that is written here, or one that lies there already.
    """
    meetings, missing = {pair: some[-most:] for pair, some in _meetings(results).items()} if most else {}, ""
    numbers = sorted({entry.number for some in meetings.values() for entry in some})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if numbers and not viewer:
            try:
                _write(folder / VIEWER, viewer_page([game], results.title))
                viewer = VIEWER
            except LudusError as error:  # no compiler for modules, no page in this installation
                missing = f"games are kept as records, for there is no viewer: {error}"
        links = {}
        for done, number in enumerate(numbers, 1):
            links[number] = _link(folder, number, record(number), viewer)
            progress(done, len(numbers))
        _write(folder / "games.html", page(f"Games · {results.title}", STYLE, *_games(results, meetings, links)))
        anchors = {pair: f"games.html#{_anchor(pair)}" for pair in meetings}
        _write(folder / "index.html", page(results.title, STYLE, *_index(results, anchors)))
    except OSError as error:
        raise LudusError(f"the report cannot be written to {folder}: {error.strerror or error}") from None
    return missing


def _link(folder: Path, number: int, record: Record, viewer: str) -> Markup:
    """Return what one clicks on to see a game: the viewer, or its record where no viewer can show it."""
    if viewer and not record.position:
        return tag("a", "watch", href=viewer + fragment(record, f"game-{number}"))
    file = f"{RECORDS}/{number:05}.json.gz"
    (folder / RECORDS).mkdir(exist_ok=True)
    write_record(record, folder / file)
    return tag("a", "record", href=file, download=Path(file).name)


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


def _meetings(results: Results) -> dict[tuple[int, int], list[Entry]]:
    """Return the games of every two entrants that met."""
    place = {one.id: number for number, one in enumerate(results.entrants)}
    found: dict[tuple[int, int], list[Entry]] = {}
    for entry in results.entries:
        for pair in combinations(sorted({place[who] for who in entry.entrants}), 2):
            found.setdefault(pair, []).append(entry)
    return dict(sorted(found.items()))


def _anchor(pair: tuple[int, int]) -> str:
    return f"p{pair[0] + 1}-{pair[1] + 1}"


def _index(results: Results, links: dict[tuple[int, int], str]) -> list[Markup | None]:
    return [
        sections.head(results, "games.html" if links else ""), sections.table(results),
        sections.verdicts(results), sections.curves(results),
        sections.cross_table(results, links), sections.superiority(results), sections.seats(results), sections.faults(results),
        tag("footer", MORE),
    ]  # fmt: skip


def _games(results: Results, meetings: dict[tuple[int, int], list[Entry]], links: dict[int, Markup]) -> list[Markup]:
    """Return the page with the games of every two bots; the newest is the first."""
    shown, played = len(links), len(results.entries)
    parts = ["The winner's name is green; the newest game is the first."]
    if shown < played:
        parts.append(f" These are {shown} of {played} games; any other is shown by ")
    more = joined(*parts, tag("code", "ludus tournament game LEDGER NUMBER"), ".") if shown < played else joined(*parts)
    body = [tag("p", tag("a", f"← {results.title}", href="index.html")), tag("h1", "Games"), tag("p", more, class_="quiet")]
    for pair, entries in meetings.items():
        one, other = (results.standing.sample.names[who] for who in pair)
        body += [tag("h2", f"{one} and {other}", id=_anchor(pair)), _games_table(results, entries, links)]
    return body


def _games_table(results: Results, entries: list[Entry], links: dict[int, Markup]) -> Markup:
    seats = results.standing.sample.seats
    titles = [tag("th", "game"), tag("th", ""), *(tag("th", seat, class_="left") for seat in seats)]
    titles.append(tag("th", "points", class_=_points_kind(len(seats))))
    titles += [tag("th", "decisions", class_="wide"), tag("th", "faults", class_="wide")]
    rows = [_game_row(results, entry, links[entry.number]) for entry in reversed(entries)]
    return sections.card(tag("table", tag("tr", *titles), *rows))


def _points_kind(seats: int) -> str | None:
    return "wide" if seats > 2 else None  # there is no room for them on a phone


def _game_row(results: Results, entry: Entry, link: Markup) -> Markup:
    names = dict(zip((one.id for one in results.entrants), results.standing.sample.names, strict=True))
    seated = [
        tag("td", names[who], class_=f"left{' won' if outcome > 0 else ''}")
        for who, outcome in zip(entry.entrants, entry.outcome, strict=True)
    ]
    points = " : ".join(sections.number(value, 0 if value == int(value) else 2) for value in entry.points)
    ended = " forfeit" if entry.forfeit is not None else ""
    return tag(
        "tr", tag("td", entry.number, class_="place"), tag("td", link), *seated,
        tag("td", points, class_=_points_kind(len(seated))), tag("td", entry.decisions, class_="wide"),
        tag("td", f"{sum(entry.faults) or ''}{ended}", class_="lost wide"),
    )  # fmt: skip
