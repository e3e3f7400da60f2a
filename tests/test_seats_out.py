"""A seat that is out before the end: its agent is terminated at once and leaves, and the others play on."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test

from ludus import games
from ludus.adapters import pettingzoo as zoo
from ludus.cli.new import write_game

OWN_NAMES = pytest.mark.filterwarnings("ignore:We recommend agents to be named")


@pytest.fixture(scope="module")
def trails(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The simultaneous template for four: trails stay, who runs into one is out."""
    project = tmp_path_factory.mktemp("new") / "project"
    write_game("four_trails", project, hidden=False, simultaneous=True, seats=4)
    return games.add_folder(project / "four_trails")


def choice(mask: Any, chance: np.random.Generator) -> int:
    return int(chance.choice(np.flatnonzero(mask)))


@OWN_NAMES
def test_pettingzoo_takes_it(trails: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(zoo.env(trails, device="pure"), num_cycles=200)
    env = zoo.parallel_env(trails, device="pure")
    parallel_api_test(env, num_cycles=50)


@pytest.mark.parametrize("seed", range(5))
def test_who_is_out_is_taken_off_and_the_others_play_on(trails: str, seed: int) -> None:
    env, chance = zoo.env(trails, seed=seed, device="pure"), np.random.default_rng(seed)
    env.reset()
    sums, left = dict.fromkeys(env.agents, 0.0), []
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        sums[agent] += reward
        is_out = env.table.game.is_out(env.table.s, env.possible_agents.index(agent))
        assert not truncated
        assert terminated == (is_out or env.table.over)
        if not terminated:
            assert env.table.seat == env.possible_agents.index(agent)
            assert not any(env.terminations.values())
            env.step(choice(info["action_mask"], chance))
            continue
        assert not info["action_mask"].any()
        with pytest.raises(Exception, match="None"):
            env.step(0)
        left.append((agent, env.table.over))
        env.step(None)
        assert agent not in {*env.agents, *env.rewards, *env.terminations, *env.infos}
    assert sorted(agent for agent, _ in left) == sorted(env.possible_agents)
    outcome = env.table.result().outcome
    if max(outcome) > 0:
        assert [sums[agent] for agent in env.possible_agents] == list(outcome)
    left_early = [agent for agent, was_over in left if not was_over]
    assert all(outcome[env.possible_agents.index(agent)] == -1 for agent in left_early)


def test_some_leave_early(trails: str) -> None:
    """In a parallel environment, too: `agents` shrinks, and whoever left gets nothing more."""
    early = 0
    for seed in range(5):
        env, chance = zoo.parallel_env(trails, seed=seed, device="pure"), np.random.default_rng(seed)
        _, infos = env.reset()
        while env.agents:
            before = list(env.agents)
            actions = {agent: [choice(infos[agent]["action_mask"], chance)] for agent in before}
            seen, rewards, ended, cut, infos = env.step(actions)
            assert set(seen) == set(rewards) == set(ended) == set(cut) == set(infos) == set(before)
            assert env.agents == [agent for agent in before if not ended[agent]]
            assert not any(infos[agent]["action_mask"].any() for agent in before if ended[agent])
            early += sum(ended.values()) if env.agents else 0
        assert env.table.over
    assert early > 0


def test_a_game_without_the_rule_has_nobody_out(tiny: games.Game) -> None:
    assert not tiny.is_out(tiny.empty(1), 0)


def test_one_decision_may_be_given_as_a_number(trails: str) -> None:
    """In a parallel environment an action is a list of decisions; where a seat has but one, the number will do."""
    env, other = (zoo.parallel_env(trails, seed=1, device="pure") for _ in range(2))
    env.reset()
    other.reset()
    env.step(dict(zip(env.agents, (2, np.int64(0), np.array(2), 0), strict=True)))
    other.step(dict(zip(other.agents, ([2], [0], [2], [0]), strict=True)))
    assert env.table.digest() == other.table.digest()
