"""Agents from files and functions: what they do wrong is recorded, and stays with them."""

import random
import sys
from pathlib import Path

import pytest

import ludus
from ludus.agents import make_agent
from ludus.agents.files import AgentFile
from ludus.core import BadValue, UnknownName
from ludus.games import load, names

GAME = names()[0]
SEATS = len(load(GAME).spec.seats)


def write(folder: Path, name: str, text: str) -> str:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return str(folder / name)


@pytest.mark.parametrize("name", names())
def test_a_function_plays_every_game(name: str) -> None:
    played = ludus.play(name, [lambda view, legal: legal[0]], seed=1)
    assert played.names[0] == "<lambda>"
    assert played.result.status != 0
    assert [fault for fault in played.faults if fault.seat == 0] == []


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("return 1 / 0", "crash", "ZeroDivisionError"),
        ("raise SystemExit", "crash", "SystemExit"),
        ("return 'fly to the moon'", "illegal", "unknown"),
        ("return None", "illegal", "must return the name or the number"),
        ("return 3.5", "illegal", "must return the name or the number"),
        ("return 10 ** 30", "illegal", "must be from 0 to"),
        ("return -1", "illegal", "must be from 0 to"),
        ("view.clear(); legal.clear(); return -5", "illegal", "must be from 0 to"),
    ],
)
def test_wrong_play_is_recorded_and_the_game_goes_on_or_is_forfeited(tmp_path: Path, body: str, kind: str, text: str) -> None:
    file = write(tmp_path, "bot.py", f"def act(view, legal):\n    {body}\n")
    played = ludus.play(GAME, [file], seed=1)
    fault = played.faults[0]
    assert (fault.seat, fault.kind) == (0, kind)
    assert text in fault.text
    assert played.result.status != 0


def test_files_keep_their_helpers_prints_and_chance_to_themselves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "import random\nimport helper\nprint('loaded', helper.NAME)\ndef act(view, legal):\n"
    code += "    import helper, late\n    print(helper.NAME, late.NAME)\n    random.seed(1)\n    return random.choice(legal)\n"
    agents = []
    for name in ("one", "two"):
        write(tmp_path / name, "helper.py", f"NAME = {name!r}\n")
        write(tmp_path / name, "late.py", f"NAME = {name!r} + ' late'\n")
        agents.append(make_agent(load(GAME), write(tmp_path / name, "bot.py", code)))
    random.seed(7)
    expected = random.Random(7).random()
    path = list(sys.path)
    played = ludus.play(GAME, agents, seed=1)
    assert played.faults == ()
    assert random.random() == expected
    assert sys.path == path
    assert "helper" not in sys.modules
    assert "late" not in sys.modules
    assert capsys.readouterr().out == ""
    assert agents[0].log[:2] == ["loaded one", "one one late"]
    assert agents[1].log[:2] == ["loaded two", "two two late"]


def test_the_same_seed_gives_the_same_game_with_global_random(tmp_path: Path) -> None:
    file = write(tmp_path, "bot.py", "import random\ndef act(view, legal):\n    return random.choice(legal)\n")
    assert ludus.play(GAME, [file] * SEATS, seed=3) == ludus.play(GAME, [file] * SEATS, seed=3)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = 1", "holds no agent"),
        ("def act(", "does not run: SyntaxError"),
        ("import nothing_such", "does not run: ModuleNotFoundError"),
        ("raise SystemExit(3)", "does not run: SystemExit"),
    ],
)
def test_files_that_hold_no_agent_say_so(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(AgentFile, match=why):
        make_agent(load(GAME), write(tmp_path, "bot.py", text))


def test_wrong_words_list_what_there_is() -> None:
    with pytest.raises(UnknownName, match="unknown bot 'nobody'; there is: random"):
        make_agent(load(GAME), "nobody")
    with pytest.raises(AgentFile, match="there is no agent file"):
        make_agent(load(GAME), "nobody.py")
    with pytest.raises(BadValue, match="an agent is"):
        make_agent(load(GAME), 3)
    with pytest.raises(UnknownName, match="unknown seat"):
        ludus.play(GAME, {"nobody": "random"})
    with pytest.raises(BadValue, match="seats"):
        ludus.play(GAME, ["random"] * (SEATS + 1))


def test_what_is_left_of_an_answer_is_not_played_in_the_next_turn() -> None:
    """An agent that names too many decisions is asked again in every turn of its own."""
    game, asked = load(GAME), []

    class Eager:
        name = "eager"

        def start(self, start: object) -> None:
            pass

        def act(self, view: object, legal: list[int]) -> list[int]:
            asked.append(legal)
            return [legal[0]] * 50

        def end(self, result: object) -> None:
            pass

    from ludus.arena.match import Match
    from ludus.engine import Table

    table = Table(game, 1)
    turns = 0
    match = Match(table, [Eager(), *[make_agent(game, "random")] * (SEATS - 1)])
    last = -1
    for decision in match.play():
        turns += decision.seat == 0 and last != 0
        last = decision.seat
        if turns == 5:
            break
    assert len(asked) >= turns
