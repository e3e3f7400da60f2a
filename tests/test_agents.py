"""Agents from files and functions: what they do wrong is recorded, and stays with them."""

import random
import sys
from pathlib import Path

import pytest

import ludus
from ludus.agents import AgentFile, make_agent, seat_agents
from ludus.arena import play_match
from ludus.core import Agent, Answer, BadValue, LudusError, UnknownName
from ludus.games import Game, load, names

GAME = names()[0]
SEATS = len(load(GAME).spec.seats)


def write(folder: Path, name: str, text: str) -> str:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return str(folder / name)


@pytest.mark.parametrize("name", names())
def test_a_function_plays_every_game(name: str) -> None:
    played = ludus.play(name, [lambda view, legal: legal[0]], seed=1)
    assert played.agents[0] == "<lambda>"
    assert played.result.status != 0
    assert [fault for fault in played.faults if fault.seat == 0] == []


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("return 1 / 0", "crash", "ZeroDivisionError"),
        ("raise SystemExit", "crash", "SystemExit"),
        ("return 'fly to the moon'", "illegal", "unknown"),
        ("return None", "illegal", "must return the name of an action, or a number from 0 to"),
        ("return 3.5", "illegal", "must return the name of an action, or a number"),
        ("return 10 ** 5000", "illegal", "must return the name of an action, or a number from 0 to"),
        ("return -1", "illegal", "a number from 0 to"),
        ("return []", "rubbish", "answered []"),
        ("view.clear(); legal.clear(); return -5", "illegal", "a number from 0 to"),
        ("print('x' * 10**7); raise KeyboardInterrupt", "crash", "KeyboardInterrupt"),
        ("raise GeneratorExit", "crash", "GeneratorExit"),
        ("raise ValueError('\\x1b[31m' + 'red' * 1000)", "crash", "ValueError:  [31mred"),
        ("import os, sys; sys.stdout = sys.stderr = None; return 'fly'", "illegal", "unknown"),
        ("import sys; sys.setrecursionlimit(200)\n    return act(view, legal)", "crash", "RecursionError"),
    ],
)
def test_wrong_play_is_recorded_and_the_game_goes_on_or_is_forfeited(
    tmp_path: Path, own_handler: None, body: str, kind: str, text: str
) -> None:
    file = write(tmp_path, "bot.py", f"def act(view, legal):\n    {body}\n")
    limit, out, err = sys.getrecursionlimit(), sys.stdout, sys.stderr
    try:
        played = ludus.play(GAME, [file], seed=1, device="pure")
    finally:
        sys.setrecursionlimit(limit)
        assert sys.stdout is out
        sys.stdout, sys.stderr = out, err
    fault = played.faults[0]
    assert (fault.seat, fault.kind) == (0, kind)
    assert text.replace("  ", " ") in fault.text
    assert all(len(fault.text) <= 200 and fault.text.isprintable() for fault in played.faults)
    assert played.result.status != 0 or played.forfeit == 0


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
    played = ludus.play(GAME, agents, seed=1, device="pure")
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
        ("import nothing_such", "needs nothing_such, which is not installed: pip install nothing_such"),
        ("import nothing_such.part", "pip install nothing_such$"),
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


def test_what_is_no_agent_says_what_one_is() -> None:
    class Stranger:
        """It has the calls of an agent, but is none."""

        name = "stranger"

        def start(self, start: object) -> None: ...
        def act(self, view: object, legal: list[int]) -> int:
            return legal[0]

    with pytest.raises(BadValue, match=r"derive its class from ludus\.core\.Agent"):
        make_agent(load(GAME), Stranger())

    class Plain(Agent):
        """The least that an agent is."""

    game = load(GAME)
    agent = Plain()
    assert make_agent(game, agent) is agent
    record = ludus.play(GAME, [agent], seed=1, device="pure")
    assert record.faults[0].text.startswith("NotImplementedError")


def test_seats_that_are_left_out_get_a_bot_of_their_own() -> None:
    game = load(GAME)
    agents = seat_agents(game, {})
    assert len({id(agent) for agent in agents}) == SEATS
    with pytest.raises(LudusError, match="two seats"):
        ludus.play(GAME, [agents[0]] * SEATS, device="pure")


def test_what_a_file_prints_is_kept_within_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "print('first')\nfor k in range(5000): print('\\x1b[2J line', k)\nprint('y' * 10**7, end='')\n"
    agent = make_agent(load(GAME), write(tmp_path, "bot.py", code + "def act(view, legal):\n    return legal[0]\n"))
    log = agent.log  # type: ignore[attr-defined]
    assert len(log) <= 1001
    assert sum(map(len, log)) <= 1001 * 500
    assert all(line.isprintable() for line in log)
    assert "first" not in log
    assert capsys.readouterr().out == ""


def test_a_function_may_name_a_whole_turn(tiny: Game) -> None:
    """The names of Tiny's actions are their numbers; a list is played decision by decision."""
    asked = []

    def act(view: dict[str, object], legal: list[str]) -> list[object]:
        asked.append(view)
        return [legal[0], int(legal[1])]

    record = ludus.play("tiny", [act], seed=1, device="pure")
    assert len(asked) < sum(seat == 0 for seat, _ in record.decisions)
    assert asked[0]["me"] == asked[0]["to_move"] == "one"
    assert asked[0]["turn"] == 0


def test_files_cannot_change_a_games_options(tmp_path: Path) -> None:
    code = "from ludus.games import load\ndef act(view, legal):\n"
    code += f"    load({GAME!r}).options.update(colour=3)\n    return legal[0]\n"
    before = dict(load(GAME).options)
    record = ludus.play(GAME, [write(tmp_path, "bot.py", code)], seed=1, device="pure")
    assert record.faults[0].text.startswith("AttributeError")
    assert dict(load(GAME).options) == before == record.options


def test_agents_carry_a_hash_of_what_their_files_hold(tmp_path: Path) -> None:
    game, python = load(GAME), sys.executable
    one, same = (write(tmp_path / folder, "bot.py", "def act(view, legal):\n    return legal[0]\n") for folder in "ab")
    toml = write(tmp_path / "a", "bot.toml", f'command = ["{python}", "bot.py"]')
    words = [one, f"{one}:Bot", f"cmd:{python} {one}", toml, str(tmp_path / "a")]
    found = [make_agent(game, word, "process").hash for word in words]
    assert found[0] == found[1] == found[2] == make_agent(game, one).hash == make_agent(game, same, "process").hash
    assert found[3] == found[4] != found[0]
    assert all(len(one) == 32 for one in found)
    write(tmp_path / "a", "bot.py", "def act(view, legal):\n    return legal[-1]\n")
    assert not {make_agent(game, word, "process").hash for word in words} & set(found)
    assert make_agent(game, "random").hash == make_agent(game, max).hash == ""


LIES = """
class Lies(type):
    @property
    def __name__(cls):
        raise SystemExit

class Hidden(Exception, metaclass=Lies):
    def __getattribute__(self, name):
        raise SystemExit

class Claims(Exception):
    @property
    def __class__(self):
        raise SystemExit

class Traceless(Exception):
    __traceback__ = property(lambda self: 1 / 0)

class Signs(str):
    def __iter__(self):
        yield Signs("\\x1b[31m")
    def __getitem__(self, place):
        return self
    def isprintable(self):
        return True

class Spoken(Exception):
    def __str__(self):
        return Signs("\\x1b[31mred")

def complaint(kind="crash", **changed):
    from ludus.agents.guard import Complaint
    error = Complaint(kind, "it was not me")
    vars(error).update(changed)
    return error
"""


@pytest.mark.parametrize(
    "raised",
    [
        "Hidden()", "Claims()", "Traceless()", "Spoken()", "BaseException()", "BaseExceptionGroup('', [KeyboardInterrupt()])",
        "type('E\\x1b[31m' * 1000, (Exception,), {})()", "complaint('void')", "complaint([])",
        "complaint(kind=None, ends=Hidden)", "complaint(stderr=[1, 2])", "complaint(args=())",
    ],
)  # fmt: skip
def test_errors_that_lie_about_themselves_are_faults(tmp_path: Path, own_handler: None, raised: str) -> None:
    file = write(tmp_path, "bot.py", f"{LIES}\ndef act(view, legal):\n    raise {raised}\n")
    played = ludus.play(GAME, [file], seed=1, device="pure")
    assert {(fault.seat, fault.kind) for fault in played.faults} == {(0, "crash")}
    assert all(len(fault.text) <= 200 and fault.text.isprintable() for fault in played.faults)
    assert all(line.isprintable() for fault in played.faults for line in fault.stderr)
    assert played.result.status != 0 or played.forfeit == 0


@pytest.mark.parametrize("raised", ["KeyboardInterrupt", "BaseException", "Hidden()", "Spoken()", "complaint()"])
@pytest.mark.parametrize(
    "place",
    [
        "{}",
        "class Mine(Agent):\n    def __init__(self):\n        {}",
        "class Mine(Agent):\n    @property\n    def name(self):\n        {}",
    ],
)
def test_files_that_raise_before_a_game_are_told_in_a_sentence(
    tmp_path: Path, own_handler: None, raised: str, place: str
) -> None:
    text = f"from ludus.core import Agent\n{LIES}\n{place.format(f'raise {raised}')}\n"
    with pytest.raises(AgentFile, match=r"bot\.py (does not run|cannot be made): ") as told:
        make_agent(load(GAME), write(tmp_path, "bot.py", text))
    assert str(told.value).isprintable()


def test_an_agent_that_catches_whatever_is_raised_does_not_keep_ctrl_c(tmp_path: Path, own_handler: None) -> None:
    body = "    try:\n        os.kill(os.getpid(), signal.SIGINT)\n    except:\n        pass\n    return legal[0]\n"
    file = write(tmp_path, "bot.py", f"import os, signal\ndef act(view, legal):\n{body}")
    with pytest.raises(KeyboardInterrupt):
        ludus.play(GAME, [file], seed=1, device="pure")


def test_faults_of_a_bot_that_does_nothing_right_stay_within_a_bound() -> None:
    class Remarks(Agent):
        """Every answer is remarked upon at length."""

        name = "remarks"

        def act(self, view: object, legal: list[int]) -> Answer:
            return Answer([legal[0]], ["x" * 200 + str(k) for k in range(10_000)])

    faults = ludus.play(GAME, [Remarks()], seed=1, device="pure").faults
    assert 100 < len(faults) <= 1000
    assert len({fault.text for fault in faults[100:]}) == 1
    match = play_match(load(GAME), [lambda view, legal: 1 / 0, *["random"] * (SEATS - 1)], games=1, seed=1)
    told = [fault for game in match.games for fault in game.faults]
    assert told
    assert not any(fault.stderr for fault in told)
