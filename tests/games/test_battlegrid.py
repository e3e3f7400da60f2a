"""BattleGrid's rules on drawn boards: turning, driving, shots, items, the zone, the set-up."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.core import Result, Tape, plain, streams
from ludus.games import load

GAME = load("battlegrid")
SMALL = load("battlegrid", grid_size=8)
RULES = GAME.rules
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


def board(drawing: str, **options: int) -> Any:
    """Set a board of 8 × 8 up from a drawing."""
    told = "; ".join(f"{name}={value}" for name, value in options.items())
    return SMALL.parse(f"options {told}\n{drawing}" if told else drawing)


def cell(s: Any, seat: int) -> tuple[int, int]:
    return int(s.x[seat]), int(s.y[seat])


def play(s: Any, *actions: int, chance: Any = ()) -> None:
    """Play actions; nothing may be drawn but `chance`."""
    tape = Tape(chance)
    for action in actions:
        SMALL.verbs.apply(s, action, tape)
    assert tape.left() == 0


def result(s: Any) -> Result:
    outcome, points = np.zeros(2), np.zeros(2)
    status = SMALL.verbs.result(s, outcome, points)
    return Result(status, tuple(outcome.tolist()), tuple(points.tolist()))


def test_a_new_direction_turns_and_the_same_one_drives() -> None:
    s = board(DUEL)
    play(s, DOWN)
    assert (cell(s, BLUE), s.facing[BLUE], s.last_rotated, s.stay[BLUE]) == ((1, 1), DOWN, 1, 1)
    play(s, LEFT, DOWN)
    assert (cell(s, RED), cell(s, BLUE), s.last_moved, s.stay[BLUE]) == ((5, 1), (1, 2), 1, 0)
    assert s.seat == RED


@pytest.mark.parametrize(("distance", "reached"), [(0, 6), (1, 5), (2, 4), (3, 3), (4, 2)])
def test_the_way_is_closed_by_a_tank_that_is_too_near(distance: int, reached: int) -> None:
    s = board(DUEL, min_tank_distance=distance)
    for _ in range(5):
        play(s, RIGHT, DOWN if s.facing[RED] == UP else UP)  # Red turns on the spot
        s.stay[:] = 0
    assert cell(s, BLUE) == (reached, 1)


def test_walls_and_edges_close_the_way() -> None:
    s = board(DUEL)
    s.x[BLUE], s.y[BLUE] = 1, 3
    play(s, RIGHT)
    assert (cell(s, BLUE), s.stay[BLUE]) == ((1, 3), 1)
    s.x[RED], s.facing[RED] = 7, RIGHT
    play(s, RIGHT)
    assert (cell(s, RED), s.last_moved, s.last_rotated) == ((7, 1), 0, 0)


def test_the_third_turn_without_a_move_is_an_escape_in_the_first_open_direction() -> None:
    s = board(DUEL)
    s.stay[BLUE] = 2
    orders = RULES.ESCAPE_ORDERS.tolist()
    play(s, UP + SHOOT, chance=[orders.index([DOWN, LEFT, UP, RIGHT])])
    assert (cell(s, BLUE), s.facing[BLUE], s.desired[BLUE], s.stay[BLUE]) == ((1, 2), DOWN, DOWN, 0)
    assert (s.last_rotated, s.last_moved, s.last_escaped) == (1, 0, DOWN)
    assert (s.last_shot_x, s.last_shot_y) == (1, 7)  # the shot goes the new way


def test_a_tank_that_is_shut_in_stays_and_tries_again_each_turn() -> None:
    s = board(DUEL)
    s.wall[0], s.wall[1], s.wall[2], s.stay[BLUE] = 2, 5, 2, 2
    for counter in (3, 4, 5):
        play(s, UP, chance=[0])
        assert (cell(s, BLUE), s.stay[BLUE], s.last_escaped) == ((1, 1), counter, -1)
        s.stay[RED] = 0
        play(s, LEFT)


def test_only_a_loaded_gun_fires_and_only_a_hit_scores() -> None:
    s = board(DUEL)
    play(s, RIGHT + SHOOT)  # from 2,1 over 3 cells to 6,1
    assert (s.last_hit, s.last_points, s.score[BLUE], s.cooldown[BLUE]) == (1, 1, 1, 4)
    assert s.last_reward.tolist() == [1, -1]
    play(s, UP, RIGHT + SHOOT)
    assert (s.last_fired, s.last_hit, s.score[BLUE], s.cooldown[BLUE]) == (0, 0, 1, 3)


@pytest.mark.parametrize(
    ("x", "shoot_range", "hit", "end"),
    [(6, 5, 1, 6), (7, 5, 1, 7), (7, 4, 0, 6), (3, 5, 1, 3), (6, 0, 0, 2)],
)
def test_a_shot_ends_at_the_enemy_or_its_range(x: int, shoot_range: int, hit: int, end: int) -> None:
    s = board(DUEL, shoot_range=shoot_range)
    s.x[RED] = x
    play(s, RIGHT + SHOOT)
    assert (s.last_fired, s.last_hit, s.last_shot_x) == (1, hit, end)


def test_a_shot_ends_before_a_wall_and_at_the_edge() -> None:
    s = board(DUEL)
    s.wall[1] |= 1 << 4
    play(s, RIGHT + SHOOT)
    assert (s.last_hit, s.last_shot_x) == (0, 3)
    s = board(DUEL)
    play(s, LEFT + SHOOT)
    assert (s.last_hit, s.last_shot_x) == (0, 0)


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
    s = board(DUEL, double_damage_lost_on_miss=keep)
    s.double_shot[BLUE], s.double_damage[BLUE], s.double_cooldown[BLUE] = powers
    play(s, (RIGHT if hit else DOWN) + SHOOT)
    assert (s.last_points, s.cooldown[BLUE]) == (points, cooldown)
    assert (s.double_shot[BLUE], s.double_damage[BLUE], s.double_cooldown[BLUE]) == left


@pytest.mark.parametrize(("reload", "own_turns"), [(4, 4), (8, 8), (0, 1)])
def test_the_next_shot_comes_after_the_reload(reload: int, own_turns: int) -> None:
    s = board(DUEL)
    s.cooldown[BLUE] = reload
    for turn in range(1, own_turns + 1):
        assert SMALL.look(s, BLUE)["cooldown"] == max(0, reload - turn)  # shown as ticked down
        s.stay[:] = 0
        play(s, UP + SHOOT)
        assert s.last_fired == (turn == own_turns)
        play(s, UP)


def test_all_items_on_the_cell_are_taken_in_order_and_count_for_the_shot() -> None:
    s = board(DUEL.replace("B . . . . R", "B dmc . s . R"))
    play(s, RIGHT + SHOOT)
    assert s.last_kinds[: s.last_picked].tolist() == [DOUBLE_DAMAGE, MINUS_ONE, DOUBLE_COOLDOWN]
    assert (s.score[BLUE], s.last_points, s.cooldown[BLUE]) == (1, 2, 8)
    assert (s.item_count, s.item_cell[0], s.item_kind[0]) == (1, 8 + 4, DOUBLE_SHOT)
    assert not s.item_cell[1:].any()
    play(s, UP)
    assert (s.last_picked, s.last_kinds.any()) == (0, False)


def test_an_item_under_a_tank_is_taken_without_a_move_and_by_its_own_turn_only() -> None:
    s = board(DUEL.replace("B . . . . R", "B . . . . Rs"))
    play(s, UP)
    assert s.item_count == 1
    play(s, UP)
    assert (s.item_count, s.double_shot[RED], s.last_moved) == (0, 1, 0)


@pytest.mark.parametrize(
    ("max_turns", "turns"), [(300, [50, 100, 150, 200]), (1000, [224, 448, 672, 896]), (107, []), (108, [2, 4, 6, 8])]
)
def test_the_schedule_of_shrinks(max_turns: int, turns: list[int]) -> None:
    s: Any = plain(load("battlegrid", max_turns=max_turns).empty())
    found = []
    for turn in range(1, max_turns + 1):
        s.turn = turn
        if RULES.is_shrink_turn(s):
            found.append(turn)
    assert found == turns
    assert [turn for turn in GAME.part("text").shrink_schedule(max_turns) if turn > 0] == turns


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
    s: Any = plain(GAME.empty())
    s.zone[:] = before
    tape = Tape(draws)
    RULES.shrink_zone(s, tape)
    assert tuple(s.zone) == after
    assert tape.left() == 0


def test_outsiders_pay_after_even_turns_whoever_acted() -> None:
    s = board("turn 4/300; zone 1 0 5 7\n" + DUEL.strip())
    s.x[BLUE] = 0
    play(s, UP)
    assert s.last_penalty.tolist() == [0, 0]
    play(s, UP)
    assert (s.last_penalty.tolist(), s.score.tolist()) == ([1, 1], [-1, -1])
    assert s.last_reward.tolist() == [0, 0]


def test_new_items_replace_the_old_ones_every_70_turns() -> None:
    s = board("turn 69/300\n" + DUEL.strip().replace(". . # .", "s . # ."))
    drawn = [(0, 0), (8, 3), (1, 1), (63, 2), (63, 2)]  # cells may repeat
    play(s, UP, chance=[number for item in drawn for number in item])
    assert list(zip(s.item_cell[:5].tolist(), s.item_kind[:5].tolist(), strict=True)) == drawn
    assert s.item_count == 5


def test_items_are_drawn_again_on_walls_and_tanks() -> None:
    s = board("turn 69/300\n" + DUEL.strip())
    wall, blue, red = 3 * 8 + 2, 8 + 1, 8 + 6
    play(s, UP, chance=[wall, blue, red, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0])
    assert s.item_cell[:5].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("scores", "outcome"), [((3, 1), (1, -1)), ((-4, -1), (-1, 1)), ((2, 2), (0, 0))])
def test_the_higher_score_wins_after_the_last_turn_and_not_before(scores: Any, outcome: Any) -> None:
    s = board("turn 299/300\n" + DUEL.strip())
    s.score[:] = scores
    mask = np.zeros(8, np.int8)
    assert (result(s).status, SMALL.verbs.legal(s, mask), mask.tolist()) == (0, 8, [1] * 8)
    play(s, UP)
    assert (result(s).status, result(s).outcome, SMALL.verbs.legal(s, mask)) == (1, outcome, 0)
    assert SMALL.says("scene", "final_line")(s, ("A", "B"), result(s)) == f"A:{scores[0]} - B:{scores[1]}"
    assert SMALL.why_not(s, BLUE, 0) == "game_over"


@given(st.integers(0, 2**40), st.sampled_from([8, 9, 15, 20]))
def test_maps(seed: int, size: int) -> None:
    game = load("battlegrid", grid_size=size)
    s: Any = plain(game.empty())
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


def events(s: Any, seat: int = -1) -> list[str]:
    return [event.text for event in SMALL.scene(s, seat).events]


def test_shots_hits_and_penalties_are_told() -> None:
    s = board("turn 4/300; zone 0 0 5 7\n" + DUEL.strip())
    play(s, RIGHT + SHOOT)
    drive, shot = SMALL.scene(s).events
    assert (drive.kind, drive.text, drive.who) == ("move", "blue drives right to 2,1", BLUE)
    assert (drive.x, drive.y, drive.to_x, drive.to_y) == (1, 1, 2, 1)
    assert (shot.kind, shot.text, shot.who, shot.amount) == ("shot", "blue hits for 1", BLUE, 1)
    assert (shot.x, shot.y, shot.to_x, shot.to_y) == (2, 1, 6, 1)
    (line,) = SMALL.scene(s).links
    assert (line.x, line.y, line.to_x, line.to_y, line.role) == (2, 1, 6, 1, "danger")
    assert SMALL.scene(s, BLUE).events == (drive, shot)  # the enemy is in view
    assert SMALL.scene(s, BLUE).links == (line,)
    assert events(s, RED) == []
    play(s, UP)
    assert events(s) == ["red turns up on 6,1", "red is outside the zone: -1"]
    assert events(s, RED) == ["red stays on 6,1, facing up", "red is outside the zone: -1"]


def test_a_shot_that_misses_is_drawn_as_far_as_it_went() -> None:
    s = board(DUEL.replace("B . . . . R", "B . # . . R"))
    play(s, RIGHT + SHOOT)  # drives next to the wall: the shot goes nowhere
    assert events(s) == ["blue drives right to 2,1", "blue shoots and misses"]
    assert SMALL.scene(s).links == ()
    play(s, UP + SHOOT)
    assert events(s) == ["red turns up on 6,1", "red shoots and misses"]
    (line,) = SMALL.scene(s).links
    assert (line.x, line.y, line.to_x, line.to_y) == (6, 1, 6, 0)
    assert SMALL.scene(s, RED).links == ()  # it may not know where a miss ended


def test_what_stops_a_tank_and_what_it_takes_is_told() -> None:
    s = board(DUEL.replace("B . . . . R", "B sd # . . R"))
    play(s, RIGHT)
    assert events(s) == ["blue drives right to 2,1", "blue takes double shot", "blue takes double damage"]
    assert numbers(s)["blue powers"] == "+ 2X"
    play(s, UP, RIGHT)
    assert events(s) == ["blue cannot drive right from 2,1"]
    play(s, LEFT, RIGHT, LEFT)
    play(s, RIGHT, chance=[0])  # the first order of directions begins with up
    assert events(s) == ["blue is stuck and breaks out up to 2,0"]
    assert numbers(s)["red turns still"] == "0"


def numbers(s: Any, seat: int = -1) -> dict[str, str]:
    return {number.name: number.text for number in SMALL.scene(s, seat).numbers}


@pytest.mark.parametrize(("turn", "left"), [(0, "200"), (199, "1"), (200, None), (299, None)])
def test_the_next_shrink_is_counted_down(turn: int, left: str | None) -> None:
    s = board(f"turn {turn}/300\n" + DUEL.strip())
    for seat in (-1, BLUE, RED):
        assert numbers(s, seat).get("turns to next shrink") == left
        assert ("the safe zone has shrunk" in events(s, seat)) == (turn == 200)
    assert numbers(s)["turn"] == f"{turn}/300"


@pytest.mark.parametrize(
    ("scores", "says"),
    [((3, -1), "blue wins: blue 3, red -1"), ((2, 5), "red wins: blue 2, red 5"), ((0, 0), "a draw: blue 0, red 0")],
)
def test_the_end_is_told_and_no_seat_hears_the_other_s_score(scores: tuple[int, int], says: str) -> None:
    s = board("turn 300/300\n" + DUEL.strip())
    s.score[:] = scores
    shown = SMALL.scene(s)
    assert (shown.status, shown.seat, shown.events[-1].text) == (says, -1, says.split(":")[0])
    own = SMALL.scene(s, RED)
    assert (own.status, own.events[-1].kind, own.events[-1].text) == ("the game is over", "end", "the game is over")
    assert (numbers(s, RED)["red score"], "blue score" in numbers(s, RED)) == (str(scores[RED]), False)
