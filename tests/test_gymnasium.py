"""Every game behind Gymnasium: one seat against opponents, whatever these do."""

import signal
import subprocess
import sys
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ludus.adapters import env_ids, register
from ludus.adapters.gymnasium import SeatEnv
from ludus.core import Agent, BadValue, LudusError, UnknownName
from ludus.engine import Table
from ludus.games import Game, load, names

every_game = pytest.mark.parametrize("name", names())


def env_id(name: str) -> str:
    return env_ids(name)[0]


def test_every_game_has_an_id() -> None:
    register()
    for name in names():
        for word in env_ids(name):
            assert gym.spec(word).vector_entry_point
        assert "".join(load(name).spec.title.split()) in env_id(name)


@pytest.mark.parametrize(
    "imports", ["gymnasium, ludus", "gymnasium, ludus.adapters.gymnasium", "ludus.adapters.gymnasium, gymnasium"]
)
def test_gymnasium_knows_the_games_after_an_import(imports: str) -> None:
    code = f"import {imports}; print(*[key for key in gymnasium.registry if key.startswith('ludus/')])"
    told = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True).stdout
    assert sorted(told.split()) == sorted(word for name in names() for word in env_ids(name))


def test_gymnasium_takes_a_module_with_an_id_so_that_nothing_else_need_be_imported() -> None:
    code = f"import gymnasium; print(gymnasium.make('ludus.adapters.gymnasium:{env_id(names()[0])}', device='pure'))"
    told = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True).stdout
    assert env_id(names()[0]) in told


@every_game
def test_gymnasium_checks(name: str) -> None:
    for seat in {0, len(load(name).spec.seats) - 1}:
        check_env(gym.make(env_id(name), seat=seat).unwrapped)


class First(Agent):
    """Play the first legal action."""

    name = "first"

    def act(self, view: Any, legal: list[int]) -> int:
        return legal[0]


@every_game
def test_rewards_are_what_passed_since_the_last_decision(name: str) -> None:
    seats, table = load(name).spec.seats, Table(name)
    seat = len(seats) - 1
    env = gym.make(env_id(name), seat=seat, opponents=dict.fromkeys(seats[:-1], First()), reward="original").unwrapped
    chance = np.random.default_rng(3)
    env.reset(seed=9)
    table.begin(9)
    due, is_over = 0.0, False
    for _ in range(80):
        while table.seat != seat:
            table.apply(table.legal()[0])
            due += table.rewards[seat]
        action = int(chance.choice(np.flatnonzero(env.action_masks())))
        table.apply(table.rule_id(seat, action))
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
        SeatEnv(name, own, "nobody")
    with pytest.raises(UnknownName, match=others[0]):
        SeatEnv(name, own, {"nobody": "random"})
    with pytest.raises(BadValue, match=own):
        SeatEnv(name, own, {own: "random"})
    env = SeatEnv(name, own, lambda view, legal: legal[-1])
    env.reset(seed=1)
    for _ in range(3):
        if not env.table.over:
            env.step(int(np.flatnonzero(env.action_masks())[0]))
    with pytest.raises(BadValue, match="sync"):
        gym.make_vec(env_id(name), num_envs=2, seat=own, opponents=lambda view, legal: legal[-1])
    with pytest.raises(UnknownName, match="random"):
        gym.make_vec(env_id(name), num_envs=2, seat=own, opponents={"random": 1, "nobody": 1})


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_IGN], ids=["in front", "in the background"])
def test_an_opponent_that_plays_wrong_is_replaced_and_recorded(tiny: Game, handler: Any, own_handler: None) -> None:
    """As in a match: nothing is raised, and the faults can be read."""
    signal.signal(signal.SIGINT, handler)

    def crash(view: Any, legal: list[str]) -> str:
        raise ValueError("I give up")

    class Rude(Agent):
        def act(self, view: Any, legal: list[int]) -> int:
            raise KeyboardInterrupt

    env = SeatEnv(tiny, "two", {"one": crash, "three": Rude()}, device="pure")
    env.reset(seed=1)
    assert [(fault.seat, fault.kind) for fault in env.faults] == [(0, "crash")]
    assert "I give up" in env.faults[0].text
    is_over = False
    while not is_over:
        _, _, is_over, _, info = env.step(int(np.argmax(env.action_masks())))
    assert {fault.seat for fault in env.faults} == {0, 2}
    assert info["outcome"] in (-1, 1)
    env.reset(seed=2)
    assert len(env.faults) == 1


def test_an_opponent_may_answer_a_whole_turn(tiny: Game) -> None:
    asked = []

    class Turn(Agent):
        def act(self, view: Any, legal: list[int]) -> list[int]:
            asked.append(view.turn)
            return [legal[0], legal[1]]

    env = SeatEnv(tiny, "two", {"one": Turn(), "three": "random"}, device="pure")
    env.reset(seed=1)
    assert env.table.turn == 1
    assert asked == [0]
    assert env.faults == []


def test_agents_and_built_in_bots_of_a_name_play_the_same(tiny: Game) -> None:
    """A bot inside the kernels and the same bot as an agent have the same chance."""
    from ludus.agents import make_agent

    one = SeatEnv(tiny, 1, "random", device="pure")
    other = SeatEnv(tiny, 1, {"one": make_agent(tiny, "random"), "three": make_agent(tiny, "random")}, device="pure")
    for seed in range(3):
        for env in (one, other):
            env.reset(seed=seed)
        while not one.table.over:
            assert one.table.digest() == other.table.digest()
            for env in (one, other):
                env.step(99)
        assert one.table.digest() == other.table.digest()


def test_a_position_in_which_the_game_is_over_is_refused(tiny: Game) -> None:
    table = Table(tiny, 1, "pure")
    while not table.over:
        table.apply(table.legal()[-1])
    with pytest.raises(LudusError, match="over before the seat's first decision"):
        SeatEnv(tiny, device="pure").reset(options={"position": table.s.copy()})


@every_game
def test_gymnasium_takes_pictures_of_its_own(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What its wrappers film is what the environment renders."""
    env = gym.wrappers.RenderCollection(gym.make(env_id(name), render_mode="rgb_array", disable_env_checker=True))
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    first, second = env.render()
    assert first.shape == second.shape == (480, 640, 3)
    assert (first != second).any()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    shown = gym.make(env_id(name), render_mode="human", disable_env_checker=True)
    shown.reset(seed=1)
    shown.close()
