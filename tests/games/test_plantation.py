"""Plantation: drawn fields for the rules, what is seen and remembered, pictures and words, the bots."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus import golden
from ludus.core import BadRecord, BadValue, Difference, LudusError, Tape, UnknownName, read_traces
from ludus.engine import Table
from ludus.games import Game, load

DATA = Path(__file__).parent.parent / "data" / "plantation"


def small(**options: int) -> Game:
    """The board of the drawings: 4 rows, 5 columns."""
    return load("plantation", rows=4, cols=5, **options)


FIELD = """
+1  .  . -1 -2
 . +2 -3 -1  .
 . +1  . -6  .
+5  .  .  .  .
"""


def field(drawing: str = FIELD, facts: str = "") -> Table:
    """Set a field up from a drawing."""
    return Table(small(), device="pure", position=f"{facts}\n{drawing}" if facts else drawing)


def do(table: Table, *commands: str) -> str:
    """Play commands as people write them; return the answer to the last one."""
    seat = table.seat
    for command in commands:
        seat = table.seat
        for action in table.game.parse_turn(command):
            table.apply(action)
    return str(table.game.says("actions", "answer")(table.s, seat))


def grid(table: Table) -> Any:
    """Return the board [row, column], signed; a copy."""
    return np.array(table.s.board).reshape(table.game.rules.SHAPE)


def tile(table: Table, row: int, column: int) -> int:
    return int(grid(table)[row, column])


@pytest.mark.parametrize(
    ("command", "answer", "changed", "left"),
    [
        ("fertilise 1 1", "OK", {(1, 1): 3}, 2),
        ("fertilise 0 1", "error", {}, 2),
        ("fertilise 1 2", "error", {}, 2),
        ("plant 1 0", "OK", {(1, 0): 1}, 2),
        ("plant 2 2", "OK", {(2, 2): 1}, 2),
        ("plant 1 1", "error", {}, 2),
        ("plant 1 2", "occupied -3", {}, 2),
        ("plant 0 2", "error", {}, 2),  # only diagonal
        ("plant 0 3", "error", {}, 2),  # the opponent's, but beside none of mine (D1)
        ("scout 1 1", "OK 1,0,0,0,2,-3,0,1,0", {}, 2),
        ("scout 0 0", "OK 1,0,0,2", {}, 2),
        ("scout 3 2", "OK 1,0,-6,0,0,0", {}, 2),
        ("colonise 0 2 from 1 1", "OK", {(0, 2): 1, (1, 1): 1}, 1),
        ("colonise 3 4 from 3 0", "OK", {(3, 4): 1, (3, 0): 4}, 1),
        ("colonise 0 4 from 3 0", "occupied -2", {}, 1),  # the source keeps its score (D11)
        ("colonise 0 4 from 0 0", "error", {}, 1),  # a weak source comes first (D10)
        ("colonise 0 2 from 0 0", "error", {}, 1),
        ("colonise 0 2 from 0 4", "error", {}, 1),
        ("colonise 0 2 from 0 1", "error", {}, 1),
        ("colonise 0 0 from 3 0", "error", {}, 1),
        ("spray 1 3", "OK 4", {(1, 3): 0, (0, 3): 0, (2, 3): -5, (1, 2): -2}, 1),
        ("spray 1 1", "OK 1", {(1, 2): -2}, 1),  # centred on an own tile, own ones untouched (D9)
        ("spray 3 0", "OK 0", {}, 1),
        ("spray 0 4", "OK 2", {(0, 4): -1, (0, 3): 0}, 1),
        ("bomb 1 2", "OK 3", {(1, 2): 0}, 1),
        ("bomb 2 3", "OK 4", {(2, 3): -2}, 1),
        ("bomb 3 3", "OK 0", {}, 1),
        ("bomb 1 1", "error", {}, 1),
        ("bad", "error", {}, 2),
        ("bad plant", "error", {}, 2),
        ("bad bomb", "error", {}, 1),
        ("from 1 1", "error", {}, 2),  # a source without a colonise is no command
    ],
)
def test_commands(command: str, answer: str, changed: dict[tuple[int, int], int], left: int) -> None:
    table = field()
    due = grid(table)
    for place, value in changed.items():
        due[place] = value
    assert do(table, command) == answer
    assert np.array_equal(grid(table), due)
    assert (table.seat, table.s.moves) == (0, left)
    assert [int(due[due > 0].sum()), -int(due[due < 0].sum())] == table.s.total.tolist()
    assert {(int(c) // 5, int(c) % 5) for c in table.s.last_cell[: table.s.last_changes]} == set(changed)


def test_the_second_player_reads_positive_numbers_of_the_first() -> None:
    table = field(facts="player2 to move")
    assert do(table, "plant 2 2") == "OK"
    assert do(table, "plant 2 1") == "occupied 1"
    assert tile(table, 2, 2) == -1


def test_a_turn_is_three_moves_whatever_the_answers_and_rounds_are_counted_after_player_2() -> None:
    table = field()
    do(table, "bad", "fertilise 0 1", "scout 0 0")
    assert (table.seat, table.s.moves, table.s.turn) == (1, 3, 1)
    do(table, "spray 0 0", "fertilise 0 4")
    assert (table.seat, table.s.moves, table.s.turn) == (0, 3, 2)


@pytest.mark.parametrize("command", ["spray 1 3", "bomb 2 3", "colonise 0 2 from 3 0", "bad spray"])
def test_a_command_for_two_moves_with_one_left_errs_and_ends_the_turn(command: str) -> None:
    table = field(facts="moves 1/3")
    before = grid(table)
    assert do(table, command) == "error"
    assert (table.seat, table.s.moves) == (1, 3)
    assert np.array_equal(grid(table), before)


def test_a_player_without_tiles_plays_on() -> None:
    table = field(" .  .  .  .  .\n" * 3 + " .  .  .  . -1\n")
    kinds = {action // 20 for action in table.legal()}
    assert kinds == {2, 4, 5}  # scout, spray, bomb
    do(table, "spray 3 4", "scout 0 0", "scout 0 0", "scout 0 0", "scout 0 0")
    assert not table.over


@pytest.mark.parametrize(("row", "outcome"), [("+3", (1, -1)), ("+1", (-1, 1)), ("+2", (0, 0))])
def test_the_larger_sum_wins_after_the_second_players_last_turn(row: str, outcome: tuple[int, int]) -> None:
    table = field(f"{row}  .  .  . -2\n" + " .  .  .  .  .\n" * 3, facts="turn 7/7; player2 to move; moves 1/3")
    do(table, "scout 0 0")
    assert table.over
    assert table.result().outcome == outcome
    assert table.result().points == (float(row), 2.0)
    assert tuple(table.rewards) == outcome
    assert (table.s.turn, table.s.moves) == (7, 0)
    with pytest.raises(LudusError, match="over"):
        table.apply(0)


def test_the_set_up_draws_rows_without_replacement_for_each_player() -> None:
    game = small(starting_tiles=2)
    s = game.empty(1)[0]
    tape = Tape([1, 2, 3, 0])
    game.rules.new(s, tape)
    assert tape.left() == 0
    assert np.argwhere(s.board.reshape(4, 5) == 1).tolist() == [[1, 0], [3, 0]]
    assert np.argwhere(s.board.reshape(4, 5) == -1).tolist() == [[0, 4], [3, 4]]
    assert s.total.tolist() == [2, 2]


def test_options_change_moves_costs_and_bombs() -> None:
    table = Table(small(moves=5, cost_scout=3, bomb_damage=2), device="pure")
    assert table.s.moves == 5
    do(table, "scout 0 0")
    assert table.s.moves == 2
    assert all(action // 20 != 2 for action in table.legal())
    weak = Table(small(bomb_damage=2), device="pure", position=FIELD)
    assert do(weak, "bomb 2 3") == "OK 2"


def test_when_nothing_can_work_the_mask_has_the_error_that_is_due() -> None:
    game = small(moves=1, **{f"cost_{name}": 2 for name in ("fertilise", "plant", "scout", "colonise", "spray", "bomb")})
    table = Table(game, device="pure")
    assert [game.action_name(action) for action in table.legal()] == ["bad"]
    table = field("+1  .  .  . -1\n" + " .  .  .  .  .\n" * 3)
    table.apply(table.game.parse_action("colonise 2 2"))
    assert [table.game.action_name(action) for action in table.legal()] == ["bad colonise"]


@given(seed=st.integers(0, 2**32), steps=st.integers(0, 60), wild=st.booleans())
def test_the_mask_is_what_does_not_err(seed: int, steps: int, wild: bool) -> None:
    table = Table(load("plantation", rows=3, cols=3, starting_tiles=2), seed, "pure")
    rules, chance = table.game.rules, np.random.default_rng(seed)
    for _ in range(steps):
        table.apply(int(chance.integers(rules.ACTIONS) if wild else chance.choice(table.legal())))
    legal = table.legal()
    for action in range(rules.ACTIONS):
        s = copy.deepcopy(table.s)
        rules.apply(s, action, None)
        if s.pending < 0 and action < rules.FAULT:
            assert (s.told_answer[table.seat] != rules.ERROR) == (action in legal)
        board = s.board.astype(int)
        assert [board[board > 0].sum(), -board[board < 0].sum()] == s.total.tolist()


def knowledge(table: Table, seat: int = 0) -> dict[tuple[int, int], tuple[int, int]]:
    """What a seat knows: the opponent's score and when it was learned, by place."""
    s = table.s
    return {divmod(c, 5): (int(s.known[seat, c]), int(s.known_turn[seat, c])) for c in range(20) if s.known_turn[seat, c] > 0}


def test_answers_teach_what_they_say_and_no_more() -> None:
    table = field(facts="turn 6/100")
    do(table, "scout 0 4")
    assert knowledge(table) == {(0, 3): (1, 6), (0, 4): (2, 6), (1, 3): (1, 6), (1, 4): (0, 6)}
    do(table, "plant 1 2")
    assert knowledge(table)[1, 2] == (3, 6)
    table = field(facts="turn 6/100")
    do(table, "bomb 2 3")  # took 4: how much is left is not known
    assert knowledge(table) == {}
    do(table, "plant 2 2", "scout 0 0", "scout 0 0", "scout 0 0")
    do(table, "bomb 2 3")  # took 2: nothing is left
    assert knowledge(table)[2, 3] == (0, 7)


def test_a_spray_that_hits_nothing_and_one_that_does() -> None:
    table = field(facts="turn 6/100")
    do(table, "spray 2 1")
    assert knowledge(table) == {(2, 0): (0, 6), (3, 1): (0, 6), (2, 2): (0, 6)}
    table = field(facts="turn 6/100")
    do(table, "scout 0 3", "spray 0 3")
    known = knowledge(table)
    assert (known[0, 3], known[0, 4], known[1, 3], known[0, 2]) == ((0, 6), (1, 6), (0, 6), (0, 6))


def test_an_own_tile_that_vanishes_is_known_to_be_empty() -> None:
    table = field(facts="turn 6/100; player2 to move")
    do(table, "bomb 1 1")
    assert knowledge(table, seat=0) == {(1, 1): (0, 6)}


def test_a_view_shows_own_tiles_and_answers_and_nothing_of_the_other_seat() -> None:
    table = field()
    do(table, "scout 1 1")
    table.apply(table.game.parse_action("colonise 0 2"))
    mine, other = table.observe(0).copy(), table.observe(1).copy()
    assert (mine.moves, mine.pending, mine.told_kind) == (2, 2, 2)
    assert (other.moves, other.pending, other.told_kind, other.opponent_total) == (0, -1, -1, 0)
    assert other.own.tolist() == np.maximum(-table.s.board, 0).tolist()
    assert not other.known.any()
    fogged = table.game.scene(table.s, 1)
    assert "left" not in fogged.status
    assert fogged.events == fogged.marks == ()
    assert {piece.role for piece in fogged.pieces} == {"seat1"}
    assert {number.name: number.text for number in fogged.numbers} == {
        "turn": "1/100",
        "player2 score": "-13",
        "player1 as far as known": "+0",
    }
    (target,) = (mark for mark in table.game.scene(table.s, 0).marks if mark.role == "goal")
    assert (target.x, target.y) == (2, 0)
    assert table.game.scene(table.s, 0).status == "turn 1/100: player1 to move, 2 left, from where to colonise 0,2?"
    assert table.game.scene(table.s).status == table.game.says("scene", "status")(table.s)


def test_views_do_not_depend_on_what_is_hidden() -> None:
    table, changed = field(), field(FIELD.replace("-6", " .").replace("-1", "-9"))
    for seat_table in (table, changed):
        do(seat_table, "fertilise 1 1", "plant 1 0")
    assert table.legal() == changed.legal()
    assert table.observe(0).tobytes() == changed.observe(0).tobytes()
    assert table.encode(0).tobytes() == changed.encode(0).tobytes()


@given(seed=st.integers(0, 2**32), steps=st.integers(0, 200))
def test_a_sampled_position_gives_the_same_view(seed: int, steps: int) -> None:
    table = Table("plantation", seed, max_turns=20)
    chance, rules = np.random.default_rng(seed), table.game.rules
    for _ in range(steps):
        if not table.over:
            table.apply(int(chance.choice(table.legal())))
    for seat in range(2):
        seen = table.observe(seat).copy()
        s, again = table.game.empty(1)[0], np.zeros(1, rules.View).view(np.recarray)[0]
        rules.sample(seen, s, np.array([seed], np.uint64))
        rules.observe(s, seat, again)
        assert all(np.array_equal(seen[name], again[name]) for name in rules.View.names)


def test_a_seat_that_does_not_decide_looks_at_the_corner_and_ends_what_it_began() -> None:
    table = field()
    default = table.game.verbs.default
    assert default is not None
    assert table.game.action_name(default(table.s)) == "scout x0 y0"
    table.apply(table.game.parse_action("colonise 0 2"))
    assert table.game.action_name(default(table.s)) == "from x1 y1"
    assert default(table.s) in table.legal()


def test_planes_have_the_own_home_at_the_left() -> None:
    table = field(facts="turn 51/100; moves 2/3")
    do(table, "scout 0 4")
    planes = table.encode(0)
    assert planes[0].tolist() == [[1, 0, 0, 0, 0], [0, 2, 0, 0, 0], [0, 1, 0, 0, 0], [5, 0, 0, 0, 0]]
    assert planes[1, 0].tolist() == [0, 0, 0, 1, 2]
    assert planes[2, 1].tolist() == [0, 0, 0, 255, 255]
    assert planes[4, 0].tolist() == [1, 0, 0, 0, 0]
    assert planes[5, 0].tolist() == [1, 1, 0, 0, 0]
    assert table.encode(1)[0, 0].tolist() == [2, 1, 0, 0, 0]


def test_actions_have_names_and_short_forms() -> None:
    view = small().part("actions")
    assert view.parse_action("p 3,4") == view.parse_action("plant 3 4") == 1 * 20 + 19
    assert view.parse_actions("c 3,4,0,2") == view.parse_actions("colonise 3 4 from 0 2") == [79, 6 * 20 + 2]
    for wrong in ("plant 4 0", "plant 0 5", "plant -1 0", "plant 1", "plant a b", "plant 1 2 3 4", "colonise 0 0 from 1"):
        with pytest.raises(BadValue):
            view.parse_actions(wrong)
    for wrong in ("fly 1 1", "", "bad luck"):
        with pytest.raises(UnknownName):
            view.parse_actions(wrong)
    with pytest.raises(BadValue, match="two decisions"):
        view.parse_action("colonise 3 4 from 0 2")


def test_the_text_of_the_readme_is_a_position_and_wrong_texts_are_refused() -> None:
    game = load("plantation", rows=2, cols=3)
    text = "turn 5/100; player1 to move; moves 2/3\n+1  .  .\n . -2  .\nplayer1 knows: 1,1=2@5\n"
    text += "player1 was told in turn 5: scout 0 1 = OK 1,0,0,0,-2,0\nplayer1 decided: scout 0 1;\n"
    s = game.parse(text)
    assert "".join(game.text(s).split()) == "".join(text.split())
    assert game.says("actions", "answer")(s, 0) == "OK 1,0,0,0,-2,0"
    changes = (("5/100", "0/100"), ("2/3", "4/3"), ("knows", "guesses"), ("+1", "+99999"), ("+1", "x"))
    changes += (("player1 to", "nobody to"), ("1,1=2@5", "9,1=2@5"), ("OK 1,0,0,0,-2,0", "OK 1,0"), ("= OK", "= maybe"))
    for wrong in (". .\n. .", *(text.replace(*change) for change in changes)):
        with pytest.raises(BadRecord):
            game.parse(wrong)


def test_public_views_say_what_is_there() -> None:
    table = field(facts="turn 6/100")
    do(table, "plant 1 2", "bomb 1 1")
    shown = table.game.public(table.observe(0))
    assert shown["own"] == [[1, 0, 0, 0, 0], [0, 2, 0, 0, 0], [0, 1, 0, 0, 0], [5, 0, 0, 0, 0]]
    assert (shown["known"][1], shown["known_turn"][1]) == ([0, 0, 3, 0, 0], [0, 0, 6, 0, 0])
    assert (shown["me"], shown["to_move"], shown["turn"], shown["over"]) == ("player1", "player2", 6, False)
    assert (shown["options"]["moves"], shown["options"]["cost_bomb"]) == (3, 2)
    assert shown["last"] == {"command": "bomb x1 y1", "turn": 6, "answer": "error", "reason": "the tile is yours already"}


def test_names_say_which_number_is_which() -> None:
    game = load("plantation")
    assert game.action_name(game.parse_action("plant 3 4")) == "plant x4 y3"
    assert game.parse_action("plant x4 y3") == game.parse_action("P X4, Y3") == game.parse_action("p 3,4")
    assert game.parse_turn("colonise x4 y3 from x2 y0") == game.parse_turn("c 3 4 0 2")
    for written in ("plant y3 x4", "plant x4 3", "plant x4", "plant xx4 y3"):
        with pytest.raises(LudusError):
            game.parse_action(written)


def test_a_record_that_was_tampered_with_is_found(tmp_path: Path) -> None:
    data = next(iter(read_traces(DATA / "visible.jsonl.gz")))

    def differs(change: Any) -> None:
        wrong = copy.deepcopy(data)
        change(wrong)
        file = tmp_path / "wrong.jsonl"
        file.write_text(json.dumps(wrong) + "\n")
        with pytest.raises(Difference):
            golden.check("plantation", [file])

    differs(lambda game: game["steps"][3].update(result="OK 1"))
    differs(lambda game: game["steps"][2]["delta"]["clocks"].__setitem__(0, 1.0))
    differs(lambda game: game["steps"][5]["delta"].update(turn=3))
    differs(lambda game: game["initial"]["board"][0].__setitem__(0, 1))
    differs(lambda game: game["final"].update(result=0))
    differs(lambda game: game["steps"][0].update(extra=1))
