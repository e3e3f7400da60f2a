"""Unit: the graph and its ids, drawn boards for the rules, symmetries, refusals, the original's objects, bots."""

import json
from collections import Counter
from io import StringIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.core import BadRecord, BadValue, IllegalAction
from ludus.engine import Batch, Table
from ludus.games import load
from ludus.games.unit import actions, board, compat
from ludus.games.unit.symmetry import SYMMETRIES
from ludus.testing import compare_devices, positions, same
from ludus.view.terminal import draw

GAME = load("unit")
VIEW, RULES = GAME.view, GAME.rules
READY = "turn 9; player0 to act; placed; infused; pool 0 0\n"  # only the third action is left


def table(drawing: str, facts: str = READY) -> Table:
    """Set a position up; layers that are not drawn are empty."""
    return Table(GAME, device="pure", position=facts + drawing)


def names(t: Table) -> list[str]:
    return [VIEW.action_name(action) for action in t.legal()]


def play(t: Table, *words: str) -> Table:
    for word in words:
        t.apply(VIEW.parse_action(word))
    return t


def layer(t: Table, number: int = 0) -> list[str]:
    """Return the cells of a layer as the drawing shows them."""
    first = board.OFFSETS[number]
    return [VIEW.cell(t.s, first + k) for k in range(board.SIZES[number] ** 2)]


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


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (0, "end_turn"), (1, "place 0"), (2, "place 8"), (3, "place 108"), (4, "place 116"), (5, "infuse 0"),
        (121, "infuse 116"), (122, "move 0 -> 3"), (569, "move 116 -> 107"), (570, "attack 0 -> 3"),
        (1018, "pincer 0 from 3 1"), (2372, "pincer 116 from 113 115 107"),
    ],
)  # fmt: skip
def test_ids_have_their_check_values(action: int, name: str) -> None:
    assert VIEW.action_name(action) == name
    assert VIEW.parse_action(name) == action


def test_there_are_2373_ids_and_each_has_one_form() -> None:
    forms = [actions.form_of(action) for action in range(GAME.spec.actions)]
    assert len(forms) == 2373
    assert [actions.id_of(form) for form in forms] == list(range(2373))
    assert [actions.id_of(compat.read_action(compat.write_action(k, "v"))) for k in range(2373)] == list(range(2373))
    assert len({compat.head_index(action) for action in range(2373)}) == 2373
    assert max(map(compat.head_index, range(2373))) == 117 * 71


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
    assert VIEW.FIGHTS[t.s.last_fight] == fight
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
    assert VIEW.FIGHTS[t.s.last_fight] == fight
    assert tuple(int(force) / int(t.s.last_unit) for force in t.s.last_force) == forces


def test_six_origins_need_more_than_32_bits() -> None:
    t = table("")
    for origin in board.NEIGHBOURS[58]:
        RULES.put(t.s, 0, origin, 9, 9)
    RULES.put(t.s, 1, 58, 30, 30)
    t.load(t.s.copy())
    pincers = [name for name in names(t) if name.startswith("pincer 58")]
    assert len(pincers) == 57
    play(t, "pincer 58 from 51 65 57 59 21 95")
    assert int(t.s.last_force[0]) / int(t.s.last_unit) == 10**6
    assert VIEW.cell(t.s, 58) == "A24:24"


@pytest.mark.parametrize(
    ("start", "to", "power"),
    [(0, 1, 1), (0, 9, 4), (9, 0, 2), (9, 10, 8), (9, 34, 18), (34, 35, 27), (34, 9, 12)],
)
def test_entering_a_layer_needs_force_from_where_one_stands(start: int, to: int, power: int) -> None:
    for energy, is_legal in ((power - 1, False), (power, True)):
        t = table("")
        RULES.put(t.s, 0, start, 1, energy)
        t.load(t.s.copy())
        action = VIEW.parse_action(f"move {start} -> {to}")
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
    assert t.why_not(0, VIEW.parse_action("attack 0 -> 1")) == "mandatory_first"
    play(t, "infuse 0")
    assert names(t) == ["move 0 -> 3", "move 0 -> 9", "attack 0 -> 1"]


def test_holding_both_enemy_corners_wins_even_without_energy() -> None:
    t = table(". . .\n. . A1:1\n. . .")
    RULES.put(t.s, 0, 116, 1, 0)
    t.load(t.s.copy())
    play(t, "move 5 -> 8")
    assert t.over
    assert t.result().outcome == (1, -1)
    assert (t.seat, t.rewards) == (0, [1, -1])  # a move does not pass the turn on
    assert t.why_not(0, 0) == "game_over"


def test_a_winning_fight_has_passed_the_turn_on() -> None:
    t = table(". . .\n. . A3:3\n. . B1:1")
    RULES.put(t.s, 0, 116, 1, 0)
    t.load(t.s.copy())
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
        assert game.view.parse_action(game.view.action_name(action)) == action
    row = batch.states[0]
    same(np.array([row]), np.array([game.view.parse(game.view.text(row))]), "text of another layout")


@pytest.mark.parametrize("layout", [3, 349, 30, 375753])
def test_impossible_layouts_are_refused(layout: int) -> None:
    with pytest.raises(BadValue, match="option layout"):
        load("unit", layout=layout)


def test_another_layout_is_the_same_compiled() -> None:
    compare_devices(load("unit", layout=353), "pure", "cpu", 2, steps=30)


POSITIONS = [row for row in positions(GAME, 3) if row.end == 0]


@pytest.mark.parametrize("name", ["transpose", "layer_flip", "half_turn"])
def test_symmetries_leave_play_unchanged(name: str) -> None:
    symmetry = SYMMETRIES[name]
    assert symmetry.swaps_players == (name == "half_turn")
    chance = np.random.default_rng(1)
    for row in POSITIONS:
        one, other = Table(GAME, position=row), Table(GAME, position=symmetry.position(np.array([row]))[0])
        legal = one.legal()
        assert sorted(symmetry.actions[legal].tolist()) == other.legal()
        action = int(chance.choice(legal))
        one.apply(action)
        other.apply(int(symmetry.actions[action]))
        same(symmetry.position(np.array([one.s])), np.array([other.s]), f"{name} of {VIEW.action_name(action)}")


@pytest.mark.parametrize("name", ["transpose", "layer_flip"])
def test_planes_turn_as_the_board_does(name: str) -> None:
    symmetry = SYMMETRIES[name]
    for row in POSITIONS[::10]:
        one, other = Table(GAME, position=row), Table(GAME, position=symmetry.position(np.array([row]))[0])
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


ANY = st.one_of(
    st.integers(-3, 130), st.none(), st.booleans(), st.text(max_size=5), st.floats(), st.lists(st.integers(-1, 120), max_size=4)
)
FORMS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from([*actions.VERTEX_KEYS, "teleport", 3]), "vertex": ANY, "from": ANY, "to": ANY,
        "target": ANY, "origins": ANY, "vertexId": ANY,
    },
)  # fmt: skip


@settings(deadline=None)
@given(st.sampled_from(POSITIONS), st.one_of(FORMS, ANY))
def test_any_input_is_an_action_or_has_a_reason(row: Any, form: object) -> None:
    s = row.copy()
    reason = actions.refusal(s, form)
    legal = Table(GAME, device="pure", position=row).legal()
    assert (reason == "") == (actions.id_of(form) in legal)
    same(np.array([row]), np.array([s]), "a position that was only asked")


def test_refusals_agree_with_the_mask() -> None:
    chance = np.random.default_rng(2)
    for row in POSITIONS[::8]:
        t = Table(GAME, position=row)
        legal = t.legal()
        for action in {*legal, *chance.integers(0, 2373, 60).tolist()}:
            assert (t.why_not(t.seat, action) == "") == (action in legal)
        assert t.why_not(1 - t.seat, legal[0]) == "not_your_turn"
        assert t.why_not(t.seat, 2373) == t.why_not(t.seat, "place 0") == "malformed"


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v1"}, ""),
        ({"type": "pincer", "targetId": "v1", "originIds": ["v4", "v0"]}, ""),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v1", "playerId": "Player1"}, ""),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v1", "playerId": "Player2"}, "not_your_turn"),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v1", "playerId": "Player3"}, "malformed"),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "vertex-117"}, "malformed"),
        ({"type": "attack", "vertexId": "vertex-0"}, "malformed"),
        ({"type": "attack", "vertexId": "vertex-1", "targetId": "v0"}, "not_own_stack"),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v8"}, "not_adjacent"),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v3"}, "no_enemy_at_target"),
        ({"type": "attack", "vertexId": "vertex-2", "targetId": "v1"}, "not_occupied"),
        ({"type": "pincer", "targetId": "v1", "originIds": []}, "bad_origin_count"),
        ({"type": "pincer", "targetId": "v1", "originIds": ["v0", "v0"]}, "bad_origin_count"),
        ({"type": "pincer", "targetId": "v1", "originIds": ["v0", "v4", "v0"]}, "bad_origin_count"),
        ({"type": "pincer", "targetId": "v1", "originIds": ["v0", "v2"]}, "not_occupied"),
        ({"type": "pincer", "targetId": "v1", "originIds": ["v0", "v8"]}, "not_own_stack"),
        ({"type": "pincer", "targetId": "v1", "originIds": "v0 v4"}, "malformed"),
        ({"type": "place", "vertexId": "v0"}, "already_placed"),
        ({"type": "infuse", "vertexId": "v0"}, "already_infused"),
        ({"type": "move", "fromId": "v0", "toId": "v1"}, "enemy_at_target"),
        ({"type": "endTurn"}, "mandatory_outstanding"),
        ({"type": "end_turn"}, "malformed"),  # our word, not the original's
        ({"type": ["move"]}, "malformed"),
        ("endTurn", "malformed"),
        (None, "malformed"),
    ],
)
def test_the_originals_actions_are_read_or_refused_with_a_reason(written: object, reason: str) -> None:
    t = table("A2:3 B1:1 A1:0\n. A2:2 .\n. . .")
    before = t.s.copy()
    action, came = compat.action_of(t.s, written)
    assert came == reason
    assert (action in t.legal()) == (reason == "")
    same(np.array([before]), np.array([t.s]), "a position that was only asked")


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
        VIEW.parse_action(typed)
    assert caught.value.reason == reason


@pytest.mark.parametrize("typed", ["move 12 -> 13", "MOVE 12 13", "move v12 to vertex-13", " move  12->13 "])
def test_actions_may_be_typed_freely(typed: str) -> None:
    assert VIEW.action_name(VIEW.parse_action(typed)) == "move 12 -> 13"


def test_the_originals_state_object_goes_both_ways() -> None:
    for row in POSITIONS[::9]:
        for spelling in compat.SPELLINGS:
            written = json.loads(json.dumps(compat.write_state(row, spelling)))
            read = compat.read_state(written, int(row.actions))
            for field in ("held", "pieces", "energy", "pool", "seat", "turn", "placed", "infused", "moved", "winner"):
                assert np.array_equal(read[field], row[field]), field
    assert written["vertices"]["v21"]["adjacencies"] == ["v16", "v26", "v20", "v22", "v4", "v58"]
    assert written["homeCorners"] == {"Player1": ["v0", "v108"], "Player2": ["v8", "v116"]}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("vertices", "vertex-0", "energy"), -1),
        (("vertices", "vertex-0", "energy"), 2_000_000),
        (("vertices", "vertex-0", "stack"), [{"owner": "Player1"}, {"owner": "Player2"}]),
        (("vertices", "vertex-0", "stack"), [{"owner": "Player3"}]),
        (("vertices", "vertex-999"), {"stack": [], "energy": 0}),
        (("currentPlayerId",), "Player3"),
        (("turn",), {}),
        (("players", "Player1", "reinforcements"), "many"),
        (("winner",), "Player1"),
    ],
)
def test_broken_state_objects_are_refused(path: tuple[str, ...], value: object) -> None:
    written: Any = compat.write_state(POSITIONS[5])
    place = written
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(BadRecord):
        compat.read_state(written)


def test_the_original_networks_input_is_kept() -> None:
    t = table("A2:3 . .\n. :7 .\n. . B1:2")
    seen = compat.network_input(t.observe(1))
    assert seen.shape == (117, 5)
    assert seen[[0, 4, 8, 116]] == pytest.approx(
        np.array([[1, 0.2, 0.3, -1, 0], [0, 0, 0.7, 0, 0], [1, 0.1, 0.2, 1, 0], [0, 0, 0, 0, 1]])
    )
    assert compat.policy_class(122) == 2
    assert compat.policy_class(0) is None


@pytest.mark.parametrize(
    "broken",
    ["A1:1 . .\n. . .", "A1:1 . X\n. . .\n. . .", "A0:1 . .\n. . .\n. . .", "turn x; player0 to act", "turn 0; moved",
     "turn 1; over player1", "|||||", "turn 1; max_actions -1"],
)  # fmt: skip
def test_broken_texts_are_refused(broken: str) -> None:
    with pytest.raises((BadRecord, BadValue)):
        VIEW.parse(broken)


def test_a_scene_stands_in_true_coordinates() -> None:
    t = play(table("A3:2 B1:0 .\n. :4 .\n. . ."), "attack 0 -> 1")
    scene = VIEW.scene(t.s)
    assert 5 * scene.width * scene.height - len(scene.holes) == 117
    columns = {(link.x, link.y, link.to_x, link.to_y) for link in scene.links if link.z != link.to_z}
    assert len(columns) == 9  # through all layers, straight up
    assert all(column[:2] == column[2:] for column in columns)
    (piece,) = scene.pieces
    assert (piece.x, piece.y, piece.z, piece.text, piece.role) == (6, 0, 0, "2", "seat0")
    assert [(bar.name, bar.value) for bar in piece.bars] == [("energy", 2), ("force", 4)]
    assert [(cell.text, cell.x, cell.y, cell.z) for cell in scene.cells if cell.role == "goal"] == [
        ("h0", 0, 0, 0), ("h1", 12, 12, 0), ("h0", 0, 0, 4), ("h1", 12, 12, 4),
    ]  # fmt: skip
    assert [event.text for event in scene.events] == ["player0: attack 0 -> 1", "6 against 0: the attacker wins"]


def test_a_terminal_shows_five_grids_side_by_side() -> None:
    from rich.console import Console

    console = Console(width=120, color_system=None, file=StringIO())
    console.print(draw(VIEW.scene(table("A3:2 . .\n. . .\n. . B12:1").s)))
    lines = [line.split() for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]
    assert [len(line) for line in lines[1:8]] == [23, 23, 23, 17, 17, 7, 7]
    assert lines[1][0] == "A3:2"
    assert lines[3][2] == "B12:1"


def choices(bot: str, rows: list[Any], device: str) -> list[int]:
    batch = Batch(GAME, len(rows), 5, device)
    batch.load(np.array(rows))
    batch.set_bots([bot] * 2)
    chosen: list[int] = batch.choose().tolist()
    return chosen


@pytest.mark.parametrize("bot", list(GAME.bots))
def test_bots_choose_the_same_uncompiled(bot: str) -> None:
    rows = POSITIONS[4::40] if bot == "planner" else POSITIONS[::5]
    assert choices(bot, rows, "pure") == choices(bot, rows, "cpu")


def finish_turns(row: Any, turns: int) -> Any:
    """Let planners play so many turns; return the position."""
    batch = Batch(GAME, 1, 1, restart=False)
    batch.load(row)
    batch.set_bots(["planner", "planner"])
    while not batch.result()[0][0] and batch.states["turn"][0] < row.turn + turns:
        batch.step(batch.choose())
    return batch.states[0]


def test_the_planner_takes_a_win_in_either_seat() -> None:
    t = table(". . .\n. . A2:2\n. . B1:1", "turn 9; player0 to act; pool 1 0\n")
    RULES.put(t.s, 0, 116, 1, 0)
    other = GAME.empty()[0]
    RULES.twin(t.s, other)
    assert [int(finish_turns(row, 1)["winner"]) for row in (t.s, other)] == [0, 1]


def test_the_planner_stops_a_win() -> None:
    t = table(". . .\nB2:2 A9:1 .\n. . .", "turn 9; player0 to act; pool 1 0\n")
    RULES.put(t.s, 1, 108, 1, 0)  # the enemy needs one more step
    assert int(finish_turns(t.s, 2)["winner"]) == -1
    t.s.seat = 1
    assert int(finish_turns(t.s, 1)["winner"]) == 1


def score(one: str, other: str, games: int) -> float:
    """Return the share of points of the first bot, seats swapped, a draw as half."""
    total = 0.0
    for seat, bots in enumerate(([one, other], [other, one])):
        batch = Batch(GAME, games // 2, seat, restart=False)
        batch.finish(bots)
        total += float((batch.result()[1][:, seat] + 1).sum() / 2)
    return total / (games // 2 * 2)


def test_stronger_bots_win() -> None:
    assert score("greedy", "random", 200) >= 0.95
    assert score("greedy", "uniform", 200) >= 0.95
    assert score("planner", "greedy", 200) >= 0.8
    assert score("dynamic", "random", 100) >= 0.95
    assert score("aggressor", "random", 100) >= 0.95
