"""Unit's original programs: their action and state objects, their network's input, their agents."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ludus.agents import make_agent
from ludus.core import BadRecord, BadValue, IllegalAction, Start, plain
from ludus.engine import Table
from ludus.games import load
from ludus.games.unit import forms, original
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


def test_ids_have_the_originals_objects_and_a_place_in_a_head() -> None:
    ids = list(range(GAME.spec.actions))
    assert [forms.id_of(original.read_action(original.write_action(k, "v"))) for k in ids] == ids
    assert len({original.head_index(action) for action in ids}) == len(ids)
    assert max(map(original.head_index, ids)) == 117 * 71


def test_pieces_name_their_player_and_older_files_their_owner() -> None:
    s = GAME.parse("turn 3;\nA2:3 . .\n. . .\n. . B1:2")
    written = original.write_state(s)
    assert [piece["player"] for piece in written["vertices"]["vertex-0"]["stack"]] == ["Player1", "Player1"]
    same(s.array, original.read_state(written).array, "a state object")
    written["vertices"]["vertex-0"]["stack"] = [{"owner": "Player1"}, {"player": "Player1"}]
    same(s.array, original.read_state(written).array, "a state object with owners")


@pytest.mark.parametrize(
    ("vertex", "target", "name"),
    [
        ("v0", "v1", "pincer 1 from 4 0"),  # all that can take part do
        ("vertex-4", "vertex-1", "pincer 1 from 4 0"),
        ("v2", "v1", "not_occupied"),
        ("v8", "v1", "not_own_stack"),
        ("v0", "v3", "no_enemy_at_target"),
        ("v4", "v5", "bad_origin_count"),  # nobody else can
        ("v0", "v999", "malformed"),
        ("nobody", "v1", "malformed"),
    ],
)
def test_a_pincer_may_name_one_stack_and_its_target(vertex: str, target: str, name: str) -> None:
    t = table("A2:3 B1:1 A1:0\n. A2:2 B1:1\n. . .")
    action, reason = original.action_of(t.s, {"type": "pincer", "vertexId": vertex, "targetId": target})
    assert (GAME.action_name(action) if action is not None else reason) == name


def test_a_stack_too_high_for_a_list_is_refused() -> None:
    with pytest.raises(BadValue, match="1000001"):
        original.write_state(GAME.parse("turn 3;\nA1000001:3 . .\n. . .\n. . ."))


AGENT = """
from self_play.agent_utils import apply_move, get_force, get_legal_moves, is_occupied

def select_move(game_state):
    mine = game_state["currentPlayerId"]
    def strength(move):
        vertices = apply_move(game_state, move)["vertices"].values()
        return sum(get_force(v) for v in vertices if v["stack"] and v["stack"][0]["player"] == mine and is_occupied(v))
    return max(get_legal_moves(game_state), key=strength)
"""


def test_agent_files_of_the_original_play(tmp_path: Path) -> None:
    (tmp_path / "strong.py").write_text(AGENT)
    agent = make_agent(GAME, str(tmp_path / "strong.py"))
    t = Table(GAME, 3, "pure")
    agent.start(Start(GAME, 0, ("strong", "strong"), 1))
    for _ in range(12):
        t.apply(agent.act(t.observe(t.seat).copy(), t.legal()))
    assert t.s.turn >= 3


def answering(answer: object) -> Any:
    """Return the agent of a file whose `select_move` always answers so."""
    module = ModuleType("file")
    module.select_move = lambda game_state: answer  # type: ignore[attr-defined]
    return original.original_agent(module, "file")


@pytest.mark.parametrize(
    "answer", [{"type": "place", "vertexId": f"{spelling}108"} for spelling in original.SPELLINGS] + [3, np.array(3)]
)
def test_answers_of_agents_are_read(answer: object) -> None:
    t = Table(GAME, 0, "pure")
    assert answering(answer).act(t.observe(0), t.legal()) == 3


@pytest.mark.parametrize("answer", [None, 2.0, [], "place", {"type": "endTurn"}, {"type": "place", "vertexId": "v8"}, {}])
def test_wrong_answers_of_agents_are_refused(answer: object) -> None:
    t = Table(GAME, 0, "pure")
    with pytest.raises(IllegalAction, match="is refused"):
        answering(answer).act(t.observe(0), t.legal())


def test_a_file_without_select_move_is_no_agent_of_the_original() -> None:
    assert original.original_agent(ModuleType("file"), "file") is None


def test_the_originals_module_knows_the_rules() -> None:
    helpers = original.modules()["self_play.agent_utils"]
    state = helpers["initialize_game"]()
    assert helpers["get_legal_moves"](state) == [{"type": "place", "vertexId": "v0"}, {"type": "place", "vertexId": "v108"}]
    after = helpers["apply_move"](state, {"type": "place", "vertexId": "v0"})
    assert len(after["vertices"]["v0"]["stack"]) == 1
    assert helpers["apply_move"](after, {"type": "place", "vertexId": "v0"}) == after  # refused: nothing changes
    assert state == helpers["initialize_game"]()
