"""Plantation as the original had it: replies, engine, clock, log, agent files, the line protocol, reports, scripts."""

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_plantation_agents import write_agent

from ludus.agents import Line, make_agent
from ludus.arena import Referee
from ludus.core import BadValue, LudusError, time_control
from ludus.engine import Table
from ludus.games import load
from ludus.games.plantation.original import (
    Engine,
    HumanPlayer,
    Player,
    RandomPlayer,
    RandomPlayerDumb,
    ScryAndDie,
    Tracker,
    WirePlayer,
)
from ludus.games.plantation.original.players import read_command
from ludus.games.plantation.original.reports import apart, mean_and_sigma, series_report, standings

ROOT = Path(__file__).parent.parent.parent
SCRIPTS = ROOT / "originals" / "plantation" / "scripts"


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        (("plant", [3, 4]), "plant 3 4"),
        (["plant", (3, 4)], "plant 3 4"),
        (("plant", np.array([3, 4])), "plant 3 4"),
        (("plant", [np.int8(3), np.uint16(4)]), "plant 3 4"),
        (("plant", [3, 4, 99, None]), "plant 3 4"),
        (("colonise", [3, 4, 0, 2, 7]), "colonise 3 4 from 0 2"),
        (("colonise", [3, 4, 0]), "bad colonise"),
        (("colonise", [3, 4, 0, -1]), "bad colonise"),
        (("plant", [3]), "bad plant"),
        (("plant", [3, True]), "bad plant"),
        (("plant", [np.True_, 3]), "bad plant"),
        (("plant", [3, 4.0]), "bad plant"),
        (("plant", ["3", "4"]), "bad plant"),
        (("plant", "34"), "bad plant"),
        (("plant", None), "bad plant"),
        (("plant", {0: 3, 1: 4}), "bad plant"),
        (("plant", np.zeros((2, 2), int)), "bad plant"),
        (("scout", [-1, 0]), "bad scout"),
        (("bomb", [11, 0]), "bad bomb"),
        (("spray", [0, 10**30]), "bad spray"),
        (("Plant", [3, 4]), "bad"),
        ((" plant", [3, 4]), "bad"),
        ((["plant"], [3, 4]), "bad"),
        (("plant", 3, 4), "bad"),
        ("plant", "bad"),
        (None, "bad"),
        (np.array([1, 2]), "bad"),
    ],
)
def test_replies_become_decisions(reply: Any, name: str) -> None:
    game = load("plantation")
    actions = game.part("original").actions_of(reply)
    assert " ".join(map(game.part("actions").as_in_rules, actions)) == name


class Scripted(Player):
    """Play commands in turn, then scout; keep what it is told."""

    def __init__(self, *commands: Any, name: str = "scripted") -> None:
        super().__init__(name)
        self.commands, self.calls = list(commands), list[Any]()

    def start_game(self, board_shape: tuple[int, int], sign: int) -> None:
        super().start_game(board_shape, sign)
        self.calls.append(("start", board_shape, sign))

    def get_move(self, board: Any, turn: int, moves_remaining: int, time_remaining: float) -> Any:
        assert isinstance(board, np.ndarray)
        assert (board * self.sign >= 0).all()
        board[:] = 50  # its own copy: nothing comes of it
        command = self.commands.pop(0) if self.commands else ("scout", [0, 0])
        if isinstance(command, Exception):
            raise command
        return command

    def handle_move_result(self, move: Any, turn: int, pos: Any, result: str) -> None:
        self.calls.append((move, turn, pos, result))

    def end_game(self, your_score: int, opponent_score: int) -> None:
        self.calls.append(("end", your_score, opponent_score))


class Ticking(Engine):
    """An engine whose clock moves by a given step at each look."""

    output, tick, time = None, 0.0, 0.0

    def now(self) -> float:
        self.time += self.tick
        return self.time


def test_the_engine_tells_players_their_answers_and_both_scores() -> None:
    engine = Ticking(2, 3, 2, max_turns=1)
    one, two = Scripted(("fertilise", [0, 0]), ("plant", [9]), "x"), Scripted(("bomb", [0, 0]), ("spray", [1, 1]))
    assert engine.run_game(one, two) == -1
    assert one.calls == [
        ("start", (2, 3), 1),
        ("fertilise", 1, [0, 0], "OK"),
        ("plant", 1, [9], "error"),
        ("x", 1, None, "error"),
        ("end", 1, -2),
    ]
    assert two.calls == [("start", (2, 3), -1), ("bomb", 1, [0, 0], "OK 2"), ("spray", 1, [1, 1], "error"), ("end", -2, 1)]
    assert (engine.reason, engine.winner, engine.scores) == ("turns", 2, [1, -2])


def test_a_late_player_loses_a_hundred_at_the_end_of_its_turn_and_zero_is_not_late() -> None:
    engine = Ticking(3, 3, 1, starting_seconds=1.0, time_increment=0.5, max_turns=3)
    engine.tick = 0.5  # each command takes half a second: three a turn leave 1 - 1.5 + 0.5 = 0
    one, two = Scripted(), Scripted()
    assert engine.run_game(one, two) == -100
    assert (engine.reason, engine.turn, engine.loser) == ("timeout", 2, 0)
    assert engine.clocks[0].seconds == -1.0
    assert one.calls[-1] == ("end", 0, -100)
    assert two.calls[-1] == ("end", -100, 0)
    assert len([call for call in one.calls if call[0] == "scout"]) == 6  # the late turn was played out


@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_that_raises_forfeits(seat: int) -> None:
    players = [Scripted(), Scripted()]
    players[seat].commands = [("scout", [0, 0]), ValueError("boom")]
    engine = Ticking()
    assert engine.run_game(*players) == (-100, 100)[seat]
    assert (engine.reason, engine.loser) == ("crash", seat)


def test_the_log_goes_where_it_should(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "log.txt"
    Engine(3, 3, 1, max_turns=1, output=str(file)).run_game(Scripted(name="Ada"), Scripted(("bomb", [0, 2]), name="Bob"))
    assert capsys.readouterr().out == ""
    engine = Engine(3, 3, 1, max_turns=1)
    engine.run_game(Scripted(name="Ada"), Scripted(("plant", [0, 9]), name="Bob"))
    printed = capsys.readouterr().out
    for log in (file.read_text(), printed):
        assert "Turn 1" in log
        assert "Scores: +1 -1, sum +0" in log
        assert "Ada (+), 1.00 s left" in log
        assert "\nscout (0, 0)        | OK " in log
        assert "It is a draw" in log
    assert "or off the board\nplant (0, 9)        | error" in printed


def test_hooks_are_called_in_order() -> None:
    class Watched(Ticking):
        def at_start_of_game_action(self) -> None:
            self.seen: list[Any] = ["start"]

        def after_move_action(self, move: Any, pos: Any, sign: int, moves_remaining: int, result: str) -> None:
            self.seen.append((move, pos, sign, moves_remaining, result[:2]))

        def at_end_of_turn_action(self, sign: int) -> None:
            self.seen.append(sign)

        def at_end_of_game_action(self) -> None:
            self.seen.append("end")

    engine = Watched(3, 3, max_turns=1)
    one, other = Scripted(("spray", [1, 1])), Scripted(("bomb", [0, 0]), ("spray", [0, 0]))
    engine.run_game(player_handler_m=other, player_handler_p=one)
    assert engine.seen == [
        "start", ("spray", [1, 1], 1, 3, "OK"), ("scout", [0, 0], 1, 1, "OK"), 1,
        ("bomb", [0, 0], -1, 3, "OK"), ("spray", [0, 0], -1, 1, "er"), -1, "end",
    ]  # fmt: skip


@pytest.mark.parametrize("options", [{"num_cols": 1}, {"num_rows": 0}, {"starting_tiles": 12}, {"max_turns": 0}])
def test_engines_that_cannot_be_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(BadValue):
        Engine(**options)


def test_bundled_players_play_by_the_original_interface_and_repeat_with_the_global_seed() -> None:
    results = []
    for _ in range(2):
        random.seed(4)
        engine = Ticking(5, 6, max_turns=12)
        pairs = [(Tracker(), RandomPlayerDumb()), (ScryAndDie(), RandomPlayer({"bomb": 1, "fertilise": 0.5}))]
        results.append([engine.run_game(*pair) for pair in pairs])
        assert engine.reason == "turns"
    assert results[0] == results[1]
    assert results[0][0] > 0
    with pytest.raises(LudusError):
        RandomPlayer({"scout": 1})


BOT = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["function"] == "start_game":
        assert request["board_size"] == [3, 4], request
    reply = ["scout", [1, 1]] if request["function"] == "get_move" else ""
    if request["function"] == "get_move" and request["turn"] == 9:
        break
    print(json.dumps(reply), flush=True)
"""


NAMED_BOT = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["function"] == "init":
        file = open(request["name"] + ".txt", "w")
    if request["function"] == "get_move":
        assert 0.5 < request["time_remaining"] < 1.6, request
    print(request["function"], file=file, flush=True)
    print(json.dumps(["scout", [1, 1]] if request["function"] == "get_move" else ""), flush=True)
"""


def test_a_process_plays_by_lines_and_forfeits_when_it_dies(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    line = Line(f"name=lines cmd:{sys.executable} {tmp_path / 'bot.py'}")
    player = WirePlayer(line.exchange, line.name)
    engine = Ticking(3, 4, max_turns=4)
    assert engine.run_game(Scripted(), player) == 0
    assert engine.run_game(player, Scripted()) == 0
    engine = Ticking(3, 4, max_turns=9)
    assert engine.run_game(player, Scripted()) == -100
    assert (engine.reason, engine.turn) == ("crash", 9)
    line.close()


def test_a_bot_of_the_original_protocol_plays_as_it_is_under_its_name(tmp_path: Path) -> None:
    """It knows `function` and `name` alone, keeps its data by that name in its own folder, and plays many games."""
    (tmp_path / "bot.py").write_text(NAMED_BOT)
    game = load("plantation", rows=3, cols=4, max_turns=4)
    bot = make_agent(game, f"name=Crocodilian cmd:{sys.executable} {tmp_path / 'bot.py'}")
    other = make_agent(game, "random")
    for order in ([bot, other], [other, bot]):
        record = Referee(Table(game, 1, "pure"), order, control=time_control("1+0.1")).finish()
        assert "Crocodilian" in record.agents
        assert record.faults == ()
    bot.close()
    told = (tmp_path / "Crocodilian.txt").read_text().split()
    assert told[:2] == ["init", "start_game"]
    assert told.count("init") == 1
    assert told.count("start_game") == told.count("end_game") == 2
    assert told.count("get_move") == told.count("handle_move_result") > 8


def test_a_person_types_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed = iter(["what", "x 1,1", "p 1", "c 0,1", "f 0,0", "fertilise 1,0", "s 1,1", "c 0,1,0,0", "y 0,0"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    engine = Ticking(2, 3, 2, max_turns=2)
    engine.run_game(HumanPlayer("me"), Scripted())
    printed = capsys.readouterr().out
    assert "There is no command 'x'" in printed
    assert "plant takes 2 numbers with commas between, not 1" in printed
    assert "colonise takes 4 numbers with commas between, not 2" in printed
    assert "OK 2,0,-1,2,0,-1\n" in printed
    assert "Your board has not changed" in printed
    assert "Game over: you +4, your opponent -2" in printed
    assert read_command("colonise 1,2,3,4") == ("colonise", [1, 2, 3, 4])


def test_reports_leave_draws_out_name_late_players_and_tell_names_apart() -> None:
    report = series_report(["a", "b"], [5, 0, 0, -1], 1.5, ["b is out of time"])
    assert report.startswith("Running games: [====]\nb is out of time\n\nIt is a draw\n")
    assert "Draws: 2\n" in report
    assert "negative: 2.00, (sigma: 3.00)\nSeconds: 1.5\n" in report
    assert series_report(["a", "b"], [0], 0).count("[]") == 2
    assert mean_and_sigma([]) == (0, 0)
    assert apart(["x", "y", "x", "x"]) == ["x", "y", "x (2)", "x (3)"]
    table = standings(["a", "b"], 2, [3, 0]).splitlines()
    assert table[1].split() == ["a", "1", "1", "0", "50.0", "%"]
    assert table[2].split() == ["b", "0", "1", "1", "0.0", "%"]


def run_script(name: str, *words: str, typed: str = "") -> str:
    command = [sys.executable, str(SCRIPTS / f"{name}.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, input=typed, cwd=SCRIPTS, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_scripts_of_the_original(tmp_path: Path) -> None:
    few = ("--turns", "2", "--seed", "1")
    assert "Game over" in run_script("single_game", *few)
    report = run_script("many_games", write_agent(tmp_path), "random", "--games", "2", *few)
    assert report.startswith("Running games: [==]\n\n")
    assert "mine wins: " in report
    report = run_script("tournament", "random", "random_player", "--games", "2", *few)
    assert report.startswith("Running 2 games, being 2 for each pair, between 2 players, 2 games for each player\n")
    log = tmp_path / "output.txt"
    played = run_script("human_game", "random", "--log", str(log), *few, typed="s 1,1\n" * 6)
    assert "Turn 2, 1 moves left" in played
    assert "Game over" in log.read_text()


def test_the_modules_of_the_original_can_be_imported_as_a_package() -> None:
    code = "from plantation.ai_players.random_player import RandomPlayer\nfrom plantation.engine import Engine\n"
    code += "from plantation.include import display_board_text\nfrom plantation.player import Player\n"
    code += "class Mine(RandomPlayer): pass\n"
    code += "e = Engine(3, 3, 1, 10, 1, 2)\ne.output = None\nprint(e.run_game(Mine(), Mine()), e.reason)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=SCRIPTS.parent)
    assert done.stdout.split()[-1] == "turns", done.stderr


def test_a_person_in_the_terminal_sees_its_own_side_until_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ludus.arena import Conditions
    from ludus.cli.play import Wishes, play_game

    # Two mistakes, which cost nothing, then two commands, the second of which will err: whoever insists may give it.
    typed = iter(["fly 1 1", "p 77 0", "s 1,1", "c 1 1 0 0", "c 1 1 0 0"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    play_game("plantation", ["player1=human", "player2=random"], 1, ["max_turns=1"], None, False, Conditions(), Wishes())
    printed = capsys.readouterr().out
    *before, after = printed.split("Plantation: ")
    assert "unknown command 'fly 1 1'" in printed
    assert "(77, 0) is off the board" in printed
    assert "colonise x1 y1 would fail or do nothing here" in printed
    assert "-1" not in "".join(before)
    assert "player2 to move" in before[-1]
    assert "-" in after


def test_the_original_observation_fits_its_space() -> None:
    original, table = load("plantation").part("original"), Table("plantation")
    space = original.observation_space()
    for seat in range(2):
        seen = original.observation(table.observe(seat))
        assert space.contains(seen)
        assert seen["board"].sum() == (3, -3)[seat]
        assert original.info(table.s, seat)["result"] == ""


def test_players_that_never_call_their_base_class_play_in_the_engine() -> None:
    class Bare(Player):
        def __init__(self) -> None:
            pass

        def get_move(self, board: Any, turn: int, moves_remaining: int, time_remaining: float) -> Any:
            return "scout", [self.sign, 0]

    engine = Ticking(3, 3, max_turns=1)
    assert engine.run_game(Bare(), Bare()) == 0
    assert (engine.reason, engine.names) == ("turns", ("player 1", "player 2"))


def test_bundled_players_play_longer_games_and_turns_than_usual() -> None:
    engine = Ticking(3, 3, max_turns=103, moves=4)
    engine.run_game(Tracker(), RandomPlayer(move_probabilities={"fertilise": 1}))
    assert engine.reason == "turns"
