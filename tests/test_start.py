"""How games start: seed and position alone fix all chance, wherever; options come from the game or from the position."""

from typing import Any

import numpy as np
import pytest

from ludus.adapters import pettingzoo as zoo
from ludus.adapters.gymnasium import SeatEnv
from ludus.core import BadValue, LudusError, agent_seed, plain
from ludus.engine import Batch, Table
from ludus.games import Game, load, names

every_game = pytest.mark.parametrize("name", names())


def chance_of(table: Table) -> tuple[bytes, int, int]:
    return bytes(table.s.bytes), int(table.rng[0]), int(table.dice[0])


def mid_game(name: str, moves: int = 7) -> Any:
    table = Table(name, 9, "pure")
    for _ in range(moves):
        if not table.over:
            table.apply(table.legal()[-1])
    return table.s.copy()


@every_game
def test_a_table_an_environment_and_a_batch_deal_the_same_game(name: str) -> None:
    table, env, batch = Table(name, 5, "pure"), zoo.env(name, device="pure"), Batch(name, 2, [4, 5], "pure")
    env.reset(seed=5)
    assert chance_of(table) == chance_of(env.table)
    assert table.digest() == batch.digest()[1]
    for _ in range(12):
        if table.over:
            break
        action = table.legal()[0]
        for one in (table, env.table):
            one.apply(action)
        batch.step(np.array([np.argmax(batch.legal()[0]), np.argsort(table.game.own_ids[int(batch.states[1].seat)])[action]]))
        assert chance_of(table) == chance_of(env.table)
        assert table.over or table.digest() == batch.digest()[1]


@every_game
def test_seed_and_position_fix_all_chance(name: str) -> None:
    """Whatever was played at the table or in the environment before."""
    row = mid_game(name)
    due = chance_of(Table(name, 6, "pure", position=row))
    used, env = Table(name, 1, "pure"), zoo.env(name, seed=2, device="pure")
    used.apply(used.legal()[0])
    used.begin(6, row)
    assert chance_of(used) == due
    env.reset()
    env.step(int(np.argmax(env.infos[env.agent_selection]["action_mask"])))
    env.reset(seed=6, options={"position": used.game.text(row)})
    assert chance_of(env.table) == due
    single = SeatEnv(name, int(row.seat), device="pure")
    single.reset(seed=6, options={"position": row})
    assert chance_of(single.table) == due


@every_game
def test_without_a_seed_chance_goes_on(name: str) -> None:
    table = Table(name, 5, "pure")
    seeds, games = {table.seed}, {(bytes(table.s.bytes), int(table.rng[0]))}
    for _ in range(3):
        for _ in range(3):
            table.apply(table.legal()[0])
        table.begin()
        seeds.add(table.seed)
        games.add((bytes(table.s.bytes), int(table.rng[0])))
    assert len(seeds) == 4  # agents have chance of their own in each of them
    again = Table(name, 5, "pure")
    again.begin()
    assert again.seed in seeds


def test_bots_have_the_same_chance_in_a_batch_at_a_table_and_as_agents(tiny: Game) -> None:
    batch, table = Batch(tiny, 2, [3, 8], "pure"), Table(tiny, 8, "pure")
    table.seat_bots(["random"] * 3)
    table.play_bots()
    batch.finish(["random"] * 3)
    assert table.digest() == batch.digest()[1]
    assert agent_seed(8, 0) != agent_seed(8, 1)


def test_a_position_brings_its_options_for_one_game(tiny: Game) -> None:
    row = Table("tiny", 1, "pure", goal=50).s.copy()
    table = Table(tiny, 1, "pure")
    for begin in (table.begin, lambda seed, position: table.load(position)):
        begin(1, row)
        assert (table.s.opt_goal, table.game.options["goal"]) == (50, 50)
        while not table.over:
            table.apply(table.legal()[-1])
        assert table.s.total == 50
        table.begin(2)
        assert (table.s.opt_goal, table.game.options["goal"]) == (30, 30)


def test_an_environment_forgets_a_positions_options(tiny: Game) -> None:
    row = Table("tiny", 1, "pure", goal=50).s.copy()
    for env in (zoo.env(tiny, device="pure"), SeatEnv(tiny, device="pure")):
        env.reset(seed=1, options={"position": row})
        assert env.table.s.opt_goal == 50
        env.reset()
        assert env.table.s.opt_goal == 30


def test_options_that_contradict_a_position_are_an_error(tiny: Game) -> None:
    row = Table("tiny", 1, "pure", goal=50).s.copy()
    with pytest.raises(BadValue, match="option goal was set to 40, but the position says 50; leave one of them out"):
        Table("tiny", 1, "pure", position=row, goal=40)
    with pytest.raises(BadValue, match="option goal was set to 30"):
        Table("tiny", 1, "pure", position=row, goal=30)  # the default, but somebody asked for it
    env = zoo.env("tiny", goal=40, device="pure")
    env.reset()
    before = chance_of(env.table)
    with pytest.raises(BadValue, match="leave one of them out"):
        env.reset(seed=3, options={"position": row})
    assert chance_of(env.table) == before
    assert Table("tiny", 1, "pure", position=row, goal=50).s.opt_goal == 50
    with pytest.raises(BadValue, match="options go with the game's name"):
        Table(tiny, 1, "pure", goal=40)


def test_options_of_a_game_cannot_be_changed(tiny: Game) -> None:
    with pytest.raises(TypeError):
        tiny.options["goal"] = 3  # type: ignore[index]
    with pytest.raises(AttributeError):
        tiny.options = {}  # type: ignore[misc]


@pytest.mark.parametrize("position", [3, b"x", {"seat": 0}, np.zeros(1, "i4"), [], "no such text"])
def test_what_is_no_position_is_refused_before_anything_changes(tiny: Game, position: object) -> None:
    table = Table(tiny, 1, "pure")
    before = chance_of(table)
    with pytest.raises(LudusError):
        table.begin(2, position)
    assert chance_of(table) == before
    assert table.seed == 1


@every_game
def test_a_position_as_a_row_a_record_an_array_or_a_text(name: str) -> None:
    row = mid_game(name)
    due = Table(name, 1, "pure", position=row).digest()
    for given in (row.array, row.array[0], row.array.view(np.recarray)[0], load(name).text(row), plain(row.array)):
        assert Table(name, 1, "pure", position=given).digest() == due


def test_a_table_remembers_how_its_game_began(tiny: Game) -> None:
    table = Table(tiny, 4, "pure")
    assert (table.seed, table.position) == (4, "")
    row = table.s.copy()
    table.begin(5, row)
    assert table.seed == 5
    assert table.game.parse(table.position).bytes == row.bytes
