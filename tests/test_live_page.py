"""A game that is played live in the page: what the page is told, what a person in it may do, and what stays hidden."""

import base64
import http.client
import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import started

from ludus.agents import Stop, seat_agents
from ludus.arena import Referee
from ludus.engine import Table
from ludus.games import load, names
from ludus.viewers import Live, PagePerson, play_in_page, server

UNCOMPILED = "ludus: NUMBA_DISABLE_JIT is set, so that games run uncompiled, on the device pure\n"


class Listener:
    """A page of a live game: it reads what it is told, and answers what it is asked."""

    def __init__(self, live: Live, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self.live, self.answer = live, answer
        self.told: list[dict[str, Any]] = []
        self.said: list[Any] = []
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()

    def listen(self) -> None:
        page = self.live.server
        connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=60)
        connection.request("GET", f"/{page.token}/alive")
        answer = connection.getresponse()
        while line := answer.readline():
            if line.startswith(b"data: "):
                self.told.append(json.loads(line[6:]))
                if self.told[-1]["kind"] == "ask":
                    self.reply(self.told[-1])
                if self.told[-1]["kind"] == "end":
                    break
        answer.close()
        connection.close()

    def post(self, body: bytes) -> Any:
        page = self.live.server
        connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=60)
        connection.request("POST", f"/{page.token}/move", body)
        said = json.loads(connection.getresponse().read())
        connection.close()
        return said

    def reply(self, question: dict[str, Any]) -> None:
        while True:
            body = json.dumps(self.answer(question)).encode()
            said = self.post(body)
            self.said.append(said)
            if "ok" in said:
                return


def run_live(
    name: str, people: int, answer: Callable[[dict[str, Any]], dict[str, Any]], monkeypatch: Any, others: Any = "random"
) -> tuple[Any, Any]:
    monkeypatch.setattr(server, "GRACE", 0.2)
    monkeypatch.setattr(server, "BEAT", 0.05)
    game = load(name)
    table = Table(game, 4, "pure")
    seats = {seat: PagePerson(table) if k < people else others for k, seat in enumerate(game.spec.seats)}
    agents = seat_agents(game, seats)
    live = Live(table, agents)
    referee = Referee(table, agents, "replace")
    listener = Listener(live, answer)
    play_in_page(live, referee, 0.0, False, lambda: "it is over")
    listener.thread.join()
    return listener, referee.record()


def first_legal(question: dict[str, Any]) -> dict[str, Any]:
    return {"number": question["number"], "action": question["legal"][0]}


@pytest.fixture(scope="module")
def open_game() -> str:
    return next(name for name in names() if not load(name).hidden)


def test_a_live_game_is_told_as_it_goes(open_game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    listener, record = run_live(open_game, 0, first_legal, monkeypatch)
    kinds = [message["kind"] for message in listener.told]
    assert (kinds[0], kinds[1], kinds[-1]) == ("start", "position", "end")
    rows = [base64.b64decode(message["row"]) for message in listener.told if message["kind"] == "position"]
    table = Table(load(open_game), 4, "pure")
    for row, (_, action) in zip(rows, record.decisions, strict=False):
        assert row == bytes(table.s.bytes)
        table.apply(action)
    decided = [(seat, action) for told in listener.told for seat, action, _ in told.get("decisions", [])]
    assert tuple(decided) == record.decisions
    assert listener.told[-1]["record"]["seed"] == "4"
    assert listener.told[-1]["text"] == "it is over"


def test_a_person_sits_in_and_is_refused_in_words(open_game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = iter([{"action": -1}, {"action": "x"}, {"text": "rubbish"}, {"undo": True}, {"number": 10**6}, {}])

    def answer(question: dict[str, Any]) -> dict[str, Any]:
        bad = next(tries, None)
        return first_legal(question) if bad is None else {"number": question["number"], **bad}

    listener, record = run_live(open_game, 1, answer, monkeypatch)
    refused = [said["error"] for said in listener.said if "error" in said]
    assert len(refused) == 6
    assert "must be from 0 to" in refused[0]
    assert "must be a whole number" in refused[1]
    assert "unknown" in refused[2]
    assert refused[3] == "there is nothing to take back"
    assert record.agents[0] == "human"
    assert record.result.status != 0
    asked = [message for message in listener.told if message["kind"] == "ask"]
    assert all(len(question["names"]) == len(question["legal"]) for question in asked)


def test_a_person_is_told_nothing_that_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the end no row leaves the server, only the person's own views."""
    name = next(name for name in names() if load(name).hidden and not load(name).spec.simultaneous)
    listener, _ = run_live(name, 1, first_legal, monkeypatch)
    positions = [message for message in listener.told if message["kind"] == "position"]
    assert all(message["eyes"] == 0 and "row" not in message and not message["decisions"] for message in positions[:-1])
    assert len(positions) > 2
    assert len(base64.b64decode(positions[0]["view"])) == load(name).view_type.itemsize


def test_what_a_bot_says_in_a_fault_waits_for_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(name for name in names() if load(name).hidden and not load(name).spec.simultaneous)

    def tells(view: Any, legal: list[str]) -> None:
        raise ValueError("I stand at C5")

    listener, record = run_live(name, 1, first_legal, monkeypatch, tells)
    told = [message["text"] for message in listener.told if message["kind"] == "fault"]
    assert len(told) > 1
    assert set(told[:-1]) == {"crash, which is told in full at the end"}  # the last one may have ended the game
    assert "I stand at C5" in record.faults[0].text


def test_closing_the_page_ends_the_game(open_game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Leaving(Listener):
        def reply(self, question: dict[str, Any]) -> None:
            raise ConnectionError

    monkeypatch.setattr(sys.modules[__name__], "Listener", Leaving)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with pytest.raises(Stop, match="the page was closed"):
        run_live(open_game, 1, first_legal, monkeypatch)


def test_the_command_plays_shows_saves_and_ends(open_game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    options = ["--view", "browser", "--no-open", "--seed", "5", "--delay", "0", "--save", "game.json"]
    with started("play", open_game, *options, cwd=tmp_path) as process:
        assert process.stdout
        address = next(line for line in process.stdout if line.startswith("http://")).split()[0]
        host, _, token = address.removeprefix("http://").partition("/")
        connection = http.client.HTTPConnection(host, timeout=60)
        connection.request("GET", f"/{token}alive")
        answer, told = connection.getresponse(), list[Any]()
        while not told or told[-1]["kind"] != "end":
            line = answer.readline()
            told += [json.loads(line[6:])] if line.startswith(b"data: ") else []
        answer.close()
        connection.close()
        _, trouble = process.communicate(timeout=60)
    assert (process.returncode, trouble.replace(UNCOMPILED, "")) == (0, "")
    assert json.loads((tmp_path / "game.json").read_bytes()) == told[-1]["record"]
