"""What kernels are made of: marks that are counted together, lists of actions, code that allocates and counts nothing."""

import numpy as np
import pytest

from ludus.core import LudusError, rule
from ludus.engine import Table
from ludus.engine.compiled import machine_code
from ludus.engine.playing import nth
from ludus.engine.table import MANY
from ludus.games import load, names


@pytest.mark.parametrize("actions", [1, 8, 9, 64, 65, 300])
@pytest.mark.parametrize("share", [0.02, 0.5, 1.0])
def test_the_nth_marked_action_is_found_uncompiled_and_compiled(actions: int, share: float) -> None:
    mask = np.zeros(8 * -(-actions // 8), np.int8)
    mask[:actions] = np.random.default_rng(actions).random(actions) < share
    mask[actions - 1] = 1
    words, marked = mask.view(np.int64), np.flatnonzero(mask).tolist()
    code = machine_code(None, nth)
    for find in (nth, code):
        assert [find(words, mask, k) for k in range(len(marked))] == marked


@pytest.mark.parametrize("name", names())
def test_legal_actions_are_those_of_the_mask(name: str) -> None:
    table, chance, most = Table(load(name), seed=4), np.random.default_rng(4), 0
    for _ in range(300):
        legal = table.legal()
        assert legal == np.flatnonzero(table.mask).tolist()
        assert all(type(action) is int for action in legal)
        most = max(most, len(legal))
        table.apply(int(chance.choice(legal))) if legal else table.begin()
    assert most


def test_many_legal_actions_of_copies_are_their_own() -> None:
    """Lists of many are made in another way: a copy must look at its own mask, and padding is no action."""
    wide = [name for name in names() if len(Table(load(name), seed=4).legal()) > MANY]
    assert wide
    for name in wide:
        table = Table(load(name), seed=4)
        before = table.legal()
        other = table.copy()
        other.apply(before[-1])
        assert table.legal() == before == np.flatnonzero(table.mask).tolist()
        assert other.legal() == np.flatnonzero(other.mask).tolist()


@rule
def first_above(numbers, least):  # type: ignore[no-untyped-def]
    """Return from the middle of a loop, where counting references could not be left out by itself."""
    for k in range(numbers.shape[0]):
        if numbers[k] > least:
            return k
    return -1


def search_twice(numbers, least):  # type: ignore[no-untyped-def]
    return first_above(numbers, least) + first_above(numbers, least + 1)


def test_no_references_are_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path))  # kept code has no text
    code = machine_code(None, search_twice, "int64(int64[::1], int64)")
    assert code(np.arange(10), 3) == 4 + 5
    assert "NRT_incref" not in "".join(code.inspect_llvm().values())


def allocate(n):  # type: ignore[no-untyped-def]
    room = np.zeros(n)
    room[0] = 1
    return room[0]


def test_a_rule_that_makes_an_array_is_refused_with_a_sentence() -> None:
    with pytest.raises(LudusError, match="a rule makes an array; rules have no memory but the row"):
        machine_code(None, allocate, "float64(int64)")
