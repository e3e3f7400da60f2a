"""Every game behind PettingZoo's AEC environment: its own checkers with warnings as errors, and what they do not check."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from ludus.adapters import pettingzoo as zoo
from ludus.core import BadValue, LudusError, UnknownName, streams
from ludus.engine import Batch
from ludus.games import load, names

# The seats' names are the games' own.
OWN_NAMES = pytest.mark.filterwarnings("ignore:We recommend agents to be named")
# What an original environment showed may be a dictionary.
DICTIONARIES = pytest.mark.filterwarnings("ignore:Observation (space for each agent probably|is not a NumPy array)")
every_game = pytest.mark.parametrize("name", names())


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
    if load(name).says("original", "observation_space") is None:
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
        ids, legal = env.table.game.own_ids[env.table.seat], env.table.legal()
        for agent, info in env.infos.items():
            due = [action in legal and agent == env.agent_selection for action in ids]
            assert info["action_mask"].tolist() == due
            assert info["action_mask"].dtype == np.int8
        action = random_action(env, chance)
        probe = env.table.copy()
        probe.apply(int(ids[action]))
        env.step(action)
        assert env.table.digest() == probe.digest()
        assert env.table.rng[0] == probe.rng[0]
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
    assert all(env.truncations.values()) <= bool(env.table.game.says("original", "LIMIT_TRUNCATES"))
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
    agent, before = env.agent_selection, bytes(env.table.s.bytes)
    illegal: list[Any] = [-1, env.table.spec.actions, 10**9, 10**5000, None, 1.5, "up", True]
    if env.table.spec.refuses:
        illegal += np.flatnonzero(env.infos[agent]["action_mask"] == 0).tolist()[:3]
    for action in illegal:
        env.step(action)
        assert env.agent_selection == agent
        assert bytes(env.table.s.bytes) == before
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
            games.append((bytes(env.table.s.bytes), int(env.table.rng[0])))
        assert len(set(games)) == (1 if games[0][1] == streams(seed, 1)[0, 0] else 3)  # some begin without chance
        starts.append(games)
    assert starts[0] != starts[1]
    other.reset(seed=5)
    assert (bytes(other.table.s.bytes), int(other.table.rng[0])) == starts[0][0]


@every_game
def test_pictures(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = zoo.env(name, render_mode="ansi", seed=1)
    env.reset()
    assert env.table.spec.title in env.render()
    env = zoo.env(name, render_mode="rgb_array", seed=1)
    env.reset()
    before = env.render()
    assert before.dtype == np.uint8
    assert before.shape == (480, 640, 3)
    for _ in range(4):
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0]))
    assert (env.render() != before).any()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = zoo.env(name, render_mode="human", seed=1)
    env.reset()
    assert env.render() is None
    env.close()
    with pytest.raises(UnknownName, match="human, ansi, rgb_array"):
        zoo.env(name, render_mode="oil")
    with pytest.raises(LudusError, match="needs a render_mode"):
        zoo.env(name).render()
