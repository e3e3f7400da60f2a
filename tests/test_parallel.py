"""PettingZoo's parallel environment: every agent is shown what it will see when it is asked, with the masks of its turn."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from ludus.adapters import pettingzoo as zoo
from ludus.adapters.parallel import SimultaneousEnv
from ludus.core import BadValue, LudusError
from ludus.games import load, names

TOGETHER = [name for name in names() if load(name).spec.simultaneous]
together = pytest.mark.parametrize("name", TOGETHER)


@pytest.mark.parametrize("name", [name for name in names() if name not in TOGETHER])
def test_other_games_have_none(name: str) -> None:
    with pytest.raises(BadValue, match=r"pettingzoo\.env"):
        zoo.parallel_env(name)


@together
def test_pettingzoos_checks(name: str) -> None:
    parallel_api_test(zoo.parallel_env(name), num_cycles=20)


@together
def test_who_decides_nothing_takes_the_default(name: str) -> None:
    env = zoo.parallel_env(name, seed=1, device="pure")
    env.reset()
    table = env.table.copy()
    for _ in range(3):
        turn = table.turn
        while table.turn == turn and not table.over:
            table.apply(table.default())
        env.step({})
        assert env.table.digest() == table.digest()
    with pytest.raises(BadValue, match="list"):
        env.step({env.agents[0]: 1.5})


@together
@pytest.mark.parametrize("obs", ["planes", "dict"])
def test_every_seat_sees_and_may_do_what_it_can_when_it_is_asked(name: str, obs: str) -> None:
    """Compared with the AEC environment at the seat's own decisions, the others having taken the default before."""
    env, aec = (make(name, obs=obs, seed=3, device="pure") for make in (zoo.parallel_env, zoo.env))
    seen, infos = env.reset()
    aec.reset()
    chance = np.random.default_rng(3)
    for _ in range(6):
        actions: dict[str, list[int]] = {}
        turn = aec.table.turn
        for agent in env.possible_agents:
            asked = aec.table.peek(env.possible_agents.index(agent))
            assert asked.turn == turn
            assert same(seen[agent], aec._lens.observation(asked, asked.seat))
            masks = infos[agent]["action_masks"]
            assert np.array_equal(infos[agent]["action_mask"], masks[0])
            assert masks.any(axis=1).all()
            actions[agent] = [int(chance.choice(np.flatnonzero(masks[0])))]
        played = dict.fromkeys(env.possible_agents, 0)
        while aec.table.turn == turn:  # one decision of each, then the default
            agent = aec.agent_selection
            rest = own_default(aec)
            aec.step(actions[agent][0] if played[agent] == 0 else rest)
            played[agent] += 1
        seen, _, _, _, infos = env.step(actions)
        assert env.table.digest() == aec.table.digest()
        assert not any("illegal_action" in info for info in infos.values())


def own_default(aec: Any) -> int:
    """Return the default of the seat to move in the ids that the environment takes."""
    table, action = aec.table, aec.table.default()
    return int(np.flatnonzero(table.game.own_ids[table.seat] == action)[0]) if aec._lens.obs == "planes" else action


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(np.array_equal(one, other))


@together
def test_later_seats_do_not_see_what_earlier_ones_decided(name: str) -> None:
    """What the last agent is shown is the same before and whatever the first one is about to do: it has not committed yet."""
    env = zoo.parallel_env(name, seed=4, device="pure")
    seen, infos = env.reset()
    last = env.possible_agents[-1]
    assert infos[last]["action_mask"].any()
    assert infos[env.possible_agents[0]]["action_mask"].any()
    assert np.array_equal(seen[last], env.table.peek(len(env.possible_agents) - 1).encode())


@together
def test_a_decision_that_is_refused_is_flagged_and_replaced(name: str) -> None:
    env = zoo.parallel_env(name, seed=5, device="pure")
    env.reset()
    first = env.possible_agents[0]
    for wrong in (-1, 10**5000, None, "up", 1.5):
        *_, infos = env.step({first: [wrong]})
        assert infos[first]["illegal_action"] is True
        assert sum("illegal_action" in info for info in infos.values()) == 1
    *_, infos = env.step({})
    assert not any("illegal_action" in info for info in infos.values())


@together
def test_no_game_is_running_before_reset(name: str) -> None:
    env = SimultaneousEnv(name, device="pure")
    with pytest.raises(LudusError, match="reset"):
        env.step({})
