"""The page without a browser: who is served, what is refused, what stands in one file, and a game that is played live."""

import base64
import gzip
import hashlib
import html.parser
import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from conftest import started

import ludus
from ludus.agents import seat_agents
from ludus.arena import Referee, read_record, write_record
from ludus.core import BadRecord, LudusError, Record
from ludus.engine import Batch, Table
from ludus.games import load, names
from ludus.viewers import server, show_page, write_html, write_site
from ludus.viewers.envelope import Shelf, open_for_page, whole_shelf
from ludus.viewers.page_files import page_files, single_file

MOST = 500_000  # bytes of a single file with a flat board
FLAT = [name for name in names() if load(name).picture.board.layers == 1]
LAYERED = [name for name in names() if name not in FLAT]


def played(name: str, seed: int = 3, **options: Any) -> Record:
    """A short game by chance, stopped on the way: records of such games are as good as others."""
    game = load(name, **options)
    agents = seat_agents(game, {})
    referee = Referee(Table(game, seed, "pure"), agents)
    for _ in zip(range(40), referee.play(), strict=False):
        pass
    return referee.record()


@pytest.fixture
def record(tmp_path: Path) -> Path:
    write_record(played(FLAT[0]), tmp_path / "game.json")
    return tmp_path / "game.json"


@pytest.fixture
def page(record: Path) -> Iterator[server.PageServer]:
    shelf = Shelf()
    running = server.PageServer(shelf, open_for_page(record, record.name, shelf))
    yield running
    running.close()


def ask(page: server.PageServer, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> Any:
    """Ask as a browser does; headers may say otherwise."""
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=20)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    if method == "POST" and "Content_Length" not in headers:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer, data


def test_the_page_and_its_files_are_served(page: server.PageServer) -> None:
    for place, data in page_files().items():
        answer, came = ask(page, f"/{page.token}/{place}")
        assert (answer.status, came) == (200, data)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "unsafe-inline" not in answer.headers["Content-Security-Policy"]
    answer, came = ask(page, f"/{page.token}/")
    assert came == page_files()["index.html"]
    assert page.address == f"http://127.0.0.1:{page.port}/{page.token}/"


def test_the_games_are_served_with_what_is_open(page: server.PageServer, record: Path) -> None:
    told = json.loads(ask(page, f"/{page.token}/ludus.json")[1])
    assert told["server"] is True
    assert told["open"]["record"] == json.loads(record.read_bytes())
    entry = told["games"][told["open"]["game"]]
    about = json.loads(ask(page, f"/{page.token}/{entry['about']}")[1])
    code = ask(page, f"/{page.token}/{entry['module']}")[1]
    assert base64.b64decode(about["sha256"]) == hashlib.sha256(code).digest()
    assert about["game"] == told["open"]["record"]["game"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "ludus.example:80"},
        {"Host": "127.0.0.1:1"},
        {"Host": ""},
        {"Origin": "http://ludus.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_other_hosts_and_pages_are_refused(page: server.PageServer, headers: dict[str, str]) -> None:
    for path, method in (("ludus.json", "GET"), ("", "GET"), ("open", "POST"), ("alive", "GET")):
        answer, data = ask(page, f"/{page.token}/{path}", method, **headers)
        assert answer.status == 403, path
        assert b"games" not in data


@pytest.mark.parametrize("path", ["/", "/ludus.json", "//", "/x/ludus.json", "/{token}", "/{token}x/", "/%2e%2e/{token}/", ""])
def test_nobody_is_served_without_the_token(page: server.PageServer, path: str) -> None:
    answer, data = ask(page, path.format(token=page.token) or "*")
    assert answer.status in (400, 403)
    assert page.token.encode() not in data


@pytest.mark.parametrize(
    "place",
    [
        "../server.py", "..%2fserver.py", "assets/../../server.py", "/etc/passwd", "assets", "games/", "nothing.js", "open",
        "....//....//etc/passwd", "assets\\..\\..\\server.py", "C:/", "\0",
    ],
)  # fmt: skip
def test_nothing_outside_is_served(page: server.PageServer, place: str) -> None:
    try:
        answer, data = ask(page, f"/{page.token}/{place}")
    except (http.client.InvalidURL, ValueError):
        return  # no client sends it
    assert answer.status in (400, 403, 404)
    assert b"import" not in data


def test_only_files_and_moves_are_taken(page: server.PageServer) -> None:
    assert ask(page, f"/{page.token}/ludus.json", "POST")[0].status == 404
    assert ask(page, f"/{page.token}/move", "POST", b"{}")[0].status == 404  # nobody plays here
    assert ask(page, f"/{page.token}/", "PUT")[0].status == 501
    assert ask(page, f"/{page.token}/open", "POST", Content_Length="99999999999")[0].status == 413
    assert ask(page, f"/{page.token}/open", "POST", Content_Length="-5")[0].status == 413


def test_files_that_are_dropped_are_opened(page: server.PageServer, tmp_path: Path) -> None:
    """A record of another game brings its module; it may be gzipped; the list of games says all that there are."""
    name = FLAT[1]
    write_record(played(name), tmp_path / "other.json.gz")
    _, data = ask(page, f"/{page.token}/open", "POST", (tmp_path / "other.json.gz").read_bytes(), X_Name="other%20game.json.gz")
    told = json.loads(data)
    assert told["open"]["file"] == "other game.json.gz"
    assert told["open"]["record"]["game"] == name
    assert [entry["game"] for entry in told["games"]] == [FLAT[0], name]
    assert ask(page, f"/{page.token}/{told['games'][1]['module']}")[0].status == 200


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty"),
        (b"\x1f\x8b\x08\x00cut", "cut off or damaged"),
        (b"no JSON", "is cut off or no JSON"),
        (b'{"a": 1}', "is no record of a game"),
        (b'[{"a": 1}]', "neither a record nor a replay file"),
        (b"\xff\xfe\x00", "no JSON"),
        (b'{"format": 99, "game": "x", "result": 0}', "is of format 99"),
    ],
)
def test_bad_files_are_a_sentence(page: server.PageServer, data: bytes, sentence: str) -> None:
    told = json.loads(ask(page, f"/{page.token}/open", "POST", data, X_Name="bad.json")[1])
    assert sentence in told["open"]["error"]
    assert told["open"]["error"].startswith("bad.json")
    assert "\n" not in told["open"]["error"]
    assert str(Path("dropped")) not in told["open"]["error"]


def test_records_that_cannot_be_set_up_are_a_sentence(tmp_path: Path) -> None:
    good = played(FLAT[0])
    for change, sentence in (
        ({"game": "no_such_game"}, "unknown game"),
        ({"options": {"nothing": 1}}, "unknown option"),
        ({"position": "rubbish"}, "game.json"),
    ):
        write_record(msgspec.structs.replace(good, **change), tmp_path / "game.json")
        told = open_for_page(tmp_path / "game.json", "game.json", Shelf())
        assert sentence in told["error"], told


def test_a_record_of_other_rules_is_handed_over_for_the_page_to_refuse(tmp_path: Path) -> None:
    """The page compares the versions; options of rules that are no more are not even tried here."""
    other = msgspec.structs.replace(played(FLAT[0]), rules=99, options={"gone": 1})
    write_record(other, tmp_path / "game.json")
    shelf = Shelf()
    told = open_for_page(tmp_path / "game.json", "game.json", shelf)
    assert json.loads(bytes(told["record"]))["rules"] == 99
    assert shelf.modules[told["game"]].about["rules"] == load(FLAT[0]).spec.version != 99


@pytest.mark.parametrize("name", names())
def test_a_start_that_was_given_comes_as_a_row(name: str, tmp_path: Path) -> None:
    """The page cannot read a position's text: the row is that of the table, and the module takes it for sound."""
    game = load(name)
    table = Table(game, 5, "pure")
    for _ in range(3):
        table.apply(table.legal()[0])
    referee = Referee(Table(game, 8, "pure", table.s.copy()), seat_agents(game, {}))
    next(iter(referee.play()))
    write_record(referee.record(), tmp_path / "game.json")
    told = open_for_page(tmp_path / "game.json", "game.json", Shelf())
    row = base64.b64decode(told["start"])
    assert len(row) == game.state_type.itemsize
    batch = Batch(game, 1, 0, "wasm")
    batch.states.view("u1")[:] = list(row)
    assert batch.digest()[0] == game.digest(Table(game, 8, "pure", read_record(tmp_path / "game.json").position).s)
    assert batch.sound(batch.states).all()


class Tags(html.parser.HTMLParser):
    """Every tag of a page, and what stands inside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] in ("script", "style") and data.strip():
            self.inside.append((*self.found[-1], data))


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("name", names())
def test_one_file_holds_everything(name: str, tmp_path: Path) -> None:
    """Page, module and record in one file, small, with a policy that names its code by hash and lets nothing out."""
    write_record(played(name), tmp_path / "game.json")
    write_html(tmp_path / "game.json", tmp_path / "game.html")
    text = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert len(text.encode()) < (MOST if name in FLAT else 2 * MOST)
    tags = Tags(text)
    ((_, policy),) = [tag for tag in tags.found if tag[0] == "meta" and tag[1].get("http-equiv")]
    rules = dict(part.strip().split(" ", 1) for part in str(policy["content"]).split(";"))
    assert rules["default-src"] == rules["connect-src"] == "'none'"
    code = [data for tag, how, data in tags.inside if tag == "script" and how.get("type") == "module"]
    styles = [data for tag, _, data in tags.inside if tag == "style"]
    assert rules["script-src"].split() == [
        *(["blob:"] if name in LAYERED else []), *map(hash_of, code), "'wasm-unsafe-eval'",
    ]  # fmt: skip
    assert rules["style-src"].split() == [*map(hash_of, styles)]
    assert code
    assert styles
    for tag, how in tags.found:  # nothing is fetched, nothing is written in attributes that would be code
        assert not {"src", "href"} & how.keys(), (tag, how)
        assert not [key for key in how if key.startswith("on") or key == "style"], (tag, how)
    (told,) = [json.loads(data) for tag, how, data in tags.inside if how.get("id") == "ludus"]
    assert told["server"] is False
    assert told["open"]["record"] == json.loads((tmp_path / "game.json").read_bytes())
    module = gzip.decompress(base64.b64decode(told["games"][0]["module"]))
    assert base64.b64decode(told["games"][0]["about"]["sha256"]) == hashlib.sha256(module).digest()


def test_names_in_a_record_are_text(tmp_path: Path, record: Path) -> None:
    bad = "</script><script>alert(1)</script><!--<script>"
    source = read_record(record)
    write_record(msgspec.structs.replace(source, agents=(bad,) * len(source.agents)), tmp_path / "bad.json")
    write_html(tmp_path / "bad.json", tmp_path / "bad.html")
    text = (tmp_path / "bad.html").read_text(encoding="utf-8")
    assert "alert(1)</script>" not in text
    (told,) = [json.loads(data) for tag, how, data in Tags(text).inside if how.get("id") == "ludus"]
    assert told["open"]["record"]["agents"][0] == bad
    assert "<title>&lt;b&gt;</title>" in single_file(b"{}", "<b>").decode()


def test_a_bad_record_is_not_written_as_a_page(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(BadRecord, match=r"bad\.json is cut off or no JSON"):
        write_html(tmp_path / "bad.json", tmp_path / "bad.html")
    assert not (tmp_path / "bad.html").exists()
    with pytest.raises(LudusError, match="there is no file"):
        write_html(tmp_path / "none.json", tmp_path / "bad.html")
    with pytest.raises(BadRecord, match=r"bad\.json is cut off or no JSON"):
        show_page(tmp_path / "bad.json", opens=False)  # before anything is served


def test_a_site_has_all_games(tmp_path: Path) -> None:
    assert write_site(tmp_path / "site") == [load(name).spec.title for name in names()]
    told = json.loads((tmp_path / "site" / "ludus.json").read_bytes())
    for entry in told["games"]:
        about = json.loads((tmp_path / "site" / entry["about"]).read_bytes())
        assert base64.b64decode(about["sha256"]) == hashlib.sha256((tmp_path / "site" / entry["module"]).read_bytes()).digest()
    first = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert first.index("Content-Security-Policy") < first.index("<script")
    for _, how in Tags(first).found:
        for key in {"src", "href"} & how.keys():
            assert str(how[key]).startswith("data:") or (tmp_path / "site" / str(how[key])).is_file()
    (tmp_path / "file").write_text("")
    with pytest.raises(LudusError, match="cannot be written"):
        write_site(tmp_path / "file")


def test_the_server_ends_with_the_page(page: server.PageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is loaded again keeps it; one that is closed ends it."""
    monkeypatch.setattr(server, "GRACE", 0.3)
    monkeypatch.setattr(server, "BEAT", 0.05)
    for _ in range(2):
        connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=20)
        connection.request("GET", f"/{page.token}/alive")
        answer = connection.getresponse()
        assert answer.headers["Content-Type"] == "text/event-stream"
        assert answer.readline().startswith(b":")
        assert not page.is_gone
        answer.close()
        connection.close()
    page.wait()


def test_a_port_that_is_taken(page: server.PageServer) -> None:
    with pytest.raises(LudusError, match=f"nothing can be served at 127.0.0.1:{page.port}"):
        server.PageServer(Shelf(), port=page.port)


def test_without_a_screen_a_replay_is_told_in_the_terminal(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("DISPLAY", ":0")  # a pipe is no terminal: scripts get what they always got
    done = subprocess.run([sys.executable, "-m", "ludus", "replay", str(record)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("game.json: ")
    assert "http://" not in done.stdout


def test_what_needs_a_file_says_so(tmp_path: Path, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from ludus.cli.pictures import Exports
    from ludus.cli.replay import Look, show_replay

    for look in (Look("terminal"), Look("window"), Look(html=tmp_path / "x.html"), Look(is_plain=True)):
        with pytest.raises(LudusError, match=r"name (a file|the record)"):
            show_replay(None, look)
    with pytest.raises(LudusError, match="name the record"):
        show_replay(None, Look(), Exports(png=3))
    with pytest.raises(LudusError, match="unknown view 'telly'; there is: terminal, window, browser"):
        show_replay(record, Look("telly"))
    show_replay(record, Look(html=tmp_path / "x.html"))
    assert capsys.readouterr().out == f"wrote {tmp_path / 'x.html'}\n"


def test_a_page_is_served_until_ctrl_c(record: Path) -> None:
    """The command says where the page is, serves it, and Ctrl-C ends it without a word of trouble."""
    with started("replay", str(record), "--view", "browser", "--no-open") as process:
        assert process.stdout
        address = process.stdout.readline().split()[0]
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[\w-]{20,}/)", address)
        assert found
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=20)
        connection.request("GET", f"{found[2]}ludus.json")
        assert json.loads(connection.getresponse().read())["open"]["file"] == "game.json"
        connection.close()
        process.send_signal(signal.SIGINT)
        _, trouble = process.communicate(timeout=60)
        assert (process.returncode, trouble) == (0, "")


def test_all_games_are_on_the_shelf() -> None:
    assert [module.game for module in whole_shelf().modules] == names()


def test_importing_the_viewers_loads_no_server() -> None:
    code = "import ludus.viewers, sys; print('http.server' in sys.modules, 'wasmtime' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
    assert ludus.__version__
