"""Champions: whole legal games in every game, wherever bots are named; what is missing is said in a sentence."""

import subprocess
import sys

import pytest

from ludus import make_vec, play
from ludus.games import load, names
from ludus.school import champion_file

GAMES = [name for name in names() if (load(name).folder / "champion.onnx").is_file()]
LARGEST = 5_000_000  # bytes of a champion
SHORT = {"quantum_harvest": {"max_turns": 40}}  # options that end a game soon and leave the network its sizes


def test_every_game_here_has_a_champion_that_is_small() -> None:
    assert len(GAMES) == 5
    assert max(champion_file(load(name)).stat().st_size for name in GAMES) < LARGEST


@pytest.mark.parametrize("name", GAMES)
def test_a_champion_plays_a_whole_game(name: str) -> None:
    pytest.importorskip("onnxruntime")
    seats = load(name).spec.seats
    record = play(name, ["champion", *["random"] * (len(seats) - 1)], seed=3, **SHORT.get(name, {}))
    assert record.result.status != 0
    assert not record.faults
    assert record.agents[0] == "champion"


@pytest.mark.parametrize("name", GAMES)
def test_a_champion_is_an_opponent_in_a_batch(name: str) -> None:
    pytest.importorskip("onnxruntime")
    seat = make_vec(name, 4, seat=0, bots="champion", obs="planes", seed=1)  # whatever the learner looks at
    seen = seat.reset()
    for _ in range(3):
        seen = seat.step(seen.mask.argmax(axis=1))
    assert seen.mask.any(axis=1).all()
    assert (seen.seat == 0).all()


def test_a_champion_is_an_opponent_in_gymnasium() -> None:
    pytest.importorskip("onnxruntime")
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("ludus.adapters.gymnasium:ludus/Chase-v1", seat="runner", opponents="champion", obs="features")
    _, info = env.reset(seed=3)
    reward, is_over, turns = 0.0, False, 0
    while not is_over:
        _, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        is_over, turns = terminated or truncated, turns + 1
    assert reward == -1, "a runner that walks straight on is caught"
    assert turns < 60


def test_without_the_extra_it_is_one_sentence() -> None:
    code = "import sys; sys.modules['onnxruntime'] = None; from ludus.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "match", "battlegrid", "champion", "random", "--games", "1"],
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "onnxruntime" in done.stderr
    assert "ludus[school]" in done.stderr
    assert "Traceback" not in done.stderr
