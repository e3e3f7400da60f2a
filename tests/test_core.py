"""Randomness, options, clocks, records: the words every room uses."""

import gzip
import json
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.core import BadRecord, BadValue, Clock, LudusError, Tape, UnknownName, draw, streams, whole_number
from ludus.core.golden import Count, Difference, Record, read
from ludus.core.rng import _draw_compiled
from ludus.core.spec import Option, check_options, parse_options

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


def test_a_record_misses_nothing() -> None:
    record = Record({"a": 1, "b": {"c": [1, True]}, "d": 0}, "file, game 1", Count())
    assert record.take("a") == 1
    record.compare("b", {"c": (1, True)})
    with pytest.raises(Difference, match=r"file, game 1, d: came 'nothing \(this key is not compared\)', due 0"):
        record.close()
    assert record.count.values == 2


@pytest.mark.parametrize("came", [{"c": [1, 1]}, {"c": [1]}, {"c": [1, True], "x": 1}, {}, None, {"c": [2, True]}])
def test_a_record_sees_every_difference(came: object) -> None:
    with pytest.raises(Difference):
        Record({"b": {"c": [1, True]}}, "", Count()).compare("b", came)


def test_damaged_files_say_so(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(json.dumps({"id": i, "x": "y" * 1000}).encode() + b"\n" for i in range(100)))
    cut, plain, text = tmp_path / "cut.jsonl.gz", tmp_path / "plain.jsonl.gz", tmp_path / "text.jsonl"
    cut.write_bytes(whole[: len(whole) // 2])
    plain.write_text('{"game": "x"}\n')
    text.write_text('{"game": \n')
    for file, why in ((cut, "cut off or damaged"), (plain, "is not a gzip file"), (text, "line 1, is not JSON")):
        with pytest.raises(BadRecord, match=why):
            list(read(file))
    with pytest.raises(BadRecord, match="does not exist"):
        list(read(tmp_path / "none.jsonl"))
