"""Every game behind PettingZoo and Gymnasium: their own checkers with warnings as errors, and what they do not check."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from pettingzoo.test import api_test, parallel_api_test, seed_test

import ludus.adapters.gymnasium as seats
from ludus.adapters import pettingzoo as zoo
from ludus.adapters import register, title
from ludus.core import BadValue, LudusError, UnknownName
from ludus.core.rng import streams
from ludus.engine import Batch, Table
from ludus.games import load, names

# The seats' names are the games' own.
OWN_NAMES = pytest.mark.filterwarnings("ignore:We recommend agents to be named")
# What an original environment showed may be a dictionary.
DICTIONARIES = pytest.mark.filterwarnings("ignore:Observation (space for each agent probably|is not a NumPy array)")
every_game = pytest.mark.parametrize("name", names())


def env_id(name: str) -> str:
    return f"ludus/{title(name)}-v1"


def random_action(env: Any, chance: np.random.Generator) -> int:
    return int(chance.choice(np.flatnonzero(env.last()[4]["action_mask"])))


@OWN_NAMES
@every_game
def test_pettingzoo_checks(name: str) -> None:
    api_test(zoo.env(name), num_cycles=40)
    seed_test(lambda: zoo.env(name), num_cycles=40)


@OWN_NAMES
@DICTIONARIES
@every_game
def test_pettingzoo_checks_with_dictionaries(name: str) -> None:
    if not hasattr(load(name).part("compat"), "observation_space"):
        with pytest.raises(BadValue, match="planes"):
            zoo.env(name, obs="dict")
        return
    api_test(zoo.env(name, obs="dict"), num_cycles=20)
    seed_test(lambda: zoo.env(name, obs="dict"), num_cycles=20)


@every_game
def test_masks_are_those_of_the_seat_to_act_in_the_ids_of_its_planes(name: str) -> None:
    env, chance = zoo.env(name, seed=1), np.random.default_rng(1)
    env.reset()
    for _ in range(60):
        seat = env.table.seat
        turned = env.table.spec.turned[seat] if env.table.spec.turned else range(env.table.spec.actions)
        legal = env.table.legal()
        for agent, info in env.infos.items():
            due = [action in legal and agent == env.agent_selection for action in turned]
            assert info["action_mask"].tolist() == due
            assert info["action_mask"].dtype == np.int8
        action = random_action(env, chance)
        probe = Table(env.table.game, position=env.table.s)
        probe.batch.desk.rngs[:] = env.table.rng
        probe.apply(turned[action])
        env.step(action)
        assert env.table.s == probe.s
        if env.terminations[env.agents[0]] or env.truncations[env.agents[0]]:
            env.reset()


@every_game
def test_a_game_ends_for_all_at_once_and_agents_leave_one_by_one(name: str) -> None:
    env, chance = zoo.env(name, seed=2), np.random.default_rng(2)
    env.reset()
    sums = dict.fromkeys(env.agents, 0.0)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(random_action(env, chance))
        for agent, reward in env.rewards.items():
            sums[agent] += reward
    assert env.agents == env.possible_agents
    assert not any(info["action_mask"].any() for info in env.infos.values())
    assert all(env.terminations.values()) or all(env.truncations.values())
    assert all(env.truncations.values()) <= env.table.spec.limit_truncates
    with pytest.raises(BadValue, match="None"):
        env.step(0)
    first, *rest = [env.agent_selection, *(agent for agent in env.agents if agent != env.agent_selection)]
    left = []
    while env.agents:
        left.append(env.agent_selection)
        env.step(None)
        assert set(env.rewards) == set(env.infos) == set(env.terminations) == set(env.agents)
    assert left == [first, *rest]
    with pytest.raises(LudusError, match="reset"):
        env.step(None)


@every_game
def test_an_illegal_action_keeps_the_selection(name: str) -> None:
    env = zoo.env(name, seed=3)
    with pytest.raises(LudusError, match="reset"):
        env.last()
    env.reset()
    agent, before = env.agent_selection, env.table.s.copy()
    illegal: list[Any] = [-1, env.table.spec.actions, 10**9, None, 1.5, "up"]
    if env.table.spec.refuses:
        illegal += np.flatnonzero(env.infos[agent]["action_mask"] == 0).tolist()[:3]
    for action in illegal:
        env.step(action)
        assert env.agent_selection == agent
        assert env.table.s == before
        assert set(env.rewards.values()) == {0.0}
        assert {name for name, info in env.infos.items() if "illegal_action" in info} == {agent}
    env.step(np.int64(np.flatnonzero(env.infos[agent]["action_mask"])[0]))
    assert not any("illegal_action" in info for info in env.infos.values())


@every_game
def test_games_that_refuse_nothing_take_every_id(name: str) -> None:
    env = zoo.env(name, seed=4)
    env.reset()
    if not env.table.spec.refuses:
        for action in np.linspace(0, env.table.spec.actions - 1, 20).astype(int):
            env.step(action)
            assert "illegal_action" not in env.infos[env.agents[0]]
            if any(env.terminations.values()) or any(env.truncations.values()):
                env.reset()


@every_game
def test_the_first_game_has_the_seed_and_later_ones_go_on(name: str) -> None:
    if len({row.tobytes() for row in Batch(name, 20, device="pure").states}) == 1:
        pytest.skip("every game of it starts alike")
    one, other = zoo.env(name, seed=5), zoo.env(name, seed=6)
    starts = []
    for env, seed in ((one, 5), (other, 6)):
        games = []
        for _ in range(3):
            env.reset()
            games.append((env.table.s.tobytes(), int(env.table.rng[0])))
        assert len(set(games)) == (1 if games[0][1] == streams(seed, 1)[0, 0] else 3)  # some begin without chance
        starts.append(games)
    assert starts[0] != starts[1]
    other.reset(seed=5)
    assert (other.table.s.tobytes(), int(other.table.rng[0])) == starts[0][0]


@every_game
def test_pictures(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = zoo.env(name, render_mode="ansi", seed=1)
    env.reset()
    drawn = env.render()
    assert drawn
    env = zoo.env(name, render_mode="human", seed=1)
    env.reset()
    assert env.render() is None
    assert capsys.readouterr().out.strip() == drawn.strip()
    with pytest.raises(UnknownName, match="human, ansi"):
        zoo.env(name, render_mode="oil")


@every_game
def test_simultaneous_games_have_a_parallel_environment(name: str) -> None:
    if not load(name).spec.simultaneous:
        with pytest.raises(BadValue, match=r"pettingzoo\.env"):
            zoo.parallel_env(name)
        return
    parallel_api_test(zoo.parallel_env(name), num_cycles=20)
    env = zoo.parallel_env(name, seed=1)
    env.reset()
    for turn in range(3):  # who decides nothing idles
        assert int(env.table.s.turn) == turn
        env.step({})
    with pytest.raises(BadValue, match="list"):
        env.step({env.agents[0]: 3})


def test_every_game_has_an_id() -> None:
    register()
    for name in names():
        assert gym.spec(env_id(name)).vector_entry_point


@pytest.mark.parametrize(
    "imports", ["gymnasium, ludus", "gymnasium, ludus.adapters.gymnasium", "ludus.adapters.gymnasium, gymnasium"]
)
def test_gymnasium_knows_the_games_after_an_import(imports: str) -> None:
    code = f"import {imports}; print(*[key for key in gymnasium.registry if key.startswith('ludus/')])"
    told = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True).stdout
    assert sorted(told.split()) == sorted(map(env_id, names()))


@every_game
def test_gymnasium_checks(name: str) -> None:
    for seat in {0, len(load(name).spec.seats) - 1}:
        check_env(gym.make(env_id(name), seat=seat).unwrapped)


@every_game
def test_rewards_are_what_passed_since_the_last_decision(name: str) -> None:
    class First:
        """Play the first legal action."""

        name = "first"

        def start(self, start: Any) -> None: ...
        def act(self, view: Any, legal: list[int]) -> int:
            return legal[0]

        def end(self, result: Any) -> None: ...

    seat, table = len(load(name).spec.seats) - 1, Table(name)
    env = gym.make(env_id(name), seat=seat, opponents=First()).unwrapped
    chance = np.random.default_rng(3)
    turned = table.spec.turned[seat] if table.spec.turned else range(table.spec.actions)
    env.reset(seed=9)
    table.new(9)
    due, is_over = 0.0, False
    for _ in range(80):
        while table.seat != seat:
            table.apply(table.legal()[0])
            due += table.rewards[seat]
        action = int(chance.choice(np.flatnonzero(env.action_masks())))
        table.apply(turned[action])
        due += table.rewards[seat]
        while not table.over and table.seat != seat:
            table.apply(table.legal()[0])
            due += table.rewards[seat]
        _, reward, terminated, truncated, info = env.step(action)
        is_over = terminated or truncated
        assert reward == pytest.approx(due)
        assert is_over == table.over
        due = 0.0
        if is_over:
            assert info["outcome"] == table.result().outcome[seat]
            break
    if is_over:
        with pytest.raises(LudusError, match="reset"):
            env.step(0)


@every_game
def test_illegal_actions_are_replaced_and_flagged(name: str) -> None:
    env = gym.make(env_id(name)).unwrapped
    env.reset(seed=1)
    mask = env.action_masks()
    info = env.step(env.table.spec.actions)[4]
    assert info["illegal_action"] is True
    assert mask[info["replaced_by"]]
    if not env.table.over:
        assert "illegal_action" not in env.step(int(np.flatnonzero(env.action_masks())[0]))[4]


@every_game
def test_opponents(name: str) -> None:
    game = load(name)
    own, *others = game.spec.seats
    with pytest.raises(UnknownName, match="random"):
        seats.SeatEnv(name, own, "nobody")
    with pytest.raises(UnknownName, match=others[0]):
        seats.SeatEnv(name, own, {"nobody": "random"})
    with pytest.raises(BadValue, match=own):
        seats.SeatEnv(name, own, {own: "random"})
    env = seats.SeatEnv(name, own, lambda view, legal: legal[-1])
    env.reset(seed=1)
    for _ in range(3):
        if not env.table.over:
            env.step(int(np.flatnonzero(env.action_masks())[0]))
    with pytest.raises(BadValue, match="sync"):
        gym.make_vec(env_id(name), num_envs=2, seat=own, opponents=lambda view, legal: legal[-1])


@every_game
@pytest.mark.parametrize("place", [0, -1])
def test_the_vector_environment_plays_as_single_ones_do(name: str, place: int) -> None:
    """Same seeds, same actions, legal or not: equal to Gymnasium's own vector of single environments, game ends included."""
    n, spec = 4, load(name).spec
    settings = {"num_envs": n, "seat": spec.seats[place], "opponents": "random"}
    if "max_turns" in {option.name for option in spec.options}:
        settings["max_turns"] = 12
    native = gym.make_vec(env_id(name), **settings)
    same_step = {"autoreset_mode": AutoresetMode.SAME_STEP}
    single = gym.make_vec(env_id(name), vectorization_mode="sync", vector_kwargs=same_step, **settings)
    assert native.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert native.observation_space == single.observation_space
    assert native.action_space == single.action_space
    (seen, info), (due, due_info) = native.reset(seed=5), single.reset(seed=5)
    chance, ends = np.random.default_rng(7), 0
    for step in range(150):
        assert seen in native.observation_space
        assert np.array_equal(seen, due), step
        assert np.array_equal(info["action_mask"], due_info["action_mask"]), step
        assert np.array_equal(native.action_masks(), info["action_mask"])
        actions = (info["action_mask"] * (1 + chance.random(info["action_mask"].shape))).argmax(axis=1)
        if step % 5 == 0:
            actions = native.action_space.sample()
        seen, *told, info = native.step(actions)
        due, *due_told, due_info = single.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(told, due_told, strict=True)), step
        compare_flags(info, due_info, n)
        ends += compare_finals(info, due_info)
    assert ends > 0 or "max_turns" not in settings


def compare_flags(info: dict[str, Any], due: dict[str, Any], n: int) -> None:
    """Compare what is told of replaced actions."""
    for key in ("illegal_action", "replaced_by", "_replaced_by"):
        assert np.array_equal(info.get(key, np.zeros(n)), due.get(key, np.zeros(n))), key


def compare_finals(info: dict[str, Any], due: dict[str, Any]) -> int:
    """Compare what is told of finished games; return how many there are."""
    if "final_obs" not in due:
        assert "final_obs" not in info
        return 0
    ended = due["_final_obs"]
    assert np.array_equal(info["_final_obs"], ended)
    compare_flags(info["final_info"], due["final_info"], len(ended))
    for i, is_over in enumerate(ended):
        if is_over:
            assert np.array_equal(info["final_obs"][i], due["final_obs"][i])
            assert info["final_info"]["outcome"][i] == due["final_info"]["outcome"][i]
            assert info["final_info"]["points"][i] == pytest.approx(due["final_info"]["points"][i])
        else:
            assert info["final_obs"][i] is None
    return int(ended.sum())


@every_game
def test_the_vector_environment_takes_gymnasiums_wrappers(name: str) -> None:
    env = RecordEpisodeStatistics(gym.make_vec(env_id(name), num_envs=3))
    env.reset(seed=1)
    for _ in range(20):
        env.step(env.action_space.sample())
    raw = gym.make_vec(env_id(name), num_envs=3, copy=True)
    with pytest.raises(LudusError, match="reset"):
        raw.step(raw.action_space.sample())
    first, _ = raw.reset(seed=1)
    kept = first.copy()
    raw.step(raw.action_space.sample())
    assert np.array_equal(first, kept)


def test_the_page_on_environments_runs() -> None:
    page = (Path(__file__).parent.parent / "docs" / "environments.md").read_text(encoding="utf-8")
    scope: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        exec(block, scope)
