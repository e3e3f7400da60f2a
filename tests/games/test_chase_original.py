"""Chase as its original offered it: agents, the interactive set-up, command lines."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from ludus.games import load

ROOT = Path(__file__).parent.parent.parent
DATA = ROOT / "tests" / "data" / "chase"


ORIGINAL = """
import random
from agent_policies import BaseAgent, RandomAgent

class Helper(RandomAgent):
    pass

class Mine(BaseAgent):
    def decide_move(self, observation, legal_moves):
        assert observation["board"].shape == (15, 15) and observation["board"].dtype.name == "int32"
        assert observation["board"][tuple(observation["runner_pos"])] in (2, 3, 4)
        observation["board"][:] = 9
        legal_moves.sort(reverse=True)
        print("thinking", self.name)
        return random.choice(legal_moves)
"""


def test_agents_written_for_the_original_play_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(ORIGINAL)
    played = ludus.play("chase", [str(file)] * 3, seed=2, max_turns=40)
    assert played.faults == ()
    assert played.agents == ("mine", "mine", "mine")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "constructor",
    [
        "self",
        "self, depth=3",
        "self, depth=3, name='?'",
        "self, label",
        "self, label, /, depth=3",
        "self, *words",
        "self, **settings",
    ],
)
def test_agents_of_the_original_are_made_as_their_constructors_allow(tmp_path: Path, constructor: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        f"import numpy as np\n"
        f"class Mine:\n"
        f"    def __init__({constructor}):\n"
        f"        assert locals().get('depth', 3) == 3\n"
        f"        assert locals().get('label', 'mine') == locals().get('name', 'mine') == 'mine'\n"
        f"    def decide_move(self, observation, legal_moves):\n"
        f"        return np.array(legal_moves[-1])\n"  # as a model's `predict` answers
    )
    assert ludus.play("chase", [str(file)] * 3, seed=2, max_turns=2).faults == ()


def test_agents_of_the_original_that_need_more_than_a_name_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def __init__(self, name, depth): ...\n    def decide_move(self, seen, legal): ...\n")
    with pytest.raises(ludus.LudusError, match=r"Mine.*cannot be made"):
        ludus.play("chase", [str(file)] * 3)


def test_the_set_up_is_asked_for_until_it_is_valid() -> None:
    setup = load("chase").part("original")
    answers = iter(
        [
            "x",
            "0",
            "20",
            "999",
            "2",
            "z",
            "m",
            "a 1",
            "q 9",
            "a 2",
            "h 8",
            "h 8",
            "a 15",
            "b 2",
            "d 4",
            "d 4",
            "f 4",
            "9",
            "2",
            "1",
            "3",
        ]
    )
    said: list[str] = []
    s, seats = setup.ask(lambda question: next(answers), said.append, ["random", "greedy"])
    assert (s.opt_max_turns, s.opt_obstacles) == (20, 2)
    assert seats == ["greedy", "random", "human"]
    assert load("chase").text(s).splitlines()[4].split() == [".", ".", ".", "#", ".", "#", *["."] * 9]
    assert len(said) == 10, said


def original(script: str, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    folder = ROOT / "originals" / "chase"
    return subprocess.run(
        [sys.executable, script, *words], cwd=folder, input=stdin, capture_output=True, text=True, timeout=120
    )


def test_the_originals_command_lines() -> None:
    words = ("--seed", "42", "--max-turns", "3", "--delay", "0")
    first = original("cli_game.py", *words)
    assert first.stdout == original("cli_game.py", *words).stdout
    assert (ROOT / "tests" / "data" / "chase" / "render_samples.json").exists()
    sample = json.loads((DATA / "render_samples.json").read_text())[0]
    assert sample["name"] == "spawn_seed_42"
    assert sample["aligned"] in first.stdout
    assert "Turn: 3/3" in first.stdout
    assert "Winner:" in first.stdout
    left = original("cli_game.py", "--runner", "manual", "--seed", "1", "--delay", "0", stdin="x\ns\n")
    assert left.returncode == 0
    assert "End of input" in left.stdout
    assert original("cli_game.py", "--max-turns", "0").returncode == 2
    answers = "2\n0\nr\na 1\no 15\no 1\n1\n1\n1\n"
    assert "Turn: 2/2" in original("cli_game_interactive.py", stdin=answers).stdout
