"""Test the environment as the original program's script did: the API, many random games, then a look at one of them."""

from __future__ import annotations

import random
import statistics
import sys
import warnings
from collections.abc import Callable

from cgame_env import ChaseGameEnv
from pettingzoo.test import api_test, seed_test

GAMES, BASE_SEED = 100, 42
ACTIONS = range(5)


def main(games: int = GAMES, ask: Callable[[str], str] = input) -> int:
    """Run everything; return 0 if nothing is wrong."""
    with warnings.catch_warnings():  # names of agents and dictionaries are the original's; warnings are advice on both
        warnings.simplefilter("ignore", UserWarning)
        api_test(ChaseGameEnv(), num_cycles=100)
        seed_test(ChaseGameEnv, num_cycles=100)
    check_moves(BASE_SEED)
    results = [play(BASE_SEED + number) for number in range(games)]
    again = [play(BASE_SEED + number) for number in range(min(3, games))]
    assert again == results[: len(again)], "the same seed must give the same game"
    turns = [turn for _, turn in results]
    for side in ("runner_win", "chaser_win"):
        won = sum(how == side for how, _ in results)
        print(f"{side}: {won} of {games} ({won / games:.0%})")
    print(
        f"turns: mean {statistics.mean(turns):.1f}, median {statistics.median(turns):g}, least {min(turns)}, most {max(turns)}"
    )
    try:
        if ask("Show one game? (y/n): ").strip().lower().startswith("y"):
            play(BASE_SEED, show=True)
    except EOFError:
        print()
    return 0


def play(seed: int, show: bool = False) -> tuple[str, int]:
    """Play a random game, check its start and its end; return how it was won and after how many turns."""
    env, chance = ChaseGameEnv(render_mode="human" if show else None), random.Random(seed)
    env.reset(seed=seed)
    check_start(env)
    for agent in env.agent_iter():
        if show:
            env.render()
        _, reward, terminated, _, info = env.last()
        if terminated:
            check_end(agent, reward, info["win_condition"])
        how, turn = info["win_condition"], info["turn_number"]
        env.step(None if terminated else chance.choice(info["legal_moves"]))
    return how, turn


def check_start(env: ChaseGameEnv) -> None:
    """Check where agents and obstacles begin."""
    seen = env.observe("runner")
    (x, y), *chasers = (seen[f"{agent}_pos"] for agent in env.possible_agents)
    assert all(abs(x - row) + abs(y - column) >= 7 for row, column in chasers), "chasers start 7 steps away or more"
    walls = list(zip(*(seen["board"] == 1).nonzero(), strict=True))
    assert len(walls) == 5, "there are 5 obstacles"
    for row, column in ((x, y), *chasers):
        assert all(max(abs(row - a), abs(column - b)) > 1 for a, b in walls), "no obstacle stands beside an agent"


def check_end(agent: str, reward: float, how: str) -> None:
    """Check the reward of an agent at the end."""
    due = {"chaser_win": -1 if agent == "runner" else 1, "runner_win": 1 if agent == "runner" else 0}[how]
    assert reward == due, f"{agent} got {reward} for {how}, not {due}"


def check_moves(seed: int) -> None:
    """Check that what is not in the list of legal moves is refused and changes nothing."""
    env = ChaseGameEnv()
    env.reset(seed=seed)
    while not any(env.terminations.values()) and env.table.s.turn < 10:
        agent, legal = env.agent_selection, env.infos[env.agent_selection]["legal_moves"]
        before = env.observe(agent)
        for action in set(ACTIONS) - set(legal):
            env.step(action)
            assert env.agent_selection == agent, "an illegal move keeps the selection"
            assert env.infos[agent].get("illegal_action"), "an illegal move is flagged"
            assert all((before[key] == env.observe(agent)[key]).all() for key in before), "an illegal move changes nothing"
        env.step(legal[0])


if __name__ == "__main__":
    sys.exit(main())
