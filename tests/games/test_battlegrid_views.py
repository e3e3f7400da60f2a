"""BattleGrid: what seats may know, as rows, as plain data and as scenes; the words of actions."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.core import NOBODY, UnknownName, plain, read_traces, streams
from ludus.engine import Batch
from ludus.games import load
from ludus.testing import same

FILE = Path(__file__).parent.parent / "data" / "battlegrid" / "visible.jsonl.gz"
GAME = load("battlegrid")
RULES = GAME.rules
UP, DOWN, LEFT, RIGHT = range(4)
SHOOT = 4
BLUE, RED = 0, 1

SMALL = load("battlegrid", grid_size=8)
DUEL = """
turn 6/300; zone 1 0 6 6
options view_range=2
blue facing right; cooldown 3; score -2; double_shot
red facing left; score 9
. . . # . . . .
. B . . . # . .
. . . . s . . .
. # . . . . R .
. . . . . . . .
. . . . . . . .
. . . . . . # .
. . . . . . . m
"""


def random_positions(count: int = 40) -> Any:
    """Give positions of random games on the standard board."""
    s: Any = plain(GAME.empty())
    rng, dice = streams(11, 1)[0], np.random.default_rng(11)
    GAME.verbs.new(s, rng)
    for _ in range(count):
        yield s.copy()
        for _ in range(17):
            if s.turn == s.opt_max_turns:
                GAME.verbs.new(s, rng)
            GAME.verbs.apply(s, int(dice.integers(8)), rng)


@given(st.integers(0, 14), st.integers(0, 14), st.integers(0, 14), st.integers(0, 14), st.booleans())
def test_what_a_seat_sees_of_the_enemy(x: int, y: int, other_x: int, other_y: int, square: bool) -> None:
    s: Any = plain(GAME.empty())
    s.opt_view_metric = int(square)
    s.x[:], s.y[:] = (x, other_x), (y, other_y)
    view: Any = GAME.look(s, BLUE)
    across, down = abs(x - other_x), abs(y - other_y)
    is_seen = max(across, down) <= 5 if square else across + down <= 5
    assert (view.enemy_x, view.enemy_y) == ((other_x, other_y) if is_seen else (-1, -1))
    x_min, x_max, y_min, y_max = view.enemy_area
    assert (x_min, x_max) == (max(0, other_x - 1), min(14, other_x + 2))
    assert (RULES.decoded(x_min, x_max), RULES.decoded(y_min, y_max)) == (other_x, other_y)


def test_walls_are_remembered_once_seen() -> None:
    s: Any = plain(GAME.empty())
    rng, dice = streams(2, 1)[0], np.random.default_rng(2)
    GAME.verbs.new(s, rng)
    seen = first = GAME.look(s, BLUE)["seen"].copy()
    for _ in range(100):
        GAME.verbs.apply(s, int(dice.integers(8)), rng)
        view: Any = GAME.look(s, BLUE)
        assert (view.seen & seen == seen).all()
        assert (view.wall == (s.wall & view.seen)).all()
        seen = view.seen.copy()
    assert (seen != first).any()
    walls = GAME.part("original").walls_in_view(view)
    assert all(abs(x - s.x[BLUE]) + abs(y - s.y[BLUE]) <= 5 for x, y in walls)


def test_hidden_facts_of_the_enemy_change_neither_view_nor_planes_nor_scene() -> None:
    views = np.zeros(2, RULES.View).view(np.recarray)
    planes = np.zeros((2, *GAME.spec.planes), GAME.spec.plane_type)
    for s in random_positions():
        for me in (BLUE, RED):
            t, planes[:] = s.copy(), 0
            for field in ("facing", "desired", "cooldown", "double_shot", "double_damage", "double_cooldown", "stay"):
                t[field][1 - me] = 1 - min(1, int(t[field][1 - me]))
            t.score[1 - me] += 5
            t.seen[1 - me] = 0
            for y in range(15):
                t.wall[y] ^= ~int(t.seen[me, y]) & 0x7FFF
            t.last_reward[:] = 7
            for k, row in enumerate((s, t)):
                RULES.observe(row, me, views[k])
                RULES.encode(views[k], planes[k])
            same(views[0:1], views[1:2], "views")
            assert (planes[0] == planes[1]).all()
            assert GAME.scene(s, me) == GAME.scene(t, me)
            assert GAME.public(views[0]) == GAME.public(views[1])


def test_sampled_positions_fit_their_view_and_can_be_played() -> None:
    standard = [trace for trace in read_traces(FILE) if trace["config"]["grid_size"] == 15]
    rows = [GAME.part("golden").row_of(GAME, trace["initial"]) for trace in standard[::4]]
    for number, s in enumerate([*random_positions(), *map(plain, rows)]):
        for me in (BLUE, RED):
            t: Any = plain(GAME.empty())
            view = GAME.look(s, me)
            RULES.sample(view, t, streams(number, 1)[0])
            same(view.array, GAME.look(t, me).array, f"views of position {number}")
            assert GAME.verbs.sound(t)


def test_a_sampled_item_lies_in_no_wall_though_a_tank_hides_the_only_other_place() -> None:
    s: Any = SMALL.parse(DUEL.replace(". . R .", ". . # Rs").replace("view_range=2", "view_range=9"))
    for seed in range(5):
        t: Any = plain(SMALL.empty())
        SMALL.rules.sample(SMALL.look(s, BLUE), t, streams(seed, 1)[0])
        assert SMALL.verbs.sound(t)
        assert (3, 7) in [divmod(int(cell), 8) for cell in t.item_cell[: t.item_count]]


def test_plain_data_of_a_view() -> None:
    s: Any = SMALL.parse(DUEL)
    s.last_seat, s.last_action, s.last_penalty[:] = RED, LEFT, (1, 0)
    shown = SMALL.public(SMALL.look(s, BLUE))
    assert msgspec.json.decode(msgspec.json.encode(shown)) == shown
    assert (shown["me"], shown["to_move"], shown["turn"], shown["over"]) == ("blue", "blue", 6, False)
    assert (shown["zone"], shown["enemy"], shown["enemy_area"]) == ([1, 0, 6, 6], None, [5, 2, 7, 5])
    assert shown["in_view"] == ["11100000", "11110000", "11100000", "01000000"] + ["00000000"] * 4
    assert shown["seen"] == shown["in_view"]
    assert shown["walls"] == [[1, 3]]
    assert shown["hints"] == [[4, 2, "double_shot"], [6, 6, "minus_one"]]
    assert shown["tank"]["powers"] == ["double_shot"]
    assert (shown["tank"]["cooldown"], shown["penalty"], shown["last"]) == (2, True, None)


def test_plain_data_tell_what_has_been_seen_and_what_came_of_the_own_action() -> None:
    s: Any = SMALL.parse(DUEL)
    SMALL.verbs.apply(s, RIGHT + SHOOT, streams(1, 1)[0])
    shown = SMALL.public(SMALL.look(s, BLUE))
    assert shown["in_view"][1] == "11111000"
    assert (shown["in_view"][3], shown["seen"][3]) == ("00100000", "01100000")
    assert shown["walls"] == [[3, 0], [1, 3]]
    assert (shown["last"]["action"], shown["last"]["moved"], shown["last"]["fired"]) == ("right shoot", True, False)
    s.turn = s.opt_max_turns
    assert SMALL.public(SMALL.look(s, BLUE))["over"]


@pytest.mark.parametrize(
    ("words", "action"),
    [("up", UP), ("UP SHOOT", UP + SHOOT), ("left!", LEFT + SHOOT), ("r s", RIGHT + SHOOT), (" D ", DOWN), ("7", 7)],
)
def test_actions_are_read_as_people_write_them(words: str, action: int) -> None:
    assert GAME.parse_action(words) == action


@pytest.mark.parametrize("words", ["", "8", "-1", "stay", "up up", "up shoot shoot", "shoot", "!", "9" * 5000])
def test_other_words_are_refused(words: str) -> None:
    with pytest.raises(UnknownName, match="up shoot"):
        GAME.parse_action(words)


def test_the_spectator_sees_what_either_tank_sees() -> None:
    for s in random_positions(10):
        scene = GAME.scene(s)
        fog = {(cell.x, cell.y) for cell in scene.cells if cell.role == "fog"}
        for x in range(15):
            for y in range(15):
                near = [abs(x - s.x[k]) + abs(y - s.y[k]) <= 5 for k in range(2)]
                assert ((x, y) in fog) != any(near)
        assert {piece.id for piece in scene.pieces} >= {BLUE, RED}
        assert all((piece.x, piece.y) not in fog for piece in scene.pieces)


@pytest.mark.parametrize("seat", [-1, BLUE, RED])
def test_pieces_have_one_id_each_and_events_name_them(seat: int) -> None:
    for s in random_positions():
        scene = GAME.scene(s, seat)
        ids = [piece.id for piece in scene.pieces]
        assert len(set(ids)) == len(ids)
        assert {event.who for event in scene.events} <= {NOBODY, *ids}


def test_a_seat_s_scene_shows_the_enemy_or_the_area_that_it_is_in() -> None:
    scene = SMALL.scene(SMALL.parse(DUEL), BLUE)
    assert [(piece.kind, piece.x, piece.y, piece.text) for piece in scene.pieces] == [
        ("double shot", 4, 2, "+?"),
        ("minus one", 6, 6, "-1?"),
        ("tank", 1, 1, "B→"),
    ]
    assert scene.pieces[1].about == "minus one in the 2×2 box from 6,6: costs a point"
    assert {(mark.x, mark.y) for mark in scene.marks if mark.role == "danger"} == {
        (x, y) for x in (5, 6, 7) for y in (2, 3, 4, 5)
    }
    assert [(cell.x, cell.y) for cell in scene.cells if cell.role == "wall"] == [(1, 3)]
    assert scene.status == "blue to act"
    assert [(number.name, number.text) for number in scene.numbers] == [
        ("turn", "6/300"),
        ("turns to next shrink", "194"),
        ("blue score", "-2"),
        ("blue reload", "2"),
        ("blue powers", "+"),
        ("blue turns still", "0"),
    ]
    scene = SMALL.scene(SMALL.parse(DUEL.replace("=2", "=7")), BLUE)
    enemy = next(piece for piece in scene.pieces if piece.id == RED)
    assert (enemy.x, enemy.y, enemy.text, enemy.facing, enemy.bars) == (6, 3, "R", "", ())  # its facing is not known
    assert not [mark for mark in scene.marks if mark.role == "danger"]


def test_a_spectator_s_scene_shows_tanks_with_their_facing_and_load_items_and_the_zone() -> None:
    scene = SMALL.scene(SMALL.parse(DUEL.replace("=2", "=3")))
    assert [(piece.id, piece.text, piece.icon, piece.facing) for piece in scene.pieces if piece.seat >= 0] == [
        (BLUE, "B→", "tank", "right"),
        (RED, "R←", "tank", "left"),
    ]
    blue, red = (piece.bars[0] for piece in scene.pieces if piece.seat >= 0)
    assert ((blue.name, blue.value, blue.full), red.value) == (("loaded", 1, 4), 4)
    (item,) = (piece for piece in scene.pieces if piece.seat < 0)  # the other one is out of view of both
    assert (item.x, item.y, item.text, item.role, item.icon) == (4, 2, "+", "resource", "shell")
    zone = [(mark.x, mark.y) for mark in scene.marks if mark.role == "safe"]
    outline = {(x, y) for x in range(1, 7) for y in range(7) if x in (1, 6) or y in (0, 6)}
    assert (set(zone), len(zone)) == (outline, len(outline))


def test_items_keep_their_ids_when_others_are_taken_and_have_one_each_on_one_cell() -> None:
    s = SMALL.parse(DUEL.replace("=2", "=9").replace(". B . .", ". B c .").replace(". s .", ". smms ."))
    before = {piece.id: (piece.kind, piece.x, piece.y) for piece in SMALL.scene(s).pieces if piece.seat < 0}
    assert len(before) == 6
    SMALL.verbs.apply(s, RIGHT, streams(1, 1)[0])
    after = {piece.id: (piece.kind, piece.x, piece.y) for piece in SMALL.scene(s).pieces if piece.seat < 0}
    assert sorted(before.keys() - after.keys()) == [key for key, item in before.items() if item[0] == "double cooldown"]
    assert after.items() <= before.items()


def test_compiled_frames_are_those_of_plain_python_in_whole_games() -> None:
    batch = Batch(GAME, 3, seed=5)
    for step in range(12):
        if step < 11:
            batch.play_random(27)
        else:
            batch.finish_random()
        for seat in (-1, BLUE, RED):
            frames = batch.frames(seat).tobytes()
            assert frames == b"".join(GAME.frame(batch.states[k : k + 1], seat).array.tobytes() for k in range(3))
    assert (batch.states.turn == 300).all()


def test_a_seat_that_fails_drives_on_and_holds_its_fire() -> None:
    s: Any = SMALL.parse(DUEL)
    assert SMALL.verbs.default is not None
    assert SMALL.verbs.default(s) == RIGHT
    s.turn, s.seat = 7, RED
    assert SMALL.verbs.default(s) == LEFT
