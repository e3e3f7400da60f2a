"""What bot writers read is what the code does: pages, keys of views, names of actions, and the way back from plain data."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from ludus import Batch
from ludus.agents.game_page import form_of, game_page, keys_of
from ludus.core import BadValue, Row, plain
from ludus.engine import Table
from ludus.games import load, names

PAGES = Path(__file__).parent.parent / "docs" / "bots"


def views_of(name: str, decisions: int = 250) -> Iterator[Row]:
    """Give the views of all seats through a part of a game, and at the ends of others."""
    game, table, chance = load(name), Table(name, 5, "pure"), Random(5)
    for _ in range(decisions):
        for seat in range(len(game.spec.seats)):
            yield table.observe(seat).copy()
        if table.over:
            break
        table.apply(chance.choice(table.legal()))
    batch = Batch(game, 3, 6, restart=False)
    batch.finish_random()
    for row in batch.states:
        for seat in range(len(game.spec.seats)):
            yield game.look(row, seat)


@pytest.mark.parametrize("name", names())
def test_pages_are_what_the_code_says(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert page == game_page(name), f"write it again: python -m ludus.agents.game_page {name} > docs/bots/{name}.md"


@pytest.mark.parametrize("name", names())
def test_views_have_the_keys_and_types_that_they_declare(name: str) -> None:
    game = load(name)
    kind = game.says("text", "Shown")
    for view in views_of(name):
        shown = json.loads(json.dumps(game.public(view)))
        msgspec.convert(shown, kind)
        assert_keys(kind, shown)
        assert set(shown["options"]) == set(game.options)


def assert_keys(kind: Any, shown: dict[str, Any]) -> None:
    """Hold a dictionary, and those inside it, to the keys that its type declares."""
    from ludus.agents.game_page import _dictionaries

    assert set(shown) == set(keys_of(kind))
    for key, (type_, meaning) in keys_of(kind).items():
        assert meaning
        for inner in _dictionaries(type_):
            values = shown[key] if isinstance(shown[key], list) else [shown[key]] if shown[key] is not None else []
            for value in values:
                assert_keys(inner, value)


@pytest.mark.parametrize("name", names())
def test_plain_data_lead_back_to_the_view_so_that_nothing_is_missing_in_them(name: str) -> None:
    game = load(name)
    for number, view in enumerate(views_of(name)):
        shown = json.loads(json.dumps(game.public(view)))
        again = plain(np.zeros(1, game.view_type))
        game.says("text", "read_view")(shown, again)
        for field in view.dtype.names or ():
            assert np.array_equal(view.array[field], again.array[field]), field
        if number % 50 == 0:
            assert game.view_of(shown) == view


@pytest.mark.parametrize("name", names())
def test_what_is_no_view_is_refused_in_a_sentence(name: str) -> None:
    game = load(name)
    shown = json.loads(json.dumps(game.public(Table(name, 1, "pure").observe())))
    wrong: list[Any] = [
        {},
        {**shown, "me": "nobody"},
        {**shown, "turn": -1},
        {**shown, "options": {}},
        {**shown, "turn": 10**30},
    ]
    for key in shown:
        less = copy.deepcopy(shown)
        del less[key]
        wrong.append(less)
    for data in wrong:
        with pytest.raises(BadValue, match="no view of"):
            game.view_of(data)


@pytest.mark.parametrize("name", names())
def test_every_action_has_one_form(name: str) -> None:
    game = load(name)
    forms: dict[str, str] = game.says("actions", "FORMS")
    assert {form_of(forms, game.action_name(action)) for action in range(game.spec.actions)} == set(forms)


@pytest.mark.parametrize("name", names())
def test_positions_from_a_view_look_the_same_on_every_device(name: str) -> None:
    table, chance = Table(name, 7, "pure"), Random(7)
    for _ in range(40):
        table.apply(chance.choice(table.legal()))
    view = table.observe().copy()
    found = []
    for device in ("pure", "cpu"):
        batch = Batch(table.game, 4, 1, device, frame="rules")
        batch.sample(view)
        found.append(batch.digest().tolist())
        for field in view.dtype.names or ():
            assert (batch.observe(view.me)[field] == view.array[field]).all(), field
        assert batch.legal()[0].nonzero()[0].tolist() == table.legal()
    assert found[0] == found[1]
    other = Table(table.game, 3, "pure")
    other.sample(view)
    assert other.observe(view.me) == view
    assert other.legal() == table.legal()
    for bad in (None, 7, table.s):
        with pytest.raises(BadValue, match="a view is a row of"):
            batch.sample(bad)
        with pytest.raises(BadValue, match="a view is a row of"):
            other.sample(bad)
