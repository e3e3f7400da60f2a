"""Quantum Harvest: replay files of the original as scenes, which need no rules."""

import copy
from pathlib import Path
from typing import Any

import pytest

from ludus.core import NOBODY, BadRecord
from ludus.games import load

DATA = Path(__file__).parent.parent / "data" / "quantum_harvest"
GAME = load("quantum_harvest", max_turns=60)
ORIGINAL = GAME.part("original")
ENTRIES = ORIGINAL.read(DATA / "original_1_0_2.json.gz")


def test_scenes_of_a_replay_show_what_its_rows_show() -> None:
    scenes = list(ORIGINAL.scenes_of_original(ENTRIES))
    rows = [frame.row for frame in ORIGINAL.frames(ENTRIES)]
    assert len(scenes) == len(rows) == 61
    for scene, row in zip(scenes, rows, strict=True):
        shown = GAME.scene(row)
        assert (scene.cells, set(scene.marks), scene.links) == (shown.cells, set(shown.marks), shown.links)
        assert [number.value for number in scene.numbers] == [number.value for number in shown.numbers]
        assert {piece.id: piece.bars for piece in scene.pieces} == {piece.id: piece.bars for piece in shown.pieces}
        assert {event.who for event in scene.events} <= {NOBODY, *(piece.id for piece in scene.pieces)}
    assert (scenes[-1].status, scenes[-1].seats) == ("last turn: Player2 wins by more energy", ("Player1", "Player2"))


def test_a_turn_of_two_entries_tells_both_halves() -> None:
    _, _, scene, *_ = ORIGINAL.scenes_of_original(ENTRIES)
    told = [event.text for event in scene.events]
    assert told[0] == "Player1's warrior on 4,5 hits the enemy on 5,5 for 48 of 15"
    assert told[2:5] == [
        "Player2's warrior on 7,7 hits the enemy on 7,4 for 63 of 50", "Player2 destroys the enemy on 7,4",
        "Player2's warrior 2 moves to 8,5",
    ]  # fmt: skip
    assert scene.events[0].who == next(piece.id for piece in scene.pieces if (piece.x, piece.y) == (4, 5))
    assert scene.status == "turn 2 of 60"


def entry(size: int, turn: int, units: list[list[int]]) -> dict[str, Any]:
    """Return an entry of an empty map."""
    return {
        "type": "step", "turn": turn, "observation": {
            "map": [[0] * size for _ in range(size)], "units": units, "player_energy": [123456.75, 0],
        },
        "info": {
            "territory_control": [0.1, 0.2], "exploration_percentage": [0, 0], "energy_nodes": [], "energy_values": [],
            "entanglement_zones": [], "entanglement_zone_power": [], "explored_tiles": [[], []], "combat_events": [],
        },
    }  # fmt: skip


def test_more_units_and_larger_maps_than_the_rules_have_are_shown() -> None:
    units = [[k, k % 2, k % 3, k % 60, k // 60, 45, 0, 0, 0] for k in range(300)]
    moved = [[unit, side, kind, x, y + 1, *rest] for unit, side, kind, x, y, *rest in units]
    built = entry(60, 1, moved)
    built["observation"]["map"][8][9] = 5
    built["observation"]["units"][8] = units[8]
    built["observation"]["units"][8][3:5] = [8, 8]
    built["action"] = {"p0_8": [16, 1, 2, 0]}
    first, last = ORIGINAL.scenes_of_original([{"map_size": 60, "max_turns": 9}, entry(60, 0, units), built])
    assert (first.board.width, len(first.pieces), len({piece.id for piece in last.pieces})) == (60, 300, 300)
    assert {event.kind for event in last.events} == {"move", "build"}
    assert "player1's scout 8 builds a gate on 8,9" in [event.text for event in last.events]
    assert last.numbers[4].text == "150"


@pytest.mark.parametrize(
    "change",
    [
        {"units": [[0, 2, 0, 0, 0, 45, 0, 0]]}, {"units": [[0, 0, 7, 0, 0, 45, 0, 0]]}, {"units": [[0, 0, 0, -1, 0, 45, 0, 0]]},
        {"units": [[0, 0, 0, 12, 0, 45, 0, 0]]}, {"units": [[0]]}, {"map": [[9] * 12] * 12}, {"map": [[0] * 12]},
        {"player_energy": [1e30, 0]},
    ],
)  # fmt: skip
def test_entries_that_cannot_be_shown_are_refused_in_a_sentence(change: dict[str, Any]) -> None:
    entries = copy.deepcopy(ENTRIES[:4])
    entries[2]["observation"] |= change
    entries[3]["observation"] |= change
    with pytest.raises(BadRecord, match="of the replay cannot be read"):
        list(ORIGINAL.scenes_of_original(entries))
