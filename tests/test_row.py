"""Rows as plain objects: they share memory, read Python's own numbers, and are copied whole."""

import numpy as np
import pytest

from ludus.core import Row, Rows, plain, row_class

Inner = np.dtype([("x", "i4"), ("y", "i2", 2)], align=True)
Kind = np.dtype(
    [
        ("one", "i1"),
        ("two", "i2"),
        ("four", "u4"),
        ("eight", "i8"),
        ("list", "i4", 3),
        ("board", "i1", (2, 3)),
        ("inner", Inner),
    ],
    align=True,
)


def made() -> np.ndarray:
    rows = np.zeros(2, Kind)
    rows["one"], rows["two"], rows["four"], rows["eight"] = -5, 1000, 2**32 - 1, -(2**62)
    rows["list"], rows["board"] = [1, 2, 3], [[1, 2, 3], [4, 5, 6]]
    rows["inner"]["x"], rows["inner"]["y"] = 7, [8, 9]
    return rows


def test_numbers_are_pythons_own_and_arrays_numpys() -> None:
    row = plain(made()[:1])
    assert [row.one, row.two, row.four, row.eight] == [-5, 1000, 2**32 - 1, -(2**62)]
    assert {type(row[name]) for name in ("one", "two", "four", "eight")} == {int}
    assert row.list.tolist() == row["list"].tolist() == [1, 2, 3]
    assert row.board[1, 2] == 6
    assert (row.inner.x, row.inner.y.tolist()) == (7, [8, 9])


def test_a_row_of_an_array_shares_its_memory() -> None:
    rows = made()
    row = plain(rows[1:])
    row.one, row["two"], row.list[0], row.inner.x = 3, 4, 5, 6
    assert rows[1]["one"] == 3
    assert (rows[1]["two"], rows[1]["list"][0], rows[1]["inner"]["x"]) == (4, 5, 6)
    assert rows[0]["one"] == -5
    rows[1]["eight"], rows[1]["board"] = 11, 0
    assert row.eight == 11
    assert not row.board.any()
    assert np.shares_memory(row.array, rows)


def test_a_single_record_becomes_a_row_of_its_own() -> None:
    rows = made()
    row = plain(rows[0])
    row.one = 77
    assert rows[0]["one"] == -5
    assert plain(row) is row


@pytest.mark.parametrize("value", [np.int32(3), np.True_, True, 3.0])
def test_rules_may_write_what_they_compute(value: object) -> None:
    row = plain(made()[:1])
    row.four = value
    assert row.four == int(value)  # type: ignore[call-overload]


def test_what_does_not_fit_is_no_number_of_the_row() -> None:
    row = plain(made()[:1])
    with pytest.raises(ValueError, match="invalid value"):
        row.one = 128
    assert row.one == -5
    with pytest.raises(AttributeError):
        row.nothing  # noqa: B018


def test_copies_go_their_own_way() -> None:
    row = plain(made()[:1])
    other = row.copy()
    other.one, other.list[1] = 1, 99
    assert (row.one, row.list[1]) == (-5, 2)
    assert bytes(row.copy().bytes) == bytes(row.bytes)
    assert other.array.dtype == Kind
    assert isinstance(other, Row)


def test_rows_of_an_array_are_made_once() -> None:
    array = made().view(np.recarray)
    rows = Rows(array)
    assert rows[1] is rows[1]
    rows[1].two = 12
    assert array[1].two == 12


def test_rows_of_several_axes_share_memory_as_well() -> None:
    array = np.zeros((2, 3), Kind)
    Rows(array)[1, 2].list[0] = 5
    Rows(array)[1, 2].one = 6
    assert (array[1, 2]["list"][0], array[1, 2]["one"]) == (5, 6)
    assert not array[0].view(np.uint8).any()


def test_a_class_belongs_to_one_dtype() -> None:
    other = np.dtype([("one", "i8")])
    assert row_class(Kind) is row_class(Kind)
    assert row_class(other) is not row_class(Kind)
    assert plain(np.array([(2**40,)], other)).one == 2**40


def test_numbers_that_are_not_aligned_are_read_as_well() -> None:
    row = plain(np.array([(1, 2**30)], np.dtype([("a", "i1"), ("b", "i4")])))
    row.b += 1
    assert row.b == 2**30 + 1
