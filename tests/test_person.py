"""People at the terminal: what they may type, what they may take back, and what they are shown."""

import io
import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable

import pytest
from conftest import START

from ludus.agents import Stop, seat_agents
from ludus.arena import Draft, Referee, Watch
from ludus.cli.person import Human
from ludus.core import Agent, Fault
from ludus.engine import Table
from ludus.games import Game, load, names
from ludus.viewers import Screen


class First(Agent):
    """Decides as the list begins."""

    def act(self, view: object, legal: list[int]) -> int:
        return legal[0]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[list[int], str]]:
    """Return a function that types for the seat to move until its turn is over, and returns its decisions and what it read."""

    def asked(table: Table, *typed: str) -> tuple[list[int], str]:
        out, lines = io.StringIO(), iter(typed)

        def read(prompt: str) -> str:
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", read)
        person = Human(table, Screen(out=out))
        person.seat = table.seat
        try:
            return list(person.act(table.observe(), table.legal())), out.getvalue()
        except Stop as stop:
            return [], f"{out.getvalue()}{stop}"

    return asked


Ask = Callable[..., tuple[list[int], str]]


@pytest.mark.parametrize("name", names())
def test_every_game_explains_itself(name: str, ask: Ask) -> None:
    table = Table(name, 1, "pure")
    decisions, shown = ask(table, "?", "legal", "undo", "no such thing", "", "quit")
    seat, last = table.spec.seats[table.seat], table.game.action_name(table.legal()[-1], table.s)
    assert decisions == []
    assert table.game.says("actions", "HELP") in shown
    assert last.partition(" ")[2] in shown
    assert "there is nothing to take back" in shown
    assert "no such thing" in shown
    assert shown.endswith(f"{seat} leaves: the game stops here")


@pytest.mark.parametrize("name", names())
def test_what_is_typed_is_played(name: str, ask: Ask) -> None:
    """The names of legal actions, until the turn is over or has shown something; the same happens at the real table."""
    table, copy = Table(name, 1, "pure"), Table(name, 1, "pure")
    typed = []
    while copy.seat == table.seat and not copy.over:
        typed.append(copy.game.action_name(copy.legal()[-1], copy.s))
        copy.apply(copy.legal()[-1])
    decisions, _ = ask(table, *typed)
    assert [table.game.parse_action(word, table.s) for word in typed][: len(decisions)] == decisions
    assert decisions


def test_the_end_of_input_ends_the_game(tiny: Game, ask: Ask) -> None:
    assert ask(Table(tiny, 1, "pure"))[1].endswith("end of input: the game stops here")


def test_an_illegal_action_is_refused_with_the_reason(tiny: Game, ask: Ask) -> None:
    decisions, shown = ask(Table(tiny, 1, "pure"), "9", "3")
    assert "unknown action '9'" in shown
    assert decisions == [3]


def test_what_chance_brought_cannot_be_taken_back(tiny: Game) -> None:
    """Tiny throws a die with every decision, so that a draft of it is done after each."""
    draft = Draft(Table(tiny, 1, "pure"))
    draft.play(2)
    assert draft.is_done
    assert draft.actions == [2]


def test_a_draft_leaves_the_table_alone(tiny: Game) -> None:
    table = Table(tiny, 1, "pure")
    before, draft = table.digest(), Draft(table)
    draft.play(2)
    assert table.digest() == before
    table.apply(2)
    assert table.digest() == draft.table.digest()
    assert draft.undo()
    assert draft.table.digest() == before
    assert not draft.undo()


@pytest.mark.parametrize("name", [name for name in names() if load(name).hidden])
def test_people_see_their_own_side_until_the_end(name: str) -> None:
    table = Table(name, 1, "pure")
    assert Watch(table).start() == -1
    alone, both = Watch(table, [1]), Watch(table, [0, 1])
    assert (alone.start(), alone.is_shared) == (1, False)
    assert (both.start(), both.is_shared) == (None, True)
    agents = seat_agents(table.game, [First() for _ in table.spec.seats])
    turn, seen = table.turn, set()
    for decision in Referee(table, agents).play():
        eyes = alone.after(decision.seat)
        if table.spec.simultaneous and table.turn == turn and not table.over:
            assert eyes is None  # nothing has happened yet
        else:
            turn = table.turn
            seen.add(eyes)
            assert both.after(decision.seat) in (-1, decision.seat)
            assert eyes == (-1 if table.over else 1)
    assert seen == {-1, 1}


@pytest.mark.parametrize("name", [name for name in names() if load(name).hidden])
def test_words_of_a_bots_fault_wait_for_the_end_of_a_hidden_game(name: str) -> None:
    table = Table(name, 1, "pure")
    own, others = (Fault(seat, 0, "crash", "I stand at C5", 0, False, ()) for seat in (0, 1))
    watch = Watch(table, [0])
    assert watch.fault(own) == own.text
    assert watch.fault(others) == "crash, which is told in full at the end"
    assert Watch(table).fault(others) == others.text
    while not table.over:
        table.apply(table.default())
    assert watch.fault(others) == others.text


def test_nothing_is_kept_from_whoever_plays_an_open_game(tiny: Game) -> None:
    table = Table(tiny, 1, "pure")
    watch = Watch(table, [0])
    assert watch.start() == -1
    table.apply(table.legal()[0])
    assert watch.after(0) == -1


def test_arrow_keys_are_words_where_nobody_edits_lines(ask: Ask) -> None:
    """In games whose actions are directions; elsewhere they are not understood."""
    moved = []
    for name in names():
        table = Table(name, 1, "pure")
        up, down = (ask(table, f"\x1b[{letter}")[0] for letter in "AB")
        moved += [name] if up or down else []
    assert moved


def read_until(file: int, end: bytes) -> bytes:
    """Read what a terminal shows until something appears; the test's own limit of time is far away."""
    shown = b""
    while end not in shown:
        assert select.select([file], [], [], 240)[0], shown
        shown += os.read(file, 65536)
    return shown


def test_a_terminal_with_arrow_keys_and_pictures_in_place() -> None:
    """In a terminal of its own: an arrow key alone is a move, pictures begin at the top, and quit ends politely."""
    name = next(name for name in names() if "up" in load(name).says("actions", "HELP").split(",")[0].split())
    seat = load(name).spec.seats[0]
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "70", "LINES": "40"}
    command = [sys.executable, "-c", START, "play", name, f"{seat}=human", "--seed", "4", "--delay", "0"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=environment)
    os.close(theirs)
    try:
        first = read_until(ours, f"{seat}> ".encode())
        os.write(ours, b"\x1b[B")
        second = read_until(ours, f"{seat}> ".encode())
        os.write(ours, b"quit\n")
        last = read_until(ours, b"the game stops here")
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert b"\x1b[2J\x1b[H" in first
    assert second.startswith(b"down\r\n\x1b[H")
    assert f"{seat} leaves".encode() in last
