"""Plantation's frames: what a spectator and the seats see of drawn fields, and what is told of the last command."""

from typing import Any

import pytest

from ludus.core import NOBODY
from ludus.engine import Batch, Table
from ludus.games import load

GAME = load("plantation", rows=4, cols=5)
REASONS = GAME.part("actions").REASONS

FIELD = """
+1  .  . -1 -2
 . +2 -3 -1  .
 . +1  . -6  .
+5  .  .  .  .
"""


def field(drawing: str = FIELD, facts: str = "") -> Table:
    """Set a field up from a drawing."""
    return Table(GAME, device="pure", position=f"{facts}\n{drawing}" if facts else drawing)


def do(table: Table, *commands: str) -> None:
    """Play commands as people write them."""
    for command in commands:
        for action in table.game.parse_turn(command):
            table.apply(action)


@pytest.mark.parametrize(
    ("command", "answer", "who", "seen", "marks"),
    [
        ("fertilise x1 y1", "OK", 6, 6, {(1, 1)}),
        ("plant x0 y1", "OK", 5, 5, {(0, 1)}),
        ("colonise x2 y0 from x1 y1", "OK", 2, 2, {(2, 0), (1, 1)}),
        ("colonise x2 y1 from x1 y1", "occupied -3", NOBODY, NOBODY, set()),
        ("plant x2 y1", "occupied -3", NOBODY, NOBODY, set()),
        ("plant x3 y3", "error (the tile is beside none of yours)", NOBODY, NOBODY, set()),
        ("scout x0 y3", "OK, opponent's tiles there: 0, in all +0", NOBODY, NOBODY, set()),
        ("scout x3 y1", "OK, opponent's tiles there: 5, in all -13", NOBODY, NOBODY, set()),
        ("bomb x3 y2", "OK 4", 13, NOBODY, set()),  # player 1 does not know how much is left
        ("bomb x2 y1", "OK 3", NOBODY, NOBODY, set()),  # nothing is left
        ("spray x3 y1", "OK 4", 13, NOBODY, set()),  # of four tiles the first that still stands; player 1 hears "4"
        ("bad", "error (this is no command)", NOBODY, NOBODY, set()),
        ("bad plant", f"error ({REASONS[2]})", NOBODY, NOBODY, set()),
    ],
)
def test_events_are_about_tiles_and_marks_show_own_changes(
    command: str, answer: str, who: int, seen: int, marks: set[Any]
) -> None:
    table = field()
    do(table, command)
    for seat, due in ((-1, who), (0, seen)):
        scene = table.game.scene(table.s, seat)
        (event,) = scene.events
        assert (event.text, event.who, event.kind) == (
            f"player1 {command}: {answer}",
            due,
            command.removeprefix("bad ").split()[0],
        )
        assert due in {NOBODY, *(piece.id for piece in scene.pieces)}
    assert {(mark.x, mark.y) for mark in scene.marks if mark.role == "path"} == marks
    assert table.game.scene(table.s, 1).events == table.game.scene(table.s, 1).marks == ()


def test_a_spectator_sees_what_a_spray_changed_and_where_a_scout_looked() -> None:
    table = field()
    do(table, "spray 1 3")
    marks = {(mark.x, mark.y, mark.role) for mark in table.game.scene(table.s).marks}
    assert marks == {(3, 0, "path"), (2, 1, "path"), (3, 1, "path"), (3, 2, "path")}
    do(table, "scout 0 4")
    for seat in (-1, 0):
        marks = {(mark.x, mark.y, mark.role) for mark in table.game.scene(table.s, seat).marks}
        assert marks == {(x, y, "seat0") for x in (3, 4) for y in (0, 1)}


def test_numbers_of_tiles_are_whole_and_have_their_sign() -> None:
    table = field("+1 . . . .\n. . . . .\n. . . -126 .\n+12 . . . .")
    shown = {piece.id: (piece.text, piece.role, piece.amount) for piece in table.game.scene(table.s).pieces}
    assert shown == {0: ("+1", "seat0", 1), 13: ("-126", "seat1", -126), 15: ("+12", "seat0", 12)}
    assert [number.text for number in table.game.scene(table.s).numbers] == ["1/100", "3/3", "+13", "-126"]


def test_tiles_of_the_opponent_are_shown_as_they_were_seen() -> None:
    table = field()
    do(table, "scout 2 3")
    fresh = {piece.id: piece for piece in table.game.scene(table.s, 0).pieces}
    assert (fresh[13].text, fresh[13].is_past) == ("-6", False)
    do(table, "scout 0 0", "scout 0 0")
    do(table, "fertilise 2 3", "scout 0 4", "scout 0 4")
    scene = table.game.scene(table.s, 0)
    past = {piece.id: piece for piece in scene.pieces}
    assert (past[13].text, past[13].is_past, past[13].amount) == ("-6?", True, -6)
    assert [(bar.name, bar.value, bar.full) for bar in past[13].bars] == [("seen in turn", 1, 2)]
    assert past.keys() == {0, 6, 11, 15, 7, 8, 13}  # the tile in the corner was never seen
    assert "fog" in {cell.role for cell in scene.cells if (cell.x, cell.y) == (3, 2)}
    assert {number.name: number.text for number in scene.numbers}["player2 as far as known"] == "-10"
    assert {(cell.x, cell.y) for cell in scene.cells} == {(k % 5, k // 5) for k in range(20)} - {(0, 0), (1, 1), (1, 2), (0, 3)}


def test_a_seats_scene_tells_its_command_once_and_keeps_the_fog_when_the_game_is_over() -> None:
    table = field(facts="turn 2/2; moves 1/3")
    do(table, "scout 0 3")
    news = [len(table.game.scene(table.s, 0).events)]
    for command in ("fertilise 0 4", "scout 0 0", "plant 0 2"):
        do(table, command)
        news.append(len(table.game.scene(table.s, 0).events))
    assert news == [1, 0, 0, 1]  # the last one is the end
    over = table.game.scene(table.s, 0)
    assert over.status == over.events[0].text == "player2 wins by 6"
    assert over.seat == NOBODY
    assert {number.name: number.text for number in over.numbers}["player2 score"] == "-15"
    assert {piece.text for piece in over.pieces if piece.role == "seat1"} == {"-1", "-2", "-3"}  # as scouted
    assert 13 in {piece.id for piece in table.game.scene(table.s).pieces} - {piece.id for piece in over.pieces}


def test_compiled_frames_are_those_of_plain_python_in_whole_games() -> None:
    game = load("plantation", max_turns=20)
    batch = Batch(game, 3, seed=5)
    for step in range(12):
        if step < 11:
            batch.play_random(27)
        else:
            batch.finish_random()
        for seat in (-1, 0, 1):
            frames = batch.frames(seat).tobytes()
            assert frames == b"".join(game.frame(batch.states[k : k + 1], seat).array.tobytes() for k in range(3))
    assert batch.states.end.all()
