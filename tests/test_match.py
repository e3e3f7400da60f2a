"""Matches: the same games whoever plays them, each with a seed of its own, pairs together, secrets that can be checked."""

import hashlib
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from ludus.agents import make_agent
from ludus.arena import Conditions, Match, Played, Referee, play_match, round_up, wilson
from ludus.arena.rating.certainty import student, surety
from ludus.core import HIGHEST_SEED, BadValue, LudusError, Result, agent_seed, dealt_seed, time_control
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


def test_workers_end_when_somebody_interrupts(tmp_path: Path) -> None:
    def stop(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    game, match = load(names()[0]), Match(load(names()[0]), ())
    (tmp_path / "bot.py").write_text("def act(view, legal):\n    return legal[0]\n")
    words = [str(tmp_path / "bot.py"), *["random"] * (len(game.spec.seats) - 1)]
    with pytest.raises(KeyboardInterrupt):
        play_match(game, words, 10**6, seed=1, progress=stop, match=match, jobs=2)
    assert [one.seed for one in match.games] == [1, 2, 3]
    assert active_children() == []


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


def test_the_secret_stands_before_the_first_game(tiny: Game) -> None:
    match, told = Match(tiny, ()), []
    play_match(tiny, ["random"] * 3, 2, match=match, progress=lambda done: told.append((done, match.commitment)))
    assert [done for done, _ in told] == [0, 1, 2]
    assert {commitment for _, commitment in told} == {hashlib.blake2b(match.secret, digest_size=32).hexdigest()}


def played(game: Game, rounds: list[tuple[float, ...]], swap: bool) -> Match:
    """Return a match of games with these outcomes of the first agent, against two others."""
    match = Match(game, ("strong", "weak", "weak"))
    orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1)] if swap else [(0, 1, 2)]
    for seed, outcomes in enumerate(rounds):
        for order, mine in zip(orders, outcomes, strict=True):
            outcome = tuple(mine if agent == 0 else -mine for agent in order)
            match.games.append(Played(seed, order, ("", "", ""), Result(1, outcome, outcome), 9))
    return match


def test_the_verdict_is_one_on_bots_only_where_they_changed_seats(tiny: Game) -> None:
    assert played(tiny, [(1, 1, 1)] * 9, True).verdict() == "strong is better, 99.9 %"
    kept = played(tiny, [(1,)] * 9, False).verdict()
    assert kept.startswith("strong as one scores more, 99.9 %; nobody changed seats")
    assert "--swap" in kept
    assert "better" not in kept.partition("--swap")[0]
    assert "--swap" in played(tiny, [(1,), (1,), (-1,)], False).verdict()
    lost = played(tiny, [(-1,)] * 9, False).verdict()
    assert lost.startswith("weak as two and three scores more")


def test_the_verdict_on_few_games_is_careful(tiny: Game) -> None:
    assert played(tiny, [(1, 1, 1)] * 2, True).verdict() == "not decided: strong leads, 88 %; about 6 more games would tell"
    mixed = played(tiny, [(1, 1, -1), (1, -1, -1)] * 10, True).verdict()
    assert mixed == "not decided: no difference was seen"
    slight = played(tiny, [(1, 1, -1), (1, -1, -1), (1, 1, 1), (-1, -1, 1)] * 3, True).verdict()
    assert slight.startswith("not decided: strong leads, ")
    assert slight.endswith(" more games would tell")
    assert Match(tiny, ("a", "b", "c")).verdict() == "not decided: no difference was seen"
    assert play_match(tiny, ["random"] * 3, 9, seed=1).verdict() == "nothing to decide: one bot has all seats"


def test_students_distribution() -> None:
    for t, freedom in ((6.314, 1), (2.920, 2), (2.353, 3), (2.132, 4), (1.812, 10), (1.697, 30)):
        assert student(t, freedom) == pytest.approx(0.95, abs=1e-4)  # as tables have it
        assert student(-t, freedom) == pytest.approx(0.05, abs=1e-4)
    assert surety([0.5])[0] == 0.75
    assert surety([0.1, -0.1])[0] == 0.5


def test_bots_may_have_other_names_in_kernels_and_before_a_referee(tiny: Game) -> None:
    match = play_match(tiny, ["name=First tiny:random", "counting", "random"], 3, seed=1, swap=True)
    assert match.names == ("First", "counting", "random")
    assert match.games[1].names == ("counting", "random", "First")
    plain = play_match(tiny, ["random", "counting", "random"], 3, seed=1, swap=True)
    assert [game.result for game in match.games] == [game.result for game in plain.games]
    agents = [make_agent(tiny, word) for word in ("name=First tiny:random", "counting", "random")]
    assert play_match(tiny, agents, 3, seed=1, swap=True).games == match.games


def test_bots_of_one_name_are_told_apart_by_their_paths(tiny: Game, tmp_path: Path) -> None:
    words = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text("def act(view, legal):\n    return legal[0]\n")
        words.append(str(tmp_path / folder / "bot.py"))
    assert play_match(tiny, [*words, "random"], 1, seed=1).names == (f"bot ({words[0]})", f"bot ({words[1]})", "random")
    assert play_match(tiny, [words[0], words[0], "random"], 1, seed=1).names == ("bot", "bot", "random")


@pytest.mark.parametrize("isolation", ["in-process", "process"])
def test_the_same_seed_gives_the_same_games_whatever_jobs_there_are(tmp_path: Path, isolation: str) -> None:
    game = load(names()[0])
    (tmp_path / "bot.py").write_text("import random\ndef act(view, legal):\n    return random.choice(legal)\n")
    words = [str(tmp_path / "bot.py"), *["random"] * (len(game.spec.seats) - 1)]
    conditions = Conditions(time_control("move=60"), None, isolation)
    one, two = (play_match(game, words, 4, seed=9, swap=True, conditions=conditions, jobs=jobs) for jobs in (1, 2))
    assert one.games == two.games
    assert one.games == play_match(game, words, 4, seed=9, swap=True).games
