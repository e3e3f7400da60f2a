"""Matches: the same games whoever plays them, each with a seed of its own, pairs together, secrets that can be checked."""

import hashlib
from typing import Any

import pytest

from ludus.agents import make_agent
from ludus.arena import Match, Referee, play_match, round_up, wilson
from ludus.core import HIGHEST_SEED, BadValue, LudusError, agent_seed, dealt_seed
from ludus.engine import Table, compiled_bots
from ludus.games import Game, load, names


@pytest.mark.parametrize("swap", [False, True])
def test_bots_play_the_same_games_in_kernels_and_before_a_referee(tiny: Game, swap: bool) -> None:
    bots = ["random", "counting", "random"]
    in_kernels = play_match(tiny, bots, 10, seed=3, swap=swap)
    refereed = play_match(tiny, [make_agent(tiny, bot) for bot in bots], 10, seed=3, swap=swap)
    assert in_kernels.games == refereed.games
    assert in_kernels.names == refereed.names == ("random", "counting", "random")
    assert [in_kernels.summary(k) for k in range(3)] == [refereed.summary(k) for k in range(3)]


@pytest.mark.parametrize("name", names())
def test_every_game_is_dealt_alike_in_kernels_and_before_a_referee(name: str) -> None:
    game = load(name)
    bots = (compiled_bots(game)[:2] * len(game.spec.seats))[: len(game.spec.seats)]
    match = play_match(game, bots, 2, seed=5)
    for played in match.games:
        record = Referee(Table(game, played.seed), [make_agent(game, bot) for bot in bots]).finish()
        assert (record.result, len(record.decisions)) == (played.result, played.decisions)


def test_each_game_can_be_dealt_again_alone(tiny: Game) -> None:
    match = play_match(tiny, ["random"] * 3, 300, seed=4)  # more than are played at once
    assert [game.seed for game in match.games] == list(range(4, 304))
    alone = play_match(tiny, ["random"] * 3, 1, seed=290).games[0]
    assert alone == match.games[286]


def test_pairs_stay_together(tiny: Game) -> None:
    """With three seats a set-up goes to all three orders, one after the other, also across what is played at once."""
    match = play_match(tiny, ["random", "counting", "random"], 260, seed=1, swap=True)
    assert len(match.games) == round_up(260, 3, True) == 261
    for k in range(0, 261, 3):
        trio = match.games[k : k + 3]
        assert {game.seed for game in trio} == {1 + k // 3}
        assert [game.order for game in trio] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
        assert trio[1].names == ("counting", "random", "random")


def test_seeds_are_dealt_from_a_secret_that_is_told_later(tiny: Game) -> None:
    match, other = (play_match(tiny, ["random"] * 3, 4) for _ in range(2))
    assert [game.seed for game in match.games] == [dealt_seed(match.secret, k) for k in range(4)]
    assert match.commitment == hashlib.blake2b(match.secret, digest_size=32).hexdigest()
    assert match.secret != other.secret
    assert play_match(tiny, ["random"] * 3, 4, match=Match(tiny, (), secret=match.secret)).games == match.games
    assert play_match(tiny, ["random"] * 3, 1, seed=0).commitment == ""


def test_what_was_played_is_left_when_somebody_interrupts(tiny: Game) -> None:
    def stop(done: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    for agents in (["random"] * 3, [make_agent(tiny, "random") for _ in range(3)]):
        match = Match(tiny, ())
        with pytest.raises(KeyboardInterrupt):
            play_match(tiny, agents, 9, seed=1, progress=stop, match=match)
        assert len(match.games) == 5
        assert match.summary(0)["games"] == 5


def test_faults_are_counted_for_whoever_made_them(tiny: Game) -> None:
    def bad(view: Any, legal: list[str]) -> str:
        return "fly"

    match = play_match(tiny, ["random", bad, "random"], 6, seed=1, swap=True)
    assert [match.summary(k)["faults"] > 0 for k in range(3)] == [False, True, False]
    assert all(game.order[fault.seat] == 1 for game in match.games for fault in game.faults)


def test_what_cannot_be_is_refused(tiny: Game) -> None:
    with pytest.raises(BadValue, match="needs 3 agents"):
        play_match(tiny, ["random"], 1)
    with pytest.raises(BadValue, match="seed must be"):
        play_match(tiny, ["random"] * 3, 5, seed=HIGHEST_SEED)
    agent = make_agent(tiny, "random")
    with pytest.raises(BadValue, match="two seats"):
        play_match(tiny, [agent, agent, "random"], 1, seed=1)
    with pytest.raises(LudusError, match="the bot broken of two"):
        play_match(tiny, ["random", "broken", "random"], 1, seed=1)


def test_agents_chance_is_another_one_in_every_game(tiny: Game) -> None:
    seeds = []

    class Curious(type(make_agent(tiny, "random"))):  # type: ignore[misc]
        def start(self, start: Any) -> None:
            seeds.append(start.seed)
            super().start(start)

    play_match(tiny, [Curious("random"), "random", "random"], 3, seed=7)
    assert seeds == [agent_seed(7 + k, 0) for k in range(3)]


def test_the_interval() -> None:
    low, high = wilson(0.5, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert wilson(1.0, 10)[1] == 1.0
