"""Unit's original programs: their action and state objects, their network's input, their agents."""

import json
from typing import Any

import numpy as np
import pytest

from ludus.core import BadRecord, plain
from ludus.engine import Table
from ludus.games import load
from ludus.games.unit import original
from ludus.testing import positions, same

GAME = load("unit")
READY = "turn 9; player0 to act; placed; infused; pool 0 0\n"  # only the third action is left
POSITIONS = [plain(row) for row in positions(GAME, 3) if row.end == 0]


def table(drawing: str, facts: str = READY) -> Table:
    """Set a position up; layers that are not drawn are empty."""
    return Table(GAME, device="pure", position=facts + drawing)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v1"}, ""),
        ({"type": "pincer", "targetId": "v1", "originIds": ["v4", "v0"]}, ""),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v1", "playerId": "Player1"}, ""),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v1", "playerId": "Player2"}, "not_your_turn"),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v1", "playerId": "Player3"}, "malformed"),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "vertex-117"}, "malformed"),
        ({"type": "attack", "vertexId": "vertex-0"}, "malformed"),
        ({"type": "attack", "vertexId": "vertex-1", "targetId": "v0"}, "not_own_stack"),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v8"}, "not_adjacent"),
        ({"type": "attack", "vertexId": "vertex-0", "targetId": "v3"}, "no_enemy_at_target"),
        ({"type": "attack", "vertexId": "vertex-2", "targetId": "v1"}, "not_occupied"),
        ({"type": "pincer", "targetId": "v1", "originIds": []}, "bad_origin_count"),
        ({"type": "pincer", "targetId": "v1", "originIds": ["v0", "v0"]}, "bad_origin_count"),
        ({"type": "pincer", "targetId": "v1", "originIds": ["v0", "v4", "v0"]}, "bad_origin_count"),
        ({"type": "pincer", "targetId": "v1", "originIds": ["v0", "v2"]}, "not_occupied"),
        ({"type": "pincer", "targetId": "v1", "originIds": ["v0", "v8"]}, "not_own_stack"),
        ({"type": "pincer", "targetId": "v1", "originIds": "v0 v4"}, "malformed"),
        ({"type": "place", "vertexId": "v0"}, "already_placed"),
        ({"type": "infuse", "vertexId": "v0"}, "already_infused"),
        ({"type": "move", "fromId": "v0", "toId": "v1"}, "enemy_at_target"),
        ({"type": "endTurn"}, "mandatory_outstanding"),
        ({"type": "end_turn"}, "malformed"),  # our word, not the original's
        ({"type": ["move"]}, "malformed"),
        ("endTurn", "malformed"),
        (None, "malformed"),
    ],
)
def test_the_originals_actions_are_read_or_refused_with_a_reason(written: object, reason: str) -> None:
    t = table("A2:3 B1:1 A1:0\n. A2:2 .\n. . .")
    before = plain(t.s).copy()
    action, came = original.action_of(t.s, written)
    assert came == reason
    assert (action in t.legal()) == (reason == "")
    same(before.array, plain(t.s).array, "a position that was only asked")


def test_the_originals_state_object_goes_both_ways() -> None:
    for row in POSITIONS[::9]:
        for spelling in original.SPELLINGS:
            written = json.loads(json.dumps(original.write_state(row, spelling)))
            read = original.read_state(written, int(row.actions))
            for field in ("held", "pieces", "energy", "pool", "seat", "turn", "placed", "infused", "moved", "winner"):
                assert np.array_equal(read[field], row[field]), field
    assert written["vertices"]["v21"]["adjacencies"] == ["v16", "v26", "v20", "v22", "v4", "v58"]
    assert written["homeCorners"] == {"Player1": ["v0", "v108"], "Player2": ["v8", "v116"]}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("vertices", "vertex-0", "energy"), -1),
        (("vertices", "vertex-0", "energy"), 2_000_000_000),
        (("vertices", "vertex-0", "stack"), [{"owner": "Player1"}, {"owner": "Player2"}]),
        (("vertices", "vertex-0", "stack"), [{"owner": "Player3"}]),
        (("vertices", "vertex-999"), {"stack": [], "energy": 0}),
        (("currentPlayerId",), "Player3"),
        (("turn",), {}),
        (("players", "Player1", "reinforcements"), "many"),
        (("winner",), "Player1"),
    ],
)
def test_broken_state_objects_are_refused(path: tuple[str, ...], value: object) -> None:
    written: Any = original.write_state(POSITIONS[5])
    place = written
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(BadRecord):
        original.read_state(written)


def test_the_original_networks_input_is_kept() -> None:
    t = table("A2:3 . .\n. :7 .\n. . B1:2")
    seen = original.network_input(t.observe(1))
    assert seen.shape == (117, 5)
    assert seen[[0, 4, 8, 116]] == pytest.approx(
        np.array([[1, 0.2, 0.3, -1, 0], [0, 0, 0.7, 0, 0], [1, 0.1, 0.2, 1, 0], [0, 0, 0, 0, 1]])
    )
    assert original.policy_class(122) == 2
    assert original.policy_class(0) is None
