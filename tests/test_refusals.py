"""What is refused is refused with one sentence and changes nothing, whatever comes in at whichever entry."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fuzz_calls import CallFuzzer, Liar

from ludus.agents import make_agent
from ludus.core import BadValue, LudusError
from ludus.engine import Batch, Table, Trees
from ludus.games import Game, load, names
from ludus.school.network import open_network


@pytest.mark.parametrize("name", names())
def test_strange_values_at_every_entry_are_refused_or_taken(name: str) -> None:
    fuzzer = CallFuzzer(load(name), random.Random(1))
    count = len(fuzzer.values())
    for number, entry in enumerate(fuzzer.entries()):
        for place in range(number % 7, count, 7):  # every value at some of the entries, every entry with some of them
            assert not (problem := fuzzer.tried(entry, fuzzer.values()[place])), problem
    assert fuzzer.taken > 0


@pytest.mark.parametrize("name", names())
def test_positions_are_drawn_from_views_that_a_position_has(name: str) -> None:
    table, batch, trees = Table(load(name), 3), Batch(name, 4, 3), Trees(load(name), 1, 8)
    view = table.observe().copy()
    table.sample(view)
    before = table.s.tobytes(), table.rng.tobytes(), batch.states.tobytes()
    chance = np.random.default_rng(1)
    for _ in range(40):
        wrong = view.copy()
        wrong.array.view(np.uint8)[:] = chance.integers(256, size=wrong.array.nbytes)
        for take in (table.sample, batch.sample, trees.plant):
            with pytest.raises(BadValue, match="looks so to a seat"):
                take(wrong)
    assert before == (table.s.tobytes(), table.rng.tobytes(), batch.states.tobytes())


def test_a_position_that_is_refused_leaves_the_chance_of_a_table(tiny: Game) -> None:
    table = Table(tiny, 1, "pure")
    before = table.rng.copy(), table.seed
    row = table.s.copy()
    row.seat = 99
    for wrong in (row, "rubbish", np.repeat(row.array, 2)):
        with pytest.raises(LudusError):
            table.begin(5, wrong)
    assert (table.rng == before[0]).all()
    assert table.seed == before[1]


@pytest.mark.parametrize("device", ["pure", "cpu"])
def test_a_reset_that_is_refused_leaves_positions_and_chance_of_a_batch(tiny: Game, device: str) -> None:
    batch = Batch(tiny, 4, 1, device)
    seat = batch.seat(0)
    seat.reset()
    over = Batch(tiny, 4, 1, device, restart=False)
    over.finish_random()
    before = batch.states.tobytes(), batch._buffers.rngs.tobytes()
    for wrong in (np.array(over.states), "x", np.zeros(3, tiny.state_type)):
        with pytest.raises(LudusError):
            seat.reset(seed=9, positions=wrong)
    for which in ([1, [2]], "x", [True]):
        with pytest.raises(BadValue, match="one truth value for each"):
            seat.reset(seed=9, which=which)
        with pytest.raises(BadValue, match="one truth value for each"):
            batch.load(np.array(batch.states), which)
    assert (batch.states.tobytes(), batch._buffers.rngs.tobytes()) == before
    seat.step([0] * 4)  # and the seat plays on


@pytest.mark.parametrize("device", ["pure", "cpu"])
def test_what_was_handed_out_decides_nothing_later(tiny: Game, device: str) -> None:
    batch = Batch(tiny, 16, 1, device)
    seat = batch.seat("all", obs="planes")
    seen = seat.reset()
    with pytest.raises(ValueError, match="read-only"):
        batch.counts()[:] = 10**6
    for _ in range(20):
        final = np.array(seat.final_planes)
        for array in (seen.done, seat.actor, seat.replaced, seen.seat):
            array[:] = 10**6
        seat.final_views.view(np.uint8)[...] = 127
        seat.look()
        assert (seat.final_planes == final).all()
        seen = seat.step(np.full(16, -1))
        assert batch.sound(np.array(batch.states)).all()


def test_a_number_that_lies_is_read_once(tiny: Game) -> None:
    table = Table(tiny, 1, "pure")
    legal: Any = Liar()
    if 0 in table.legal():
        table.apply(legal)
        assert legal.asked == 1


def test_who_plays_goes_on_where_others_are_refused(tiny: Game) -> None:
    seat = Batch(tiny, 4, 1, "pure").seat(0, "random")
    seat.reset()
    for wrong in ("nobody", {"random": 10**400}, [None, ["random"]]):
        with pytest.raises(LudusError):
            seat.play_against(wrong)
        seat.step([0] * 4)


def test_a_seat_that_changes_takes_no_opponents_game_by_game(tiny: Game) -> None:
    with pytest.raises(BadValue, match="seat='any'"):
        Batch(tiny, 4, 1, "pure").seat("any", np.array(["random"] * 4))


def test_seeds_of_64_bits_stay_themselves(tiny: Game) -> None:
    seeds = [2**63 - 1, 1, 2, 3]
    batch = Batch(tiny, 4, seeds, "pure")
    assert batch._seeds.tolist() == seeds


def refusal(call: Callable[[], Any]) -> str:
    """Return how something is refused, or ""; any other error is none of ours."""
    try:
        call()
    except LudusError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", ["", "cmd:", "cmd:python ", "net:"])
@pytest.mark.parametrize(
    "name", ["a" * 5000, "a" * 5000 + ".py", "a" * 300 + ".toml", "\0", "\x1b[31m", "\0.py", "\x1b[31m.py"]
)
def test_names_that_no_file_can_have_name_no_agent(tiny: Game, kind: str, name: str) -> None:
    said = refusal(lambda: make_agent(tiny, kind + name))
    assert said or kind == "cmd:python "  # there is such a program: what it makes of its argument is its own affair
    assert said.isprintable()
    assert len(said) < 1000


@pytest.mark.parametrize("suffix", [".onnx", ".pt", ".safetensors"])
def test_garbled_networks_are_refused_with_a_sentence(suffix: str, tmp_path: Path, capfd: Any) -> None:
    chance, game = random.Random(1), next(load(name) for name in names() if (load(name).folder / "champion.onnx").is_file())
    whole, file = (game.folder / "champion.onnx").read_bytes(), tmp_path / f"network{suffix}"
    for _ in range(30):
        garbled = bytearray(chance.choice((whole, chance.randbytes(1000))))
        at = chance.choice((chance.randrange(len(garbled)), len(garbled) - 1 - chance.randrange(min(3000, len(garbled)))))
        garbled[at : at + chance.choice((1, 8, len(garbled)))] = chance.randbytes(chance.choice((1, 8)))
        file.write_bytes(garbled)
        assert refusal(lambda: open_network(file, game)).isprintable()
    assert capfd.readouterr().out == ""


def test_trees_are_asked_for_nothing_that_they_have_no_place_for(tiny: Game) -> None:
    seats, actions = len(tiny.spec.seats), tiny.spec.actions
    trees, views = Trees(tiny, 2, 20, device="pure"), np.array(Batch(tiny, 2, 1, "pure").observe())
    answer = np.zeros((2, actions), np.float32), np.zeros((2, seats), np.float32)
    for call in (trees.descend, trees.advised, trees.counted, lambda: trees.settle(*answer)):
        with pytest.raises(LudusError, match="planted before"):
            call()
    trees.plant(views)
    for _ in range(2):
        trees.descend()
        trees.settle(*answer)
    with pytest.raises(LudusError, match="table of halving"):
        trees.descend()
    trees.settings(4, considered=10**6)
    trees.plant(views)
    with pytest.raises(LudusError, match="table of halving"):
        trees.descend()
    for wrong in ("x", -1, 1.5, 2**40):
        with pytest.raises(BadValue):
            trees.settings(wrong)  # type: ignore[arg-type]
