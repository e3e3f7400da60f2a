"""Networks, checkpoints, how they play, and the trainer for search."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import numpy as np
import pytest
import torch

from ludus import school
from ludus.agents import make_agent
from ludus.arena import Referee
from ludus.core import BadRecord, BadValue, LudusError, UnknownName
from ludus.engine import Batch, Table
from ludus.games import Game, load, names
from ludus.school.net import losses
from ludus.school.network import masked_softmax
from ludus.school.players import by_chance, sampled


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tiny game is played sooner than it is compiled."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def small(game: Game, channels: int = 4, **sizes: Any) -> Any:
    """Return a small network, the same every time."""
    torch.manual_seed(1)
    return school.Net(game, school.Sizes(channels, 1, **sizes)).eval()


SHOWN = [(name, "planes") for name in names()] + [(name, "features") for name in names() if load(name).spec.features]


@pytest.mark.parametrize(("name", "shown"), SHOWN)
def test_every_game_has_a_network_that_says_the_same_exported(name: str, shown: str, tmp_path: Path) -> None:
    game = load(name)
    net, batch = small(game, input=shown), Batch(game, 3, device="pure")
    seen = np.array(batch.encode() if shown == "planes" else batch.features())
    with torch.inference_mode():
        logits, values = net(torch.as_tensor(seen))
    assert logits.shape == (3, game.spec.actions)
    assert values.shape == (3, len(game.spec.seats))
    assert values.abs().max() <= 1
    about = school.about_net(game, net, {"steps": 7})
    school.export_onnx(net, about, game, tmp_path / "net.onnx")
    network = school.open_network(tmp_path / "net.onnx", game)
    assert network.input == shown
    assert network.about == about
    for one, other in zip(network(seen, batch.legal()), (logits, values), strict=True):
        assert np.allclose(one, other.numpy(), atol=1e-4)


def test_a_checkpoint_comes_back_as_it_was(tiny: Game, tmp_path: Path) -> None:
    net = small(tiny)
    optimizer = school.make_optimizer(net, 1e-3, 0)
    for name in ("net.safetensors", "net.pt"):
        school.save_net(tmp_path / name, tiny, net, {"steps": 3}, optimizer)
        again, about = school.load_net(tmp_path / name, tiny)
        assert about.counters == {"steps": 3}
        assert all(torch.equal(a, b) for a, b in zip(again.state_dict().values(), net.state_dict().values(), strict=True))
    assert json.loads((tmp_path / "net.json").read_text())["game"] == "tiny"
    assert list(tmp_path.glob(".*")) == []  # no temporary file is left


def test_what_does_not_fit_is_refused_in_a_sentence(tiny: Game, tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    school.save_net(path, tiny, small(tiny), {})
    other = load(names()[0])
    with pytest.raises(BadValue, match=f"for tiny, not for {other.name}"):
        school.load_net(path, other)
    about = school.about_net(tiny, small(tiny), {})
    for change, text in (({"rules": 9}, "version 9"), ({"actions": 5}, "other sizes"), ({"format": 99}, "get a newer one")):
        school.export_onnx(small(tiny), msgspec.structs.replace(about, **change), tiny, tmp_path / "net.onnx")
        for open_it in (school.open_network, lambda file, game: make_agent(game, f"net:{file}")):
            with pytest.raises(LudusError, match=text):
                open_it(tmp_path / "net.onnx", tiny)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(BadRecord, match="cannot be read"):
        school.load_net(path, tiny)
    with pytest.raises(LudusError, match="there is no network"):
        school.open_network(tmp_path / "nowhere.onnx", tiny)
    with pytest.raises(UnknownName, match="planes, features"):
        school.Sizes(4, 1, "pixels")


def test_code_in_a_file_of_weights_is_never_run(tiny: Game, tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> Any:
            return Path.touch, (tmp_path / "ran",)

    with (tmp_path / "evil.pt").open("wb") as out:
        pickle.dump({"model_state_dict": Bomb()}, out)
    torch.save({"model_state_dict": Bomb()}, tmp_path / "zipped.pt")
    for name in ("evil.pt", "zipped.pt"):
        with pytest.raises(BadRecord, match="cannot be read"):
            school.load_net(tmp_path / name, tiny)
    assert not (tmp_path / "ran").exists()


def test_the_policy_is_judged_under_the_mask() -> None:
    logits, mask = torch.tensor([[0.0, 50.0, 0.0]]), torch.tensor([[True, False, True]])
    policy, values = torch.tensor([[0.5, 0.0, 0.5]]), torch.zeros(1, 2)
    found, error = losses(logits, values, mask, policy, torch.tensor([[1.0, -1.0]]))
    assert found.item() == pytest.approx(np.log(2))  # what is not legal counts for nothing
    assert error.item() == 1
    likely = masked_softmax(logits.numpy(), mask.numpy())
    assert likely.tolist() == [[0.5, 0.0, 0.5]]


def test_chance_is_even_and_never_illegal() -> None:
    rng, masks = np.random.default_rng(1), np.tile(np.array([0, 1, 0, 1, 1], np.int8), (3000, 1))
    counts = np.bincount(by_chance(masks, rng.random(3000)), minlength=5)
    assert counts[[0, 2]].tolist() == [0, 0]
    assert counts[[1, 3, 4]].min() > 900
    policy = np.tile(np.array([0.0, 0.2, 0.0, 0.8]), (3000, 1))
    drawn = np.bincount(sampled(policy, 1.0, rng.random(3000)), minlength=4)
    assert drawn[[0, 2]].tolist() == [0, 0]
    assert 500 < drawn[1] < 700
    cold = np.bincount(sampled(policy, 0.5, rng.random(3000)), minlength=4)
    assert 130 < cold[1] < 230  # 0.2² of 0.2² + 0.8²
    assert sampled(policy, 0.0, rng.random(3000)).tolist() == [3] * 3000


def test_a_network_plays_the_same_alone_and_together(tiny: Game, tmp_path: Path) -> None:
    school.export_onnx(net := small(tiny), school.about_net(tiny, net, {}), tiny, tmp_path / "net.onnx")
    words = [f"net:{tmp_path / 'net.onnx'}", "random", f"net:{tmp_path / 'net.onnx'}"]
    played = school.play_games(tiny, words, range(4), 9, school.Chance(temperature=0))
    for row in played:
        record = Referee(Table(tiny, row.seed), [make_agent(tiny, word) for word in words]).finish()
        assert not record.faults
        assert (record.result, len(record.decisions)) == (row.result, row.plies)


def test_a_network_plays_without_torch(tmp_path: Path) -> None:
    game = load(names()[0])
    school.export_onnx(net := small(game), school.about_net(game, net, {}), game, tmp_path / "net.onnx")
    code = (
        "import sys; sys.modules['torch'] = None\n"  # importing it would raise
        "import numpy; from ludus.games import load; from ludus.school import open_network\n"
        f"game = load({game.name!r}); network = open_network({str(tmp_path / 'net.onnx')!r}, game)\n"
        "shown = numpy.zeros((2, *game.spec.planes), game.spec.plane_type)\n"
        "print(network(shown)[0].shape == (2, game.spec.actions))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "True"


def arguments(**changes: Any) -> school.Arguments:
    """Return arguments for a run of seconds."""
    few = {
        "games": 4, "simulations": 2, "channels": 4, "blocks": 1, "steps": 6, "batch": 16, "save_steps": 2,
        "start_bot": "random", "start_games": 6, "gate_rounds": 4, "gate_at_once": 2, "elo1": 300.0, "iterations": 2,
        "window": 2,
    }  # fmt: skip
    return school.Arguments("tiny", {"goal": 12}, **{**few, **changes})


class Killed(BaseException):
    """What no stage catches."""


def contents(folder: Path) -> dict[str, bytes]:
    """Return what must be equal: shards, their manifests, weights, judgements."""
    kinds = ("data/*/*", "checkpoints/*.safetensors", "gates/*", "best.safetensors")
    return {str(path.relative_to(folder)): path.read_bytes() for kind in kinds for path in sorted(folder.glob(kind))}


def test_a_run_that_was_stopped_again_and_again_ends_as_an_undisturbed_one(
    tiny: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file that is put in its place is once the last thing that happens, and once the first that does not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    school.train(arguments(), Path("run"), lambda line: None)
    (tmp_path / "b").mkdir()
    monkeypatch.chdir(tmp_path / "b")
    replace, left, stops = Path.replace, 0, 0

    def stopping(path: Path, target: Path) -> Path:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        found = replace(path, target)
        if left == 0:
            raise Killed
        return found

    while True:
        left = 2 + stops % 3
        try:
            with monkeypatch.context() as patched:
                patched.setattr(Path, "replace", stopping)
                school.train(arguments(), Path("run"), lambda line: None)
            break
        except Killed:
            stops += 1
            assert stops < 200
    assert stops > 10
    assert contents(tmp_path / "a" / "run") == contents(tmp_path / "b" / "run")
    lines = [json.loads(line) for line in Path("run/metrics.jsonl").read_text().splitlines()]
    assert {"loss/policy", "loss/value", "selfplay/games", "gate/score", "charts/learning_rate"} <= {
        k for line in lines for k in line
    }
    with pytest.raises(BadValue, match="was begun with games=4, not 5"):
        school.train(arguments(games=5), Path("run"))


def test_learning_lowers_the_losses(tiny: Game, tmp_path: Path) -> None:
    """A bot that can be told from what is seen is learned."""
    shard = school.Shard(tiny)
    played = school.play_games(tiny, ["counting"] * 3, range(60), 7, school.Chance(random_share=0.2), shard)
    shard.write(tmp_path / school.shard_name(0, 1), played)
    loader = school.Loader(tiny, [tmp_path / school.shard_name(0, 1)], 64, part="train")
    tested = school.Loader(tiny, [tmp_path / school.shard_name(0, 1)], 64, part="test")
    net = small(tiny, 16)
    optimizer = school.make_optimizer(net, 1e-2, 0)
    before = school.mean_losses(net, tested.once())
    for _, batch in zip(range(60), loader(), strict=False):
        school.learn(net, optimizer, batch, 1.0, 1e-2)
    after = school.mean_losses(net, tested.once())
    assert after.policy < 0.7 * before.policy
    assert after.value < before.value


def test_the_commands_from_games_to_a_network(
    tiny: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Self-play, training, evaluation and export, as they are typed."""
    from ludus.cli import main

    def run(*words: str, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["ludus", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert (ended.value.code or 0) == code, said.err
        return said.err if code else said.out

    monkeypatch.chdir(tmp_path)
    assert "10 games in 4 shards: shards" in run(
        "selfplay", "tiny", "counting", "--games", "10", "--out", "shards", "--opening", "2"
    )
    assert "nothing was left to play" in run(
        "selfplay", "tiny", "counting", "--games", "10", "--out", "shards", "--opening", "2"
    )
    few = [
        word
        for name in ("iterations=0", "start_bot=counting", "start_games=8", "steps=4", "channels=4", "blocks=1")
        for word in ("-s", name)
    ]
    assert "start_bot=counting\n" in run("train", "tiny", "--out", "run", *few, "--list")
    assert "an argument is written name=value, not 'steps'" in run("train", "tiny", "--out", "run", "-s", "steps", code=2)
    with monkeypatch.context() as stopped:
        stopped.setattr("ludus.school.az.learn", Mock(side_effect=KeyboardInterrupt))
        assert "stopped; the same command goes on" in run("train", "tiny", "--out", "run", *few, code=130)
    said = run("train", "tiny", "--out", "run", *few)
    assert said.endswith("the best network: run/best.safetensors; try: ludus play tiny net:run/best.safetensors\n")
    assert "onnxruntime:" in run("export", "run/best.safetensors", "--onnx", "out.onnx")
    found = json.loads(run("evaluate", "tiny", "net:out.onnx", "random", "--rounds", "3", "--json"))
    assert found["agents"][0]["games"] == 6  # three set-ups from both sides
    assert "random" in run("evaluate", "tiny", "net:out.onnx", "random", "--rounds", "3")
    assert "unknown bot for playouts 'nobody'" in run("evaluate", "tiny", "mcts:9:nobody", code=2)
