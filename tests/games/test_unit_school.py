"""Unit's shards, its own commands, its graph, and the recipe that learns it in five minutes."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus import school
from ludus.core import BadRecord, plain
from ludus.engine import Table
from ludus.games import load
from ludus.games.unit import original
from ludus.games.unit.board import NEIGHBOURS, VERTICES
from ludus.games.unit.symmetry import SYMMETRIES

ROOT = Path(__file__).parent.parent.parent
ORIGINALS = ROOT / "originals" / "unit"
GAME = load("unit")
RECIPE = {  # docs/school.md says it as a command line
    "iterations": 0, "start_bot": "greedy", "start_games": 192, "start_steps": 1200, "channels": 32, "blocks": 3, "batch": 128,
    "rate": 0.003,
}  # fmt: skip


def played(seed: int = 3, decisions: int = 60) -> original.PlayedGame:
    """Play the beginning of a game at random, uncompiled, until a limit ends it."""
    table = Table("unit", seed, "pure", max_actions=decisions, random_start=1)
    start, actions, rng = table.s.copy(), list[int](), np.random.default_rng(seed)
    while not table.over:
        actions.append(int(rng.choice(table.legal())))
        table.apply(actions[-1])
    policies = [{action: 0.75, 0: 0.25} if k % 2 else None for k, action in enumerate(actions)]
    about = {"max_actions": decisions, "game_version": "v7"}
    return original.PlayedGame(start, actions, None, f"selfplay_{seed}_1", about, policies, "self", 1000, 4000)


@pytest.mark.parametrize("form", original.FORMATS)
@pytest.mark.parametrize(("mode", "is_trimmed"), [("full", False), ("full", True), ("compressed", False), ("compressed", True)])
def test_games_come_back_from_shards_of_every_kind(form: str, mode: str, is_trimmed: bool, tmp_path: Path) -> None:
    games = [played(seed, 12) for seed in range(3)]
    file = original.write_shard([original.game_row(game, mode, is_trimmed) for game in games], tmp_path, form)
    assert file.suffix == f".{form}"
    assert list(tmp_path.iterdir()) == [file]  # nothing temporary is left
    again = list(original.read_games(original.shard_files(tmp_path), pytest.fail))
    for one, other in zip(games, again, strict=True):
        assert original.write_state(one.start) == original.write_state(other.start)
        assert (one.actions, one.game_id, list(one.policies)) == (other.actions, other.game_id, list(other.policies))
        assert other.metadata["game_version"] == "v7"
        assert other.metadata["game_schema"]["num_vertices"] == VERTICES


def test_the_columns_are_the_originals() -> None:
    row = original.game_row(played(decisions=30), "compact")
    common = {
        "game_id", "winner", "initial_state", "metadata", "total_moves", "total_actions", "total_turns", "avg_actions_per_turn",
        "start_time", "end_time", "game_duration_ms", "timestamp",
    }  # fmt: skip
    assert set(row) == common | {"moves_count"}
    assert row["moves_count"] == row["total_moves"] == 30
    assert set(original.game_row(played(), "full")) == common | {"moves"}
    moves = json.loads(original.game_row(played(decisions=8), "full")["moves"])
    assert set(moves[0]) == {
        "move_number", "player", "action", "action_id", "timestamp", "opponent_type", "state_before", "state_after",
    }  # fmt: skip
    assert moves[0]["state_after"] == moves[1]["state_before"]
    assert "state_before" not in json.loads(original.game_row(played(decisions=8), "full", is_trimmed=True)["moves"])[0]


def test_what_cannot_be_learned_from_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    good = original.game_row(played(1, 8), "full", True)
    twice, counted = dict(good), original.game_row(played(2, 8), "compact")
    lying = original.game_row(played(3, 8), "full", True)
    lying["moves"] = lying["moves"].replace('"action_id":', '"action_id":1')
    for number, row in enumerate((good, twice, counted, lying)):
        (tmp_path / f"shard_{number}.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "shard_0.parquet").write_bytes(b"PAR1 cut")
    said: list[str] = []
    found = list(original.read_games(original.shard_files(tmp_path), said.append))
    assert [game.game_id for game in found] == [good["game_id"]]
    assert [line.split(" is left out")[0].split("/")[-1] for line in said] == [
        "shard_0.parquet", "shard_1.jsonl, game 0,", "shard_2.jsonl, game 0,", "shard_3.jsonl, game 0,",
    ]  # fmt: skip


def test_a_pincer_without_its_origins_is_told_by_the_position() -> None:
    """The browser's players named one stack, and all that could took part."""
    game = played(decisions=8)
    row = original.game_row(game, "full", True)
    moves = json.loads(row["moves"])
    assert original.read_game({**row, "moves": json.dumps(moves)}).actions == game.actions
    moves[0]["action"] = {"type": "pincer", "targetId": "v1", "vertexId": "v0"}
    with pytest.raises(BadRecord, match="refused"):
        original.read_game({**row, "moves": json.dumps(moves)})


def test_the_graph_names_every_action_once() -> None:
    graph: Any = GAME.says("graph", "GRAPH")
    assert graph.neighbours == NEIGHBOURS
    assert len(set(graph.head)) == GAME.spec.actions
    assert max(graph.head) == graph.head[0] == VERTICES * graph.channels  # the end of a turn belongs to no vertex


def test_a_network_sees_neighbours_and_nothing_else() -> None:
    """A block looks two steps far: what is farther away changes no vertex's numbers, but for those of the whole board."""
    import torch

    torch.manual_seed(1)
    net = school.Net(GAME, school.Sizes(4, 0)).eval()
    planes = torch.zeros((1, *GAME.spec.planes))
    changed = planes.clone()
    changed[0, 0, 0, 58] = 1.0  # the centre
    with torch.inference_mode():
        differs = (net.trunk(planes) != net.trunk(changed)).any(1)[0]
    assert set(np.flatnonzero(differs.numpy())) == {58, *NEIGHBOURS[58]}


def test_turned_rows_are_rows_of_the_turned_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the loader makes of a row is what the rules say of the turned position and action, for both seats."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    game = load("unit", max_actions=24)
    shard = school.Shard(game)
    shard.write(
        tmp_path / school.shard_name(0, 1), school.play_games(game, ["random", "random"], [0], 5, school.Chance(), shard)
    )
    turns = [symmetry for symmetry in SYMMETRIES.values() if not symmetry.swaps_players]
    due, table = set(), Table(game, 5, "pure")
    for block in shard.blocks:
        action = table.rule_id(table.seat, int(block.actions[0]))
        for chosen in range(1 << len(turns)):
            row, turned = table.s.copy().array, action
            for k, symmetry in enumerate(turns):
                if chosen >> k & 1:
                    row, turned = symmetry.position(row), int(symmetry.actions[turned])
            other = Table(game, 0, "pure", position=plain(row))
            own = int(np.flatnonzero(game.own_ids[other.seat] == turned)[0])
            due.add((np.array(other.encode()).tobytes(), np.array(other.own_mask(), bool).tobytes(), own))
        table.apply(action)
    batches = school.Loader(game, [tmp_path / school.shard_name(0, 1)], 24)()
    found = [row for _ in range(4) for row in zip(*next(batches), strict=True)]
    seen = {(shown.tobytes(), mask.tobytes(), int(policy.argmax())) for shown, mask, policy, _ in found}
    assert seen <= due
    assert len(seen) > 2 * 24  # the same positions in several ways


def command(*words: str, folder: Path) -> str:
    """Run one of the original's commands in a folder; return what it logs."""
    path = os.pathsep.join([str(ROOT / "src"), str(ORIGINALS)])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_the_originals_commands_from_end_to_end(tmp_path: Path) -> None:
    flags = "--file-writer --shard-format parquet --shard-move-mode compressed --trim-states --random-start --batch-only"
    command(*f"-m self_play.main {flags} --shard-dir shards/a --games-per-batch 10 --game-version v3".split(), folder=tmp_path)
    first = list(original.read_games(original.shard_files(tmp_path / "shards" / "a"), pytest.fail))
    assert len(first) == len({game.game_id for game in first}) == 10
    assert {game.metadata["game_version"] for game in first} == {"v3"}
    pipeline = str(ORIGINALS / "training_pipeline.py")
    said = command(pipeline, *shlex.split("train --data-dir shards/a --epochs 2 --batch-size 64"), folder=tmp_path)
    assert "epoch 2 of 2" in said
    assert school.load_net(tmp_path / "checkpoints" / "best_model.pt", GAME)[1].counters["epochs"] in (1, 2)
    for part in ("train", "test"):
        with np.load(tmp_path / "checkpoints" / f"{part}_shard_0.npz") as kept:
            assert kept["states"].shape[1:] == GAME.spec.planes
            assert (kept["policies"].dtype, kept["values"].dtype) == (np.int64, np.float32)
    model = "--use-model --model-path checkpoints/best_model.pt --model-device cpu"
    command(*f"-m self_play.main {flags} {model} --shard-dir shards/b --games-per-batch 3".split(), folder=tmp_path)
    second = list(original.read_games(original.shard_files(tmp_path / "shards" / "b"), pytest.fail))
    assert len(second) == 3
    assert all(game.metadata["model"].endswith("best_model.pt") for game in second)
    assert any(policy and len(policy) > 1 for game in second for policy in game.policies)  # the network's search was asked
    said = command("-m", "self_play.training_pipeline", "evaluate", folder=tmp_path)
    assert "of 20" in said


@pytest.mark.slow
def test_values_are_from_the_movers_side(tmp_path: Path) -> None:
    sys.path.insert(0, str(ORIGINALS))
    try:
        from self_play.examples import examples
    finally:
        sys.path.remove(str(ORIGINALS))
    moves = school.Shard(GAME)
    rows = school.play_games(GAME, ["greedy", "random"], [0], 1, school.Chance(), moves)
    assert rows[0].result.outcome == (1.0, -1.0)
    table = Table(GAME, 1)
    start, actions = table.s.copy(), []
    for block in moves.blocks:
        actions.append(table.rule_id(table.seat, int(block.actions[0])))
        table.apply(actions[-1])
    found = list(examples(GAME, original.PlayedGame(start, actions, "Player1")))
    seats = [int(block.seats[0]) for block in moves.blocks]
    assert [value for _, _, value, _, _ in found] == [1.0 if seat == 0 else -1.0 for seat in seats]
    with pytest.raises(BadRecord, match="winner"):
        list(examples(GAME, original.PlayedGame(start, actions, "Player2")))


@pytest.mark.slow
def test_five_minutes_are_enough_to_beat_random(tmp_path: Path) -> None:
    """The recipe of docs/school.md: 90 % against random, draws as half, without a GPU."""
    best = school.train(school.Arguments("unit", **RECIPE), tmp_path, lambda line: None)
    *_, match = school.evaluate(GAME, f"net:{best.with_suffix('.onnx')}", "random", 50)
    summary = match.summary(0)
    assert summary["games"] == 100
    assert summary["score"] >= 0.9
