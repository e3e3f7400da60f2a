"""Quantum Harvest: what seats and spectators are shown, as plain data and as scenes."""

import json

import numpy as np

from ludus.core import Row, plain
from ludus.games import load

SMALL = load("quantum_harvest", size=6)
T = SMALL.part("tables")


def position(*lines: str, tiles: str = ". . . . . .") -> Row:
    """Return a 6 by 6 position whose rows of tiles are all the same."""
    return SMALL.parse("\n".join([*[tiles] * 6, *lines]))


def order(s: Row, *actions: str) -> None:
    """Play decisions."""
    for action in actions:
        SMALL.verbs.apply(s, SMALL.parse_action(action), None)


SHOT = ("energy 400 400", "player1 0 warrior 1,1", "player1 1 scout 0,0", "player2 0 warrior 2,2", "player2 1 scout 5,5")


def test_a_view_as_plain_data_tells_all_that_the_view_holds() -> None:
    s = position("turn 7/50; energy 400 9; streak 3 0; goals 800 20 5", "player1 0 scout 0,0", "player1 1 warrior 1,1 boost 2",
                 "player2 0 scout 2,1", "amount 3,0 77", tiles=". . . N . .")  # fmt: skip
    order(s, "spawn warrior")
    told = SMALL.public(SMALL.look(s, 0))
    assert json.loads(json.dumps(told)) == told
    assert {key: told[key] for key in ("me", "to_move", "turn", "max_turns", "over", "winner", "end")} == {
        "me": "player1", "to_move": "player1", "turn": 7, "max_turns": 50, "over": False, "winner": None, "end": "running",
    }  # fmt: skip
    assert told["energy"] == {"mine": 100.0, "theirs": 2.25, "goal": 200.0}
    assert told["territory"] == {"mine": 2, "theirs": 1, "goal": 20}
    assert told["streak"] == {"mine": 3, "theirs": 0, "goal": 5}
    assert (told["map"][0], told["explored"][:2], told["amounts"][0]) == ("...N..", ["####..", "###..."], [3, 0, 77])
    assert [(unit["id"], unit["type"], unit["ordered"]) for unit in told["units"]] == [
        (0, "scout", True), (1, "warrior", False), (2, "warrior", False),
    ]  # fmt: skip
    assert (told["promised"], told["next_id"], told["asked"], told["energy_left"]) == (1, 2, 1, 0.0)
    assert (told["enemies"][0]["x"], told["enemies"][0]["younger_than"], told["orders"]) == (2, 2, ["0 spawn warrior"])


def test_the_end_tells_who_won_and_how() -> None:
    s = position("turn 0/1; energy 0 8", "player1 0 scout 0,0", "player2 0 scout 5,5")
    order(s, "done", "done")
    told = SMALL.public(SMALL.look(s, 0))
    assert (told["over"], told["winner"], told["end"], told["to_move"]) == (True, "player2", "limit_energy", None)


def test_attacks_are_told_as_numbers_and_in_words() -> None:
    s = position(*SHOT)
    order(s, "attack down-right +1", "done", "done")
    (hit,) = SMALL.public(SMALL.look(s, 0))["attacks"]
    assert hit == {
        "by": "player1", "unit": 0, "x": 1, "y": 1, "target": 0, "to_x": 2, "to_y": 2, "health": 45.0, "damage": 36.0,
        "boost": 1, "boosted": False, "on_field": False, "killed": False, "text": "player1's 0 hits player2's 0 for 36 of 45",
    }  # fmt: skip


def test_who_shot_from_the_dark_is_nobody() -> None:
    s = position(*SHOT)  # a warrior does not see the tile across the corner
    order(s, "attack down-right", "done", "done")
    (hit,) = SMALL.public(SMALL.look(s, 1))["attacks"]
    assert (hit["by"], hit["unit"], hit["x"], "unseen" in hit["text"]) == ("player1", None, None, True)
    assert (SMALL.scene(s, 1).events[0].who, SMALL.scene(s, 1).links) == ("", ())


def test_plain_data_holds_no_numbers_of_numpy() -> None:
    s = position(*SHOT)
    order(s, "attack down-right", "nothing")

    def kinds(value: object) -> set[type]:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return {type(value)} if inner is None else set().union(*map(kinds, inner))

    for view in (SMALL.look(s, 0), SMALL.look(s, 0).array.view(np.recarray)[0]):
        assert kinds(SMALL.part("text").public(view)) <= {str, int, float, bool, type(None)}


def test_events_name_pieces_that_are_there() -> None:
    """Both warriors shoot, the second kills the first: only the living one can be pointed at."""
    s = position(*SHOT[:1], "player1 0 warrior 1,1 health 10", *SHOT[2:])
    order(s, "attack down-right", "done", "attack up-left", "done")
    assert [(event.kind, event.who, event.amount) for event in SMALL.scene(s).events] == [
        ("attack", "", 30.0), ("kill", "player2-0", 30.0),
    ]  # fmt: skip
    assert [link.role for link in SMALL.scene(s).links] == ["seat0", "seat1"]


def test_a_seats_scene_is_made_from_its_view_and_marks_the_unit_that_is_asked() -> None:
    s = position(*SHOT)
    scene = SMALL.scene(s, 0)
    assert scene == SMALL.part("scene").scene(plain(SMALL.look(s, 0)))
    assert (scene.marks[0].x, scene.marks[0].y) == (1, 1)
    assert scene.status.endswith("player1 gives orders: warrior 0 at 1,1 (slot 0)")
    assert [piece.id for piece in scene.pieces] == ["player1-0", "player1-1"]
    assert not SMALL.scene(s, 1).marks
    assert SMALL.scene(s).status == "turn 0 of 1000, player1 gives orders"


def test_scenes_hide_what_a_seat_has_not_explored() -> None:
    s = position("player1 0 scout 0,0", "player2 0 scout 5,5", tiles=". . . . N .")
    everything, seen = SMALL.scene(s), SMALL.scene(s, 0)
    assert (len(everything.pieces), len(seen.pieces)) == (2, 1)
    node = next(cell for cell in seen.cells if (cell.x, cell.y) == (4, 4))
    assert (node.text, node.amount) == ("?", None)
    assert not any(name.startswith("player2 units") for name, _ in seen.numbers)


def test_the_default_is_always_legal() -> None:
    mask = np.zeros(T.ACTIONS + 8, np.int8)
    for s, action in ((position(*SHOT), T.NOTHING), (position("player2 0 scout 5,5"), T.DONE)):
        mask[:] = 0
        SMALL.verbs.legal(s, mask)
        assert (SMALL.verbs.default(s), mask[action]) == (action, 1)
