"""Unit: the graph, drawn boards for the rules, layouts, symmetries, planes."""

from collections import Counter

import numpy as np
import pytest

from ludus.core import BadValue, plain
from ludus.engine import Batch, Table
from ludus.games import load
from ludus.games.unit import board, text
from ludus.games.unit.symmetry import SYMMETRIES
from ludus.testing import compare_devices, positions, same

GAME = load("unit")
RULES = GAME.rules
READY = "turn 9; player0 to act; placed; infused; pool 0 0\n"  # only the third action is left


def table(drawing: str, facts: str = READY) -> Table:
    """Set a position up; layers that are not drawn are empty."""
    return Table(GAME, device="pure", position=facts + drawing)


def names(t: Table) -> list[str]:
    return [GAME.action_name(action) for action in t.legal()]


def play(t: Table, *words: str) -> Table:
    for word in words:
        t.apply(GAME.parse_action(word))
    return t


def layer(t: Table, number: int = 0) -> list[str]:
    """Return the cells of a layer as the drawing shows them."""
    return [word for line in text.board(t.s).splitlines() for word in line.split("|")[number].split()]


def put(t: Table, seat: int, vertex: int, pieces: int, energy: int) -> None:
    """Add a stack to a position."""
    s = plain(t.s).copy()
    RULES.put(s, seat, vertex, pieces, energy)
    t.load(s.array)


def test_the_graph_has_the_published_edges_degrees_and_distances() -> None:
    degrees = [sum(to >= 0 for to in row) for row in board.NEIGHBOURS]
    by_layer = [Counter(degrees[v] for v in range(117) if board.PLACES[v][0] == k) for k in range(5)]
    assert len(board.EDGES) == 448
    assert Counter(d >= 4 for _, d, _ in board.EDGES) == {False: 2 * 188, True: 2 * 36}
    assert by_layer[0] == by_layer[4] == {3: 4, 4: 4, 5: 1}
    assert by_layer[1] == by_layer[3] == {3: 8, 4: 12, 5: 4, 6: 1}
    assert by_layer[2] == {3: 16, 4: 28, 5: 4, 6: 1}
    assert [v for v in range(117) if degrees[v] == 6] == [21, 58, 95]
    assert [to for to in board.NEIGHBOURS[0] if to >= 0] == [3, 1, 9]
    assert board.NEIGHBOURS[21] == (16, 26, 20, 22, 4, 58)
    assert board.NEIGHBOURS[58] == (51, 65, 57, 59, 21, 95)
    assert [board.distances(0)[v] for v in (8, 108, 116)] == [4, 4, 8]
    assert board.HOME == ((0, 108), (8, 116))
    assert board.OFFSETS == (0, 9, 34, 83, 108)


def test_edges_go_both_ways() -> None:
    pairs = {(start, to) for start, _, to in board.EDGES}
    assert pairs == {(to, start) for start, to in pairs}


def test_the_first_turns_give_one_and_two_pieces() -> None:
    t = Table(GAME, device="pure")
    assert names(t) == ["place 0", "place 108"]
    play(t, "place 0")
    assert names(t) == ["infuse 0"]
    play(t, "infuse 0")
    assert names(t) == ["move 0 -> 3", "move 0 -> 1"]
    play(t, "move 0 -> 1")
    assert names(t) == ["end_turn"]
    play(t, "end_turn")
    assert (t.seat, t.s.turn, list(t.s.pool)) == (1, 2, [0, 2])
    assert names(t) == ["place 8", "place 116"]


def test_place_infuse_and_move_come_in_any_order() -> None:
    t = table("A1:1 . .\n. . .\n. . .", "turn 9; player0 to act; pool 1 0\n")
    assert names(t) == ["place 0", "place 108", "infuse 0", "move 0 -> 3", "move 0 -> 1"]
    play(t, "move 0 -> 1", "infuse 1", "place 0")
    assert names(t) == ["end_turn"]
    assert layer(t)[:2] == ["A1:0", "A1:2"]


@pytest.mark.parametrize(
    ("before", "after", "fight", "forces"),
    [
        ("A3:2 B1:4", ". A2:2", "attacker_win", (6, 4)),
        ("A1:9 B3:1", ". A2:8", "attacker_win", (9, 3)),  # grows: the difference is absolute
        ("A2:3 B3:2", ". B1:0", "draw", (6, 6)),
        ("A3:2 B2:3", "A1:0 .", "draw", (6, 6)),
        ("A2:3 B2:3", ". .", "draw", (6, 6)),
        ("A2:5 B2:3", ". :2", "attacker_win", (10, 6)),  # D10
        ("A2:3 B2:5", ". :2", "defender_win", (6, 10)),
        ("A1:1 B2:5", ". B1:4", "defender_win", (1, 10)),
        ("A9:9 B4:4", "A5:5 .", "draw", (10, 10)),  # the cap
        ("A1:1 B9:0", ". A8:1", "attacker_win", (1, 0)),  # D11: without energy there is no force
    ],
)
def test_attacks_are_decided_by_force_and_settled_by_differences(
    before: str, after: str, fight: str, forces: tuple[int, int]
) -> None:
    t = play(table(f"{before} .\n. . .\n. . ."), "attack 0 -> 1")
    assert layer(t)[:2] == after.split()
    assert text.FIGHTS[t.s.last_fight] == fight
    assert tuple(int(force) / int(t.s.last_unit) for force in t.s.last_force) == forces
    assert (t.seat, t.s.turn, t.s.placed, t.s.infused, list(t.s.pool)) == (1, 10, 0, 0, [0, 1])


def test_left_energy_may_be_switched_off() -> None:
    t = play(table("A2:5 B2:3 .\n. . .\n. . .", READY.replace("pool", "left_energy 0; pool")), "attack 0 -> 1")
    assert layer(t)[:2] == [".", "."]


def test_a_stack_below_its_layers_threshold_exerts_nothing() -> None:
    drawing = "A1:1 . . | B3:2 . . . .\n. . . | . . . . .\n. . . | . . . . .\n | . . . . .\n | . . . . ."
    t = play(table(drawing), "attack 0 -> 9")
    assert (layer(t)[0], layer(t, 1)[0]) == (".", "A2:1")


@pytest.mark.parametrize(
    ("drawing", "action", "target", "fight", "forces"),
    [
        ("B4:5 A2:2 .\nA1:3 . .\n. . .", "pincer 0 from 3 1", "A1:0", "attacker_win", (12, 10)),
        ("B5:2 A5:1 .\nA2:1 . .\n. . .", "pincer 0 from 3 1", "B2:0", "defender_win", (10, 10)),  # a tie, D12
        ("B9:9 A1:2 .\nA1:2 . .\n. . .", "pincer 0 from 1 3", "B7:5", "defender_win", (4, 10)),
        ("B3:1 A1:2 .\nA2:2 . .\n. . .", "pincer 0 from 1 3", ":3", "attacker_win", (8, 3)),
    ],
)
def test_pincers_multiply_without_a_cap(drawing: str, action: str, target: str, fight: str, forces: tuple[int, int]) -> None:
    t = play(table(drawing), action)
    assert [layer(t)[v] for v in (0, 1, 3)] == [target, ".", "."]
    assert text.FIGHTS[t.s.last_fight] == fight
    assert tuple(int(force) / int(t.s.last_unit) for force in t.s.last_force) == forces


def test_six_origins_need_more_than_32_bits() -> None:
    t = table("")
    for origin in board.NEIGHBOURS[58]:
        put(t, 0, origin, 9, 9)
    put(t, 1, 58, 30, 30)
    pincers = [name for name in names(t) if name.startswith("pincer 58")]
    assert len(pincers) == 57
    play(t, "pincer 58 from 51 65 57 59 21 95")
    assert int(t.s.last_force[0]) / int(t.s.last_unit) == 10**6
    assert layer(t, 2)[58 - 34] == "A24:24"


@pytest.mark.parametrize(
    ("start", "to", "power"),
    [(0, 1, 1), (0, 9, 4), (9, 0, 2), (9, 10, 8), (9, 34, 18), (34, 35, 27), (34, 9, 12)],
)
def test_entering_a_layer_needs_force_from_where_one_stands(start: int, to: int, power: int) -> None:
    for energy, is_legal in ((power - 1, False), (power, True)):
        t = table("")
        put(t, 0, start, 1, energy)
        action = GAME.parse_action(f"move {start} -> {to}")
        assert (action in t.legal()) == is_legal
        assert t.why_not(0, action) == ("" if is_legal else "requirement_not_met")


def test_moves_merge_with_own_stacks_and_overwrite_bare_energy() -> None:
    t = play(table("A2:3 A1:4 .\n:9 . .\n. . ."), "move 0 -> 1")
    assert layer(t)[:2] == [".", "A3:7"]
    t = play(table("A2:3 A1:4 .\n:9 . .\n. . ."), "move 0 -> 3")
    assert layer(t)[3] == "A2:3"


def test_a_piece_inherits_energy_and_infusing_goes_beyond_the_cap() -> None:
    t = table(":5 . .\n. A9:9 .\n. . .", "turn 9; player0 to act; pool 1 0\n")
    play(t, "place 0", "infuse 4")
    assert [layer(t)[v] for v in (0, 4)] == ["A1:5", "A9:10"]


def test_what_is_impossible_now_is_waived_now() -> None:
    stuck = table("A1:0 B1:1 .\nB1:1 . .\n. . .")
    assert names(stuck) == ["end_turn"]
    fighting = table("A1:1 B1:1 .\nB1:1 . .\n. . .")
    assert "end_turn" in names(fighting)  # nothing to move: to attack or not is a choice
    assert "attack 0 -> 1" in names(fighting)
    pooled = table("B1:1 . .\n. A1:0 .\n. . .", "turn 9; player0 to act; pool 0 0\n")
    assert names(pooled) == ["infuse 4"]  # an empty pool waives the place


def test_fights_wait_for_place_and_infuse() -> None:
    t = table("A2:2 B1:1 .\n. . .\n. . .", "turn 9; player0 to act; placed; pool 0 0\n")
    assert names(t) == ["infuse 0", "move 0 -> 3", "move 0 -> 9"]
    assert t.why_not(0, GAME.parse_action("attack 0 -> 1")) == "mandatory_first"
    play(t, "infuse 0")
    assert names(t) == ["move 0 -> 3", "move 0 -> 9", "attack 0 -> 1"]


def test_holding_both_enemy_corners_wins_even_without_energy() -> None:
    t = table(". . .\n. . A1:1\n. . .")
    put(t, 0, 116, 1, 0)
    play(t, "move 5 -> 8")
    assert t.over
    assert t.result().outcome == (1, -1)
    assert (t.seat, t.rewards) == (0, [1, -1])  # a move does not pass the turn on
    assert t.why_not(0, 0) == "game_over"


def test_a_winning_fight_has_passed_the_turn_on() -> None:
    t = table(". . .\n. . A3:3\n. . B1:1")
    put(t, 0, 116, 1, 0)
    play(t, "attack 5 -> 8")
    assert (t.over, t.seat, int(t.s.winner)) == (True, 1, 0)


def test_the_limit_is_a_draw_and_0_means_none() -> None:
    short = Batch("unit", 4, 1, "pure", restart=False, max_actions=10)
    assert short.finish_random().tolist() == [10] * 4
    assert short.result()[0].tolist() == [2] * 4
    assert not short.result()[1].any()
    endless = Batch("unit", 2, 1, restart=False, max_actions=0)
    endless.play_random(2000)
    assert (endless.result()[0] == 0).all()


@pytest.mark.parametrize(
    ("drawing", "winner"),
    [
        ("A1:0 B9:9 .\n. . .\n. . .", 0),  # a corner before pieces
        (". B2:0 .\nA1:9 . .\n. . .", 1),  # pieces before energy
        (". B1:0 .\nA1:9 . .\n. . .", 0),
        (". B1:1 .\nA1:1 . .\n. . .", -1),
    ],
)
def test_the_tie_break_counts_corners_then_pieces_then_energy(drawing: str, winner: int) -> None:
    t = table(drawing, "turn 9; player0 to act; placed; infused; moved; pool 0 0; actions 499; tie_break 1\n")
    play(t, "end_turn")
    assert int(t.s.winner) == winner
    assert t.result().status == 2
    assert t.rewards == [0, 0] if winner < 0 else t.rewards[winner] == 1


def test_options_set_the_start() -> None:
    t = Table("unit", device="pure", starting_player=1, initial_reinforcements=0)
    assert (t.seat, names(t)) == (1, ["end_turn"])
    starters = Batch("unit", 200, 3, random_start=1).states["seat"]
    assert 60 < int(starters.sum()) < 140


@pytest.mark.parametrize("layout", [33, 353, 5775, 77777])
def test_other_layouts_play_to_the_end(layout: int) -> None:
    batch = Batch("unit", 2, 1, "pure", restart=False, layout=layout, max_actions=60)
    assert (batch.finish_random() <= 60).all()
    game = batch.game
    for action in range(0, game.spec.actions, 37):
        assert game.parse_action(game.action_name(action)) == action
    row = batch.states[0]
    same(plain(row).array, game.parse(game.text(row)).array, "text of another layout")


@pytest.mark.parametrize("layout", [3, 349, 30, 375753])
def test_impossible_layouts_are_refused(layout: int) -> None:
    with pytest.raises(BadValue, match="option layout"):
        load("unit", layout=layout)


@pytest.mark.slow
def test_another_layout_is_the_same_compiled() -> None:
    compare_devices(load("unit", layout=353), "pure", "cpu", 2, steps=30)


POSITIONS = [plain(row) for row in positions(GAME, 3) if row.end == 0]


@pytest.mark.parametrize("name", ["transpose", "layer_flip", "half_turn"])
def test_symmetries_leave_play_unchanged(name: str) -> None:
    symmetry = SYMMETRIES[name]
    assert symmetry.swaps_players == (name == "half_turn")
    chance = np.random.default_rng(1)
    for row in POSITIONS:
        one, other = Table(GAME, position=row.array), Table(GAME, position=symmetry.position(row.array))
        legal = one.legal()
        assert sorted(symmetry.actions[legal].tolist()) == other.legal()
        action = int(chance.choice(legal))
        one.apply(action)
        other.apply(int(symmetry.actions[action]))
        same(symmetry.position(plain(one.s).array), plain(other.s).array, f"{name} of {GAME.action_name(action)}")


@pytest.mark.parametrize("name", ["transpose", "layer_flip"])
def test_planes_turn_as_the_board_does(name: str) -> None:
    symmetry = SYMMETRIES[name]
    for row in POSITIONS[::10]:
        one, other = Table(GAME, position=row.array), Table(GAME, position=symmetry.position(row.array))
        for seat in range(2):
            assert np.array_equal(symmetry.planes(one.encode(seat)), other.encode(seat))


def test_symmetries_are_their_own_inverses() -> None:
    for symmetry in SYMMETRIES.values():
        assert symmetry.vertices[symmetry.vertices].tolist() == list(range(117))
        assert symmetry.actions[symmetry.actions].tolist() == list(range(2373))


def test_planes_show_the_board_from_the_movers_side() -> None:
    t = table("A2:3 . .\n. :7 .\n. . B12:200", "turn 9; player1 to act; infused; pool 3 40; actions 250\n")
    planes = t.encode(1)[:, 0]
    assert planes.shape == (11, 117)
    assert planes[:, 0].tolist() == pytest.approx([1.2, 0, 10, 1, 0, 1, 0, 1 / 3, 1, 0, 1])  # its own corner, 8 turned
    assert planes[:, 8].tolist() == pytest.approx([0, 0.2, 0.3, 0, 0.6, 0, 1, 1 / 3, 0, 1, 0])
    assert planes[2, 4] == pytest.approx(0.7)
    assert planes[10, :7].tolist() == pytest.approx([1, 0, 1, 0, 4, 0.3, 0.5])
    assert t.encode(0)[10, 0, :7].tolist() == pytest.approx([0, 0, 1, 0, 0.3, 4, 0.5])
