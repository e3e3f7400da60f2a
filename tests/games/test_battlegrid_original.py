"""BattleGrid: agents written for the original program, the original's game class, and its script."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.agents import make_agent
from ludus.agents.files import AgentFile
from ludus.engine import Table
from ludus.games import load

ROOT = Path(__file__).parent.parent.parent
ORIGINALS = ROOT / "originals" / "battlegrid"
GAME = load("battlegrid")
ORIGINAL = GAME.part("original")
SHORT = {"max_turns": 20}
ARGUMENTS = "tank, visible_enemy, visible_walls, enemy_area, safe_zone, item_hints"


def agent_file(folder: Path, body: str, top: str = "", name: str = "bot.py") -> str:
    """Write an agent file whose `decide` has this body."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    code = f"{top}\nclass Bot:\n    def __init__(self, name):\n        self.name = name\n        self.calls = 0\n"
    (folder / name).write_text(f"{code}\n    def decide(self, {ARGUMENTS}):\n        self.calls += 1\n{lines}\n")
    return str(folder / name)


def play(agents: list[Any], seed: int = 1) -> Any:
    return ludus.play("battlegrid", agents, seed=seed, **SHORT)


def test_an_agent_is_shown_what_the_rules_say(tmp_path: Path) -> None:
    body = "print(tank.x, tank.y, tank.facing, tank.desired_direction, tank.shoot_cooldown, tank.double_shot_active,\n"
    body += "      tank.stay_counter, tank.score, visible_enemy, visible_walls, enemy_area, safe_zone, item_hints, sep='|')\n"
    body += "return 'DOWN', True"
    agent: Any = make_agent(GAME, agent_file(tmp_path, body))
    table = Table(load("battlegrid", **SHORT), 1)
    s = table.s.copy()
    ludus.play("battlegrid", [agent], seed=1, **SHORT)
    x, y, facing, wish, cooldown, shot, stay, score, enemy, walls, area, zone, hints = agent.log[0].split("|")
    assert (int(x), int(y), facing, wish, cooldown, shot, stay, score) == (
        s.x[0],
        s.y[0],
        "RIGHT",
        "RIGHT",
        "0",
        "False",
        "0",
        "0",
    )
    assert (enemy, zone) == ("None", "(0, 0, 14, 14)")
    assert eval(walls) == sorted(eval(walls))
    assert all(abs(a - int(x)) + abs(b - int(y)) <= 5 for a, b in eval(walls))
    x_min, x_max, y_min, y_max = eval(area)
    assert x_min <= s.x[1] <= x_max
    assert y_min <= s.y[1] <= y_max
    assert len(eval(hints)) == 5
    assert all(x2 == x1 + 1 and y2 == y1 + 1 and kind in ORIGINAL.ITEM_TYPES for x1, y1, x2, y2, kind in eval(hints))
    second = agent.log[1].split("|")
    assert (second[2], second[3], second[4]) == ("DOWN", "DOWN", "3")


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("return 1 / 0", "crash", "ZeroDivisionError"),
        ("raise SystemExit", "crash", "SystemExit"),
        ("return 'LEFT'", "illegal", "must return (direction, shoot)"),
        ("return None", "illegal", "must return"),
        ("return 'UP', True, 1", "illegal", "must return"),
        ("return ['UP'], True", "illegal", "must return"),
        ("return 5", "illegal", "must return"),
    ],
)
def test_a_failing_agent_drives_on_and_is_named(tmp_path: Path, body: str, kind: str, text: str) -> None:
    played = play([agent_file(tmp_path, body), "hunter"])
    assert len(played.faults) == 10
    assert {fault.seat for fault in played.faults} == {0}
    assert played.faults[0].kind == kind
    assert text in played.faults[0].text
    keeps_going = play([agent_file(tmp_path, "return None, False", name="going.py"), "hunter"])
    assert keeps_going.faults == ()
    assert keeps_going.result == played.result


@pytest.mark.parametrize("direction", ["None", "'STAY'", "'up'", "''", "7", "-1", "True", "'RIGHT '", "(1, 2)", "2.5"])
def test_a_direction_that_is_none_of_the_four_drives_on_and_is_remembered_as_given(tmp_path: Path, direction: str) -> None:
    body = f"print(repr(tank.desired_direction), tank.facing, tank.stay_counter)\nreturn {direction}, False"
    agent: Any = make_agent(GAME, agent_file(tmp_path, body))
    played = play([agent])
    assert played.faults == ()
    assert agent.log[0] == "'RIGHT' RIGHT 0"
    wishes = {line.rsplit(" ", 2)[0] for line in agent.log[1:]}
    assert wishes & {direction}
    assert wishes <= {direction, *(repr(name) for name in ORIGINAL.DIRECTION_NAMES)}  # escapes are told, too


def test_after_an_answer_that_never_came_the_tank_wants_nothing(tmp_path: Path) -> None:
    body = "print(tank.desired_direction)\nif self.calls == 2:\n    raise ValueError\nreturn 'STAY', False"
    agent: Any = make_agent(GAME, agent_file(tmp_path, body))
    assert len(play([agent]).faults) == 1
    assert agent.log[:3] == ["RIGHT", "STAY", "None"]


@pytest.mark.parametrize(
    ("flag", "shoots"), [("1", True), ("'yes'", True), ("2.5", True), ("0", False), ("''", False), ("None", False)]
)
def test_any_true_value_shoots(flag: str, shoots: bool) -> None:
    assert ORIGINAL.action_of(ORIGINAL.pair(("UP", eval(flag))), 3) == (4 if shoots else 0)


def test_a_tank_can_be_read_but_not_used_to_cheat(tmp_path: Path) -> None:
    cheat = "tank.score += 100; tank.shoot_cooldown = 0; tank.x = 7; tank.double_damage_active = True\n"
    cheat += "tank.rotate(); tank.shoot(); visible_walls.clear(); item_hints.clear()\nreturn 'DOWN', True"
    honest = play([agent_file(tmp_path, "return 'DOWN', True", name="honest.py"), "hunter"])
    agent: Any = make_agent(GAME, agent_file(tmp_path, cheat))
    cheated = play([agent, "hunter"])
    assert cheated.result == honest.result
    assert cheated.faults == ()
    notes = [line for line in agent.log if line.startswith("ludus:")]
    assert any("bot changed tank.score" in line for line in notes)
    assert len(notes) == len(set(notes))  # once per attribute
    assert not any("game" in vars(tank) or "s" in vars(tank) for tank in [ORIGINAL.Tank()])


def test_every_game_gets_a_new_instance_and_a_note_on_the_tank_stays_for_one_game(tmp_path: Path) -> None:
    body = "tank.note = getattr(tank, 'note', 0) + 1\nprint(self.calls, tank.note)\nreturn 'UP', False"
    agent: Any = make_agent(GAME, agent_file(tmp_path, body))
    for _ in range(2):
        assert play([agent]).faults == ()
    assert agent.log == [f"{call} {call}" for call in range(1, 11)] * 2


def test_files_use_helpers_constants_module_code_prints_and_chance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "helper.py").write_text("import random\ndef anything(names):\n    return random.choice(names)\n")
    top = "import random\nimport helper\nfrom battlegrid import DIRECTIONS, GRID_SIZE, VIEW_RANGE, Agent, Tank\n"
    top += "NAMES = list(DIRECTIONS)\nprint('ready', GRID_SIZE, VIEW_RANGE, DIRECTIONS['UP'])\n"
    file = agent_file(tmp_path, "return helper.anything(NAMES), random.random() < 0.5", top)
    agents: list[Any] = [make_agent(GAME, file), make_agent(GAME, file)]
    first = play(agents, seed=5)
    assert first.faults == ()
    assert agents[0].log == ["ready 15 5 (0, -1)"]
    assert capsys.readouterr().out == ""
    assert play([file, file], seed=5).result == first.result
    assert "battlegrid" not in sys.modules
    assert "helper" not in sys.modules


def test_the_last_class_with_decide_plays_under_the_name_it_gives_itself(tmp_path: Path) -> None:
    code = f"class Base:\n    def decide(self, {ARGUMENTS}):\n        return 'UP', False\n"
    code += "class Child(Base):\n    def __init__(self, name):\n        self.name = 'I am ' + name\n"
    (tmp_path / "child.py").write_text(code)
    assert make_agent(GAME, str(tmp_path / "child.py")).name == "I am child"


def test_files_without_an_agent_say_what_is_needed(tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("x = 1\n")
    with pytest.raises(AgentFile, match="decide\\(tank, visible_enemy"):
        make_agent(GAME, str(tmp_path / "empty.py"))
    (tmp_path / "broken.py").write_text(f"class Bot:\n    def decide(self, {ARGUMENTS}):\n        pass\n")
    with pytest.raises(AgentFile, match="cannot be made"):
        make_agent(GAME, str(tmp_path / "broken.py"))


def test_the_tank_class() -> None:
    tank = ORIGINAL.Tank(0, 0)
    assert (tank.facing, tank.desired_direction, tank.angle) == ("RIGHT", "RIGHT", 0)
    assert not tank.rotate()
    tank.desired_direction = "up"
    assert not tank.rotate()
    tank.desired_direction = "DOWN"
    assert tank.rotate()
    assert (tank.facing, tank.angle) == ("DOWN", 270)
    grid = [[".", "."], [".", "."], ["W", "."]]
    assert tank.move(grid)
    assert not tank.move(grid)
    tank.facing = "LEFT"
    assert not tank.move(grid)
    assert (tank.x, tank.y) == (0, 1)
    assert tank.shoot()
    assert tank.shoot_cooldown == 4
    assert not tank.shoot()
    tank.shoot_cooldown, tank.double_shot_active, tank.double_cooldown_active = 0, True, True
    assert tank.shoot()
    assert (tank.shoot_cooldown, tank.double_shot_active, tank.double_cooldown_active) == (0, False, True)
    assert tank.shoot()
    assert (tank.shoot_cooldown, tank.double_cooldown_active) == (8, False)


class Turner:
    """Turn and shoot; after ten calls fail."""

    def __init__(self, name: str) -> None:
        self.name, self.calls = name, 0

    def decide(self, tank: Any, *seen: Any) -> Any:
        self.calls += 1
        if self.calls > 10:
            raise ValueError("tired")
        tank.score = 1000
        return ("UP" if tank.facing != "UP" else "DOWN"), True


def test_the_game_class_of_the_original() -> None:
    game = ORIGINAL.BattleGrid(Turner("Blue"), Turner("Red"), seed=3)
    assert game.generate_initial_safe_zone() == game.safe_zone == (0, 0, 14, 14)
    assert game.generate_shrink_schedule() == [50, 100, 150, 200]
    assert len(game.generate_walls()) <= 33
    assert all(game.random_spawn(True)[1] < 5 <= 10 <= game.random_spawn(False)[1] for _ in range(20))
    assert [(kind in ORIGINAL.ITEM_TYPES) for _, _, kind in game.items] == [True] * 5
    old = game.items
    assert game.generate_items() == game.items != old
    wall = min(game.walls)
    assert game.grid[wall[1]][wall[0]] == "W"
    assert not game._can_move(*wall)
    assert not game._can_move(-1, 0)
    blue = game.tanks[0]
    assert game.is_visible(0, blue.x, blue.y)
    assert game._can_move(blue.x, blue.y)
    game.update_safe_zone(49)
    assert game.safe_zone == (0, 0, 14, 14)
    game.update_safe_zone(50)
    assert game.safe_zone[2] - game.safe_zone[0] == 12
    game.step_single_agent()
    assert (game.turn, game.tanks[0].facing, game.tanks[0].shoot_cooldown) == (1, "UP", 4)
    line = game.run()
    scores = [tank.score for tank in game.tanks]
    assert line == f"Blue:{scores[0]} - Red:{scores[1]}"
    game.step_single_agent()
    assert (game.turn, game.is_over) == (300, True)
    assert len(game.faults) == 2 * 140
    assert "Blue: ValueError: tired" in game.faults[0]


def test_the_script_plays_blue_against_red_from_any_folder(tmp_path: Path) -> None:
    lines = []
    for _ in range(2):
        command = [sys.executable, str(ORIGINALS / "battlegrid.py"), "--seed", "3", "--quiet"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        lines.append(done.stdout)
    assert lines[0] == lines[1]
    assert lines[0].startswith("Blue:")
    assert " - Red:" in lines[0]


@pytest.mark.parametrize("name", ["agent_blue", "agent_red", "agent_simple"])
def test_the_agents_beside_the_script_play_without_a_fault(name: str) -> None:
    played = ludus.play("battlegrid", [str(ORIGINALS / f"{name}.py"), "random"], seed=2)
    assert played.faults == ()
    assert played.result.outcome == (1.0, -1.0)
