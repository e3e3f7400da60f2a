"""Teachers that know better than a bot: what they would play is legal, and does what they are there for."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludus.core import BadValue  # noqa: E402
from ludus.engine import Batch  # noqa: E402
from ludus.games import load  # noqa: E402
from ludus.school import Net, Sizes  # noqa: E402
from ludus.school.teachers import Teacher  # noqa: E402


def taught(seat: Any, seen: Any, teacher: Teacher) -> Any:
    """Return what a teacher says, which is legal."""
    lesson = teacher(seat, seen, "cpu").numpy()
    assert np.take_along_axis(seen.mask, lesson[:, None], 1).all(), "own ids, and legal"
    return lesson


def score(name: str, teacher: str, bot: str, games: int, who: str) -> float:
    """Return what a teacher scores against a bot, draws as half."""
    game = load(name)
    batch, teaches = Batch(game, games, 7, "cpu"), Teacher(game, teacher, "planes")
    seat = batch.seat(who, bot)
    seen, found = seat.reset(), np.full(games, np.nan)
    while np.isnan(found).any():
        seen = seat.step(taught(seat, seen, teaches))
        ended = (seen.done != 0) & np.isnan(found)
        found[ended] = (np.sign(seat.final_outcomes[ended]) + 1) / 2
    return float(found.mean())


@pytest.mark.parametrize("who", ["player1", "player2"])
def test_the_forager_beats_the_tracker(who: str) -> None:
    assert score("plantation", "forager", "tracker", 200, who) > 0.65


@pytest.mark.slow
@pytest.mark.parametrize("who", ["player1", "player2"])
def test_the_healer_beats_the_commander_from_either_seat(who: str) -> None:
    assert score("quantum_harvest", "healer", "commander", 64, who) > 0.65


@pytest.mark.parametrize("number", [0, 1])
def test_the_healer_leads_a_warrior_to_a_gate_and_heals_it(number: int) -> None:
    game = load("quantum_harvest")
    teacher = Teacher(game, "healer", "planes")
    rules = game.part("tables")
    batch = Batch(game, 6, 5, "pure")
    rows = np.array(batch.host(batch._buffers.states))
    rows["unit_type"][:, number, 0] = rules.WARRIOR
    rows["energy"] = 300 * rules.QUARTERS
    rows["budget"] = 300 * rules.QUARTERS
    seat = batch.seat(number, "growth")
    seen = seat.reset(positions=rows)
    for _ in range(2 * rules.SIZE):
        seen = seat.step(taught(seat, seen, teacher))
    states = np.array(batch.host(batch._buffers.states))
    healed = states["unit_health"][:, number, 0] >= 145 * rules.HALVES
    assert healed.all(), "two healings each, at the gate of its own half"
    assert (states["energy"][:, number] <= 200 * rules.QUARTERS).all(), "and paid for"


def test_a_teacher_that_reads_planes_needs_them() -> None:
    with pytest.raises(BadValue, match="planes"):
        Teacher(load("plantation"), "forager", "features")


def test_a_centred_network_sees_the_same_from_wherever_the_unit_stands() -> None:
    game = load("quantum_harvest")
    net = Net(game, Sizes(16, 2, "both", "centred"))
    channels, height, width = game.spec.planes
    planes = torch.zeros(3, channels, height, width)
    some = torch.randint(0, 9, (channels, 5, 5)) / game.spec.plane_high
    asked = game.says("learning", "CENTRE")[1]
    some[asked - 1 : asked + 2] = 0
    some[asked, 2, 3] = 1 / game.spec.plane_high
    for position, (x, y) in zip(planes, ((0, 0), (6, 3), (7, 7)), strict=True):
        position[:, y : y + 5, x : x + 5] = some
    planes[2, :, 7, 11] += 1  # something more
    shown = torch.cat([torch.zeros(3, len(game.spec.features)), planes.flatten(1)], 1)
    net.trunk.mix.bias.data.zero_()  # by which the map itself is seen, and its edges
    seen = net.trunk(shown)
    assert torch.allclose(seen[0], seen[1], atol=1e-6)
    assert not torch.allclose(seen[0], seen[2], atol=1e-3)
    with pytest.raises(BadValue, match="CENTRE"):
        Net(load("plantation"), Sizes(16, 2, "both", "centred"))
