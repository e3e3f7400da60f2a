"""The border of the engine: one start, one frame, memories that end with their game, and checks of what comes in."""

import numpy as np
import pytest

from ludus.adapters import pettingzoo as zoo
from ludus.core import BadValue, IllegalAction, LudusError, UnknownName, plain
from ludus.engine import Batch, Table
from ludus.games import Game, load, names
from ludus.testing import same

TURNED = [name for name in names() if load(name).spec.own_ids]
on_both = pytest.mark.parametrize("device", ["pure", "cpu"])


def random_actions(masks: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    return (masks * (1 + chance.random(masks.shape))).argmax(axis=1)


@on_both
def test_planes_masks_and_actions_of_a_batch_are_in_one_frame(tiny: Game, device: str) -> None:
    """Tiny's planes show what may be played, as the seat numbers it: the mask must be the same numbers."""
    batch, chance, seen = Batch(tiny, 20, 1, device), np.random.default_rng(1), set()
    for _ in range(30):
        masks, planes = np.array(batch.legal()), batch.encode()
        assert np.array_equal(masks, planes[:, 0, 0])
        actions, seats, totals = random_actions(masks, chance), np.array(batch.states["seat"]), np.array(batch.states["total"])
        batch.step(actions)
        added = 1 + np.where(seats == 1, 3 - actions, actions)
        goes_on = batch.done == 0
        assert np.array_equal(np.array(batch.states["total"])[goes_on], (totals + added)[goes_on])
        seen |= set(seats.tolist())
    assert seen == {0, 1, 2}


@on_both
@pytest.mark.parametrize("name", TURNED)
def test_a_batch_shows_and_takes_what_the_environment_does(name: str, device: str) -> None:
    """The loop of the README against PettingZoo's environment, decision by decision; the second seat's board is turned."""
    batch, env = Batch(name, 1, [5], device), zoo.env(name, seed=5, device=device)
    env.reset()
    chance, turned = np.random.default_rng(5), 0
    for _ in range(60):
        masks, planes = np.array(batch.legal()), np.array(batch.encode())
        seen, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            break
        assert np.array_equal(masks[0], info["action_mask"])
        assert np.array_equal(planes[0], seen)
        same(batch.states, env.table.s.array, "positions")
        turned += env.table.seat != 0
        action = int(chance.choice(np.flatnonzero(masks[0])))
        batch.step([action])
        env.step(action)
    assert turned > 5


def test_a_frame_is_named_and_planes_belong_to_the_own_one(tiny: Game) -> None:
    batch = Batch(tiny, 2, device="pure", frame="rules")
    with pytest.raises(LudusError, match="frame='own'"):
        batch.encode()
    batch.step([1, 1])
    batch.step([0, 0])
    assert batch.states["seat"].tolist() == [1, 1]
    totals = np.array(batch.states["total"])
    batch.step([3, 3])
    assert np.array_equal(batch.states["total"], totals + 4)
    with pytest.raises(UnknownName, match="there is: own, rules"):
        Batch(tiny, 2, device="pure", frame="theirs")


def test_a_refusal_speaks_the_callers_ids(tiny: Game) -> None:
    batch = Batch(tiny, 1, device="pure")
    batch.step([1])
    batch.step([0])  # the second seat may not repeat 0, which is its own 3
    with pytest.raises(IllegalAction, match=r"row 0: action 3 is refused \(illegal\); legal are 0, 1, 2"):
        batch.step([3])


@on_both
@pytest.mark.parametrize("name", TURNED)
def test_frames_are_two_names_of_the_same_play(name: str, device: str) -> None:
    own, rules = Batch(name, 3, 2, device), Batch(name, 3, 2, device, frame="rules")
    chance = np.random.default_rng(2)
    for _ in range(20):
        masks, seats = np.array(own.legal()), np.array(own.states["seat"])
        ids = own.game.own_ids[seats]
        assert np.array_equal(masks, np.take_along_axis(np.array(rules.legal()), ids, axis=1))
        actions = random_actions(masks, chance)
        own.step(actions)
        rules.step(ids[np.arange(3), actions])
        same(own.states, rules.states, "two frames")


@on_both
@pytest.mark.parametrize("how", ["step", "new", "load", "take"])
def test_bots_forget_when_another_game_begins(tiny: Game, device: str, how: str) -> None:
    """A counting bot plays the lowest action when it is asked first in a game, the highest after that."""
    batch, fresh, bots = Batch(tiny, 1, [3], device, frame="rules"), Batch(tiny, 1, [4], device), ["counting"] * 3
    assert batch.choose(bots)[0] == 0
    assert batch.choose(bots)[0] == 3  # it has been asked before
    if how == "step":
        while not batch.done[0]:
            batch.step(np.array(batch.choose(bots)))
    elif how == "new":
        batch.new()
    elif how == "load":
        batch.load(fresh.states)
    else:
        batch.take(fresh, [0])
    assert batch.states["turn"][0] == 0
    assert batch.choose(bots)[0] == 0


@on_both
def test_bots_of_a_seat_and_of_a_table_forget_as_well(tiny: Game, device: str) -> None:
    batch, table = Batch(tiny, 1, device=device), Table(tiny, device=device)
    seat = batch.seat(2, "counting")
    table.seat_bots(["counting", "counting", None])
    for _ in range(2):
        seat.reset(7)
        table.begin(7)
        start = table.s.total
        table.play_bots()
        assert table.s.total == batch.states["total"][0] == start + 1 + 4 + 1 + 4


@pytest.mark.parametrize("wrong", [3, 99, -2, "one", 1.0, None, True, 10**30])
def test_seats_are_checked_where_they_enter(tiny: Game, wrong: object) -> None:
    table, batch = Table(tiny, device="pure"), Batch(tiny, 2, device="pure")
    for look in (table.observe, table.encode, table.peek, batch.observe, batch.encode):
        with pytest.raises(BadValue, match="seat must be"):
            look(wrong)  # type: ignore[operator]


BEYOND = [
    np.array([2**32, 2**32 + 1]), np.array([2**63, 0], np.uint64), np.array([-(2**32), 0]), [0, 10**30], [2**40, 2**40],
]  # fmt: skip


@on_both
@pytest.mark.parametrize("actions", BEYOND, ids=range(len(BEYOND)))
@pytest.mark.parametrize("frame", ["own", "rules"])
def test_numbers_beyond_32_bits_are_no_actions(tiny: Game, device: str, actions: object, frame: str) -> None:
    batch = Batch(tiny, 2, device=device, frame=frame)
    before = batch.states.copy()
    with pytest.raises(LudusError, match="action"):
        batch.step(actions)
    assert np.array_equal(before, batch.states)


@on_both
@pytest.mark.parametrize("frame", ["own", "rules"])
def test_whoever_edits_a_mask_changes_nothing(tiny: Game, device: str, frame: str) -> None:
    batch, table = Batch(tiny, 1, device=device, frame=frame), Table(tiny, device=device)
    batch.step([0])
    batch.legal()[:] = 1
    with pytest.raises(IllegalAction, match="refused"):
        batch.step([0])
    table.apply(0)
    table.mask[:] = 1
    table.own_mask()[:] = 1
    table.legal().append(0)
    with pytest.raises(IllegalAction, match="refused"):
        table.apply(0)
    assert table.legal() == [1, 2, 3]


@on_both
def test_a_seat_plays_on_from_what_it_was_shown(tiny: Game, device: str) -> None:
    batch = Batch(tiny, 2, device=device)
    seat = batch.seat("two", "random")
    with pytest.raises(LudusError, match=r"begin with reset\(\)"):
        seat.step([0, 0])
    seen = seat.reset(1)
    seat.step(seen.mask.argmax(axis=1))
    for change in (lambda: batch.load(batch.states.copy()), batch.new, lambda: batch.step(batch.legal().argmax(axis=1))):
        change()
        with pytest.raises(LudusError, match=r"begin with reset\(\)"):
            seat.step([0, 0])
        seat.step(seat.reset(2).mask.argmax(axis=1))


@on_both
def test_a_seat_is_shown_masks_in_its_own_ids_and_illegal_answers_are_replaced(tiny: Game, device: str) -> None:
    seat = Batch(tiny, 8, device=device).seat(1, ["random", None, "random"])
    seen = seat.reset(3)
    for _ in range(20):
        assert np.array_equal(seen.mask, seen.planes[:, 0, 0])
        mask = seen.mask.copy()
        seen = seat.step(np.full(8, 9))
        assert mask[np.arange(8), seat.replaced].all()


@on_both
def test_a_bot_that_answers_nonsense_is_named(tiny: Game, device: str) -> None:
    said = "the bot broken of two answered an action that is not legal"
    with pytest.raises(LudusError, match=said):
        Batch(tiny, 3, device=device).finish(["random", "broken", "counting"])
    with pytest.raises(LudusError, match=said):
        Batch(tiny, 3, device=device).seat(2, ["counting", "broken", None]).reset()
    table = Table(tiny, device=device)
    table.seat_bots(["random", "broken", None])
    with pytest.raises(LudusError, match=said):
        table.play_bots()
    batch = Batch(tiny, 3, device=device)
    with pytest.raises(IllegalAction):
        batch.step(batch.choose(["broken"] * 3))


@on_both
def test_rows_that_cannot_be_are_refused_and_nothing_changes(tiny: Game, device: str) -> None:
    batch, table = Batch(tiny, 3, device=device), Table(tiny, device=device)
    before, position = batch.states.copy(), bytes(table.s.bytes)
    for field, value in (("seat", 3), ("seat", -1), ("left", 0), ("total", -1), ("opt_goal", 2), ("winner", 0)):
        rows = batch.states.copy()
        rows[field][1] = value
        with pytest.raises(BadValue, match="row 1: "):
            batch.load(rows)
        for take in (table.load, lambda row: table.begin(1, row)):
            with pytest.raises(BadValue):
                take(plain(rows[1:2]))
    assert np.array_equal(batch.states, before)
    assert bytes(table.s.bytes) == position
    with pytest.raises(BadValue, match="must be rows of"):
        batch.load(np.zeros(3, [("seat", "i4")]))
    with pytest.raises(BadValue, match="one row, or one for each of the 3 games"):
        batch.load(batch.states[:2])
