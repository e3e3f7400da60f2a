"""Unit in words: names and refusals of actions, texts of positions, views as data, scenes."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.core import NOBODY, BadRecord, IllegalAction, plain
from ludus.engine import Batch, Table
from ludus.games import load
from ludus.games.unit import actions, forms
from ludus.testing import positions, same
from ludus.viewers import Paper, draw

GAME = load("unit")
READY = "turn 9; player0 to act; placed; infused; pool 0 0\n"  # only the third action is left
POSITIONS = [plain(row) for row in positions(GAME, 3) if row.end == 0]


def table(drawing: str, facts: str = READY) -> Table:
    """Set a position up; layers that are not drawn are empty."""
    return Table(GAME, device="pure", position=facts + drawing)


def play(t: Table, *words: str) -> Table:
    for word in words:
        t.apply(GAME.parse_action(word))
    return t


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (0, "end_turn"), (1, "place 0"), (2, "place 8"), (3, "place 108"), (4, "place 116"), (5, "infuse 0"),
        (121, "infuse 116"), (122, "move 0 -> 3"), (569, "move 116 -> 107"), (570, "attack 0 -> 3"),
        (1018, "pincer 0 from 3 1"), (2372, "pincer 116 from 113 115 107"),
    ],
)  # fmt: skip
def test_ids_have_their_check_values(action: int, name: str) -> None:
    assert GAME.action_name(action) == name
    assert GAME.parse_action(name) == action


def test_there_are_2373_ids_and_each_has_one_form() -> None:
    made = [forms.form_of(action) for action in range(GAME.spec.actions)]
    assert len(made) == 2373
    assert [forms.id_of(form) for form in made] == list(range(2373))


ANY = st.one_of(
    st.integers(-3, 130), st.none(), st.booleans(), st.text(max_size=5), st.floats(), st.lists(st.integers(-1, 120), max_size=4)
)
FORMS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from([*forms.VERTEX_KEYS, "teleport", 3]), "vertex": ANY, "from": ANY, "to": ANY,
        "target": ANY, "origins": ANY, "vertexId": ANY,
    },
)  # fmt: skip


@settings(deadline=None)
@given(st.sampled_from(POSITIONS), st.one_of(FORMS, ANY))
def test_any_input_is_an_action_or_has_a_reason(row: Any, form: object) -> None:
    s = row.copy()
    reason = actions.refusal(s, form)
    legal = Table(GAME, device="pure", position=row.array).legal()
    assert (reason == "") == (forms.id_of(form) in legal)
    same(row.array, s.array, "a position that was only asked")


def test_refusals_agree_with_the_mask() -> None:
    chance = np.random.default_rng(2)
    for row in POSITIONS[::8]:
        t = Table(GAME, position=row.array)
        legal = t.legal()
        for action in {*legal, *chance.integers(0, 2373, 60).tolist()}:
            assert (t.why_not(t.seat, action) == "") == (action in legal)
        assert t.why_not(1 - t.seat, legal[0]) == "not_your_turn"
        assert t.why_not(t.seat, 2373) == t.why_not(t.seat, "place 0") == "malformed"


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("place 5", "not_home_corner"), ("place 117", "malformed"), ("move 0 -> 8", "not_adjacent"), ("fly 0", "malformed"),
        ("pincer 1 from 0 0", "bad_origin_count"), ("pincer 1", "bad_origin_count"), ("pincer 1 from 0 8", "not_adjacent"),
        ("", "malformed"), ("move 0 1 2", "malformed"), ("infuse", "malformed"), ("2373", "malformed"),
    ],
)  # fmt: skip
def test_typed_nonsense_is_refused_with_a_reason(typed: str, reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason) as caught:
        GAME.parse_action(typed)
    assert caught.value.reason == reason


@pytest.mark.parametrize("typed", ["move 12 -> 13", "MOVE 12 13", "move v12 to vertex-13", " move  12->13 "])
def test_actions_may_be_typed_freely(typed: str) -> None:
    assert GAME.action_name(GAME.parse_action(typed)) == "move 12 -> 13"


@pytest.mark.parametrize(
    "broken",
    ["A1:1 . .\n. . .", "A1:1 . X\n. . .\n. . .", "A0:1 . .\n. . .\n. . .", "turn x; player0 to act", "turn 0; moved",
     "turn 1; over player1", "|||||", "turn 1; max_actions -1"],
)  # fmt: skip
def test_broken_texts_are_refused(broken: str) -> None:
    with pytest.raises(BadRecord):
        GAME.parse(broken)


def test_a_scene_stands_in_true_coordinates() -> None:
    t = play(table("A3:2 B1:0 .\n. :4 .\n. . ."), "attack 0 -> 1")
    scene = GAME.scene(t.s)
    board = scene.board
    assert 5 * board.width * board.height - len(board.holes) == 117
    columns = {(link.x, link.y, link.to_x, link.to_y) for link in board.links if link.z != link.to_z}
    assert (len(columns), len(board.links)) == (9, 224)  # columns go through all layers, straight up
    assert all(column[:2] == column[2:] for column in columns)
    (piece,) = scene.pieces
    assert (piece.id, piece.x, piece.y, piece.z, piece.text, piece.role) == (1, 6, 0, 0, "2", "seat0")
    assert [(bar.name, bar.value, bar.full) for bar in piece.bars] == [("energy", 2, 10), ("force", 4, 10)]
    assert [(cell.text, cell.x, cell.y, cell.z) for cell in scene.cells if cell.role == "goal"] == [
        ("h0", 0, 0, 0), ("h1", 12, 12, 0), ("h0", 0, 0, 4), ("h1", 12, 12, 4),
    ]  # fmt: skip
    assert [(cell.x, cell.y, cell.amount) for cell in scene.cells if cell.role == "resource"] == [(6, 6, "4")]
    assert [event.text for event in scene.events] == ["player0: attack 0 -> 1", "6 against 0: the attacker wins"]
    assert [(link.x, link.to_x, link.role) for link in scene.links] == [(0, 6, "danger")]


def test_places_are_called_by_their_vertices() -> None:
    names = {name: place for *place, name in GAME.picture.board.places}
    assert (names["0"], names["8"], names["58"], names["116"]) == ([0, 0, 0], [12, 12, 0], [6, 6, 2], [12, 12, 4])
    assert len(names) == 117


def test_weak_stacks_are_marked_and_exert_no_force() -> None:
    scene = GAME.scene(table("A3:2 . .\n. . .\n. . B1200:0").s)
    strong, weak = scene.pieces
    assert (strong.kind, weak.kind, weak.text, weak.amount, weak.bars[1].value) == ("stack", "weak stack", "++", 1200, 0)
    assert [(mark.x, mark.y, mark.role) for mark in scene.marks] == [(12, 12, "neutral")]


def test_a_panel_tells_who_is_ahead() -> None:
    numbers = GAME.scene(table("A3:2 . .\n. . .\n. B2:1 A1:4").s).numbers
    assert [(number.name, number.text) for number in numbers if number.seat == 0] == [
        ("pool", "0"), ("pieces", "4"), ("energy", "6"), ("enemy corners", "1/2"),
    ]  # fmt: skip
    assert [number.text for number in numbers if number.seat < 0] == ["9", "0/500"]


@pytest.mark.parametrize(
    ("drawing", "facts", "action", "told"),
    [
        ("A1:1 . .\n. . .\n. . .", "turn 9; placed; pool 0 0\n", "infuse 0", "player0 to act, has placed and infused"),
        (". . .    | | | | . . .\n. . A1:1 | | | | . . .\n. . .    | | | | . . A1:1", READY, "move 5 -> 8",
         "player0 holds both enemy corners and wins"),
        ("A1:1 . .\n. . .\n. . .", "turn 9; placed; infused; pool 0 0; actions 499\n", "move 0 -> 1",
         "the limit is reached: a draw"),
        ("A1:1 . .\n. . .\n. . .", "turn 9; placed; infused; pool 0 0; actions 499; tie_break 1\n", "move 0 -> 1",
         "the limit is reached: player0 is ahead and wins"),
    ],
)  # fmt: skip
def test_a_status_tells_what_is_done_and_how_it_ends(drawing: str, facts: str, action: str, told: str) -> None:
    t = play(table(drawing, facts), action)
    scene = GAME.scene(t.s)
    assert (scene.status, GAME.part("scene").status(t.s)) == (told, told)
    assert (scene.seat == NOBODY) == (scene.events[-1].text == told) == (t.s.end != 0)


def test_frames_are_the_same_compiled() -> None:
    games = [Batch(GAME, 8, 5, device) for device in ("pure", "cpu")]
    for _ in range(9):
        for batch in games:
            batch.play_random(60)
        for seat in (-1, 0):
            pure, compiled = (batch.frames(seat) for batch in games)
            assert pure.tobytes() == compiled.tobytes()


def test_a_terminal_shows_five_grids_side_by_side() -> None:
    lines = [line.split() for line in draw(GAME.scene(table("A3:2 . .\n. . .\n. . B12:1").s), Paper(120, 0, False))]
    assert [len(line) for line in lines[2:16:2]] == [23, 23, 23, 17, 17, 7, 7]  # vertex numbers, with signs below
    assert lines[2][:3] == ["0", "1", "2"]
    assert lines[3][0] == "A3:2"
    assert lines[7][2] == "B12:1"


@pytest.mark.parametrize("number", [np.int64(2), np.array(2), np.array(2, np.uint8)])
def test_an_action_may_be_any_whole_number(number: Any) -> None:
    assert GAME.action_name(number) == "place 8"
    assert GAME.why_not(table("A1:1 . .\n. . .\n. . .").s, 0, number) == "already_placed"


def test_a_view_as_data_tells_everything() -> None:
    t = play(table("A3:2 B1:4 .\n. :7 .\n. . ."), "attack 0 -> 1")
    shown = GAME.public(t.observe(0))
    assert {key: shown[key] for key in ("me", "to_move", "turn", "over", "winner")} == {
        "me": "player0", "to_move": "player1", "turn": 10, "over": False, "winner": None,
    }  # fmt: skip
    assert [layer["size"] for layer in shown["layers"]] == [3, 5, 7, 5, 3]
    assert [layer["gravity"] for layer in shown["layers"]] == [1, 2, 3, 2, 1]
    assert [layer["least_force"] for layer in shown["layers"]] == [1, 4, 9, 4, 1]
    assert [layer["first_vertex"] for layer in shown["layers"]] == [0, 9, 34, 83, 108]
    assert shown["stacks"] == [
        {"vertex": 1, "layer": 0, "x": 1, "y": 0, "owner": "player0", "pieces": 2, "energy": 2, "force": 4.0, "occupied": True}
    ]
    assert shown["bare_energy"] == {"4": 7}
    assert (shown["last"], shown["last_fight"]) == (["player0", "attack 0 -> 1"], "attacker_win")
    assert shown["last_forces"] == [6, 4]
    assert json.loads(json.dumps(shown)) == shown


def test_a_view_as_data_belongs_to_who_asked() -> None:
    view = table("A3:2 B1:4 .\n. :7 .\n. . .").observe(0)
    GAME.public(view)["layers"][0]["size"] = 9
    GAME.public(view)["homes"]["player0"].clear()
    GAME.public(view)["stacks"][0]["vertex"] = 9
    assert GAME.public(view)["layers"][0]["size"] == 3
    assert GAME.public(view)["homes"]["player0"] == [0, 108]
    assert GAME.public(view)["stacks"][0]["vertex"] == 0


@pytest.mark.parametrize(
    ("facts", "drawing", "action", "who"),
    [
        ("turn 9; pool 1 0\n", ". . .\n. . .\n. . .", "place 0", [0]),
        ("turn 9; placed; pool 0 0\n", "A1:0 . .\n. . .\n. . .", "infuse 0", [0]),
        (READY, "A1:1 . .\n. . .\n. . .", "move 0 -> 1", [1]),
        (READY, "A3:2 B1:4 .\n. . .\n. . .", "attack 0 -> 1", [1, 1]),
        (READY, "A2:5 B2:3 .\n. . .\n. . .", "attack 0 -> 1", [NOBODY, NOBODY]),  # nobody is left there
        (READY, "A3:2 B2:3 .\n. . .\n. . .", "attack 0 -> 1", [NOBODY, NOBODY]),  # a draw: the attacker stays where it was
        (READY, "B4:5 A2:2 .\nA1:3 . .\n. . .", "pincer 0 from 3 1", [0, 0, 0]),
        (READY, "A1:0 . .\n. . .\n. . .", "end_turn", [NOBODY]),
    ],
)
def test_events_name_the_stack_that_they_are_about(facts: str, drawing: str, action: str, who: list[int]) -> None:
    scene = GAME.scene(play(table(drawing, facts), action).s, 0)
    assert [event.who for event in scene.events] == who
    assert {*who} <= {NOBODY, *(piece.id for piece in scene.pieces)}
