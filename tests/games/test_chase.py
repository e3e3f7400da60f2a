"""Chase: drawn boards for the rules, recorded set-ups and pictures, the original's interface."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.core import BadRecord, BadValue, Tape, UnknownName
from ludus.engine import Batch, Table
from ludus.games import load

ROOT = Path(__file__).parent.parent.parent
DATA = ROOT / "tests" / "data" / "chase"
UP, DOWN, LEFT, RIGHT, STAY = range(5)
RUNNER, CHASER1, CHASER2 = range(3)


def board(drawing: str) -> Table:
    """Set a small board up from a drawing."""
    return Table(load("chase", size=5), device="pure", position=drawing)


OPEN = """
R . . . .
. . # . .
. . . . .
. . . . 1
. . . . 2
"""


def test_a_step_passes_the_turn_on_and_the_second_chaser_counts_it() -> None:
    table = board(OPEN)
    table.apply(DOWN)
    assert (table.seat, table.s.turn, table.s.y[RUNNER]) == (CHASER1, 0, 1)
    table.apply(UP)
    table.apply(LEFT)
    assert (table.seat, table.s.turn) == (RUNNER, 1)


@pytest.mark.parametrize(
    ("seat", "action", "reason"),
    [
        (RUNNER, UP, "edge"),
        (RUNNER, LEFT, "edge"),
        (RUNNER, STAY, "stay_not_allowed"),
        (RUNNER, 5, "bad_action"),
        (RUNNER, -1, "bad_action"),
        (RUNNER, "up", "bad_action"),
        (RUNNER, True, "bad_action"),
        (RUNNER, None, "bad_action"),
        (CHASER1, 99, "not_your_turn"),
        (RUNNER, DOWN, ""),
    ],
)
def test_refusals_come_in_their_order(seat: int, action: object, reason: str) -> None:
    assert board(OPEN).why_not(seat, action) == reason


def test_obstacles_block_and_the_game_over_comes_first() -> None:
    table = board(OPEN.replace("R . .", ". . R"))
    assert table.why_not(RUNNER, DOWN) == "obstacle"
    over = board("turn 3/300; runner to move; end caught\n" + OPEN.strip().replace("R", ".").replace("1", "R1"))
    assert over.why_not(CHASER1, 99) == "game_over"
    assert over.legal() == []


def test_stay_is_legal_only_when_every_step_is_closed() -> None:
    table = board(
        """
        turn 0/300; chaser1 to move
        1 # . . .
        # . . . .
        . . . . .
        . . R . .
        . . . . 2
        """
    )
    assert table.legal() == [STAY]
    table.apply(STAY)
    assert table.seat == CHASER2


@pytest.mark.parametrize(
    ("mover", "action", "drawing"),
    [
        ("runner", RIGHT, "R 1 . . ."),
        ("chaser1", LEFT, "R 1 . . ."),
        ("chaser2", LEFT, "R 2 . . ."),
    ],
)
def test_sharing_a_cell_is_a_capture_whoever_steps_in(mover: str, action: int, drawing: str) -> None:
    rest = ". . . . .\n" * 3 + (". . . . 2" if "1" in drawing else ". . . . 1")
    table = board(f"turn 4/300; {mover} to move\n{drawing}\n{rest}")
    table.apply(action)
    assert table.over
    assert table.result().outcome == (-1, 1, 1)
    assert table.rewards == [-1, 1, 1]
    assert table.s.turn == (5 if mover == "chaser2" else 4)


def test_the_last_move_may_still_be_the_capture() -> None:
    table = board("turn 299/300; chaser2 to move\nR 2 . . .\n" + ". . . . .\n" * 3 + ". . . . 1")
    table.apply(LEFT)
    assert table.result().outcome == (-1, 1, 1)
    assert table.s.turn == 300


def test_the_runner_wins_at_the_limit() -> None:
    table = board("turn 299/300; chaser2 to move\nR . 2 . .\n" + ". . . . .\n" * 3 + ". . . . 1")
    table.apply(RIGHT)
    assert table.result().outcome == (1, -1, -1)
    assert table.result().points == (1, 0, 0)
    assert table.result().status == 2


def test_walls_not_chasers_close_the_runner_in() -> None:
    walled = board("R # . . .\n# . . . .\n. . . . .\n. . . . 1\n. . . . 2")
    assert walled.legal() == [STAY]
    walled.apply(STAY)
    assert walled.result().points == (1, 0, 0)
    watched = board("R 1 . . .\n# . . . .\n. . . . .\n. . . . .\n. . . . 2")
    assert watched.legal() == [RIGHT]
    watched.apply(RIGHT)
    assert watched.result().points == (-1, 1, 1)


@pytest.mark.parametrize("name", [sample["name"] for sample in json.loads((DATA / "render_samples.json").read_text())])
def test_boards_are_drawn_as_recorded(name: str) -> None:
    sample = next(s for s in json.loads((DATA / "render_samples.json").read_text()) if s["name"] == name)
    game = load("chase", size=sample["state"]["size"])
    row = game.part("golden").row_of(sample["state"])
    assert game.part("scene").board(row) == sample["aligned"]
    assert game.part("scene").board(row, padded=False) == sample["classic"]


def test_the_originals_set_ups_are_reproduced_by_new_from_their_draws() -> None:
    for setup in json.loads((DATA / "setups.json").read_text()):
        game = load("chase", size=setup["size"], obstacles=setup["num_obstacles"])
        layout = game.part("original").original_layout(setup["seed"], setup["num_obstacles"])
        assert layout == {key: setup[key] for key in layout}
        row = game.empty()[0]
        tape = Tape(draws_of(game, layout))
        game.verbs.new(row, tape)
        assert tape.left() == 0
        assert {key: game.part("golden").state_of(row)[key] for key in layout} == layout


def draws_of(game, layout) -> list[int]:
    """The numbers that `new` must draw to set this layout up."""
    size = game.rules.SIZE
    cells = [(y, x) for y in range(size) for x in range(size)]
    agents = [tuple(layout[name]) for name in game.spec.seats]
    far = [c for c in cells if abs(c[0] - agents[0][0]) + abs(c[1] - agents[0][1]) >= 7]
    first, second = far.index(agents[1]), far.index(agents[2])
    draws = [cells.index(agents[0]), first, second - (second > first)]
    free = [c for c in cells if all(max(abs(c[0] - a[0]), abs(c[1] - a[1])) > 1 for a in agents)]
    for wall in map(tuple, layout["obstacles"]):
        draws.append(free.index(wall))
        free.remove(wall)
    return draws


@given(st.integers(0, 2**63 - 1), st.integers(8, 20), st.integers(0, 30))
def test_set_ups_keep_their_distances(seed: int, size: int, obstacles: int) -> None:
    table = Table("chase", seed=seed, device="pure", size=size, obstacles=obstacles)
    x, y = table.s.x, table.s.y
    walls = [(c, r) for r in range(size) for c in range(size) if int(table.s.wall[r]) >> c & 1]
    assert len(walls) == obstacles
    for chaser in (CHASER1, CHASER2):
        assert abs(x[chaser] - x[RUNNER]) + abs(y[chaser] - y[RUNNER]) >= 7
    assert (x[CHASER1], y[CHASER1]) != (x[CHASER2], y[CHASER2])
    for c, r in walls:
        assert all(max(abs(c - x[k]), abs(r - y[k])) > 1 for k in range(3))


@given(st.integers(0, 2**32), st.lists(st.integers(0, 4), max_size=40))
def test_whatever_is_tried_the_state_stays_sound(seed: int, tries: list[int]) -> None:
    table = Table("chase", seed=seed, device="pure", size=8, max_turns=5)
    for action in tries:
        before, reason = table.s.copy(), table.why_not(table.seat, action)
        assert (reason == "") == (action in table.legal())
        if reason:
            assert table.s == before
        else:
            table.apply(action)
            for k in range(3):
                assert not int(table.s.wall[table.s.y[k]]) >> int(table.s.x[k]) & 1
    assert table.s.turn <= 5


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("R . .\n. . .", "a position needs 5 rows of 5 cells"),
        (OPEN.replace("1", "?"), "'\\?' on e4 is none of"),
        (OPEN.replace("1", "."), "chaser1 must stand on the board once, not 0 times"),
        (OPEN.replace("1", "R"), "runner must stand on the board once, not 2 times"),
        (OPEN.replace("1", ".").replace("R", "R1"), "say so with 'end caught'"),
        ("turn x/300; a" + OPEN, "cannot read 'turn x/300'"),
        ("turn 3/0; runner to move" + OPEN, "max_turns must be from 1 to 1000000, not 0"),
        ("turn 2000000/1" + OPEN, "turn 2000000/1 cannot be"),
        ("turn 300/300" + OPEN, "has a turn left"),
        ("turn 99999999999999999999/300" + OPEN, "cannot read"),
        ("turn ١/300" + OPEN, "cannot read"),
        ("turn 1/300; obstacles 900" + OPEN, "obstacles must be from 0 to 0, not 900"),
        ("turn 1/300; dog to move" + OPEN, "cannot read 'dog to move'"),
        ("turn 1/300; end caught" + OPEN, "shares its cell with no chaser"),
        ("turn 1/300; last runner down" + OPEN, "runner down cannot be the last move"),
        ("turn 1/300; last chaser2 left" + OPEN, "chaser2 left cannot be the last move"),
    ],
)
def test_positions_that_cannot_be_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        board(text)


def test_cells_and_moves_are_read_as_people_write_them() -> None:
    game, text = load("chase"), load("chase").part("text")
    assert text.parse_cell("c7") == text.parse_cell(" C 7 ") == (2, 6)
    assert text.cell_name(2, 6) == "c7"
    assert [game.parse_action(word) for word in ("u", "D", "left", " RIGHT ", "4")] == [UP, DOWN, LEFT, RIGHT, STAY]
    for wrong in ("p 1", "c", "7", "a 16", "a 0", "", "a" + "9" * 5000, "a ١"):
        with pytest.raises(BadValue):
            text.parse_cell(wrong)
    with pytest.raises(UnknownName, match=r"U \(up\)"):
        game.parse_action("fly")
    with pytest.raises(UnknownName):
        game.parse_action("9" * 5000)


def test_options_have_bounds() -> None:
    with pytest.raises(BadValue, match="obstacles must be from 0 to 198"):
        load("chase", obstacles=199)
    with pytest.raises(BadValue, match="max_turns must be from 1"):
        load("chase", max_turns=0)
    small = Batch("chase", 1, size=7)
    for start in (small.new, small.legal, lambda: ludus.make("chase", size=7), lambda: ludus.play("chase", size=7)):
        with pytest.raises(ludus.LudusError, match="size 8 or more"):
            start()


@pytest.mark.slow
def test_bots_stand_in_their_order() -> None:
    """Shares of games in which the chasers catch the runner within 300 turns."""

    def caught(runner: str, chaser: str, games: int) -> float:
        batch = Batch("chase", games, seed=11)
        batch.finish([runner, chaser, chaser])
        return float((batch.result()[1][:, RUNNER] == -1).mean())

    assert 0.75 < caught("random", "random", 1000) < 0.9
    assert 0.4 < caught("careful", "random", 1000) < 0.65
    assert caught("greedy", "random", 400) < 0.06
    assert caught("careful", "greedy", 400) > 0.93
    assert caught("greedy", "greedy", 10_000) > 0.92
    assert caught("search", "greedy", 60) < 0.85
    assert caught("greedy", "search", 60) == 1


EDITED = (
    "import sys; from ludus.engine import Batch; b = Batch('chase', 8, seed=1); b.play_random(5); print(b.states.x.tolist())"
)


def test_an_edit_of_a_rule_is_never_answered_from_the_old_cache(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src" / "ludus", tmp_path / "src" / "ludus", ignore=shutil.ignore_patterns("__pycache__"))
    rules = tmp_path / "src" / "ludus" / "games" / "chase" / "rules.py"
    env = {"PYTHONPATH": str(tmp_path / "src"), "LUDUS_CACHE_DIR": str(tmp_path / "cache"), "PATH": ""}

    def run() -> tuple[str, bool]:
        done = subprocess.run([sys.executable, "-c", EDITED], env=env, capture_output=True, text=True, check=True)
        return done.stdout, "compiling" in done.stderr

    first, compiled = run()
    assert compiled
    assert run() == (first, False)
    text = rules.read_text()
    edited = text.replace("DX, DY = (0, 0, -1, 1, 0), (-1, 1, 0, 0, 0)", "DX, DY = (0, 0, 1, -1, 0), (-1, 1, 0, 0, 0)")
    assert edited != text
    rules.write_text(edited)
    assert run()[0] != first
    rules.write_text(text)
    assert run() == (first, False)
    words = rules.with_name("golden.py")
    words.write_text(words.read_text() + "\n# another comment\n")
    assert run() == (first, False)


def test_a_view_is_plain_data() -> None:
    shown = json.loads(json.dumps((table := board(OPEN)).game.public(table.observe(CHASER2))))
    assert shown == {
        "me": "chaser2",
        "to_move": "runner",
        "turn": 0,
        "over": False,
        "end": "running",
        "size": 5,
        "cells": {"runner": [0, 0], "chaser1": [4, 3], "chaser2": [4, 4]},
        "walls": [[2, 1]],
        "last": None,
        "options": {"size": 5, "obstacles": 0, "max_turns": 300},
    }
    table.apply(RIGHT)
    shown = table.game.public(table.observe(CHASER1))
    assert (shown["to_move"], shown["last"]) == ("chaser1", ["runner", "right"])


def test_a_scene_tells_the_last_move_and_the_end_by_their_pieces() -> None:
    table = board("turn 4/300; chaser1 to move\nR 1 . . .\n" + ". . . . .\n" * 3 + ". . . . 2")
    table.apply(LEFT)
    shown = table.game.scene(table.s)
    assert shown == table.game.scene(table.s, CHASER2)
    assert [(piece.id, piece.kind, piece.x, piece.y) for piece in shown.pieces] == [
        (RUNNER, "runner", 0, 0), (CHASER1, "chaser1", 0, 0), (CHASER2, "chaser2", 4, 4),
    ]  # fmt: skip
    assert [(event.kind, event.who, event.x, event.to_x) for event in shown.events] == [
        ("move", CHASER1, 1, 0),
        ("end", RUNNER, 0, None),
    ]
    assert [(mark.x, mark.y, mark.role) for mark in shown.marks] == [(0, 0, "danger")]


def test_planes_have_one_for_each_thing() -> None:
    table = Table("chase", seed=3)
    assert np.asarray(table.encode()).sum() == 5 + 3 + 1
