"""Every game: the contract, its golden traces through the function that the command line uses, its words."""

import msgspec
import numpy as np
import pytest

from ludus import golden
from ludus.core import plain, streams
from ludus.engine import Table
from ludus.games import load, names
from ludus.testing import check_game


@pytest.mark.parametrize("name", names())
def test_contract(name: str) -> None:
    lines: list[str] = []
    check_game(name, ("pure", "cpu", "wasm"), games=2, say=lines.append, effort=0.12)
    for device in ("cpu", "wasm"):
        assert any(line.startswith(f"pure = {device}") for line in lines)
        assert any(line.startswith(f"frames, pure = {device}") for line in lines)


@pytest.mark.parametrize("device", ["pure", "cpu"])
@pytest.mark.parametrize("name", names())
def test_golden_traces(name: str, device: str) -> None:
    count = golden.check(name, golden.files_of(load(name)), device)
    assert count.games >= 100
    assert count.values > 10_000


@pytest.mark.parametrize("name", names())
def test_views_are_plain_data_with_a_common_envelope(name: str) -> None:
    """Who looks, whose move it is, the turn, and whether the game is over: in every game, for every seat, to the end."""
    game, table = load(name), Table(name, 3, "pure")
    for move in range(200):
        for seat, seat_name in enumerate(game.spec.seats):
            shown = game.public(table.observe(seat))
            assert shown["me"] == seat_name
            assert shown["to_move"] in (*game.spec.seats, None)
            assert (type(shown["turn"]), shown["over"]) == (int, table.over)
            assert msgspec.json.decode(msgspec.json.encode(shown)) == shown
        if table.over:
            break
        assert 0 < len(game.status(table.s).splitlines()) == 1
        table.apply(table.legal()[(7 * move) % len(table.legal())])
    assert len(game.status(table.s).splitlines()) == 1


@pytest.mark.parametrize("name", names())
def test_scenes_of_a_seat_come_from_its_view_alone(name: str) -> None:
    """Two positions that look the same to a seat have the same scene."""
    game, table = load(name), Table(name, 4, "pure")
    other = plain(np.zeros(1, game.state_type))
    for move in range(60):
        if table.over:
            break
        for seat in range(len(game.spec.seats)):
            for option in game.spec.options:
                other[f"opt_{option.name}"] = table.s[f"opt_{option.name}"]
            game.verbs.sample(game.look(table.s, seat), other, streams(move, 1)[0])
            assert game.scene(other, seat) == game.scene(table.s, seat)
        table.apply(table.legal()[(5 * move) % len(table.legal())])


@pytest.mark.parametrize("name", names())
def test_a_game_is_the_same_in_another_process(name: str) -> None:
    import pickle

    game = load(name)
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert again.options == game.options
    assert again.verbs is game.verbs
