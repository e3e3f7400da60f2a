"""Agent files of Plantation's original: they run as they are, whatever their classes take, and forfeit when they fail."""

import sys
from pathlib import Path

import pytest

import ludus
from ludus.agents import make_agent
from ludus.arena import Referee, play_match
from ludus.core import LudusError
from ludus.engine import Table
from ludus.games import load
from ludus.games.plantation.original.reports import series_text

AGENT = """
import random
import helper
from plantation.player import Player
from plantation.engine import Engine
from plantation.include import get_player_restricted_board, display_board_text
from plantation.ai_players.scry_and_die import ScryAndDie

print("loaded")

class Base(Player):
    pass

class Mine(Base):
    def start_game(self, board_shape, sign):
        super().start_game(board_shape, sign)
        self.answers = []

    def get_move(self, board, turn, moves_remaining, time_remaining):
        assert 0 < time_remaining <= 12
        own = helper.tiles(get_player_restricted_board(board, self.sign))
        assert display_board_text(board).startswith("     0")
        board.fill(99)
        strong = [place for place, value in own if value > 1]
        if moves_remaining > 1 and strong:
            target = [random.randrange(11), random.randrange(11)]
            return "colonise", target + list(random.choice(strong))
        return "fertilise", list(random.choice(own)[0])

    def handle_move_result(self, move, turn, pos, result):
        assert move == "fertilise" or len(pos) == 4
        self.answers.append(result)
        print(move, result)

    def end_game(self, your_score, opponent_score):
        assert your_score * self.sign >= 0 >= opponent_score * self.sign
        assert set(a.split()[0] for a in self.answers) <= {"OK", "occupied", "error"}
"""
HELPER = """
import numpy as np

def tiles(board):
    return [((int(r), int(c)), abs(int(board[r, c]))) for r, c in np.argwhere(board)]
"""


def write_agent(folder: Path, text: str = AGENT) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "helper.py").write_text(HELPER)
    (folder / "mine.py").write_text(text)
    return str(folder / "mine.py")


def test_agent_files_of_the_original_run_unchanged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_agent(tmp_path)
    agent = make_agent(load("plantation"), file)
    for agents in ([agent, "random"], ["random", agent]):
        played = ludus.play("plantation", agents, seed=2, max_turns=20)
        assert played.faults == ()
        assert played.result.status == 1
    assert played.agents[1] == "mine"
    assert agent.log[0] == "loaded"
    assert "plantation" not in sys.modules
    assert "helper" not in sys.modules
    assert capsys.readouterr().out == ""


WEIGHTED = """
from plantation.player import Player

class Weighted(Player):
    def __init__(self, move_probabilities):
        super().__init__()
        self.weights = {name: weight / 2 for name, weight in move_probabilities.items()}

    def get_move(self, board, turn, moves_remaining, time_remaining):
        assert len(self.weights) == 5
        return "scout", [0, 0]
"""
NO_SUPER = """
from plantation.player import Player
from plantation.ai_players.random_player import RandomPlayer

class Base(RandomPlayer):
    def __init__(self):
        self.rounds = 0

class Mine(Base):
    def get_move(self, board, turn, moves_remaining, time_remaining):
        assert self.name == "mine" and self.sign in (1, -1)
        return super().get_move(board, turn, moves_remaining, time_remaining)
"""
TITLED = WEIGHTED.replace("move_probabilities)", "bot_name)").replace(
    "move_probabilities.items()", "dict.fromkeys(bot_name + 'x', 1).items()"
)


@pytest.mark.parametrize("text", [WEIGHTED, NO_SUPER, TITLED], ids=["weights", "no super", "name"])
def test_agent_classes_are_made_whatever_their_constructors_take_and_call(tmp_path: Path, text: str) -> None:
    for agents in ([write_agent(tmp_path, text), "random"], ["random", write_agent(tmp_path, text)]):
        assert ludus.play("plantation", agents, seed=2, max_turns=3).faults == ()


def test_a_class_with_an_argument_that_nobody_can_guess_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LudusError, match="Weighted cannot be made: its argument 'depth' has no default"):
        make_agent(load("plantation"), write_agent(tmp_path, WEIGHTED.replace("move_probabilities)", "depth)")))


@pytest.mark.parametrize("change", ["raise RuntimeError", "import plantation.nothing"])
def test_an_agent_that_raises_forfeits_a_hundred_and_the_series_goes_on(tmp_path: Path, change: str) -> None:
    file = write_agent(tmp_path, AGENT.replace('return "fertilise"', f'{change}\n        return "fertilise"'))
    series = play_match(load("plantation"), [file, "random"], games=2, swap=True)
    assert series.summary(0)["forfeits"] == 2
    assert [game.result.points for game in series.games] == [(-100, 100), (100, -100)]
    assert "random is the winner!!" in series_text(series)
    assert series_text(series).count("mine forfeits: ") == 2


@pytest.mark.parametrize("call", ["start_game(self, board_shape, sign)", "handle_move_result(self, move, turn, pos, result)"])
def test_an_agent_that_raises_between_its_commands_forfeits_too(tmp_path: Path, call: str) -> None:
    text = "from plantation.player import Player\nclass Bad(Player):\n    def get_move(self, *_):\n"
    text += f"        return 'scout', [0, 0]\n    def {call}:\n        raise KeyError('lost')\n"
    played = ludus.play("plantation", [write_agent(tmp_path, text), "random"], seed=1)
    assert [(fault.seat, fault.kind) for fault in played.faults] == [(0, "crash")]
    assert "lost" in played.faults[0].text
    assert played.forfeit == 0
    assert len(played.decisions) < 2


def test_rubbish_is_an_error_of_the_game_and_no_fault(tmp_path: Path) -> None:
    text = "from plantation.player import Player\nclass Rubbish(Player):\n    def get_move(self, *_):\n        return {}\n"
    played = ludus.play("plantation", [write_agent(tmp_path, text), "tracker"], seed=1, max_turns=3)
    assert played.faults == ()
    assert played.result.outcome == (-1, 1)


def test_two_agents_cannot_reach_each_other_or_the_board(tmp_path: Path) -> None:
    table = Table("plantation", max_turns=5)
    agents = [make_agent(table.game, write_agent(tmp_path / name)) for name in ("a", "b")]
    Referee(table, agents).finish()
    modules = [agent.surroundings.modules for agent in agents]
    assert modules[0]["helper"] is not modules[1]["helper"]
    assert modules[0]["plantation.player"] is not modules[1]["plantation.player"]
    assert table.s.board.max() < 99
