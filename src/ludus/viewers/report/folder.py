"""The folder of a report: index.html, a page of games for every two bots that met, and the games' records."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

from ludus.arena import Entry, Results, write_record
from ludus.core import LudusError, Record

from . import sections
from .markup import Markup, joined, page, tag

STYLE = Path(__file__).with_name("style.css")
GAMES = "games"  # the folder of records
MORE = "Click a score in the cross table to see its games. How ratings and intervals are made: docs/ratings.md of Ludus."
HOW = "A record is opened with `ludus replay FILE`, turn by turn, or with `ludus replay FILE --view window`."


def write_report(
    results: Results,
    folder: Path,
    record: Callable[[int], Record],
    most: int,
    progress: Callable[[int, int], None] = lambda done, all_: None,
) -> list[Path]:
    """Write the pages and, of every two bots, the records of their last games, so many at most; return what was written."""
    style, meetings = STYLE.read_text(encoding="utf-8"), _meetings(results)
    kept = {entry.number: entry for some in meetings.values() for entry in some[-most:]} if most else {}
    written = []
    try:
        (folder / GAMES).mkdir(parents=True, exist_ok=True)
        for done, number in enumerate(sorted(kept), 1):
            write_record(record(number), folder / record_file(number))
            progress(done, len(kept))
        links = {pair: f"games-{pair[0] + 1}-{pair[1] + 1}.html" for pair in meetings}
        for pair, entries in meetings.items():
            names = " and ".join(results.standing.field.names[who] for who in pair)
            text = page(f"{names} · {results.title}", style, *_games_page(results, pair, entries, kept))
            written.append(_written(folder / links[pair], text))
        written.append(_written(folder / "index.html", page(results.title, style, *_index(results, links))))
    except OSError as error:
        raise LudusError(f"the report cannot be written to {folder}: {error.strerror or error}") from None
    return written


def record_file(number: int) -> str:
    """Return where in the folder the record of a game lies."""
    return f"{GAMES}/{number:05}.json.gz"


def watch(number: int) -> Markup:
    """Return what one clicks on to see a game."""
    return tag("a", "record", href=record_file(number), download=f"game-{number:05}.json.gz")


def _written(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file


def _meetings(results: Results) -> dict[tuple[int, int], list[Entry]]:
    """Return the games of every two entrants that met."""
    place = {one.id: number for number, one in enumerate(results.entrants)}
    found: dict[tuple[int, int], list[Entry]] = {}
    for entry in results.entries:
        for pair in combinations(sorted({place[who] for who in entry.entrants}), 2):
            found.setdefault(pair, []).append(entry)
    return found


def _index(results: Results, links: dict[tuple[int, int], str]) -> list[Markup | None]:
    return [
        sections.head(results), sections.table(results), sections.verdicts(results), sections.curves(results),
        sections.cross_table(results, links), sections.superiority(results), sections.seats(results), sections.faults(results),
        tag("footer", MORE),
    ]  # fmt: skip


def _games_page(results: Results, pair: tuple[int, int], entries: list[Entry], kept: dict[int, Entry]) -> list[Markup]:
    """Return the page with all games of two bots; the newest records are there, older ones can be had."""
    one, other = (results.standing.field.names[who] for who in pair)
    seats = results.standing.field.seats
    titles = [tag("th", "game"), tag("th", "round", class_="wide"), *(tag("th", seat, class_="left") for seat in seats)]
    titles += [tag("th", "points"), tag("th", "decisions", class_="wide"), tag("th", "faults"), tag("th", "")]
    rows = [_game_row(results, entry, entry.number in kept) for entry in reversed(entries)]
    duel = results.standing.duels.get(pair)
    score = f"{one} scored {100 * duel.score:.1f} % of {duel.games} games." if duel else ""
    return [
        tag("p", tag("a", f"← {results.title}", href="index.html")), tag("h1", f"{one} and {other}"),
        tag("p", f"{score} The newest game is the first; the winner's name is green.", class_="quiet"),
        sections.card(tag("table", tag("tr", *titles), *rows)), _how(len(kept) < len(results.entries)),
    ]  # fmt: skip


def _how(is_short: bool) -> Markup:
    parts: list[object] = []
    for place, text in enumerate(HOW.split("`")):
        parts.append(tag("code", text) if place % 2 else text)
    if is_short:
        parts += [" Of games without a link the record is written by ", tag("code", "ludus tournament game LEDGER NUMBER"), "."]
    return tag("footer", joined(*parts))


def _game_row(results: Results, entry: Entry, is_kept: bool) -> Markup:
    names = dict(zip((one.id for one in results.entrants), results.standing.field.names, strict=True))
    seated = [
        tag("td", names[who], class_=f"left{' won' if outcome > 0 else ''}")
        for who, outcome in zip(entry.entrants, entry.outcome, strict=True)
    ]
    points = " : ".join(sections.number(value, 0 if value == int(value) else 2) for value in entry.points)
    ended = " forfeit" if entry.forfeit is not None else ""
    return tag(
        "tr", tag("td", entry.number), tag("td", entry.round, class_="wide"), *seated, tag("td", points),
        tag("td", entry.decisions, class_="wide"), tag("td", f"{sum(entry.faults) or ''}{ended}", class_="lost"),
        tag("td", watch(entry.number) if is_kept else ""),
    )  # fmt: skip
