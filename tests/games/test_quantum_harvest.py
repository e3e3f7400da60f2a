"""Quantum Harvest: drawn boards for the rules, the fog, texts and scenes."""

import copy
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus import golden
from ludus.core import Count, Difference, Tape, Trace, plain, read_traces, streams
from ludus.engine import Batch, Table
from ludus.games import load

ROOT = Path(__file__).parent.parent.parent
DATA = ROOT / "tests" / "data" / "quantum_harvest"
SMALL = load("quantum_harvest", size=6)
T = SMALL.part("tables")

BOARD = """
. . . . . .
. . . . . .
. . . . . .
. . . . . .
. . . . . .
. . . . . .
"""


def draw_board(changes: dict[str, str] | None = None, *lines: str) -> Table:
    """Set a 6 by 6 board up: tiles by "x,y", then facts and units; both sides have a scout in their corner."""
    rows = [row.split() for row in BOARD.strip().splitlines()]
    for place, tile in (changes or {}).items():
        x, y = map(int, place.split(","))
        rows[y][x] = tile
    units = [*lines]
    if not any(line.startswith("player1 ") for line in lines):
        units.append("player1 0 scout 0,0")
    if not any(line.startswith("player2 ") for line in lines):
        units.append("player2 0 scout 5,5")
    drawing = "\n".join([*(" ".join(row) for row in rows), *units])
    return Table(SMALL, device="pure", position=drawing)


def give(table: Table, *orders: str) -> None:
    """Give a seat's orders, such as "0 move right", and close its turn; units are picked as they come."""
    s, seat, turn = table.s, table.seat, int(table.s.turn)
    for order in orders:
        unit, action = order.split(" ", 1)
        slots = s.unit_id[seat, : s.units[seat] + s.promised].tolist()
        if slots.index(int(unit)) != s.slot:
            table.apply(T.PICK + slots.index(int(unit)))
        table.apply(SMALL.parse_action(action))
    if table.seat == seat and s.turn == turn and not table.over:
        table.apply(T.DONE)


def play(table: Table, first: list[str], second: list[str]) -> list[list[float | None]]:
    """Play a turn; return what each order paid, None for skipped ones."""
    give(table, *first)
    give(table, *second)
    s = table.s
    return [
        [None if reward == T.SKIPPED else reward / 4 for reward in s.order_reward[seat, : s.last_orders[seat]].tolist()]
        for seat in range(2)
    ]


def unit(table: Table, seat: int, unit_id: int) -> dict[str, int] | None:
    """Return a unit as numbers, or None when it is gone."""
    s = table.s
    ids = s.unit_id[seat, : s.units[seat]].tolist()
    if unit_id not in ids:
        return None
    k = ids.index(unit_id)
    return {name: int(s[f"unit_{name}"][seat, k]) for name in ("x", "y", "type", "health", "attacks")}


def place(table: Table, seat: int, unit_id: int) -> tuple[int, int] | None:
    """Return where a unit stands."""
    found = unit(table, seat, unit_id)
    return None if found is None else (found["x"], found["y"])


def test_moves_go_in_eight_directions_and_stop_at_edges_barriers_and_enemies() -> None:
    table = draw_board({"1,0": "#"}, "player1 0 scout 0,0", "player1 1 warrior 4,4", "player2 0 scout 5,5")
    assert play(table, ["0 move right", "1 move down-right"], ["0 move up"]) == [[0, 0], [1]]
    assert play(table, ["0 move down-right", "1 move down-right"], ["0 move left"]) == [[1, 1], [1]]
    assert (place(table, 0, 0), place(table, 0, 1), place(table, 1, 0)) == ((1, 1), (5, 5), (4, 4))
    assert play(table, ["1 move right"], ["0 move down-right"]) == [[0], [0]]  # the edge; a tile that an enemy holds


def test_staying_on_a_barrier_fails_and_a_quantum_move_leads_onto_it() -> None:
    table = draw_board({"1,0": "#"}, "energy 400 0")
    assert play(table, ["0 quantum right"], []) == [[2], []]
    assert (place(table, 0, 0), table.s.energy[0]) == ((1, 0), 0)
    assert play(table, ["0 move here"], []) == [[0], []]
    assert play(table, ["0 move right"], []) == [[1], []]


def test_gates_are_shared_and_the_later_unit_holds_the_tile() -> None:
    table = draw_board({"3,3": "G"}, "player1 0 scout 2,2", "player2 0 scout 4,4")
    play(table, ["0 move down-right"], ["0 move up-left"])
    assert place(table, 0, 0) == place(table, 1, 0) == (3, 3)
    assert table.s.territory.tolist() == [0, 1]
    first_born = draw_board({"3,3": "G"}, "player2 0 scout 4,4", "player1 0 scout 2,2")
    play(first_born, ["0 move down-right"], ["0 move up-left"])
    assert first_born.s.territory.tolist() == [1, 0]


def test_harvests_pay_by_type_and_the_last_one_in_full() -> None:
    table = draw_board({"1,1": "N"}, "amount 1,1 2", "player1 0 scout 1,1", "player1 1 harvester 1,1", "player1 2 warrior 1,1")
    assert play(table, ["2 harvest", "0 harvest", "1 harvest"], []) == [[0, 0.25, 1], []]
    assert (table.s.tile[1, 1], table.s.energy[0]) == (T.EMPTY, 5)
    assert play(table, ["1 harvest"], []) == [[0], []]


def test_attacks_find_the_first_enemy_past_friends_and_stop_at_barriers() -> None:
    table = draw_board({}, "energy 400 0", "player1 0 warrior 0,2 boost 2", "player1 1 scout 1,2", "player2 0 scout 3,2")
    assert play(table, ["0 attack right"], []) == [[50], []]
    assert (table.s.winner, table.s.end) == (0, T.ELIMINATION)
    wall = draw_board({"2,2": "#"}, "energy 400 0", "player1 0 warrior 0,2 boost 2", "player2 0 scout 3,2")
    assert play(wall, ["0 attack right"], []) == [[0], []]
    assert (wall.s.energy[0], unit(wall, 0, 0)["attacks"]) == (400, 2)
    on_wall = draw_board({"1,2": "#"}, "energy 400 0", "player1 0 warrior 0,2", "player2 0 scout 1,2")
    assert play(on_wall, ["0 attack right"], []) == [[30], []]


@pytest.mark.parametrize("boost", range(5))
@pytest.mark.parametrize(("attacks", "tile"), [(0, "."), (2, "."), (0, "F"), (2, "F")])
def test_damage_follows_the_table(boost: int, attacks: int, tile: str) -> None:
    table = draw_board(
        {"1,0": tile}, "energy 400 0", f"player1 0 warrior 0,0 boost {attacks}", "player2 0 scout 1,0 health 300"
    )
    dealt = (30 + 6 * boost) * (1.5 if attacks else 1) * (0.5 if tile == "F" else 1)
    assert play(table, [f"0 attack right{f' +{boost}' if boost else ''}"], []) == [[dealt], []]
    assert unit(table, 1, 0)["health"] == 600 - 2 * dealt
    assert table.s.energy[0] == 400 - 4 * (15 + boost)


def test_harvesters_draw_fire_before_scouts_and_warriors_and_the_oldest_of_equals() -> None:
    lines = ["energy 400 0", "player1 0 warrior 0,0"]
    enemies = ["player2 3 warrior 1,1", "player2 4 scout 1,1", "player2 5 harvester 1,1", "player2 6 harvester 1,1"]
    table = draw_board({}, *lines, *enemies)
    play(table, ["0 attack down-right +3"], [])
    assert [place(table, 1, k) is None for k in (3, 4, 5, 6)] == [False, False, True, False]


def test_a_killed_unit_does_not_act_and_its_tile_is_free_at_once() -> None:
    lines = ["energy 400 0", "player1 0 warrior 1,1", "player1 1 scout 1,2", "player2 0 scout 2,2", "player2 1 scout 5,5"]
    table = draw_board({}, *lines)
    assert play(table, ["0 attack down-right +3", "1 move right"], ["0 move up", "1 move up"]) == [[50, 1], [None, 1]]
    assert place(table, 0, 1) == (2, 2)


def test_zones_boost_warriors_that_move_and_fields_strip_them() -> None:
    table = draw_board({"1,0": "Z", "2,0": "F"}, "amount 1,0 50", "player1 0 warrior 0,0", "player1 1 harvester 0,0")
    play(table, ["1 move right"], [])
    assert table.s.amount[0, 1] == 50
    play(table, ["0 move right"], [])
    assert (unit(table, 0, 0)["attacks"], table.s.tile[0, 1]) == (2, T.EMPTY)
    play(table, ["0 move right"], [])
    assert unit(table, 0, 0)["attacks"] == 0


def test_buildings_need_an_empty_tile_and_only_zones_mind_enemies() -> None:
    lines = ["energy 4000 0", "player1 0 scout 0,0", "player1 1 harvester 2,2", "player2 0 scout 1,0", "player2 1 scout 5,5"]
    table = draw_board({"0,1": "N"}, *lines)
    assert play(table, ["0 zone right", "1 zone left"], []) == [[0, 0], []]
    assert play(table, ["0 field down", "1 barrier here"], []) == [[0, 10], []]
    assert play(table, ["0 gate right", "1 field up"], []) == [[25, 10], []]
    assert (table.s.energy[0], table.s.tile[0, 1], table.s.tile[2, 2]) == (4000 - 4 * 400, T.GATE, T.BARRIER)


def test_gates_heal_to_the_cap_and_carry_to_other_gates() -> None:
    table = draw_board({"0,0": "G", "4,1": "G"}, "energy 1000 0", "player1 0 warrior 0,0 health 270 boost 1")
    assert play(table, ["0 heal"], []) == [[10], []]
    assert play(table, ["0 heal"], []) == [[10], []]  # paid for at the cap, too
    assert (unit(table, 0, 0)["health"], table.s.energy[0]) == (600, 600)
    assert play(table, ["0 teleport 0,0"], []) == [[0], []]
    assert play(table, ["0 teleport 3,3"], []) == [[0], []]
    assert play(table, ["0 teleport 4,1"], []) == [[15], []]
    assert (place(table, 0, 0), unit(table, 0, 0)["attacks"], table.s.energy[0]) == ((4, 1), 1, 500)


def test_a_new_unit_may_act_in_the_turn_it_is_made_and_has_the_promised_id() -> None:
    table = draw_board({}, "energy 80 0")
    assert play(table, ["0 spawn harvester", "1 move right"], []) == [[20, 1], []]
    assert place(table, 0, 1) == (1, 0)
    assert play(table, ["0 spawn warrior", "2 move right"], []) == [[0, None], []]  # not paid, so nobody is there


def test_spawns_move_aside_when_the_corner_is_taken_and_fail_when_all_is() -> None:
    table = draw_board({"0,0": "#"}, "energy 400 0", "player1 0 scout 3,3", "player2 0 scout 1,0", "player2 1 scout 5,5")
    play(table, ["0 spawn scout"], [])
    assert place(table, 0, 1) == (0, 1)
    walls = {f"{x},{y}": "#" for x in range(4) for y in range(4) if x + y <= 3}
    full = draw_board(walls, "energy 400 0", "player1 0 scout 5,0")
    assert play(full, ["0 spawn scout"], []) == [[0], []]
    assert full.s.energy[0] == 400


def test_a_full_roster_makes_spawns_fail_and_cost_nothing() -> None:
    crowd = [f"player1 {k} scout 0,0" for k in range(T.UNITS)]
    table = draw_board({}, "energy 400 0", *crowd)
    assert play(table, ["3 spawn harvester"], []) == [[0], []]
    assert (table.s.units[0], table.s.energy[0]) == (T.UNITS, 400)
    assert T.SPAWN not in draw_board({}, "energy 400 0", *crowd).legal()


@pytest.mark.parametrize(
    ("facts", "end", "winner"),
    [
        ("energy 399999 0; goals 400000 36 10", T.ENERGY, 0),
        ("energy 399999 400000; goals 400000 36 10", T.ENERGY, 0),
        ("energy 0 400000; goals 400000 36 10", T.ENERGY, 1),
        ("goals 400000 1 1", T.TERRITORY, 0),
        ("turn 999/1000; energy 0 9", T.LIMIT_ENERGY, 1),
        ("turn 999/1000; energy 8 9", T.LIMIT_DRAW, -1),
        ("turn 0/1000; energy 0 9", T.RUNNING, -1),
    ],
)
def test_ends_are_judged_in_order(facts: str, end: int, winner: int) -> None:
    table = draw_board({"0,0": "N"}, facts)
    play(table, ["0 harvest"], [])
    assert (table.s.end, table.s.winner, table.s.turn % 999) == (end, winner, 1)


def test_more_territory_decides_when_energy_is_equal() -> None:
    table = draw_board({}, "turn 999/1000", "player2 0 scout 5,5", "player2 1 scout 4,5")
    play(table, [], [])
    assert (table.s.end, table.s.winner) == (T.LIMIT_TERRITORY, 1)


def test_the_territory_streak_starts_anew_when_it_breaks() -> None:
    table = draw_board({}, "goals 400000 2 3", "player1 0 scout 0,0", "player1 1 scout 1,0")
    play(table, [], [])
    play(table, [], [])
    assert table.s.streak.tolist() == [2, 0]
    play(table, ["1 move left"], [])
    assert (table.s.streak.tolist(), table.s.end) == ([0, 0], T.RUNNING)


def test_units_are_offered_in_order_and_a_pick_comes_first_once() -> None:
    table = draw_board({}, "player1 0 scout 0,0", "player1 1 scout 1,0", "player1 2 scout 2,0")
    assert [T.PICK + k in table.legal() for k in range(4)] == [False, True, True, False]
    table.apply(T.PICK + 2)
    assert table.s.slot == 2
    assert not any(T.PICK <= action < T.TELEPORT or action == T.DONE for action in table.legal())
    table.apply(T.NOTHING)
    assert table.s.slot == 0
    table.apply(T.DONE)
    assert table.seat == 1
    assert T.DONE not in table.legal()  # with one unit left to ask, nothing is the same


def test_the_mask_counts_what_earlier_orders_cost() -> None:
    table = draw_board({}, "energy 40 0", "player1 0 scout 0,0", "player1 1 scout 1,0")
    assert T.SPAWN in table.legal()
    table.apply(T.SPAWN)
    assert T.SPAWN not in table.legal()


def test_hidden_units_change_neither_view_nor_mask() -> None:
    lines = ["energy 4000 4000", "player1 0 warrior 2,2 boost 2", "player1 1 scout 0,0"]
    shown, masks = [], []
    fog = {f"{x},{y}": "." + ("1" if x + y < 4 else "2") for x in range(6) for y in range(6)}
    for hidden in ("player2 0 scout 4,4", "player2 0 warrior 3,3 health 20"):  # in the line of fire, on unexplored tiles
        table = draw_board(fog, *lines, hidden)
        table.s.territory[1] = 1
        shown.append(copy.deepcopy(table.observe(0)))
        masks.append(table.legal())
    assert masks[0] == masks[1]
    assert all(np.array_equal(shown[0][name], shown[1][name]) for name in SMALL.view_type.names)


def test_the_second_seat_learns_nothing_of_the_firsts_orders() -> None:
    views = []
    for orders in (["0 move right"], ["0 harvest"], []):
        table = draw_board({"0,0": "N"})
        give(table, *orders)
        views.append((copy.deepcopy(table.observe(1)), table.legal()))
    for view, legal in views[1:]:
        assert legal == views[0][1]
        assert all(np.array_equal(view[name], views[0][0][name]) for name in SMALL.view_type.names)


def test_an_unseen_attacker_stays_unseen() -> None:
    fog = {f"{x},{y}": "." + ("1" if y < 2 else "2") for x in range(6) for y in range(6)}
    units = ["player1 0 harvester 1,1 health 200", "player2 0 warrior 1,3 boost 2", "player2 1 scout 5,5"]
    table = draw_board(fog, "energy 0 400", *units)
    play(table, [], ["0 attack up"])
    seen, told = table.observe(0).copy(), SMALL.public(table.observe(0))
    assert (seen.events, seen.event_unit[0], seen.event_x[0]) == (1, -1, -1)
    assert "unseen" in told["attacks"][0]["text"]
    assert table.observe(1).event_x[0] == 1


@settings(max_examples=15)
@given(st.integers(0, 2**31), st.integers(0, 4000))
def test_random_games_keep_their_counts(seed: int, energy: int) -> None:
    """What the row counts on the way is what a fresh count gives; energy stays above 0; texts and guesses come back."""
    rules, rng = SMALL.rules, streams(seed, 1)[0]
    s, chance = plain(SMALL.empty()), random.Random(seed)
    rules.new(s, rng)
    s.energy[:] = energy
    rules.open_turn(s, 0)
    mask = np.zeros(8 * -(-SMALL.spec.actions // 8), np.int8)
    for _ in range(120):
        mask[:] = 0
        if rules.legal(s, mask) == 0:
            break
        rules.apply(s, int(chance.choice(np.flatnonzero(mask))), rng)
        assert (s.energy >= 0).all()
    counted = s.copy()
    SMALL.part("board").recount(counted)
    for name in ("here", "held", "shared", "gates"):
        assert np.array_equal(counted[name], s[name]), name
    parsed = SMALL.parse(SMALL.text(s))
    for name in SMALL.state_type.names:
        assert np.array_equal(parsed[name], s[name]), name


def test_a_tampered_record_is_a_difference() -> None:
    data = next(game for game in read_traces(DATA / "visible.jsonl.gz") if len(game["steps"]) < 8)
    data["steps"][-1]["result"]["rewards"][0] += 0.25
    record = Trace(data, "tampered", Count())
    record.take("game"), record.take("id")
    game = load("quantum_harvest", **SMALL.part("golden").options(data))
    with pytest.raises(Difference, match="rewards"):
        game.part("golden").play(record, golden.Border(game, "pure"))


def test_a_draw_too_many_is_a_difference() -> None:
    with pytest.raises(Exception, match="at its end"):
        SMALL.rules.new(plain(SMALL.empty()), Tape([0, 0, 0]))


@pytest.mark.slow
def test_bots_get_stronger() -> None:
    game = load("quantum_harvest")
    for strong, weak, least in (("growth", "random", 0.95), ("raider", "growth", 0.9), ("commander", "raider", 0.6)):
        won = 0.0
        for swapped in (False, True):
            batch = Batch(game, 50, 3, restart=False)
            batch.finish([weak, strong] if swapped else [strong, weak])
            outcomes = batch.result()[1][:, int(swapped)]
            won += float((outcomes > 0).mean() + (outcomes == 0).mean() / 2) / 2
        assert won >= least, f"{strong} against {weak}: {won}"


@pytest.mark.parametrize("obs", ["planes", "dict"])
def test_a_parallel_step_is_a_whole_turn(obs: str) -> None:
    from ludus.adapters import pettingzoo

    env = pettingzoo.parallel_env("quantum_harvest", obs=obs, size=6, max_turns=3, device="pure", seed=1, reward="original")
    env.reset()
    _, rewards, *_ = env.step({"player1": [T.MOVE + T.HERE], "player2": []})
    assert (rewards, env.table.s.turn) == ({"player1": 1.0, "player2": 0.0}, 1)
    env.step({})
    *_, ended, cut, _ = env.step({"player2": [T.DONE, T.DONE]})
    assert (ended, cut, env.agents) == ({"player1": False, "player2": False}, {"player1": True, "player2": True}, [])
