"""Unit's rows from outside: broken ones are refused, and from all others play goes on, whatever is asked on the way."""

import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus import golden
from ludus.core import NOBODY, BadRecord, Row, plain, streams
from ludus.games import load
from ludus.games.unit import bots
from ludus.testing import positions, same

GAME = load("unit")
RULES, VERBS, SPEC = GAME.rules, GAME.verbs, GAME.spec
ROWS = [plain(row) for row in positions(load("unit", max_actions=120), 2, "pure", every=9)]
NUMBERS = sorted({0, 1, 2, 3, 5, 499, 500, 10**6, 5 * 10**8, 10**9, 2**31 - 1, 2**32 + 1, 2**62} | {2**k for k in range(12)})
INSERTED = ["", " ", ";", "|", ":", "A9:9", "-1", "9" * 10, "9" * 5000, "٣", "\n", "over draw;"]
QUICK = [name for name in GAME.bots if name != "planner"]  # uncompiled the planner takes seconds

RICH = """turn 7; player0 to act; pool 1 1; actions 0; max_actions 0
A99999999:99999999 B70000000:1 .
B1:90000000 A70000000:70000000 .
. . B99999999:1"""


def ask_everything(s: Row, seed: int) -> None:
    """Look at a position in every way."""
    outcome, points = np.zeros(2, np.float32), np.zeros(2, np.float32)
    assert (VERBS.result(s, outcome, points) == 0) == (s.end == 0)
    same(s.array, GAME.parse(GAME.text(s)).array, "text of a position")
    other, copied = plain(s.array.copy()), plain(s.array.copy())
    RULES.twin(s, other)
    assert VERBS.sound(other)
    for seat in range(2):
        view, planes = GAME.look(s, seat), np.zeros(SPEC.planes, np.float32)
        VERBS.encode(view, planes)
        assert planes.min() >= SPEC.plane_low
        assert planes.max() <= SPEC.plane_high
        assert json.loads(json.dumps(GAME.public(view)))["to_move"] == SPEC.seats[s.seat]
        scene = GAME.scene(s, seat)
        assert {event.who for event in scene.events} <= {NOBODY, *(piece.id for piece in scene.pieces)}
        VERBS.sample(view, copied, streams(seed, 1)[0])
        same(s.array, copied.array, "a sampled position")


def ask_bots(s: Row, mask: Any, names: list[str], seed: int) -> None:
    """Ask bots, and refuse answers that are not marked."""
    for name in names:
        bot, scratch = GAME.bots[name], plain(np.zeros(1, bots.Scratch))
        given_too = (scratch,) if bot.__code__.co_argcount == 4 else ()
        action = bot(GAME.look(s, s.seat), mask, streams(seed, 1)[0], *given_too)
        assert 0 <= action < SPEC.actions, name
        assert mask[action] == 1, f"{name} answers {GAME.action_name(action)}"


def play_on(s: Row, seed: int, decisions: int = 30) -> None:
    """Play at random; every position on the way must be sound and have an answer to everything."""
    chance = np.random.default_rng(seed)
    for number in range(decisions):
        assert VERBS.sound(s)
        mask = np.zeros(8 * -(-SPEC.actions // 8), np.int8)
        count = VERBS.legal(s, mask)
        assert count == mask.sum()
        assert (count == 0) == (s.end != 0)
        if number % 10 == 0 or count == 0:
            ask_everything(s, seed)
        if count == 0:
            return
        ask_bots(s, mask, [QUICK[(number + seed) % len(QUICK)]], seed)
        VERBS.apply(s, int(chance.choice(np.flatnonzero(mask))), streams(seed, 1)[0])


@pytest.mark.parametrize("number", range(0, len(ROWS), 5))
def test_play_goes_on_from_positions_of_play(number: int) -> None:
    play_on(ROWS[number].copy(), number)


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_a_row_with_a_changed_number_is_refused_or_can_be_played(data: Any) -> None:
    row = data.draw(st.sampled_from(ROWS)).copy()
    for _ in range(data.draw(st.integers(1, 2))):
        name = data.draw(st.sampled_from(row.dtype.names))
        cells = row.array[name].reshape(-1)
        bounds = np.iinfo(cells.dtype)
        number = data.draw(st.sampled_from(NUMBERS)) * data.draw(st.sampled_from([1, -1]))
        cells[data.draw(st.integers(0, cells.size - 1))] = min(max(number, bounds.min), bounds.max)
    if VERBS.sound(row):
        play_on(row, 1)


@settings(deadline=None, max_examples=100)
@given(st.binary(min_size=64, max_size=64), st.integers(0, 2**32))
def test_random_bytes_are_refused(some: bytes, seed: int) -> None:
    row = plain(np.zeros(1, RULES.State))
    row.array.view(np.uint8)[:] = np.random.default_rng(seed).integers(0, 256, row.dtype.itemsize)
    row.array.view(np.uint8)[: len(some)] = np.frombuffer(some, np.uint8)
    assert not VERBS.sound(row)


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_a_changed_text_is_refused_or_can_be_played(data: Any) -> None:
    written = GAME.text(data.draw(st.sampled_from(ROWS)))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(written) - 1))
        inserted = data.draw(
            st.sampled_from(["", " ", ";", "|", ":", "A9:9", "-1", "9" * 10, "9" * 5000, "٣", "\n", "over draw;"])
        )
        written = written[:place] + inserted + written[place + data.draw(st.integers(0, 3)) :]
    try:
        row = GAME.parse(written)
    except BadRecord:
        return
    play_on(row, 2)


@pytest.mark.parametrize(
    "field",
    ["turn 99999999999", "turn 0", "turn 1_0", "turn ٣", "turn 1; turn 2", "actions 501", "actions -1", "pool 99999999999 0",
     "pool 1 -1", "max_actions 10000001", "last player0 place 0; fight draw 6 6 of 6", "last player0 attack 0 -> 1",
     "last player0 fly 1", "last player0 attack 0 -> 1; fight draw 6 6 of 0",
     "last player0 attack 0 -> 1; fight draw 6 6 of 99999999", "max_actions 0; pool 600000000 0",
     "max_actions 0; turn 600000000", "turn " + "9" * 5000, "x" * 30000],
)  # fmt: skip
def test_numbers_out_of_range_are_refused_in_one_sentence(field: str) -> None:
    with pytest.raises(BadRecord) as caught:
        GAME.parse(f"player0 to act; {field}\nA1:1 . .\n. . .\n. . .")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "cell", ["A1000000001:1", "A1:1000000001", "A999999999:1", ":999999999", "A" + "9" * 30 + ":1", "A٣:1"]
)
def test_stacks_that_may_overflow_are_refused(cell: str) -> None:
    with pytest.raises(BadRecord):
        GAME.parse(f"max_actions 0;\n{cell} . .\n. . .\n. . .")


def test_two_winners_at_once_are_refused() -> None:
    s = GAME.parse("turn 1;\nA1:1 . .\n. . .\n. . B1:1")
    for seat, vertex in ((1, 0), (1, 108), (0, 8), (0, 116)):
        RULES.clear_vertex(s, vertex)
        RULES.put(s, seat, vertex, 1, 1)
    s.end, s.winner = 1, 0
    s.last_reward[:] = 1, -1
    assert not VERBS.sound(s)


def test_a_game_without_a_limit_ends_before_its_numbers_do() -> None:
    s = GAME.parse(
        "turn 499999998; player0 to act; placed; infused; moved; actions 499999998; max_actions 0\nA1:1 . .\n. . .\n. . ."
    )
    RULES.apply(s, 0, None)
    assert (s.end, s.actions) == (0, 499999999)
    RULES.apply(s, 0, None)
    assert (s.end, s.winner, s.turn) == (2, -1, 500000000)
    assert VERBS.sound(s)


def test_the_richest_positions_can_be_played() -> None:
    for seed in range(4):
        play_on(GAME.parse(RICH), seed)
    assert re.match(r".*A99999999:99999999 B70000000:1 ", GAME.text(GAME.parse(RICH)), re.DOTALL)


def test_the_planner_answers_uncompiled() -> None:
    for s in (GAME.parse(RICH), ROWS[3]):
        mask = np.zeros(8 * -(-SPEC.actions // 8), np.int8)
        VERBS.legal(s, mask)
        ask_bots(s, mask, ["planner"], 3)


def test_positions_of_recorded_games_are_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    part, seen = GAME.part("golden"), []
    play_step = part.play_step

    def checked(step: Any, table: Any) -> None:
        play_step(step, table)
        seen.append(1)
        if len(seen) % 20 == 0:
            s = plain(table.s)
            assert VERBS.sound(s)
            same(s.array, GAME.parse(GAME.text(s)).array, "text of a recorded position")

    monkeypatch.setattr(part, "play_step", checked)
    golden.check("unit", golden.files_of(GAME), "pure")
    assert len(seen) > 9000
