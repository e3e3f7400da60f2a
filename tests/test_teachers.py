"""What a learner is taught and whom it meets: bots that advise it, itself as opponent, both kinds of observation, champions."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ludus.core import LudusError, UnknownName
from ludus.engine import Batch
from ludus.games import Game, load, names

GAMES = 6


def test_a_teacher_says_what_it_would_play_and_changes_nothing(tiny: Game) -> None:
    batch = Batch(tiny, GAMES, 3, "pure")
    seat = batch.seat("any", "counting")
    seen = seat.reset()
    for asked in range(12):
        before = np.array(batch.digest())
        advice = np.array(seat.advice("counting"))
        assert (np.array(batch.digest()) == before).all()
        assert np.take_along_axis(seen.mask, advice[:, None], 1).all(), "own ids, and legal"
        if asked == 0:  # it remembers: the first marked action when it is asked first in a game, in the ids of the rules
            rules = np.array([tiny.own_ids[who][own] for who, own in zip(seen.seat, advice, strict=True)])
            masks = np.array([seen.mask[i][np.argsort(tiny.own_ids[who])] for i, who in enumerate(seen.seat)])
            assert (rules == masks.argmax(1)).all()
        seen = seat.step(advice)
    with pytest.raises(UnknownName):
        seat.advice("nobody")


def test_a_learner_meets_itself(tiny: Game) -> None:
    def asked(bots: object) -> set[int]:
        seat = Batch(tiny, GAMES, 1, "pure").seat("any", bots, obs="none")
        seen, found = seat.reset(), set[int]()
        for _ in range(8):
            found.add(len(set(seen.seat.tolist())))
            seen = seat.step(seen.mask.argmax(axis=1))
        return found

    # Against itself all seats decide in turn, and all games stand at the same decision: a step asks one seat alone.
    assert asked("self") == {1}
    assert max(asked("random")) > 1


def test_features_and_planes_stand_in_one_row() -> None:
    game = load(names()[0])
    batch = Batch(game, GAMES, 1, "pure")
    batch.play_random(3)
    row = batch.both()
    features, planes = np.array(batch.features()), np.array(batch.encode())
    assert row.dtype == np.float32
    assert np.array_equal(row, np.concatenate([features, planes.reshape(GAMES, -1) / game.spec.plane_high], 1))


def test_networks_of_half_the_size_say_the_same(tiny: Game, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnxruntime")
    from ludus.school import Net, OnnxNetwork, Sizes, about_net, export_onnx, load_net

    net = Net(tiny, Sizes(64, 2, "planes", "layers"))
    files = [tmp_path / "whole.onnx", tmp_path / "half.onnx"]
    for file, half in zip(files, (False, True), strict=True):
        export_onnx(net, about_net(tiny, net, {}), tiny, file, half)
    assert files[1].stat().st_size < 0.7 * files[0].stat().st_size
    shown = np.array(Batch(tiny, GAMES, 1, "pure").encode())
    whole, half = (OnnxNetwork(file, tiny)(shown)[1] for file in files)
    assert np.abs(whole - half).max() < 1e-2
    again, _ = load_net(files[1], tiny)  # a GPU takes the weights out of the exported file
    with torch.no_grad():
        assert np.abs(again(torch.as_tensor(shown))[1].numpy() - half).max() < 1e-5


def test_a_game_without_a_champion_says_so(tiny: Game, tmp_path: Path) -> None:
    from ludus.agents import make_agent

    with pytest.raises(LudusError, match="Tiny has no champion"):
        make_agent(replace(tiny, folder=tmp_path), "champion")
    with pytest.raises(LudusError, match="Tiny has no champion"):
        Batch(tiny, 2, 1, "pure").seat("one", "champion")
