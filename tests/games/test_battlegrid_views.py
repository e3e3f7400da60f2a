"""BattleGrid: what seats may know, text forms, scenes, bots, golden records that were tampered with."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus import golden
from ludus.arena.series import play_series
from ludus.core import BadRecord, UnknownName, streams
from ludus.core.golden import Difference
from ludus.engine import Batch, Table
from ludus.games import load
from ludus.testing import same

FILE = Path(__file__).parent.parent / "data" / "battlegrid" / "visible.jsonl.gz"
GAME = load("battlegrid")
RULES, VIEW = GAME.rules, GAME.view
UP, DOWN, LEFT, RIGHT = range(4)
SHOOT = 4
BLUE, RED = 0, 1


def random_positions(count: int = 40) -> Any:
    """Give positions of random games on the standard board."""
    table, dice = Table(GAME, 11, "pure"), np.random.default_rng(11)
    for number in range(count):
        yield table.s.copy()
        for _ in range(17):
            if table.over:
                table.new(number)
            table.apply(int(dice.integers(8)))


@given(st.integers(0, 14), st.integers(0, 14), st.integers(0, 14), st.integers(0, 14), st.booleans())
def test_what_a_seat_sees_of_the_enemy(x: int, y: int, other_x: int, other_y: int, square: bool) -> None:
    s, view = GAME.empty()[0], np.zeros(1, RULES.View).view(np.recarray)[0]
    s.opt_view_metric = int(square)
    s.x[:], s.y[:] = (x, other_x), (y, other_y)
    RULES.observe(s, BLUE, view)
    across, down = abs(x - other_x), abs(y - other_y)
    is_seen = max(across, down) <= 5 if square else across + down <= 5
    assert (view.enemy_x, view.enemy_y) == ((other_x, other_y) if is_seen else (-1, -1))
    x_min, x_max, y_min, y_max = view.enemy_area
    assert (x_min, x_max) == (max(0, other_x - 1), min(14, other_x + 2))
    assert (RULES.decoded(x_min, x_max), RULES.decoded(y_min, y_max)) == (other_x, other_y)


def test_walls_are_remembered_once_seen() -> None:
    table, dice = Table(GAME, 2, "pure"), np.random.default_rng(2)
    seen = first = table.observe(BLUE).seen.copy()
    for _ in range(100):
        table.apply(int(dice.integers(8)))
        view = table.observe(BLUE)
        assert (view.seen & seen == seen).all()
        assert (view.wall == (table.s.wall & view.seen)).all()
        seen = view.seen.copy()
    assert (seen != first).any()
    walls = GAME.part("compat").walls_in_view(table.observe(BLUE))
    assert all(abs(x - table.s.x[BLUE]) + abs(y - table.s.y[BLUE]) <= 5 for x, y in walls)


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
            assert VIEW.scene(s, me) == VIEW.scene(t, me)


def test_sampled_positions_fit_their_view_and_the_set_up() -> None:
    view = np.zeros(2, RULES.View).view(np.recarray)
    records = list(golden.read(FILE))
    standard = [record for record in records if record["config"]["grid_size"] == 15]
    rows = [GAME.part("golden").row_of(GAME, record["initial"]) for record in standard[::4]]
    for number, s in enumerate([*random_positions(), *rows]):
        for me in (BLUE, RED):
            t = GAME.empty()[0]
            RULES.observe(s, me, view[0])
            RULES.sample(view[0], t, streams(number, 1)[0])
            RULES.observe(t, me, view[1])
            same(view[0:1], view[1:2], f"views of position {number}")
            for k in range(t.item_count):
                assert not int(t.wall[t.item_cell[k] // 15]) >> int(t.item_cell[k] % 15) & 1
            assert not int(t.wall[t.y[1 - me]]) >> int(t.x[1 - me]) & 1


def test_texts_round_trip_and_mistakes_are_named() -> None:
    for s in random_positions(20):
        same(np.array([s]), np.array([VIEW.parse(VIEW.text(s))]), VIEW.text(s))
    text = VIEW.text(s)
    for wrong, why in [
        (text.replace("B", "."), "blue must stand on the board once"),
        (text.replace("\nblue facing", "\ngreen facing"), "begins with one of: turn"),
        (text.replace("cooldown", "cooldowm"), "it should look like: blue facing"),
        (text + ". . .\n", "15 rows of 15 cells"),
        (text.replace("to act", "to acts"), "turn 12/300; blue to act"),
        (text.replace("zone", "zone 99"), "should look like"),
        (text.replace("B", "X"), "is none of"),
    ]:
        with pytest.raises(BadRecord, match=why):
            VIEW.parse(wrong)


@pytest.mark.parametrize(
    ("words", "action"),
    [("up", UP), ("UP SHOOT", UP + SHOOT), ("left!", LEFT + SHOOT), ("r s", RIGHT + SHOOT), (" D ", DOWN), ("7", 7)],
)
def test_actions_are_read_as_people_write_them(words: str, action: int) -> None:
    assert VIEW.parse_action(words) == action


@pytest.mark.parametrize("words", ["", "8", "stay", "up up", "up shoot shoot", "shoot", "!"])
def test_other_words_are_refused(words: str) -> None:
    with pytest.raises(UnknownName, match="up shoot"):
        VIEW.parse_action(words)


def test_the_spectator_sees_what_either_tank_sees() -> None:
    table = Table(GAME, 4, "pure")
    scene = VIEW.scene(table.s)
    fog = {(cell.x, cell.y) for cell in scene.cells if cell.role == "fog"}
    for x in range(15):
        for y in range(15):
            near = [abs(x - table.s.x[k]) + abs(y - table.s.y[k]) <= 5 for k in range(2)]
            assert ((x, y) in fog) != any(near)
    assert {piece.id for piece in scene.pieces} >= {"blue", "red"}
    assert all((piece.x, piece.y) not in fog for piece in scene.pieces)
    assert len({piece.id for piece in scene.pieces}) == len(scene.pieces)


def test_bots_choose_the_same_uncompiled_and_compiled() -> None:
    for bots in (["hunter"] * 2, ["tactician"] * 2):
        batches = [Batch(GAME, 2, 3, device) for device in ("pure", "cpu")]
        for batch in batches:
            batch.set_bots(bots)
        for _ in range(6 if bots[0] == "tactician" else 60):
            chosen = [np.array(batch.choose()) for batch in batches]
            assert (chosen[0] == chosen[1]).all()
            for batch in batches:
                batch.step(chosen[0])


def test_bots_see_only_their_view() -> None:
    """Two games that differ in what the seat cannot know: the bot plays the same in both."""
    table = Table(GAME, 8)
    dice = np.random.default_rng(8)
    for _ in range(120):
        table.apply(int(dice.integers(8)))
    s = table.s
    for bot in GAME.bots:
        pair = Batch(GAME, 2, 1, restart=False)
        rows = np.array([s, s]).view(np.recarray)
        other = 1 - int(s.seat)
        rows[1].cooldown[other], rows[1].facing[other], rows[1].score[other] = 4, 3 - int(s.facing[other]), 99
        pair.load(rows)
        pair.set_bots([bot] * 2)
        pair.desk.dice[:] = 5
        assert len(set(pair.choose().tolist())) == 1


@pytest.mark.parametrize(("strong", "weak", "least"), [("hunter", "random", 0.9), ("tactician", "hunter", 0.6)])
def test_strength(strong: str, weak: str, least: float) -> None:
    summary = play_series(GAME, [strong, weak], 400, seed=1, swap=True).summary(0)
    assert summary["games"] == 400
    assert summary["wins"] / 400 >= least
    assert summary["score_low"] > least


def test_a_changed_record_is_a_difference(tmp_path: Path) -> None:
    record = next(golden.read(FILE))
    for change, where in [
        (lambda r: r["steps"][40]["delta"].update(turn=42), "step 40, delta"),
        (lambda r: r["steps"][40]["result"].update(fired=not r["steps"][40]["result"]["fired"]), "step 40, result"),
        (lambda r: r["steps"][40]["obs"].update(shoot_cooldown=9), "step 40, obs"),
        (lambda r: r["steps"][40].update(more=1), "step 40, more"),
        (lambda r: r["initial"]["walls"].pop(), "new"),
        (lambda r: r["shrink_schedule"].pop(), "shrink_schedule"),
        (lambda r: r["final"].update(line="Blue:0 - Red:0"), "final, line"),
    ]:
        changed = json.loads(json.dumps(record))
        change(changed)
        file = tmp_path / "changed.jsonl"
        file.write_text(json.dumps(changed))
        with pytest.raises(Difference, match=where):
            golden.check("battlegrid", [file])
