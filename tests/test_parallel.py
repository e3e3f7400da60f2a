"""PettingZoo's parallel environment: every agent is shown what it will see when it is asked, with the masks of its turn."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, state_test

from ludus.adapters import pettingzoo as zoo
from ludus.adapters.parallel import SimultaneousEnv
from ludus.core import BadValue, LudusError
from ludus.engine import Batch
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
            masks = infos[agent]["action_mask"].reshape(-1, env.table.spec.actions)
            assert masks.any(axis=1).all()
            assert infos[agent]["decisions"] >= 1
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
    return int(np.flatnonzero(table.game.own_ids[table.seat] == action)[0]) if aec._lens.is_own else action


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
@pytest.mark.parametrize("obs", ["features", "masked", "masked features"])
def test_an_action_has_a_place_and_a_mask_for_every_decision_of_a_turn(name: str, obs: str) -> None:
    """Whatever is drawn under the masks is played as it is: every unit of every seat gets the order of its own row."""
    env, batch = zoo.parallel_env(name, obs=obs, seed=6, device="pure"), Batch(name, 1, 6, "pure")
    best = list(batch.game.bots)[-1]
    for _ in range(150):  # so that there is something to decide about
        batch.step(batch.choose([best] * len(env.possible_agents)))
    seen, infos = env.reset(options={"position": batch.states[:1]})
    chance, most = np.random.default_rng(6), 0
    for _ in range(12):
        actions = {}
        for agent in env.agents:
            space, mask = env.action_space(agent), infos[agent]["action_mask"]
            assert seen[agent] in env.observation_space(agent)
            if "masked" in obs:
                assert np.array_equal(seen[agent]["action_mask"], mask)
            rows = mask.reshape(-1, env.table.spec.actions)
            assert rows.any(axis=1).all()
            count = infos[agent]["decisions"]
            assert (rows[count:].sum(axis=1) == 1).all()  # the default alone: nobody will be asked
            actions[agent] = np.array([chance.choice(np.flatnonzero(row)) for row in rows])
            actions[agent] = actions[agent] if env.decisions > 1 else int(actions[agent][0])
            assert actions[agent] in space
            drawn = space.sample(mask)
            assert rows[np.arange(len(rows)), drawn].all()
            most = max(most, count)
        state = env.state()
        assert state in env.state_space
        assert len(state) == len(env.possible_agents)
        seen, rewards, *_, infos = env.step(actions)
        assert not any("illegal_action" in info for info in infos.values())
        assert rewards.keys() == seen.keys()
    assert most > 1 or env.decisions == 1


@together
@pytest.mark.filterwarnings("ignore:The state contains negative numbers")
def test_pettingzoos_check_of_states(name: str) -> None:
    state_test(zoo.env(name, obs="features"), zoo.parallel_env(name, obs="features"))


@together
def test_no_game_is_running_before_reset(name: str) -> None:
    env = SimultaneousEnv(name, device="pure")
    with pytest.raises(LudusError, match="reset"):
        env.step({})
