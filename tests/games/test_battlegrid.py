"""BattleGrid's rules on drawn boards: turning, driving, shots, items, the zone, the set-up."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.core import Tape, streams
from ludus.engine import Table
from ludus.games import load

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "tests" / "data" / "battlegrid" / "visible.jsonl.gz"
GAME = load("battlegrid")
RULES, VIEW = GAME.rules, GAME.view
UP, DOWN, LEFT, RIGHT = range(4)
SHOOT = 4
BLUE, RED = 0, 1
DOUBLE_SHOT, DOUBLE_DAMAGE, MINUS_ONE, DOUBLE_COOLDOWN = range(4)

DUEL = """
blue facing right
red facing left
. . . . . . . .
. B . . . . R .
. . . . . . . .
. . # . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
"""


def board(drawing: str, **options: int) -> Table:
    """Set a board of 8 × 8 up from a drawing."""
    return Table(load("battlegrid", grid_size=8, **options), device="pure", position=_with(options, drawing))


def _with(options: dict[str, int], drawing: str) -> str:
    told = "; ".join(f"{name}={value}" for name, value in options.items())
    return f"options {told}\n{drawing}" if told else drawing


def cell(table: Table, seat: int) -> tuple[int, int]:
    return int(table.s.x[seat]), int(table.s.y[seat])


def play(table: Table, *actions: int, chance: Any = ()) -> None:
    """Play actions; nothing may be drawn but `chance`."""
    tape = Tape(chance)
    for action in actions:
        table.apply(action, tape)
    assert tape.left() == 0


def test_a_new_direction_turns_and_the_same_one_drives() -> None:
    table = board(DUEL)
    play(table, DOWN)
    assert (cell(table, BLUE), table.s.facing[BLUE], table.s.last_rotated, table.s.stay[BLUE]) == ((1, 1), DOWN, 1, 1)
    play(table, LEFT, DOWN)
    assert (cell(table, RED), cell(table, BLUE), table.s.last_moved, table.s.stay[BLUE]) == ((5, 1), (1, 2), 1, 0)
    assert table.seat == RED


@pytest.mark.parametrize(("distance", "reached"), [(0, 6), (1, 5), (2, 4), (3, 3), (4, 2)])
def test_the_way_is_closed_by_a_tank_that_is_too_near(distance: int, reached: int) -> None:
    table = board(DUEL, min_tank_distance=distance)
    for _ in range(5):
        play(table, RIGHT, DOWN if table.s.facing[RED] == UP else UP)  # Red turns on the spot
        table.s.stay[:] = 0
    assert cell(table, BLUE) == (reached, 1)


def test_walls_and_edges_close_the_way() -> None:
    table = board(DUEL)
    table.s.x[BLUE], table.s.y[BLUE] = 1, 3
    play(table, RIGHT)
    assert (cell(table, BLUE), table.s.stay[BLUE]) == ((1, 3), 1)
    table.s.x[RED], table.s.facing[RED] = 7, RIGHT
    play(table, RIGHT)
    assert (cell(table, RED), table.s.last_moved, table.s.last_rotated) == ((7, 1), 0, 0)


def test_the_third_turn_without_a_move_is_an_escape_in_the_first_open_direction() -> None:
    table = board(DUEL)
    table.s.stay[BLUE] = 2
    orders = RULES.ESCAPE_ORDERS.tolist()
    play(table, UP + SHOOT, chance=[orders.index([DOWN, LEFT, UP, RIGHT])])
    s = table.s
    assert (cell(table, BLUE), s.facing[BLUE], s.desired[BLUE], s.stay[BLUE]) == ((1, 2), DOWN, DOWN, 0)
    assert (s.last_rotated, s.last_moved, s.last_escaped) == (1, 0, DOWN)
    assert (s.last_shot_x, s.last_shot_y) == (1, 7)  # the shot goes the new way


def test_a_tank_that_is_shut_in_stays_and_tries_again_each_turn() -> None:
    table = board(DUEL)
    table.s.wall[0], table.s.wall[1], table.s.wall[2], table.s.stay[BLUE] = 2, 5, 2, 2
    for counter in (3, 4, 5):
        play(table, UP, chance=[0])
        assert (cell(table, BLUE), table.s.stay[BLUE], table.s.last_escaped) == ((1, 1), counter, -1)
        table.apply(LEFT)


def test_only_a_loaded_gun_fires_and_only_a_hit_scores() -> None:
    table = board(DUEL)
    play(table, RIGHT + SHOOT)  # from 2,1 over 3 cells to 6,1
    assert (table.s.last_hit, table.s.last_points, table.s.score[BLUE], table.s.cooldown[BLUE]) == (1, 1, 1, 4)
    assert table.s.last_reward.tolist() == [1, -1]
    play(table, UP, RIGHT + SHOOT)
    assert (table.s.last_fired, table.s.last_hit, table.s.score[BLUE], table.s.cooldown[BLUE]) == (0, 0, 1, 3)


@pytest.mark.parametrize(
    ("x", "shoot_range", "hit", "end"),
    [(6, 5, 1, 6), (7, 5, 1, 7), (7, 4, 0, 6), (3, 5, 1, 3), (6, 0, 0, 2)],
)
def test_a_shot_ends_at_the_enemy_or_its_range(x: int, shoot_range: int, hit: int, end: int) -> None:
    table = board(DUEL, shoot_range=shoot_range)
    table.s.x[RED] = x
    play(table, RIGHT + SHOOT)
    assert (table.s.last_fired, table.s.last_hit, table.s.last_shot_x) == (1, hit, end)


def test_a_shot_ends_before_a_wall_and_at_the_edge() -> None:
    table = board(DUEL)
    table.s.wall[1] |= 1 << 4
    play(table, RIGHT + SHOOT)
    assert (table.s.last_hit, table.s.last_shot_x) == (0, 3)
    table = board(DUEL)
    play(table, LEFT + SHOOT)
    assert (table.s.last_hit, table.s.last_shot_x) == (0, 0)


@pytest.mark.parametrize(
    ("powers", "hit", "keep", "points", "cooldown", "left"),
    [
        ((0, 0, 0), True, 1, 1, 4, (0, 0, 0)),
        ((1, 0, 0), True, 1, 1, 0, (0, 0, 0)),
        ((0, 1, 0), True, 1, 2, 4, (0, 0, 0)),
        ((0, 0, 1), True, 1, 1, 8, (0, 0, 0)),
        ((1, 0, 1), True, 1, 1, 0, (0, 0, 1)),
        ((1, 1, 1), False, 1, 0, 0, (0, 0, 1)),
        ((0, 1, 0), False, 1, 0, 4, (0, 0, 0)),
        ((0, 1, 0), False, 0, 0, 4, (0, 1, 0)),
        ((0, 1, 0), True, 0, 2, 4, (0, 0, 0)),
    ],
)
def test_power_ups(powers: Any, hit: bool, keep: int, points: int, cooldown: int, left: Any) -> None:
    table = board(DUEL, double_damage_lost_on_miss=keep)
    s = table.s
    s.double_shot[BLUE], s.double_damage[BLUE], s.double_cooldown[BLUE] = powers
    play(table, (RIGHT if hit else DOWN) + SHOOT)
    assert (s.last_points, s.cooldown[BLUE]) == (points, cooldown)
    assert (s.double_shot[BLUE], s.double_damage[BLUE], s.double_cooldown[BLUE]) == left


@pytest.mark.parametrize(("reload", "own_turns"), [(4, 4), (8, 8), (0, 1)])
def test_the_next_shot_comes_after_the_reload(reload: int, own_turns: int) -> None:
    table = board(DUEL)
    table.s.cooldown[BLUE] = reload
    for turn in range(1, own_turns + 1):
        assert table.observe().cooldown == max(0, reload - turn)  # shown as ticked down
        table.s.stay[:] = 0
        table.apply(UP + SHOOT)
        assert table.s.last_fired == (turn == own_turns)
        table.apply(UP)


def test_all_items_on_the_cell_are_taken_in_order_and_count_for_the_shot() -> None:
    table = board(DUEL.replace("B . . . . R", "B dmc . s . R"))
    play(table, RIGHT + SHOOT)
    s = table.s
    assert s.last_kinds[: s.last_picked].tolist() == [DOUBLE_DAMAGE, MINUS_ONE, DOUBLE_COOLDOWN]
    assert (s.score[BLUE], s.last_points, s.cooldown[BLUE]) == (1, 2, 8)
    assert (s.item_count, s.item_cell[0], s.item_kind[0]) == (1, 8 + 4, DOUBLE_SHOT)
    assert not s.item_cell[1:].any()
    play(table, UP)
    assert (s.last_picked, s.last_kinds.any()) == (0, False)


def test_an_item_under_a_tank_is_taken_without_a_move_and_by_its_own_turn_only() -> None:
    table = board(DUEL.replace("B . . . . R", "B . . . . Rs"))
    play(table, UP)
    assert table.s.item_count == 1
    play(table, UP)
    assert (table.s.item_count, table.s.double_shot[RED], table.s.last_moved) == (0, 1, 0)


@pytest.mark.parametrize(
    ("max_turns", "turns"), [(300, [50, 100, 150, 200]), (1000, [224, 448, 672, 896]), (107, []), (108, [2, 4, 6, 8])]
)
def test_the_schedule_of_shrinks(max_turns: int, turns: list[int]) -> None:
    s = load("battlegrid", max_turns=max_turns).empty()[0]
    found = []
    for turn in range(1, max_turns + 1):
        s.turn = turn
        if RULES.is_shrink_turn(s):
            found.append(turn)
    assert found == turns
    assert [turn for turn in GAME.part("compat").shrink_schedule(max_turns) if turn > 0] == turns


@pytest.mark.parametrize(
    ("before", "draws", "after"),
    [
        ((0, 0, 14, 14), [0, 2], (0, 2, 12, 14)),
        ((2, 3, 8, 9), [0, 0], (2, 3, 7, 8)),  # 7 to 6: one place
        ((2, 3, 9, 10), [1, 0], (3, 3, 8, 8)),
        ((2, 3, 7, 8), [], (2, 3, 7, 8)),  # 6 already: nothing is drawn
        ((2, 3, 7, 9), [0], (2, 3, 7, 8)),
    ],
)
def test_the_zone_shrinks_inside_itself_down_to_six(before: Any, draws: list[int], after: Any) -> None:
    s = GAME.empty()[0]
    s.zone[:] = before
    tape = Tape(draws)
    RULES.shrink_zone(s, tape)
    assert tuple(s.zone) == after
    assert tape.left() == 0


def test_outsiders_pay_after_even_turns_whoever_acted() -> None:
    table = board("turn 4/300; zone 1 0 5 7\n" + DUEL.strip())
    table.s.x[BLUE] = 0
    play(table, UP)
    assert table.s.last_penalty.tolist() == [0, 0]
    play(table, UP)
    assert (table.s.last_penalty.tolist(), table.s.score.tolist()) == ([1, 1], [-1, -1])
    assert table.s.last_reward.tolist() == [0, 0]


def test_new_items_replace_the_old_ones_every_70_turns() -> None:
    table = board("turn 69/300\n" + DUEL.strip().replace(". . # .", "s . # ."))
    drawn = [(0, 0), (8, 3), (1, 1), (63, 2), (63, 2)]  # cells may repeat
    play(table, UP, chance=[number for item in drawn for number in item])
    s = table.s
    assert list(zip(s.item_cell[:5].tolist(), s.item_kind[:5].tolist(), strict=True)) == drawn
    assert s.item_count == 5


def test_items_are_drawn_again_on_walls_and_tanks() -> None:
    table = board("turn 69/300\n" + DUEL.strip())
    wall, blue, red = 3 * 8 + 2, 8 + 1, 8 + 6
    play(table, UP, chance=[wall, blue, red, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0])
    assert table.s.item_cell[:5].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("scores", "outcome"), [((3, 1), (1, -1)), ((-4, -1), (-1, 1)), ((2, 2), (0, 0))])
def test_the_higher_score_wins_after_the_last_turn_and_not_before(scores: Any, outcome: Any) -> None:
    table = board("turn 299/300\n" + DUEL.strip())
    table.s.score[:] = scores
    assert (table.result().status, len(table.legal())) == (0, 8)
    play(table, UP)
    assert (table.result().status, table.result().outcome, table.over) == (1, outcome, True)
    assert VIEW.final_line(table.s, ("A", "B"), table.result()) == f"A:{scores[0]} - B:{scores[1]}"
    assert VIEW.why_not(table.s, BLUE, 0) == "game_over"


@given(st.integers(0, 2**40), st.sampled_from([8, 9, 15, 20]))
def test_maps(seed: int, size: int) -> None:
    game = load("battlegrid", grid_size=size)
    s = game.empty()[0]
    game.rules.new(s, streams(seed, 1)[0])
    walls = {(x, y) for y in range(size) for x in range(size) if int(s.wall[y]) >> x & 1}
    assert len(walls) <= 15 * size * size // 100
    assert any(all((x, y) not in walls for y in range(size)) for x in range(size))
    assert 0 <= s.y[BLUE] < size // 3
    assert 2 * size // 3 <= s.y[RED] < size
    taken = walls | {(int(s.x[k]), int(s.y[k])) for k in range(2)}
    assert (int(s.x[BLUE]), int(s.y[BLUE])) not in walls
    assert (int(s.x[RED]), int(s.y[RED])) not in walls
    assert s.item_count == 5
    assert all((int(c) % size, int(c) // size) not in taken for c in s.item_cell[:5])
    assert (s.facing.tolist(), s.zone.tolist()) == ([RIGHT, RIGHT], [0, 0, size - 1, size - 1])


def test_shots_hits_and_penalties_are_told() -> None:
    table = board("turn 4/300; zone 0 0 5 7\n" + DUEL.strip())
    play(table, RIGHT + SHOOT)
    scene = table.game.view.scene(table.s)
    assert [event.text for event in scene.events] == ["blue drives right to 2,1", "blue hits for 1"]
    assert (scene.links[0].x, scene.links[0].to_x) == (2, 6)
    own = table.game.view.scene(table.s, BLUE)
    assert [event.kind for event in own.events] == ["move", "shot"]
    assert table.game.view.scene(table.s, RED).events == ()
    play(table, UP)
    assert [event.text for event in table.game.view.scene(table.s).events] == ["red turns up", "red is outside the zone"]
