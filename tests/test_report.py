"""Reports of tournaments and sequential tests: one table as text, data and pages, and pages that can do no harm."""

import base64
import csv
import gzip
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludus.arena import Bounds, Ledger, Terms, Tournament, play_test, read_record, results_data, results_of
from ludus.arena.formats import decode
from ludus.cli.commands import app
from ludus.core import BadValue, LudusError, UnknownName
from ludus.games import Game
from ludus.viewers import write_report
from ludus.viewers.report.charts import Scale, line_chart, whisker
from ludus.viewers.report.markup import joined, page, tag

FIELD = ("random", "counting", "name=<b>Second</b> random")


@pytest.fixture
def ledger(tiny: Game, tmp_path: Path) -> Path:
    terms = Terms(game="tiny", bots=FIELD, games=12, seed=3, isolation="in-process")
    with Tournament(terms, tmp_path / "cup.db") as tournament:
        assert len(list(tournament.play())) == 36
    return tmp_path / "cup.db"


class Reader(HTMLParser):
    """What a page holds: elements, links, and whether all that is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_table_as_text_data_and_values(ledger: Path) -> None:
    with Ledger.open(ledger) as opened:
        told = results_data(results_of(opened))
    assert {row["name"] for row in told["table"]} == {"random", "counting", "<b>Second</b>"}
    assert sum(row["wins"] for row in told["table"]) == 36
    assert [row["place"] for row in told["table"]] == [1, 2, 3]
    assert all(row["games"] == 24 for row in told["table"])
    assert len(told["duels"]) == 3
    assert len(told["verdicts"]) == 2
    runner = CliRunner()
    printed = runner.invoke(app, ["tournament", "report", str(ledger), "--json"])
    assert json.loads(printed.output) == told
    values = list(csv.DictReader(io.StringIO(runner.invoke(app, ["tournament", "report", str(ledger), "--csv"]).output)))
    assert [row["name"] for row in values] == [row["name"] for row in told["table"]]
    text = runner.invoke(app, ["tournament", "report", str(ledger)]).output
    assert all(row["name"] in text for row in told["table"])
    assert all(verdict in text for verdict in told["verdicts"])


def test_pages_hold_together_and_can_do_no_harm(tiny: Game, ledger: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    with Ledger.open(ledger) as opened:
        results = results_of(opened)
        assert write_report(results, tiny, folder, opened.record, 3, viewer="../viewer.html") == ""
        kept = {number: opened.record(number) for number in range(1, 37)}
    (tmp_path / "viewer.html").touch()
    written = sorted(folder.iterdir())
    assert [file.name for file in written] == ["games.html", "index.html"]
    links = re.findall(r"#record=([\w-]+)&amp;name=game-(\d+)", (folder / "games.html").read_text(encoding="utf-8"))
    assert len(links) == 9
    for held, number in links:
        packed = base64.urlsafe_b64decode(held + "=" * (-len(held) % 4))
        assert decode(gzip.decompress(packed)) == kept[int(number)]
    for file in written:
        text, reader = file.read_text(encoding="utf-8"), Reader()
        reader.feed(text)
        assert reader.open == []
        assert "<b>Second" not in text
        assert "&lt;b&gt;Second" in text
        names = {name for name, _ in reader.tags}
        assert not names & {"script", "iframe", "object", "link", "img", "form"}
        policy = next(about["content"] for name, about in reader.tags if about.get("http-equiv") == "Content-Security-Policy")
        assert re.fullmatch(
            r"default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'", policy or ""
        )
        for _, about in reader.tags:
            assert not {key for key in about if key.startswith("on") or key in ("style", "src")}
            link = about.get("href")
            assert link is None or (folder / link.partition("#")[0]).is_file(), link


def test_without_a_viewer_records_are_kept(tiny: Game, ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> str:
        raise LudusError("no page here")

    monkeypatch.setattr("ludus.viewers.report.folder.viewer_page", nothing)
    with Ledger.open(ledger) as opened:
        missing = write_report(results_of(opened), tiny, tmp_path / "pages", opened.record, 2)
        assert missing == "games are kept as records, for there is no viewer: no page here"
        files = sorted((tmp_path / "pages" / "records").iterdir())
        assert len(files) == 6
        assert read_record(files[0]) == opened.record(int(files[0].name.partition(".")[0]))


def test_what_is_no_markup_is_escaped() -> None:
    assert tag("p", "<&>", tag("b", 'x"'), [1, None], title='"<') == '<p title="&quot;&lt;">&lt;&amp;&gt;<b>x&quot;</b>1</p>'
    assert joined("<", tag("br")) == "&lt;<br>"
    assert "<title>&lt;/title&gt;" in page("</title>", "")


def test_pictures() -> None:
    assert Scale(-10, 10, 0, 100).ticks() == [-10, -5, 0, 5, 10]
    assert Scale(0, 10, 0, 100)(99) == 100
    assert whisker(Scale(-1, 1, 0, 9), None, 0.5, None, 9, "x").count("<path") == 1
    drawn = line_chart([(f"bot {k}", [(0, 0), (1, 0.01 * k)]) for k in range(30)], "games", "points")
    places = [float(place) for place in re.findall(r'<text x="778" y="([\d.]+)"', drawn)]
    assert len(places) > 20
    assert all(abs(a - b) >= 14.9 for a, b in zip(sorted(places), sorted(places)[1:], strict=False))
    assert "nothing" in line_chart([("bot", [])], "games", "points")


def test_a_sequential_test_stops_when_it_is_decided_and_goes_on(tiny: Game, tmp_path: Path) -> None:
    terms = Terms(game="tiny", bots=("counting", "random"), games=2000, seed=1, isolation="in-process")
    seen: list[int] = []
    bounds = Bounds(0, 150)
    judged = play_test(terms, tmp_path / "test.db", bounds, progress=lambda judged: seen.append(judged.rounds))
    assert judged.decision in ("H0", "H1")
    assert judged.rounds < 1000
    assert seen == sorted(seen)
    with Ledger.open(tmp_path / "test.db") as opened:
        games = len(list(opened.entries()))
    again = play_test(terms, tmp_path / "test.db", bounds)
    assert again == judged
    with Ledger.open(tmp_path / "test.db") as opened:
        assert len(list(opened.entries())) == games  # nothing more was played
    short = Terms(game="tiny", bots=("counting", "random"), games=4, seed=1, isolation="in-process")
    assert play_test(short, tmp_path / "short.db", bounds).rounds == 2
    with pytest.raises(BadValue, match="elo0"):
        play_test(terms, tmp_path / "test.db", Bounds(5, 5))
    with pytest.raises(UnknownName, match="measure"):
        play_test(terms, tmp_path / "test.db", bounds, by="luck")


def test_given_pairs_on_the_command_line() -> None:
    line = ["sprt", "--pairs", "379,10170,21828,10640,343", "--elo0", "0", "--elo1", "2"]
    told = json.loads(CliRunner().invoke(app, [*line, "--json"]).output)
    assert told["nelo"] == pytest.approx(3.05, abs=0.005)
    assert told["nelo_error"] == pytest.approx(2.31, abs=0.005)
    assert told["llr"] == pytest.approx(2.9455, abs=0.005)
    assert "decided after 43360 rounds for H1" in CliRunner().invoke(app, line).output
    wrong = CliRunner().invoke(app, ["sprt", "--pairs", "1,2,3"])
    assert isinstance(wrong.exception, BadValue)
