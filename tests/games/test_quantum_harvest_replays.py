"""Quantum Harvest's long games as small records, and replay files of its original that no rules are asked for."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.arena import Original, Replay, open_any, open_original
from ludus.arena.formats import decode, encode
from ludus.core import BadRecord, read_bounded
from ludus.games import load

FILE = Path(__file__).parent.parent / "data" / "quantum_harvest" / "original_1_0_2.json.gz"
ORIGINAL = load("quantum_harvest").part("original")
ENTRIES: list[Any] = json.loads(read_bounded(FILE, 1 << 24))


def watched(entries: object) -> Any:
    return ORIGINAL.read_replay(json.dumps(entries).encode())


def test_a_game_of_a_thousand_turns_is_small() -> None:
    record = ludus.play(
        "quantum_harvest", ["growth", "growth"], seed=2, max_turns=1000, energy_goal=2_000_000_000, territory_turns=1000
    )
    data = encode(record)
    assert len(record.digests) == 1000
    assert len(record.decisions) > 30_000
    assert len(data) < 200_000
    assert len(gzip.compress(data)) < 50_000
    assert Replay(decode(data)).turns == 1000


def test_a_file_of_the_original_is_told_as_its_rows_are() -> None:
    opened = open_any(FILE)
    assert isinstance(opened, Original)
    assert opened.game.name == "quantum_harvest"
    told, rows = opened.told, list(ORIGINAL.frames(ENTRIES))
    assert (told.size, told.names, len(told.frames)) == (12, ("Player1", "Player2"), len(rows))
    for frame, due in zip(told.frames, rows, strict=True):
        row = due.row
        assert frame.turn == row.turn
        assert np.array_equal(frame.tiles, row.tile)
        assert np.array_equal(frame.amounts, row.amount)
        explored = row.explored[:, :, None] >> np.arange(told.size) & 1
        assert np.array_equal(frame.explored, explored.astype(bool))
        assert [round(4 * energy) for energy in frame.energy] == row.energy.tolist()
        for seat in range(2):
            places = sorted((unit.x, unit.y, unit.kind, 2 * unit.health) for unit in frame.units if unit.seat == seat)
            count = int(row.units[seat])
            columns = (row.unit_x, row.unit_y, row.unit_type, row.unit_health)
            assert places == sorted(zip(*(column[seat, :count].tolist() for column in columns), strict=True))
        assert (len(frame.attacks), frame.orders) == (row.last_events, due.actions)
    last = told.frames[-1]
    assert (last.over, last.winner, last.reason) == (True, rows[-1].row.winner, "limit_energy")
    assert not told.frames[-2].over


def test_files_of_any_size_and_with_any_number_of_units_are_read() -> None:
    size, units = 60, [[k, k % 2, k % 3, k % 60, k // 60, 45.5, 0, 0, 2] for k in range(500)]
    seen = {"map": [[0] * size for _ in range(size)], "units": units, "player_energy": [1.25, 0]}
    seen["map"][7][3] = 1
    info = {"energy_nodes": [[7, 3]], "energy_values": [900.0], "explored_tiles": [[[59, 0]], []]}
    entries = [
        {"map_size": size, "max_turns": 5, "player1_username": "a\x1bnn"},
        {"turn": 0, "observation": seen, "info": info},
    ]
    told = watched(entries)
    (frame,) = told.frames
    assert told.names == ("a nn", "Player2")
    assert (len(frame.units), frame.units[61].x, frame.units[61].y, frame.units[61].attacks) == (500, 1, 1, 2)
    assert (frame.tiles[3, 7], frame.amounts[3, 7], frame.tiles.sum()) == (1, 900, 1)
    assert np.argwhere(frame.explored).tolist() == [[0, 0, 59]]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("turn",), -1),
        (("turn",), "x"),
        (("observation",), {}),
        (("observation",), 5),
        (("info",), []),
        (("observation", "units"), [[0, 0, 2, 99, 0, 45, 0, 0]]),
        (("observation", "units"), [[0, 0, 7, 0, 0, 45, 0, 0]]),
        (("observation", "units"), [[0, 2, 1, 0, 0, 45, 0, 0]]),
        (("observation", "units"), [[0, 0]]),
        (("observation", "map"), [[0]]),
        (("observation", "map"), [[0] * 12] * 11 + [[0]]),
        (("observation", "map"), [[9] * 12] * 12),
        (("observation", "player_energy"), ["much", 0]),
        (("info", "explored_tiles"), [[[10**9, 0]], []]),
        (("info", "energy_values"), [1]),
        (("info", "combat_events"), [{"attacker_player": 0, "attacker_pos": [0, 0], "target_pos": [0, 12]}]),
        (("info", "combat_events"), [{}]),
    ],
    ids=str,
)
def test_entries_of_what_cannot_be_are_refused(place: tuple[str, ...], value: object) -> None:
    entries = json.loads(json.dumps(ENTRIES[:3]))
    home = entries[1]
    for key in place[:-1]:
        home = home[key]
    home[place[-1]] = value
    with pytest.raises(BadRecord, match="has an entry 1 that cannot be read: ") as refused:
        watched(entries)
    assert str(refused.value).isprintable()


def test_bad_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    whole, file = json.dumps(ENTRIES[:3]).encode(), tmp_path / "bad.json"
    cases = {
        whole[: len(whole) // 2]: "is no replay of Quantum Harvest",
        json.dumps(ENTRIES[:1]).encode(): "without a turn",
        whole.replace(b'"map_size": 12', b'"map_size": 10000'): "map_size",
        b'[{"map_size": 6}, ' + b"[" * 10**5: "is no replay of Quantum Harvest",
        b"[1, 2]": "is neither a record nor a replay file",
        b"[": "is neither a record nor a replay file",
    }
    for content, complaint in cases.items():
        file.write_bytes(content)
        with pytest.raises(BadRecord, match=rf"bad\.json .*{complaint}"):
            open_any(file)
    file.write_bytes(gzip.compress(b"[" + b" " * (16 << 20)) * 32)
    with pytest.raises(BadRecord, match="holds more than 256 MiB"):
        open_original(file)
    assert ORIGINAL.read_replay(b'{"game": "x"}') is None
