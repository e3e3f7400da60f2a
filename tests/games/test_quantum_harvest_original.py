"""Quantum Harvest as its original offered it: environment, orders, observations, replay files, agent files, commands."""

import gzip
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ludus.agents import make_agent
from ludus.core import Agent, BadValue, Start, UnknownName, plain, read_traces, streams
from ludus.engine import Table
from ludus.games import Game, load

ROOT = Path(__file__).parent.parent.parent
DATA = ROOT / "tests" / "data" / "quantum_harvest"
SMALL = load("quantum_harvest", size=6)
T, ORIGINAL = SMALL.part("tables"), SMALL.part("original")
START = plain(SMALL.empty())
SMALL.verbs.new(START, streams(1, 1)[0])


ORIGINAL_MAPS = list(read_traces(DATA / "maps.jsonl.gz"))[::30]


@pytest.mark.parametrize("made", ORIGINAL_MAPS, ids=lambda made: f"size {made['map_size']}")
def test_seeds_give_the_originals_maps(made: dict) -> None:
    env = ORIGINAL.QuantumHarvestEnv(map_size=made["map_size"])
    observation, info = env.reset(seed=made["seed"])
    assert ["".join(map(str, column)) for column in observation["map"].tolist()] == made["map"]
    assert (
        sorted([x, y, value] for (x, y), value in zip(info["energy_nodes"], info["energy_values"], strict=True))
        == made["nodes"]
    )


def make_env(**settings: object) -> object:
    return ORIGINAL.QuantumHarvestEnv(**{"map_size": 6, **settings})


@pytest.mark.parametrize("size", [6, 8, 16, 48])
def test_teleports_lead_to_the_tile_that_they_name_on_maps_of_any_size(size: int) -> None:
    env = load("quantum_harvest").part("original").QuantumHarvestEnv(map_size=size, seed=1)
    env.reset()
    env.state.tile[:], env.state.amount[:] = T.EMPTY, 0
    env.state.tile[0, 0] = env.state.tile[5, size - 2] = T.GATE
    env.state.energy[:] = 400
    *_, info = env.step({"p0_0": [13, size - 2, 5, 0]})
    assert (info["bad_orders"], env.state.unit_x[0, 0], env.state.unit_y[0, 0]) == ([], size - 2, 5)


def test_a_turn_may_be_given_in_two_steps() -> None:
    """The original's last version stepped once a player; here nobody sees the other's orders by that (D1)."""
    env = make_env(seed=3)
    env.reset()
    env.state.tile[:], env.state.amount[:] = T.EMPTY, 0
    before = env.get_player_observation(player_id=1)
    observation, reward, ended, cut, info = env.step({"p0_0": [0, 2, 1, 0]}, increment_turn=False)
    assert (observation["turn"][0], reward, ended, cut, info["rewards"]) == (0, 0.0, False, False, [0.0, 0.0])
    assert all(np.array_equal(before[key], env.get_player_observation(1)[key]) for key in ("units", "fog_maps"))
    observation, reward, *_, info = env.step({"p1_0": [0, 0, 1, 0]})
    assert (observation["turn"][0], reward, info["rewards"], info["bad_orders"]) == (1, 2.0, [1.0, 1.0], [])
    assert env.state.unit_x[:, 0].tolist() == [1, 4]
    env.step({"p0_0": [0, 2, 1, 0]}, False)
    env.reset()
    env.step({})
    assert env.state.unit_x[:, 0].tolist() == [0, 5]  # what was given in another game is forgotten


@pytest.mark.parametrize(
    "orders", [{"p0_0": [0, 0, 2, 1, 0]}, {0: np.array([0, 0, 2, 1, 0])}, [0, 0, 2, 1, 0], np.array([0, 0, 2, 1, 0])]
)
def test_orders_of_five_numbers_name_their_unit_first(orders: object) -> None:
    env = make_env(seed=3)
    env.reset()
    env.state.tile[:], env.state.amount[:] = T.EMPTY, 0
    *_, info = env.step(orders)
    assert (info["bad_orders"], env.state.unit_x[0, 0]) == ([], 1)


def test_numbers_may_be_arrays_without_dimensions() -> None:
    env = make_env(seed=3)
    env.reset()
    env.state.tile[:], env.state.amount[:] = T.EMPTY, 0
    *_, info = env.step({"p0_0": [np.array(0), np.array(2), np.int8(1), 0]})
    assert (info["bad_orders"], env.state.unit_x[0, 0]) == ([], 1)
    assert env.get_player_observation(np.array(1))["units"][0, 1] == 1


def test_rows_of_units_have_eight_columns_if_that_is_asked_for() -> None:
    env = make_env(seed=3, unit_columns=8)
    observation, _ = env.reset()
    assert observation["units"].tolist() == [[0, 0, 2, 0, 0, 45, 0, 0], [0, 1, 2, 5, 5, 45, 0, 0]]
    assert env.get_player_observation(0)["units"].tolist() == [[0, 0, 2, 0, 0, 45, 0, 0]]
    assert env.observation_space.contains(env.get_player_observation(0))
    with pytest.raises(BadValue, match="columns"):
        make_env(unit_columns=10)


BAD_ORDERS = [
    ("p0_0", [0, 1], "four whole numbers"),
    ("p0_0", [7, 1, 1, 0, 0], "four whole numbers"),  # five are for a unit that they name themselves
    ("p0_0", [0, 1, 1, 0, 0, 0], "four whole numbers"),
    ("p0_0", np.array(5), "four whole numbers"),
    ("p0_0", [0, np.array(1.0), 1, 0], "four whole numbers"),
    ("p0_0", [0, np.array(True), 1, 0], "four whole numbers"),
    ("p0_0", [0, 1, 1.0, 0], "four whole numbers"),
    ("p0_0", [0, 1, float("nan"), 0], "four whole numbers"),
    ("p0_0", [0, True, 1, 0], "four whole numbers"),
    ("p0_0", "0110", "four whole numbers"),
    ("p0_0", None, "four whole numbers"),
    ("p0_0", {0: 1, 1: 1, 2: 1, 3: 0}, "four whole numbers"),
    ("p0_0", [[0], 1, 1, 0], "four whole numbers"),
    ("p0_0", [10**30, 1, 1, 0], "no action type"),
    ("p0_0", [-1, 1, 1, 0], "no action type"),
    ("p0_0", [17, 1, 1, 0], "no action type"),
    ("p0_0", [0, 3, 1, 0], "no direction"),
    ("p0_0", [0, 1, 10**30, 0], "no direction"),
    ("p0_0", [7, 1, 1, 5], "no energy boost"),
    ("p0_0", [13, 6, 0, 0], "no tile"),
    ("p0_99", [0, 1, 1, 0], "unknown unit"),
    ("p1_99", [0, 1, 1, 0], "unknown unit"),
    ("p2_0", [0, 1, 1, 0], "names no unit"),
    ("nonsense", [0, 1, 1, 0], "names no unit"),
    (None, [0, 1, 1, 0], "names no unit"),
    (float("nan"), [0, 1, 1, 0], "names no unit"),
    (10**30, [0, 1, 1, 0], "names no unit"),
]


@pytest.mark.parametrize(("key", "order", "reason"), BAD_ORDERS, ids=lambda value: repr(value)[:30])
def test_bad_orders_change_nothing_and_are_reported(key: object, order: object, reason: str) -> None:
    env, quiet = make_env(seed=1), make_env(seed=1)
    env.reset(), quiet.reset()
    *_, info = env.step({key: order, "p1_0": np.array([0, 0, 1, 0])})
    quiet.step({"p1_0": [0, 0, 1, 0]})
    assert len(info["bad_orders"]) == 1
    assert reason in info["bad_orders"][0][1]
    for name in ("tile", "unit_x", "unit_y", "energy", "turn", "units"):
        assert np.array_equal(env.state[name], quiet.state[name])


@pytest.mark.parametrize("actions", [None, [], "p0_0", 5, [[0, 1, 1, 0]]])
def test_a_step_without_a_dictionary_is_a_turn_without_orders(actions: object) -> None:
    env = make_env(seed=1)
    env.reset()
    observation, reward, terminated, truncated, info = env.step(actions)
    assert (reward, terminated, truncated, observation["turn"][0], len(info["bad_orders"])) == (0, False, False, 1, 1)


def test_the_observation_is_as_the_original_describes_it() -> None:
    env = make_env(seed=3)
    env.reset()
    seen = env.get_player_observation(1)
    assert list(seen) == [
        "map", "units", "player_energy", "turn", "fog_maps", "territory_control", "exploration_percentage",
        "victory_conditions", "node_energy", "zone_power",
    ]  # fmt: skip
    assert seen["units"].tolist() == [[0, 1, 2, 5, 5, 45, 0, 0, 0]]
    assert (seen["map"].dtype, seen["fog_maps"].shape, seen["exploration_percentage"][0]) == (np.int8, (1, 6, 6), -1)
    assert (seen["fog_maps"][0] == -1).sum() == 26
    assert env.observation_space.contains(seen)
    assert env.action_space.nvec.tolist() == [17, 6, 6, 5]
    with pytest.raises(BadValue):
        env.get_player_observation(2)


def test_bare_ids_mean_the_oldest_unit_and_player_one_always_runs_first() -> None:
    env = make_env(seed=3)
    env.reset()
    env.state.tile[:] = T.EMPTY
    env.step({"p1_0": [0, 0, 1, 0], 0: [0, 1, 2, 0]})
    assert (env.state.unit_x[:, 0].tolist(), env.state.unit_y[:, 0].tolist()) == ([0, 4], [1, 5])


@pytest.mark.parametrize("name", ["game.json.gz", "game.json"])
def test_replays_are_written_and_read_back(tmp_path: Path, name: str) -> None:
    settings = {"energy_victory_threshold": float("inf"), "player1_username": "ann", "max_turns": 12}
    env = make_env(seed=4, log_game=True, log_file=str(tmp_path / name), **settings)
    env.reset()
    chance, truncated = random.Random(1), False
    while not truncated:
        actions = {f"p{seat}_0": [0, chance.randrange(3), chance.randrange(3), 0] for seat in range(2)}
        *_, truncated, _ = env.step(actions)
    env.close()
    data, s = (tmp_path / name).read_bytes(), env.state
    assert data.startswith(b"\x1f\x8b") == name.endswith(".gz")
    data = gzip.decompress(data) if name.endswith(".gz") else data
    entries, told = json.loads(data), ORIGINAL.read_replay(data)
    assert (entries[0]["player1_username"], entries[-1]["type"], "winner" in entries[-1]) == ("ann", "step", True)
    assert (told.names, len(told.frames)) == (("ann", "Player2"), 13)
    last = told.frames[-1]
    assert (last.turn, last.reason, last.orders) == (12, ORIGINAL.reason_name(s.end), {k: tuple(v) for k, v in actions.items()})
    assert (-1 if last.winner is None else last.winner) == s.winner
    assert np.array_equal(last.tiles, s.tile)
    assert np.array_equal(last.amounts, s.amount)
    assert np.array_equal(last.explored, s.explored[:, :, None] >> np.arange(6) & 1)
    assert [(unit.x, unit.y) for unit in last.units if unit.seat == 1] == [(s.unit_x[1, 0], s.unit_y[1, 0])]
    assert [energy * T.QUARTERS for energy in last.energy] == s.energy.tolist()


@pytest.mark.parametrize("threshold", [float("nan"), "many", None, True])
def test_thresholds_are_numbers(threshold: object) -> None:
    with pytest.raises(BadValue, match="threshold"):
        make_env(energy_victory_threshold=threshold)


AGENT = """
import helper
from quantum_harvest.agents import BaseAgent
from quantum_harvest.utils import ActionType, TileType, UnitType
from quantum_harvest.environment import QuantumHarvestEnv
from quantum_harvest.starter_agent import Agent as Starter

class Agent(BaseAgent):
    def __init__(self, player_id):
        super().__init__(player_id)

    def get_action(self, observation{argument}):
        {body}
"""


def write_agent(folder: Path, name: str, body: str, argument: str = ", player_id=0") -> Path:
    (folder / "helper.py").write_text("STAY = [0, 1, 1, 0]\n")
    (folder / name).write_text(AGENT.format(body=body, argument=argument))
    return folder / name


def seated(game: Game, file: Path, seat: int = 0) -> Agent:
    """Return the agent of a file at a seat."""
    agent = make_agent(game, str(file))
    agent.start(Start(game, seat, ("one", "two"), 1))
    return agent


def play_agents(game: Game, *files: Path) -> tuple[Table, list[str]]:
    """Play a game between agent files; return the table, and what was wrong with their answers."""
    table, remarks = Table(game, 1, "pure"), []
    agents = [seated(game, file, seat) for seat, file in enumerate(files)]
    while not table.over:
        answer = agents[table.seat].act(plain(table.observe()).copy(), table.legal())
        remarks += answer.remarks
        seat, turn = table.seat, table.s.turn
        for action in answer.actions:
            table.apply(action)
        assert (table.seat, table.s.turn) != (seat, turn)  # an answer is a whole turn
    return table, remarks


def test_original_agents_play_unchanged_and_bad_orders_are_remarks(tmp_path: Path) -> None:
    game = load("quantum_harvest", size=6, max_turns=3)
    good = write_agent(
        tmp_path, "good.py", "return {int(u[0]): helper.STAY for u in observation['units'] if u[1] == self.player_id}", ""
    )
    bad = write_agent(tmp_path, "bad.py", "return {0: [0, 1], 77: [0, 1, 1, 0], 'x': 3} if observation['turn'][0] else 5")
    table, remarks = play_agents(game, good, bad)
    assert table.result().status == 2
    assert remarks[0].startswith("unit all: answered int where a dictionary")
    assert [remark.rpartition(": ")[2] for remark in remarks[1:4]] == ["not four whole numbers", "unknown unit", "unknown unit"]


def test_what_an_agent_raises_goes_to_the_referee(tmp_path: Path) -> None:
    agent = seated(SMALL, write_agent(tmp_path, "broken.py", "return 1 / 0"))
    with pytest.raises(ZeroDivisionError):
        agent.act(SMALL.look(START, 0), [])


EIGHT = "return {unit: helper.STAY for unit, player, kind, x, y, health, boosted, left in observation['units'].tolist()}"


class TellColumns:
    """Move for rows of eight columns, quantum move for rows of nine."""

    def get_action(self, seen: dict) -> dict:
        return {int(row[0]): [len(row) - 8, 1, 1, 0] for row in seen["units"]}


def test_files_for_rows_of_eight_columns_say_so_and_are_told_so(tmp_path: Path) -> None:
    """The original's last version gave rows without the energy that is always 0 (D18)."""
    file = write_agent(tmp_path, "eight.py", EIGHT)
    with pytest.raises(ValueError, match=r"expected 8.*UNIT_COLUMNS = 8"):
        seated(SMALL, file).act(SMALL.look(START, 0), [])
    file.write_text("UNIT_COLUMNS = 8\n" + file.read_text())
    assert seated(SMALL, file).act(SMALL.look(START, 0), []).actions == [T.MOVE + T.HERE]
    module = ModuleType("eight")
    module.Agent = TellColumns
    for columns, action in ((None, T.QUANTUM_MOVE + T.HERE), (8, T.MOVE + T.HERE)):
        agent = ORIGINAL.original_agent(module, "eight", columns)
        agent.start(Start(SMALL, 0, ("one", "two"), 1))
        assert agent.act(SMALL.look(START, 0), []).actions == [action]
    with pytest.raises(BadValue, match="columns"):
        ORIGINAL.original_agent(module, "eight", 7)


def test_the_starter_runs_as_it_is() -> None:
    game = load("quantum_harvest", size=6, max_turns=4)
    table, remarks = play_agents(game, *[game.folder / "original" / "starter.py"] * 2)
    assert (remarks, table.result().outcome) == ([], (0.0, 0.0))


def run_original(folder: Path, *words: str) -> subprocess.CompletedProcess:
    path = f"{ROOT / 'src'}:{ROOT / 'originals' / 'quantum_harvest'}"
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )


def test_the_originals_commands(tmp_path: Path) -> None:
    stay = write_agent(tmp_path, "stay.py", "return {}")
    words = ["--agent1", str(stay), "--agent2", str(stay), "--max-turns", "10", "--turn-delay", "0", "--no-visualization"]
    played = run_original(tmp_path, "quantum_harvest.agent_v_agent_script", *words)
    assert played.returncode == 0, played.stderr
    assert "it is a tie" in played.stdout
    log = next((tmp_path / "game_logs").iterdir())
    shown = run_original(tmp_path, "quantum_harvest.run_replay_visualizer", str(log))
    assert (shown.returncode, "turn 10 of 10" in shown.stdout or "a draw" in shown.stdout) == (0, True)
    assert run_original(tmp_path, "quantum_harvest", "replay", "missing.json").returncode == 1
    assert run_original(tmp_path, "quantum_harvest", "play", "--agent1", "missing.py", "--agent2", str(stay)).returncode == 1
    assert run_original(tmp_path, "quantum_harvest", "version").stdout.strip() == ORIGINAL.VERSION
    assert "usage" in run_original(tmp_path, "quantum_harvest").stdout


def test_orders_read_and_write_as_the_original_has_them() -> None:
    dialect = ORIGINAL
    for action in range(SMALL.spec.actions):
        if action not in (T.NOTHING, T.DONE) and not T.PICK <= action < T.TELEPORT:
            assert dialect.read_order(dialect.write_order(action)) == (action, "")
    assert SMALL.part("actions").order_name(12, SMALL.parse_action("attack up-left +3")) == "12 attack up-left +3"
    with pytest.raises(UnknownName):
        SMALL.parse_action("attack nowhere")


@pytest.mark.parametrize(
    ("threshold", "size", "tiles"),
    [(0.7, 12, 101), (0.5, 12, 72), (0.0, 12, 0), (1.0, 6, 36), (5.0, 6, 37), (float("inf"), 6, 37)],
)
def test_territory_thresholds_are_tiles(threshold: float, size: int, tiles: int) -> None:
    assert ORIGINAL.territory_goal(threshold, size) == tiles
