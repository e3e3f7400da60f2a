"""The parts of a report's first page, each a heading, a sentence that says how to read it, and a table or a picture."""

from __future__ import annotations

from ludus.arena import Duel, Results, Row

from .charts import Scale, line_chart, outcome_bar, whisker
from .markup import Markup, joined, tag

WHISKER = 150  # wide
SHADES = (0.02, 0.1, 0.22, 0.36)  # how far a score is from one half, for four shades


def number(value: float, digits: int = 0, signed: bool = False) -> str:
    """Return a number as people write it."""
    written = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    return written.replace("-", "−") if float(written) else f"{0:.{digits}f}"


def rating_text(row: Row) -> str:
    """Return a rating with its error, a bound, or what is needed for one."""
    if row.rating is not None and row.high is not None:
        return f"{number(row.rating, signed=True)} ± {number(row.high - row.rating)}"
    if row.low is not None:
        return f"above {number(row.low, signed=True)}"
    return f"below {number(row.high, signed=True)}" if row.high is not None else "not yet"


def head(results: Results, games: str) -> Markup:
    """Return title, circumstances, and the way to the games, if there are any."""
    facts = [tag("li", f"{key} ", tag("b", value)) for key, value in results.facts.items()]
    told = "" if results.title == results.game else f"{results.game} · "
    best = results.standing.verdicts[0] if results.standing.verdicts else ""
    way = tag("p", tag("a", "Watch the games →", href=games), class_="way") if games else None
    return joined(tag("h1", results.title), tag("p", f"{told}{best}", class_="quiet"), tag("ul", *facts, class_="facts"), way)


def table(results: Results) -> Markup:
    """Return the ranking."""
    rows = results.standing.rows
    far = 1.08 * max([abs(x) for row in rows for x in (row.low, row.high) if x is not None] + [50.0])
    scale = Scale(-far, far, 8, WHISKER - 8)
    is_timed = any(results.pace(row.entrant)[0] for row in rows)
    titles = [tag("th", ""), tag("th", "bot", class_="name"), tag("th", "rating"), tag("th", "95 %", class_="left wide")]
    titles += [
        tag("th", text, class_=kind) for text, kind in (("score", None), ("games", "wide"), ("won, drawn, lost", "left wide"))
    ]
    rare = None if any(row.faults for row in rows) else "wide"  # a phone has no room for nothing
    titles += [tag("th", "points", class_="wide")] + ([tag("th", "ms", class_="wide")] if is_timed else [])
    titles += [tag("th", "faults", class_=rare)]
    body = [_table_row(results, place, row, scale, is_timed, rare) for place, row in enumerate(rows, 1)]
    return joined(tag("h2", "Table"), _explained(results), card(tag("table", tag("tr", *titles), *body)), _needs(rows))


def _table_row(results: Results, place: int, row: Row, scale: Scale, is_timed: bool, rare: str | None) -> Markup:
    said = f"{row.name}: {rating_text(row)}"
    half = 100 * (row.score_high - row.score_low) / 2
    counts = tag("small", f"{row.wins}·{row.draws}·{row.losses}")
    cells = [
        tag("td", place, class_="place"), tag("td", row.name, class_="name"), tag("td", rating_text(row), class_="rating"),
        tag("td", whisker(scale, row.rating, row.low, row.high, WHISKER, said), class_="left wide"),
        tag("td", f"{100 * row.score:.1f} % ", tag("small", f"± {half:.1f}")), tag("td", row.games, class_="wide"),
        tag("td", outcome_bar(row.wins, row.draws, row.losses), " ", counts, class_="left wide"),
        tag("td", number(row.points, 2), class_="wide"),
    ]  # fmt: skip
    if is_timed:
        cells.append(tag("td", number(results.pace(row.entrant)[0], 2), class_="wide"))
    return tag("tr", *cells, tag("td", row.faults, class_="lost" if row.faults else rare))


def _explained(results: Results) -> Markup:
    sides = results.standing.side_points
    uneven = max((abs(points) for points in sides), default=0.0)
    said = "Points of Elo by maximum likelihood; 0 is the mean, ± the 95 % interval over rounds. 400 points are ten to one."
    if uneven >= 1:
        names = _side_names(results)
        worth = ", ".join(f"{name} {number(points, signed=True)}" for name, points in zip(names, sides, strict=True))
        said += f" What a side is worth in itself is taken out: {worth}."
    return tag("p", said, class_="quiet")


def _side_names(results: Results) -> list[str]:
    sample = results.standing.sample
    sides = sorted(set(sample.sides))
    return [" and ".join(seat for seat, own in zip(sample.seats, sample.sides, strict=True) if own == side) for side in sides]


def _needs(rows: tuple[Row, ...]) -> Markup | None:
    lines = [f"{row.name} needs about {row.needs} more games for a rating" for row in rows if row.needs]
    return tag("p", "; ".join(lines) + ".", class_="quiet") if lines else None


def verdicts(results: Results) -> Markup:
    """Return what is decided, in words."""
    said = results.standing.verdicts
    lines = [
        tag("li", verdict.replace(" %", "\N{NO-BREAK SPACE}%"), class_=None if verdict.startswith("not") else "decided")
        for verdict in said
    ]
    return joined(tag("h2", "Verdicts"), tag("ul", *lines, class_="verdicts"))


def curves(results: Results) -> Markup:
    """Return online ratings over the tournament."""
    lines = [
        (row.name, [(float(done), levels[row.entrant].rating) for done, levels in results.curves])
        for row in results.standing.rows
    ]
    about = "Ratings as they moved with every game (openskill); the table above is worked out from all games at once."
    return joined(tag("h2", "Rating curves"), tag("p", about, class_="quiet"), card(line_chart(lines, "games", "points")))


def cross_table(results: Results, links: dict[tuple[int, int], str]) -> Markup:
    """Return the score of every bot against every other, with its error; a click leads to their games."""
    rows = results.standing.rows
    titles, body = _numbered(rows), []
    for place, row in enumerate(rows, 1):
        cells = [
            _cell(results.standing.duels.get((row.entrant, other.entrant)), links.get(_both(row, other))) for other in rows
        ]
        body.append(tag("tr", tag("td", place, class_="place"), tag("td", row.name, class_="name"), *cells))
    about = "Score of the row's bot against the column's, in percent ± the 95 % interval over rounds; below: the mean margin."
    about += " A click on a score leads to the games." if links else ""
    return joined(
        tag("h2", "Cross table"), tag("p", about, class_="quiet"), card(tag("table", tag("tr", *titles), *body, class_="cross"))
    )


def _numbered(rows: tuple[Row, ...]) -> list[Markup]:
    """Return the head of a table of all against all: columns are named by places, since names would not fit."""
    return [tag("th", ""), tag("th", "", class_="name"), *(tag("th", k, title=row.name) for k, row in enumerate(rows, 1))]


def _both(row: Row, other: Row) -> tuple[int, int]:
    return min(row.entrant, other.entrant), max(row.entrant, other.entrant)


def _cell(duel: Duel | None, link: str | None) -> Markup:
    if duel is None:
        return tag("td", "·", class_="self")
    half = 100 * (duel.high - duel.low) / 2
    told = joined(f"{100 * duel.score:.0f} ", tag("small", f"± {half:.0f}"), tag("small", number(duel.margin, 1, signed=True)))
    said = f"{duel.wins} won, {duel.draws} drawn, {duel.losses} lost in {duel.games} games"
    return tag("td", tag("a", told, href=link) if link else told, class_=shade(duel.score), title=said)


def shade(share: float) -> str | None:
    """Return the class of a cell: green above one half, red below."""
    level = sum(abs(share - 0.5) >= limit for limit in SHADES)
    return None if not level else f"{'g' if share > 0.5 else 'b'}{level}"


def superiority(results: Results) -> Markup:
    """Return how sure it is that the row's bot is better than the column's."""
    rows, better = results.standing.rows, results.standing.superiority
    titles, body = _numbered(rows), []
    for place, row in enumerate(rows, 1):
        cells = []
        for other in rows:
            share = float(better[row.entrant, other.entrant])
            is_self = row.entrant == other.entrant
            cells.append(tag("td", "·" if is_self else _percent(share), class_="self" if is_self else shade(share)))
        body.append(tag("tr", tag("td", place, class_="place"), tag("td", row.name, class_="name"), *cells))
    about = "How sure it is, in percent, that the row's bot is better than the column's."
    return joined(
        tag("h2", "Who is better"),
        tag("p", about, class_="quiet"),
        card(tag("table", tag("tr", *titles), *body, class_="cross")),
    )


def _percent(share: float) -> str:
    return f"{min(99.9, max(0.1, 100 * share)):.1f}" if share > 0.99 or share < 0.01 else f"{100 * share:.0f}"


def seats(results: Results) -> Markup | None:
    """Return each bot's score in each seat."""
    rows, names = results.standing.rows, results.standing.sample.seats
    if all(len(row.by_seat) < 2 for row in rows):
        return None
    titles = [tag("th", "", class_="name"), *(tag("th", seat) for seat in names)]
    body = []
    for row in rows:
        scores = [row.by_seat.get(seat) for seat in names]
        cells = [tag("td", f"{100 * one[1]:.1f} %" if one else "", class_=shade(one[1]) if one else None) for one in scores]
        body.append(tag("tr", tag("td", row.name, class_="name"), *cells))
    return joined(
        tag("h2", "Seats"),
        tag("p", "Score in each seat.", class_="quiet"),
        card(tag("table", tag("tr", *titles), *body, class_="cross")),
    )


def faults(results: Results) -> Markup:
    """Return what bots did wrong, and what went wrong with the host."""
    names = results.standing.sample.names
    titles = [
        tag("th", "bot", class_="name"),
        tag("th", "fault", class_="left"),
        tag("th", "times"),
        tag("th", "first", class_="left"),
    ]
    body = [
        tag("tr", tag("td", names[one.entrant], class_="name"), tag("td", one.kind, class_="left"), tag("td", one.times),
            tag("td", f"game {one.game}: {one.text}", class_="wrap quiet"))
        for one in results.blamed
    ]  # fmt: skip
    told: object = (
        card(tag("table", tag("tr", *titles), *body)) if body else tag("p", "No bot did anything wrong.", class_="quiet")
    )
    lines = [tag("li", text) for text in results.anomalies[-20:]]
    hosts = [tag("h2", "Anomalies"), tag("ul", *lines, class_="verdicts")] if lines else []
    return joined(tag("h2", "Faults"), told, *hosts)


def card(*children: object) -> Markup:
    """Return something wide in a frame that scrolls on narrow screens."""
    return tag("div", *children, class_="card", tabindex="0")
