"""Chase behind PettingZoo and Gymnasium: what its original environment promised, and that a learner learns there."""

import runpy
import sys
import tomllib
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import ludus.adapters.gymnasium  # noqa: F401  (registers the ids)
from ludus.adapters import pettingzoo as zoo

ORIGINALS = Path(__file__).parent.parent.parent / "originals" / "chase"
CORNER = """
turn 0/300; runner to move
R . . . . . . .
. . . . . . . .
. . . . . . . .
. . . # . . . .
. . . . . . . .
. . . . . . . .
. . . . . . 1 .
. . . . . . . 2
"""
MEETING = CORNER.replace("R . .", "R 1 .").replace(". . 1 .", ". . . .")


def env_at(position: str, **settings: Any) -> zoo.Env:
    env = zoo.env("chase", size=8, device="pure", **settings)
    env.reset(options={"position": position})
    return env


def test_the_dictionary_of_the_original() -> None:
    env = env_at(CORNER, obs="dict")
    assert env.metadata["name"] == "chase_game_v0"
    assert str(env) == "chase_game_v0"
    assert env.possible_agents == ["runner", "chaser1", "chaser2"]
    seen = env.observe("chaser2")
    assert sorted(seen) == ["board", "chaser1_pos", "chaser2_pos", "runner_pos"]
    assert seen["board"].dtype == np.int32
    assert seen["board"][0, 0] == 2
    assert seen["board"][3, 3] == 1
    assert seen["chaser1_pos"].tolist() == [6, 6]  # row, column
    assert seen["chaser2_pos"].tolist() == [7, 7]
    assert all(seen in env.observation_space(agent) for agent in env.agents)


def test_infos_are_filled_at_once_with_everybodys_own_moves() -> None:
    env = env_at(CORNER, obs="dict")
    told = env.infos
    assert told["runner"]["legal_moves"] == [1, 3]
    assert told["chaser1"]["legal_moves"] == [0, 1, 2, 3]
    assert told["chaser2"]["legal_moves"] == [0, 2]
    assert {agent: info["action_mask"].tolist() for agent, info in told.items()} == {
        "runner": [0, 1, 0, 1, 0],
        "chaser1": [0] * 5,
        "chaser2": [0] * 5,
    }
    assert {info["turn_number"] for info in told.values()} == {0}
    assert {info["win_condition"] for info in told.values()} == {None}


def test_staying_is_refused_while_a_step_exists() -> None:
    env = env_at(CORNER, obs="dict")
    env.step(4)
    assert env.agent_selection == "runner"
    assert env.infos["runner"]["illegal_action"] is True
    assert env.infos["runner"]["legal_moves"] == [1, 3]
    assert "illegal_action" not in env.infos["chaser1"]
    env.step(1)
    assert env.agent_selection == "chaser1"
    assert "illegal_action" not in env.infos["runner"]


def test_a_capture_ends_the_game_for_all_three() -> None:
    env = env_at(MEETING, obs="dict")
    env.step(3)
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.truncations == dict.fromkeys(env.possible_agents, False)
    assert env.rewards == {"runner": -1, "chaser1": 1, "chaser2": 1}
    assert env.agent_selection == "chaser1"
    assert env.last()[1] == 1
    assert env.infos["runner"]["win_condition"] == "chaser_win"
    assert env.infos["runner"]["legal_moves"] == []
    for agent in ("chaser1", "runner", "chaser2"):
        assert env.agent_selection == agent
        env.step(None)


def test_the_limit_is_an_end_not_a_truncation() -> None:
    env = gym.make("ludus/Chase-v1", seat="runner", opponents="random", max_turns=1).unwrapped
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert (reward, terminated, truncated) == (1, True, False)
    assert info["outcome"] == 1


def test_planes_show_what_the_dictionary_shows() -> None:
    planes, dictionary = zoo.env("chase", seed=3), zoo.env("chase", obs="dict", seed=3)
    planes.reset()
    dictionary.reset()
    seen, due = planes.observe("chaser1"), dictionary.observe("chaser1")["board"]
    assert np.array_equal(seen[0], due == 1)
    assert np.array_equal(seen[4], due == 3)
    assert planes.metadata["render_modes"] == ["human", "ansi", "rgb_array"]


def test_named_opponents_move_inside() -> None:
    env = gym.make("ludus/Chase-v1", seat="chaser1", opponents={"runner": "greedy"}).unwrapped
    env.reset(seed=1)
    assert env.table.seat == 1
    assert env.table.bots == ["greedy", None, "random"]
    before = int(env.table.s.turn)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert int(env.table.s.turn) == before + 1


@pytest.fixture
def originals(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the original program's modules, to be imported from; they are forgotten afterwards."""
    for folder in (ORIGINALS, ORIGINALS / "training"):
        monkeypatch.syspath_prepend(str(folder))
    for name in ("agent_policies", "board_state", "cgame_env", "utils", "single_agent_wrapper", "test_env"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return ORIGINALS


@pytest.mark.usefixtures("originals")
def test_the_originals_board_and_helpers() -> None:
    from board_state import BoardState, Position
    from utils import create_agent, format_game_status, position_to_text, render_board, text_to_position

    board = BoardState(seed=7, max_turns=5)
    again = BoardState(seed=7, max_turns=5)
    assert [board.position(agent) for agent in board.agents] == [again.position(agent) for agent in board.agents]
    assert not board.move_agent("chaser1", 0)
    agents = {name: create_agent("random", name) for name in board.agents}
    while not board.is_terminal():
        name = board.current_agent
        assert board.move_agent(name, agents[name].decide_move(board.get_observation(), board.get_legal_moves(name)))
    assert board.winner in ("runner", "chasers")
    assert "Winner" in format_game_status(board)
    assert render_board(board).count("█") == 5
    assert text_to_position("c 7") == text_to_position("c7") == Position(6, 2)
    assert position_to_text(Position(6, 2)) == "c7"
    custom = BoardState(positions={"runner": (0, 0), "chaser1": (9, 9), "chaser2": (9, 8)}, obstacles=[])
    assert custom.obstacles == set()
    assert custom.position("chaser2") == Position(9, 8)
    with pytest.raises(Exception, match="cells of their own"):
        BoardState(positions={"runner": (0, 0), "chaser1": (0, 0), "chaser2": (9, 8)})


@pytest.mark.usefixtures("originals")
def test_the_originals_environment_has_the_originals_layouts() -> None:
    import json

    from cgame_env import ChaseGameEnv

    setups = json.loads((ORIGINALS.parent.parent / "tests" / "data" / "chase" / "setups.json").read_text())
    setup = next(item for item in setups if item.get("size", 15) == 15)
    env = ChaseGameEnv(seed=setup["seed"])
    env.reset()
    seen = env.observe("runner")
    assert [seen[f"{agent}_pos"].tolist() for agent in env.agents] == [setup[agent] for agent in env.agents]
    env.reset()
    assert any((seen[key] != env.observe("runner")[key]).any() for key in seen)


@pytest.mark.usefixtures("originals")
def test_the_originals_training_environment() -> None:
    from agent_policies import RandomAgent
    from single_agent_wrapper import make_training_env

    env = make_training_env("chaser1", {"runner": "random", "chaser2": RandomAgent("chaser2")}, max_turns=3, seed=1)
    _, info = env.reset()
    is_over = False
    while not is_over:
        _, reward, is_over, truncated, info = env.step(4)  # always illegal here
        assert info["illegal_action"]
        assert not truncated
    assert reward in (0, 1)
    assert info["win_condition"] in ("runner_win", "chaser_win")


@pytest.mark.usefixtures("originals")
def test_a_models_prediction_is_an_action() -> None:
    """It comes as an array without dimensions."""
    from board_state import BoardState
    from cgame_env import ChaseGameEnv
    from single_agent_wrapper import SingleAgentWrapper

    class Model:
        def decide_move(self, observation: Any, legal_moves: list[int]) -> Any:
            return np.array(legal_moves[0])

    env = ChaseGameEnv(seed=1)
    env.reset()
    env.step(np.array(env.infos["runner"]["legal_moves"][0]))
    assert env.agent_selection == "chaser1"
    board = BoardState(seed=1)
    assert board.move_agent("runner", np.array(board.get_legal_moves("runner")[0]))
    training = SingleAgentWrapper("chaser1", {"runner": Model(), "chaser2": Model()}, max_turns=3, seed=1)
    _, info = training.reset()
    assert "illegal_action" not in training.step(np.array(info["legal_moves"][0]))[4]


def test_only_packages_of_the_originals_are_installed() -> None:
    """Loose files at top level (utils, training, test_env) would hide other people's."""
    settings = tomllib.loads((ORIGINALS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    for folder in wheel["only-include"]:
        assert (ORIGINALS.parent / folder / "__init__.py").is_file()
        assert wheel["sources"][folder] == Path(folder).name == Path(folder).parent.name


@pytest.mark.usefixtures("originals")
def test_the_originals_test_script(capsys: pytest.CaptureFixture[str]) -> None:
    script = runpy.run_path(str(ORIGINALS / "test_env.py"))
    assert script["main"](games=5, ask=lambda question: "n") == 0
    assert "of 5" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning")
def test_maskable_ppo_learns_to_catch_a_random_runner() -> None:
    """A chaser beside a random one, 40 turns: random play catches about one runner in five; the learner must catch most."""
    sb3 = pytest.importorskip("sb3_contrib", reason="get it with: pip install -c constraints.txt 'ludus[learn]'")
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)

    def make() -> gym.Env[Any, Any]:
        return gym.make("ludus/Chase-v1", seat="chaser1", opponents={"runner": "random"}, obs="dict", max_turns=40)

    from stable_baselines3.common.vec_env import DummyVecEnv

    env = DummyVecEnv([make] * 8)
    env.seed(1)
    policy = {"net_arch": [128, 128]}
    settings = {"n_steps": 256, "batch_size": 512, "n_epochs": 6, "gamma": 0.95, "learning_rate": 1e-3, "ent_coef": 0.01}
    model = sb3.MaskablePPO("MultiInputPolicy", env, policy_kwargs=policy, seed=1, **settings)
    model.learn(80_000)
    random_wins, learned_wins = catches(make(), None), catches(make(), model)
    print(f"caught in 40 turns: {random_wins:.0%} at random, {learned_wins:.0%} after learning")
    assert learned_wins > random_wins + 0.25


def catches(env: gym.Env[Any, Any], model: Any, games: int = 200) -> float:
    """Return the share of games in which the seat's side catches the runner."""
    chance, caught = np.random.default_rng(0), 0
    for number in range(games):
        seen, _ = env.reset(seed=10_000 + number)
        is_over = False
        while not is_over:
            mask = env.unwrapped.action_masks()  # type: ignore[attr-defined]
            if model is None:
                action = chance.choice(np.flatnonzero(mask))
            else:
                action, _ = model.predict(seen, action_masks=mask, deterministic=True)
            seen, reward, is_over, _, _ = env.step(int(action))
        caught += reward > 0
    return caught / games
