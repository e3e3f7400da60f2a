"""Randomness, options, clocks, traces, words about strangers: what every room uses."""

import gzip
import json
import pickle
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.core import (
    HIGHEST_SEED,
    BadRecord,
    BadValue,
    Clock,
    Count,
    Difference,
    LudusError,
    Option,
    Record,
    Result,
    Tape,
    Trace,
    UnknownName,
    agent_seed,
    any_marked,
    check_options,
    count_bits,
    dealt_seed,
    draw,
    first_bit,
    flood_step,
    nth_bit,
    nth_marked,
    one_line,
    parse_options,
    read_traces,
    shown,
    streams,
    streams_of,
    whole_number,
)
from ludus.core.rng import _draw_compiled

compiled_draw = numba.njit(_draw_compiled)


@given(st.integers(0, 2**63 - 1), st.lists(st.integers(1, 2**32 - 1), min_size=1, max_size=20))
def test_draw_is_the_same_compiled_and_not(seed: int, bounds: list[int]) -> None:
    one, other = streams(seed, 1)[0], streams(seed, 1)[0]
    for n in bounds:
        number = draw(one, n)
        assert 0 <= number < n
        assert number == compiled_draw(other, n)
    assert one[0] == other[0]


def test_draw_is_even() -> None:
    rng = streams(1, 1)[0]
    counts = np.bincount([compiled_draw(rng, 7) for _ in range(70_000)], minlength=7)
    assert abs(counts - 10_000).max() < 450  # 4.8 standard deviations


def test_streams_of_different_games_and_seeds_differ() -> None:
    words = np.concatenate([streams(seed, 100) for seed in range(50)])
    assert len(np.unique(words)) == len(words)
    assert (streams(3, 10)[4:] == streams(3, 6, first=4)).all()


def test_a_tape_gives_its_numbers_and_counts_what_is_left() -> None:
    tape = Tape([2, 0, 5])
    assert [draw(tape, 3), draw(tape, 1)] == [2, 0]
    assert tape.left() == 1
    with pytest.raises(LudusError, match="number 2 of the tape is 5, but the draw was below 4"):
        draw(tape, 4)
    with pytest.raises(LudusError, match="at its end"):
        draw(Tape([]), 4)


def test_a_clock_is_judged_after_the_increment() -> None:
    clock = Clock(10, increment=2).after(11.5)
    assert clock.seconds == 0.5
    assert not clock.expired
    assert Clock(1).after(1.01).expired
    assert not Clock(1).after(1).expired


@pytest.mark.parametrize("value", ["3", 3.0, None, True, [3], 1e9, "x"])
def test_a_value_of_the_wrong_type_is_refused(value: object) -> None:
    with pytest.raises(BadValue, match="seed must be a whole number from 0 to 9"):
        whole_number(value, "seed", 0, 9)


def test_options_list_what_is_allowed() -> None:
    options = (Option("size", 15, 5, 32, ""), Option("turns", 300, 1, 999, ""))
    assert check_options(options, {"turns": np.int32(7)}) == {"size": 15, "turns": 7}
    with pytest.raises(UnknownName, match=r"unknown option 'siz'; there is: size=15 \(5 to 32\), turns=300 \(1 to 999\)"):
        check_options(options, {"siz": 3})
    with pytest.raises(BadValue, match="option size must be from 5 to 32, not 4"):
        check_options(options, {"size": 4})
    assert parse_options(["max-turns=3"]) == {"max_turns": 3}
    with pytest.raises(BadValue, match="an option is written name=number, not 'size'"):
        parse_options(["size"])


def test_a_trace_misses_nothing() -> None:
    trace = Trace({"a": 1, "b": {"c": [1, True]}, "d": 0}, "file, game 1", Count())
    assert trace.take("a") == 1
    trace.compare("b", {"c": (1, True)})
    with pytest.raises(Difference, match=r"file, game 1, d: came 'nothing \(this key is not compared\)', due 0"):
        trace.close()
    assert trace.count.values == 2


@pytest.mark.parametrize("came", [{"c": [1, 1]}, {"c": [1]}, {"c": [1, True], "x": 1}, {}, None, {"c": [2, True]}])
def test_a_trace_sees_every_difference(came: object) -> None:
    with pytest.raises(Difference):
        Trace({"b": {"c": [1, True]}}, "", Count()).compare("b", came)


def test_a_difference_passes_through_context_managers_and_processes() -> None:
    """It grows a traceback on its way, and is made again in another process."""
    from contextlib import contextmanager

    @contextmanager
    def surroundings():  # type: ignore[no-untyped-def]
        yield

    with pytest.raises(Difference, match="here: came 1, due 2") as caught, surroundings():
        raise Difference("here", 1, 2)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.where, again.came, again.due, str(again)) == ("here", 1, 2, "here: came 1, due 2")


def test_damaged_files_say_so(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(json.dumps({"id": i, "x": "y" * 1000}).encode() + b"\n" for i in range(100)))
    cut, plain, text = tmp_path / "cut.jsonl.gz", tmp_path / "plain.jsonl.gz", tmp_path / "text.jsonl"
    cut.write_bytes(whole[: len(whole) // 2])
    plain.write_text('{"game": "x"}\n')
    text.write_text('{"game": \n')
    for file, why in ((cut, "cut off or damaged"), (plain, "is not a gzip file"), (text, "line 1, is not JSON")):
        with pytest.raises(BadRecord, match=why):
            list(read_traces(file))
    with pytest.raises(BadRecord, match="does not exist"):
        list(read_traces(tmp_path / "none.jsonl"))


def test_a_record_travels_as_plain_data() -> None:
    import msgspec

    record = Record("g", 1, {"size": 3}, 7, ("a", "b"), Result(1, (1.0, -1.0), (2.0, 0.0)), ((0, 3), (1, 2)), (5, 2**64 - 1))
    assert msgspec.json.decode(msgspec.json.encode(record), type=Record) == record


def test_an_agents_seed_tells_nothing_of_the_games() -> None:
    """Close seeds and seats have seeds of agents that have nothing in common, all in range."""
    seeds = {agent_seed(seed, seat) for seed in range(200) for seat in range(5)}
    assert len(seeds) == 1000
    assert all(0 <= seed <= HIGHEST_SEED for seed in seeds)
    bits = np.array([[agent_seed(seed, 0) >> bit & 1 for bit in range(63)] for seed in range(2000)])
    assert abs(bits.mean(axis=0) - 0.5).max() < 0.06  # 5 standard deviations
    assert agent_seed(1, 0) == agent_seed(1, 0)


def test_dealt_seeds_follow_from_the_secret_alone() -> None:
    assert [dealt_seed(b"one", k) for k in range(3)] == [dealt_seed(b"one", k) for k in range(3)]
    assert len({dealt_seed(secret, k) for secret in (b"one", b"two") for k in range(100)}) == 200


def test_one_seed_a_game_deals_as_that_seed_alone_does() -> None:
    seeds = [0, 1, 2, 5, HIGHEST_SEED]
    assert (streams_of(np.array(seeds, np.uint64)) == np.concatenate([streams(seed, 1) for seed in seeds])).all()


class Liar:
    """Somebody's object, whose words about itself are not to be trusted."""

    def __repr__(self) -> str:
        raise SystemExit("no")


STRANGE = [10**5000, -(10**5000), Liar(), "\x1b[31m" * 1000, "a\nb\tc", "x" * 10**6, [Liar()], None]


@pytest.mark.parametrize("value", STRANGE, ids=range(len(STRANGE)))
def test_any_value_is_shown_as_a_short_piece_of_one_line(value: object) -> None:
    text = shown(value)
    assert 0 < len(text) <= 80
    assert text.isprintable()
    assert one_line(text) == text


def test_errors_about_any_value_are_one_line() -> None:
    for raised in (UnknownName("bot", "\x1b[2J\n" * 900, ["a"]), *(refusal(value) for value in (10**5000, Liar(), "x" * 9999))):
        assert len(str(raised)) < 300
        assert str(raised).isprintable()


def refusal(value: object) -> LudusError:
    with pytest.raises(BadValue) as caught:
        whole_number(value, "seed", 0, 9)
    return caught.value


def test_the_kit() -> None:
    mask = np.array([0, 1, 0, 1, 1], np.int8)
    assert [nth_marked(mask, k) for k in range(4)] == [1, 3, 4, -1]
    rng = streams(1, 1)[0]
    assert {any_marked(mask, rng) for _ in range(100)} == {1, 3, 4}
    assert any_marked(np.zeros(3, np.int8), rng) == -1
    for row in (0b0, 0b1, 0b1011, 0x80000001, 0xFFFFFFFF, 0x7FFFFFFF00000001, 2**63 - 1):
        assert count_bits(row) == bin(row).count("1")
    assert count_bits(-1) == 64
    assert [first_bit(0b101000), first_bit(1 << 62)] == [3, 62]
    assert [nth_bit(0b1011, k) for k in range(3)] == [1, 2, 8]


def test_marks_are_counted_in_blocks() -> None:
    chance = np.random.default_rng(3)
    for places in (63, 64, 65, 200):
        mask = (chance.random(places) < 0.3).astype(np.int8)
        marked = np.flatnonzero(mask).tolist()
        assert [nth_marked(mask, k) for k in range(len(marked) + 1)] == [*marked, -1]


def test_a_flood_reaches_what_is_connected() -> None:
    """Rows of bits, the first column is the lowest bit; # may not be entered."""
    board = ["..#..", ".##..", "....#", "####."]
    seen = np.array([sum((sign == "#") << x for x, sign in enumerate(row)) | ~31 for row in board], np.int64)
    front = np.array([1, 0, 0, 0], np.int64)
    steps = 0
    while flood_step(front, seen):
        steps += 1
    reached = ["".join("o" if seen[y] >> x & 1 else "." for x in range(5)) for y in range(4)]
    assert reached == ["ooooo", "ooooo", "ooooo", "oooo."]
    assert steps == 8
