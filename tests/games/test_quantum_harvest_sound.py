"""Quantum Harvest: rows and texts from outside are refused, or safe for every verb, bot, text and picture."""

import json
import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ludus.core import NOBODY, BadRecord, Row, plain, read_traces, streams
from ludus.games import Game, load

DATA = Path(__file__).parent.parent / "data" / "quantum_harvest"
SMALL = load("quantum_harvest", size=6, max_turns=90)
T = SMALL.part("tables")
FIELDS = SMALL.state_type.names


class Strict(np.ndarray):
    """An array that takes no index from its end, as compiled code would not."""

    def __getitem__(self, index: object) -> object:
        forbid_negative(index)
        return super().__getitem__(index)

    def __setitem__(self, index: object, value: object) -> None:
        forbid_negative(index)
        super().__setitem__(index, value)


def forbid_negative(index: object) -> None:
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, int | np.integer) and part < 0:
            raise IndexError(f"index {index}")


def strict(row: Row) -> Row:
    """Return a row whose arrays are strict."""
    for name in row.dtype.names:
        if row.dtype[name].shape:
            row.__dict__[name] = row.array[name][0].view(Strict)
    return row


def empty(dtype: np.dtype) -> Row:
    return strict(plain(np.zeros(1, dtype)))


def same(one: Row, other: Row) -> bool:
    return all(np.array_equal(one.array[name], other.array[name]) for name in one.dtype.names)


def play_on(s: Row, chance: random.Random, decisions: int, every_id: float = 0.1) -> None:
    """Play sensible decisions, and now and then any; rows stay sound."""
    mask, rng = np.zeros(8 * -(-SMALL.spec.actions // 8), np.int8), streams(chance.randrange(2**31), 1)[0]
    for _ in range(decisions):
        mask[:] = 0
        count = SMALL.verbs.legal(s, mask)
        assert (count, count == 0) == (np.count_nonzero(mask), s.end != T.RUNNING)
        if count == 0:
            return
        assert mask[SMALL.verbs.default(s)]
        action = int(chance.choice(np.flatnonzero(mask).tolist()))
        SMALL.verbs.apply(s, chance.randrange(SMALL.spec.actions) if chance.random() < every_id else action, rng)
        assert SMALL.verbs.sound(s)


@cache
def pool() -> list[Row]:
    """Return positions of rich random play, many of them in the middle of a turn."""
    chance, found = random.Random(3), []
    for _ in range(12):
        s = strict(plain(SMALL.empty()))
        SMALL.verbs.new(s, streams(chance.randrange(2**31), 1)[0])
        s.energy[:] = chance.choice((400, 4000, 40_000))
        SMALL.rules.open_turn(s, 0)
        play_on(s, chance, chance.randrange(300))
        found.append(s)
    return found


def positions(count: int, seed: int = 0) -> list[Row]:
    """Return some of them, as rows of their own."""
    return [strict(s.copy()) for s in random.Random(seed).sample(pool(), count)]


def use(s: Row, chance: random.Random, times: int = 2) -> None:
    """Let every verb, bot, text and picture at a position, play on, and do it again."""
    look_at(s, chance)
    for _ in range(times):
        play_on(s, chance, 30 // times)
        look_at(s, chance)


def look_at(s: Row, chance: random.Random) -> None:
    verbs, rng = SMALL.verbs, streams(chance.randrange(2**31), 1)[0]
    assert same(SMALL.parse(SMALL.text(s)), s)
    SMALL.scene(s)
    verbs.result(s, np.zeros(2), np.zeros(2))
    mask = np.zeros(8 * -(-SMALL.spec.actions // 8), np.int8).view(Strict)
    count = verbs.legal(s, mask)
    for seat in range(2):
        view, again, guess = empty(SMALL.view_type), empty(SMALL.view_type), empty(SMALL.state_type)
        verbs.observe(s, seat, view)
        verbs.encode(view, np.zeros(SMALL.spec.planes, SMALL.spec.plane_type).view(Strict))
        json.dumps(SMALL.public(view))
        scene = SMALL.scene(s, seat)
        assert all(event.who in {NOBODY, *(piece.id for piece in scene.pieces)} for event in scene.events)
        guess.array.view(np.uint8)[:] = 0x5A  # a sample writes every field
        verbs.sample(view, guess, rng)
        assert verbs.sound(guess)
        verbs.observe(guess, seat, again)
        if s.territory.tolist() == recounted(s).territory.tolist():
            assert same(view, again)
        if seat == s.seat and count:
            for bot in SMALL.bots.values():
                arguments = (view, mask, rng, empty(SMALL.part("bots").Scratch))
                assert mask[bot(*arguments[: bot.__code__.co_argcount])]


def recounted(s: Row) -> Row:
    copy = s.copy()
    SMALL.part("board").count_territory(copy)
    return copy


def test_every_position_of_play_is_sound_and_can_be_used() -> None:
    for s in positions(5):
        assert SMALL.verbs.sound(s)
        use(s, random.Random(1))


def test_full_rosters_are_sound_and_can_be_used() -> None:
    crowd = [f"player{seat} {k} scout {k % 3},{seat + k % 2}" for seat in (1, 2) for k in range(T.UNITS - seat)]
    s = SMALL.parse("\n".join([". . . G N Z"] * 6 + ["energy 4000 4000", *crowd]))
    for _ in range(130):
        SMALL.verbs.apply(s, T.SPAWN, None)
    assert s.units.tolist() == [T.UNITS, T.UNITS]
    assert SMALL.verbs.sound(s)
    look_at(s, random.Random(1))


@pytest.mark.parametrize("name", FIELDS)
def test_a_row_with_a_changed_number_is_refused_or_can_be_used(name: str) -> None:
    chance = random.Random(name)
    for s in positions(2, seed=len(name)):
        numbers = np.iinfo(s.dtype[name].base)
        field = s.array[name].reshape(-1)
        for _ in range(8):
            place = chance.randrange(min(field.size, chance.choice((4, 70, 10_000))))
            before = int(field[place])
            near = chance.choice((0, 1, -1, 2, before + 1, before - 1, numbers.max, numbers.min, chance.randrange(-100, 100)))
            field[place] = min(max(near, numbers.min), numbers.max)
            if SMALL.verbs.sound(s):
                use(strict(s.copy()), chance, 1)
            field[place] = before


def test_random_bytes_are_refused() -> None:
    noise = np.random.default_rng(1)
    s = empty(SMALL.state_type)
    for _ in range(300):
        s.array.view(np.uint8)[:] = noise.integers(0, 256, SMALL.state_type.itemsize, np.uint8)
        assert not SMALL.verbs.sound(s)


WORDS = (
    "-1",
    "0",
    "1",
    "2",
    "5",
    "63",
    "64",
    "100000000",
    "99999999999",
    "2147483647",
    "1e9",
    "5.5",
    "x",
    "",
    "-",
    "player2",
    "1,1",
)


def test_a_changed_text_is_refused_in_a_sentence_or_can_be_used() -> None:
    chance = random.Random(5)
    taken = 0
    for s in positions(8, seed=5):
        words = SMALL.text(s).split(" ")
        for _ in range(60):
            changed = list(words)
            place = chance.randrange(len(words))
            changed[place] = chance.choice(
                (*WORDS, changed[place] * 2, chance.choice(words), f"{chance.choice(WORDS)}\n{changed[place]}")
            )
            try:
                read = SMALL.parse(" ".join(changed))
            except BadRecord:
                continue
            taken += 1
            if taken % 10 == 0:
                use(strict(read), chance)
    assert taken > 20


BOARD = "\n".join([". . . . . ."] * 6) + "\nplayer1 0 scout 0,0\nplayer2 0 scout 5,5\n"


@pytest.mark.parametrize(
    "lines",
    [
        "slot 100000000", "slot 1", "slot -1", "picked 2", "budget 1", "turn 5/5", "turn 0/0", "turn 1",
        "turn 0/1000; turn 0/1000",
        "goals 1 2", "goals 400000 38 10", "energy -1 0", "energy 9999999999 0", "next 0 0", "births 1", "end nowhere",
        "end elimination; winner player3", "winner player1", "deciding player3", "nonsense", "amount 0,0 5",
        "player1 0 scout 1,1", "player1 1 scout 6,0", "player1 1 scout -1,0", "player1 1 knight 0,0",
        "player1 1 scout 1,1 health 301", "player1 1 scout 1,1 health nan", "player1 1 warrior 1,1 boost 3",
        "player1 1 scout 1,1 born 0", "promised 1 scout\npromised 5 scout", "order player1 slot 0: 0 move up",
        "order player1 slot 100000000: 0 move up", "order player2 slot 0: 0 move up", "ran player1 slot 0: 0 move up",
        "order player1 slot 0: 0 fly", "attack 0 0 0 0 0 9 9 90 0 0 0 0", "attack 0 0", "N1x . . . . .",
        "\n".join(f"player1 {k} scout 0,0" for k in range(1, 70)), "\n".join(["attack 0 0 0 0 0 1 1 90 0 0 0 0"] * 65),
        "x" * 300_000,
    ],
    ids=lambda lines: lines[:30],
)  # fmt: skip
def test_texts_that_make_no_position_are_refused_in_a_sentence(lines: str) -> None:
    with pytest.raises(BadRecord) as refused:
        SMALL.parse(BOARD + lines)
    assert len(str(refused.value)) < 300


def test_orders_may_be_drawn_without_saying_who_is_asked() -> None:
    s = SMALL.parse(BOARD + "player1 1 warrior 1,1\norder player1 slot 0: 0 spawn scout\npromised 2 scout")
    assert (s.slot, s.promised, s.orders.tolist()) == (1, 1, [1, 0])


def test_recorded_positions_are_sound() -> None:
    for data in read_traces(DATA / "visible.jsonl.gz"):
        game: Game = load("quantum_harvest", **SMALL.part("golden").options(data))
        s = plain(game.part("golden").row_of(data["initial"], game))
        assert game.verbs.sound(s), data["id"]
        assert same(game.parse(game.text(s)), s), data["id"]
