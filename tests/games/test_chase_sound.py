"""Chase from outside: a row or a text, however wrong, is refused, or every function of the game runs on it to the end."""

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.core import BadRecord, Row, plain, read_traces, streams
from ludus.engine.tools import Tools
from ludus.games import Game, load

SMALL, MIDDLE = load("chase", size=5), load("chase", size=9, max_turns=12)
WIDE = load("chase", size=32)  # every bit of a row is in use
DECISIONS = 30
START = "R . # . .\n. . # . .\n. . . . .\n1 # . . .\n. # . . 2"
WRONG_WORDS = [*"R12.#;", "", "\n", "12", "-1", "900", "3/300;", "2000000/1;", "9" * 30, "end", "caught", "walled_in", "١"]


class Strict(np.ndarray):  # type: ignore[type-arg]
    """An array that takes no index below 0, so that uncompiled code fails where compiled code would read elsewhere."""

    def __getitem__(self, index: Any) -> Any:
        check_index(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        check_index(index)
        super().__setitem__(index, value)


def check_index(index: Any) -> None:
    for part in index if isinstance(index, tuple) else (index,):
        assert not isinstance(part, int | np.integer) or part >= 0, index


def strict(row: Row) -> Row:
    """Let the arrays of a row take no index below 0."""
    for name in row.dtype.names or ():
        if row.dtype[name].shape:
            row.__dict__[name] = row.array[name][0].view(Strict)
    return row


def position(game: Game, chance: random.Random) -> Row:
    """Return a position of random play, perhaps the last one."""
    if game.spec.no_setup:
        s = game.parse(START)
    else:
        s = plain(game.empty())
        game.verbs.new(s, streams(chance.randrange(2**40), 1)[0])
    for _ in range(chance.randrange(40)):
        if not play_any(game, s, chance):
            break
    return s


def play_any(game: Game, s: Row, chance: random.Random) -> bool:
    """Play any legal action; say whether there was one."""
    mask = np.zeros(8, np.int8).view(Strict)
    count = game.verbs.legal(s, mask)
    assert count == mask.sum()
    assert (count > 0) == (s.end == game.rules.RUNNING)  # type: ignore[attr-defined]
    if count:
        game.verbs.apply(s, chance.choice(np.flatnonzero(mask).tolist()), None)
    return bool(count)


def run_everything(game: Game, s: Row, chance: random.Random) -> None:
    """Run every function of the game on a position and on those after it."""
    for decision in range(DECISIONS):
        assert game.verbs.sound(s)
        assert same(game.parse(game.text(s)), s)
        outcome = np.zeros(3).view(Strict)
        status = game.verbs.result(s, outcome, np.zeros(3).view(Strict))
        assert (status == 0) == (s.end == 0)  # type: ignore[attr-defined]
        for seat in range(3):
            view = strict(game.look(s, seat))
            game.verbs.encode(view, np.zeros(game.spec.planes, np.uint8).view(Strict))
            json.dumps(game.public(view))
            shown = game.scene(s, seat)
            pieces = {piece.id for piece in shown.pieces}
            assert all(event.who in pieces and 0 <= event.x < shown.board.width for event in shown.events)
        if decision % 10 == 0:
            run_bots(game, s)
        if not play_any(game, s, chance):
            break
    if not game.spec.no_setup:
        game.verbs.new(s, streams(1, 1)[0])
        assert game.verbs.sound(s)


def run_bots(game: Game, s: Row) -> None:
    """Let every bot decide for the seat to move."""
    mask, view = np.zeros(8, np.int8).view(Strict), strict(game.look(s, s.seat))  # type: ignore[attr-defined]
    if game.verbs.legal(s, mask) == 0:
        return
    bots, dice, cells = game.part("bots"), streams(5, 1)[0], game.rules.SIZE**2
    bots.DEPTH = 2  # all 7 moves take seconds, uncompiled
    extra = {"random": [], "careful": [], "perfect": [np.broadcast_to(np.uint8(7), (3, cells, cells, cells)).view(Strict)]}
    for name, bot in game.bots.items():
        scratch = strict(plain(np.zeros(1, bots.Scratch)))
        assert mask[bot(view, mask, dice, *extra.get(name, [scratch]))], name
    bots.DEPTH = 7


def same(one: Row, other: Row) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one.dtype.names or ())


def spoil_field(s: Row, chance: random.Random) -> None:
    """Set one number of a row to something else: extreme, near what it was, or anything."""
    field = s.array[chance.choice(s.dtype.names or ())].reshape(-1)
    kind, place = np.iinfo(field.dtype), chance.randrange(field.size)
    near = int(field[place]) + chance.randint(-3, 3)
    number = chance.choice([kind.min, kind.max, chance.randint(kind.min, kind.max), chance.randint(-40, 40), near])
    field[place] = min(max(number, kind.min), kind.max)


def spoil_text(text: str, chance: random.Random) -> str:
    """Put something else in place of a few words of a text, most often of its first line."""
    words = text.replace("\n", " \n ").split(" ")
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(chance.choice([10, 10, len(words)]))
        words[place : place + chance.choice([0, 1, 1, 1])] = [chance.choice([*WRONG_WORDS, *words])]
    return " ".join(words)


@pytest.mark.parametrize(("game", "cases"), [(SMALL, 100), (MIDDLE, 100), (WIDE, 10)], ids=["small", "middle", "wide"])
def test_a_row_with_a_wrong_number_is_refused_or_can_be_played(game: Game, cases: int) -> None:
    for seed in range(cases):
        chance = random.Random(seed)
        s = position(game, chance)
        assert game.verbs.sound(s)
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            spoil_field(s, chance)
        if game.verbs.sound(strict(s)):
            run_everything(game, s, chance)


@given(st.binary(min_size=MIDDLE.state_type.itemsize, max_size=MIDDLE.state_type.itemsize), st.integers(0, 200))
def test_any_bytes_are_refused_or_can_be_played(written: bytes, first: int) -> None:
    s = position(MIDDLE, random.Random(first))
    s.array.view(np.uint8)[first:] = np.frombuffer(written, np.uint8)[first:]
    if MIDDLE.verbs.sound(strict(s)):
        run_everything(MIDDLE, s, random.Random(first))


@pytest.mark.parametrize("game", [SMALL, MIDDLE], ids=["small", "middle"])
@given(seed=st.integers(0, 2**40))
def test_a_wrong_text_is_refused_or_can_be_played(game: Game, seed: int) -> None:
    chance = random.Random(seed)
    try:
        s = game.parse(spoil_text(game.text(position(game, chance)), chance))
    except BadRecord:
        return
    run_everything(game, strict(s), chance)


def test_whole_games_are_sound_and_read_back() -> None:
    for seed in range(10):
        chance = random.Random(seed)
        s = position(MIDDLE, chance)
        while play_any(MIDDLE, s, chance):
            assert MIDDLE.verbs.sound(s)
            assert same(MIDDLE.parse(MIDDLE.text(s)), s)


def test_recorded_starts_are_sound(root: Any) -> None:
    for data in read_traces(root / "tests" / "data" / "chase" / "visible.jsonl.gz"):
        game = load("chase", size=data["initial"]["size"])
        assert game.verbs.sound(plain(game.part("golden").row_of(data["initial"])))


def test_compiled_and_uncompiled_refuse_the_same() -> None:
    chance, compiled = random.Random(4), Tools(MIDDLE).compiled(MIDDLE.rules.sound)
    refused = 0
    for _ in range(300):
        s = position(MIDDLE, chance)
        spoil_field(s, chance)
        if 0 <= s.seat < 3:  # what stands in every game's bounds is not asked here
            assert compiled(s.array.view(np.recarray)[0]) == MIDDLE.rules.sound(s)
            refused += not MIDDLE.rules.sound(s)
    assert 100 < refused < 290


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("opt_obstacles", 900),
        ("opt_max_turns", 0),
        ("turn", 12),  # the limit, and yet it runs
        ("turn", -1),
        ("seat", 3),
        ("end", 2**31 - 1),
        ("end", 1),  # caught by nobody
        ("last_seat", 1),  # the runner is to move, so chaser2 moved last
        ("last_action", 7),
        ("last_reward", 1),
        ("x", 9),
        ("y", -1),
        ("wall", -1),
        ("wall", 1 << 9),
    ],
)
def test_what_cannot_be_is_not_sound(field: str, value: int) -> None:
    s = plain(MIDDLE.empty())
    MIDDLE.verbs.new(s, streams(3, 1)[0])
    assert MIDDLE.verbs.sound(s)
    s.array[field].reshape(-1)[0] = value
    assert not MIDDLE.verbs.sound(s)
