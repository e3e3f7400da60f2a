"""Quantum Harvest: what seats and spectators are shown, as plain data and as scenes."""

import json

import numpy as np
import pytest

from ludus.core import NOBODY, Row, Scene
from ludus.engine import Batch
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


def number(scene: Scene, name: str, seat: int) -> str | None:
    """Return a number of the side panel, or None if it is not shown."""
    return next((number.text for number in scene.numbers if (number.name, number.seat) == (name, seat)), None)


SHOT = ("energy 400 400", "player1 0 warrior 1,1", "player1 1 scout 0,0", "player2 0 warrior 2,2", "player2 1 scout 5,5")


def test_a_view_as_plain_data_tells_all_that_the_view_holds() -> None:
    s = position("turn 7/50; energy 400 9; streak 3 0; goals 800 20 5", "player1 0 scout 0,0", "player1 1 warrior 1,1 boost 2",
                 "player2 0 scout 2,1", "amount 3,0 77", tiles=". . . N . .")  # fmt: skip
    order(s, "spawn warrior")
    told = SMALL.public(SMALL.look(s, 0))
    assert json.loads(json.dumps(told)) == told
    assert {key: told[key] for key in ("me", "to_move", "turn", "over", "winner", "end")} == {
        "me": "player1", "to_move": "player1", "turn": 7, "over": False, "winner": None, "end": "running",
    }  # fmt: skip
    assert told["energy"] == {"mine": 100.0, "theirs": 2.25, "goal": 200.0}
    assert told["territory"] == {"mine": 2, "theirs": 1, "goal": 20}
    assert told["streak"] == {"mine": 3, "theirs": 0, "goal": 5}
    assert (told["map"][0], told["explored"][:2], told["amounts"][0]) == ("...N..", ["####..", "###..."], [3, 0, 77])
    assert [(unit["id"], unit["type"], unit["ordered"]) for unit in told["units"]] == [
        (0, "scout", True), (1, "warrior", False), (2, "warrior", False),
    ]  # fmt: skip
    assert (told["promised"], told["next_id"], told["asked"], told["energy_left"]) == (1, 2, 1, 0.0)
    assert (told["enemies"][0]["x"], told["older_units"], told["orders"]) == (2, [2], ["0 spawn warrior"])


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
    scene = SMALL.scene(s, 1)
    assert [(event.kind, event.text, event.who) for event in scene.events] == [
        ("hit", "an unseen warrior of player1 hits the enemy on 2,2 for 30 of 45", NOBODY),
    ]  # fmt: skip
    assert scene.links == ()


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
    scene = SMALL.scene(s)
    killer = next(piece.id for piece in scene.pieces if (piece.seat, piece.kind) == (1, "warrior"))
    assert [(event.kind, event.who, event.amount) for event in scene.events] == [
        ("shot", NOBODY, 30), ("shot", killer, 30), ("kill", killer, 0),
    ]  # fmt: skip
    assert scene.events[0].text == "player1's warrior on 1,1 hits the enemy on 2,2 for 30 of 45"
    assert [(link.role, link.x, link.to_x) for link in scene.links] == [("seat0", 1, 2), ("seat1", 2, 1)]


def test_a_seats_scene_marks_the_unit_that_is_asked() -> None:
    s = position(*SHOT)
    scene = SMALL.scene(s, 0)
    assert [(mark.x, mark.y) for mark in scene.marks if mark.role == "safe"] == [(1, 1)]
    assert scene.status == "turn 0, player1 gives orders: warrior 0 at 1,1 (slot 0)"
    assert [(piece.kind, piece.seat, piece.x) for piece in scene.pieces] == [("warrior", 0, 1), ("scout", 0, 0)]
    assert not any(mark.role == "safe" for mark in SMALL.scene(s, 1).marks)
    assert SMALL.scene(s).status == "turn 0 of 1000, player1 gives orders"


def test_scenes_hide_what_a_seat_has_not_explored() -> None:
    s = position("player1 0 scout 0,0", "player2 0 scout 5,5", tiles=". . . . N .")
    everything, seen = SMALL.scene(s), SMALL.scene(s, 0)
    assert (len(everything.pieces), len(seen.pieces)) == (2, 1)
    nodes = [next(cell for cell in scene.cells if (cell.x, cell.y) == (4, 4)) for scene in (everything, seen)]
    assert [(node.text, node.amount) for node in nodes] == [("5", "1000"), ("?", "")]
    assert (4, 4, "fog") in [(mark.x, mark.y, mark.role) for mark in seen.marks]
    assert (number(seen, "units", 0), number(seen, "units", 1), number(everything, "units", 1)) == ("1", None, "1")
    assert (number(seen, "explored", 0), number(seen, "explored", 1)) == ("27.8 %", None)


def test_spectators_see_who_explored_what() -> None:
    s = position("player1 0 scout 0,0", "player2 0 scout 5,5")
    marks = {(mark.x, mark.y): mark.role for mark in SMALL.scene(s).marks}
    assert (marks[0, 0], marks[5, 5], len(marks)) == ("seat0", "seat1", 20)
    assert sum(cell.role == "fog" for cell in SMALL.scene(s).cells) == 16


def test_units_keep_their_ids_and_tell_health_and_boosts() -> None:
    s = position("energy 400 0", "player1 0 scout 0,0", "player1 1 warrior 1,1 boost 2 health 22.5", "player2 0 scout 5,5")
    before = {piece.id: piece for piece in SMALL.scene(s).pieces}
    boosted = next(piece for piece in before.values() if piece.text == "W*")
    assert [(bar.name, bar.value, bar.full) for bar in boosted.bars] == [("health", 22.5, 45), ("boosted attacks", 2, 2)]
    order(s, "spawn harvester", "move right", "move right", "move left")
    after = {piece.id: piece for piece in SMALL.scene(s).pieces}
    assert set(before) < set(after)
    assert (after[boosted.id].x, after[boosted.id].icon) == (2, "warrior")


def test_orders_of_the_last_turn_are_told_with_those_that_failed() -> None:
    s = position(
        "energy 4000 0", "player1 0 scout 0,0", "player1 1 warrior 1,1", "player1 2 warrior 3,3", "player2 0 scout 5,5"
    )
    order(s, "spawn harvester", "gate right", "move up", "move left", "done")
    assert [event.text for event in SMALL.scene(s, 0).events] == [
        "player1's warrior 1 builds a gate on 2,1",
        "player1's warrior 2 moves to 3,2",
        "player1's harvester 3 could not do its order: move left",
        "player1's harvester 3 appears on 0,0",
    ]
    moved = SMALL.scene(s, 0).events[1]
    assert (moved.x, moved.y, moved.to_x, moved.to_y) == (3, 3, 3, 2)
    assert SMALL.scene(s, 1).events == ()


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ("turn 0/1; energy 0 8", "last turn: player2 wins by more energy"),
        ("turn 0/1; energy 8 8", "last turn: a draw"),
        ("energy 8 400; goals 100 30 5", "player2 wins by energy"),
        ("goals 100 1 1", "player1 wins by territory"),
    ],
)
def test_the_end_is_told_in_a_sentence(facts: str, told: str) -> None:
    s = position(facts, "player1 0 scout 0,0", "player2 0 scout 5,5")
    order(s, "done", "done")
    scene = SMALL.scene(s)
    assert (scene.status, scene.events[-1].text, scene.events[-1].kind, scene.seat) == (told, told, "end", NOBODY)
    assert SMALL.part("scene").status(s) == told


def test_drawings_in_text_tell_numbers_and_units() -> None:
    drawn = SMALL.part("scene").board(position(*SHOT))
    assert drawn.startswith("turn 0/1000  player1 energy 100  player1 territory 5.6/72.2 %")
    assert [line.split()[1:] for line in drawn.splitlines()[2:4]] == [["S", *"....."], [".", "W", *"...."]]


@pytest.mark.slow
@pytest.mark.parametrize("is_crowded", [False, True])
def test_frames_are_the_same_compiled(is_crowded: bool) -> None:
    """Whole random games, also with more units than random play makes."""
    games = [Batch(SMALL, 6, 5, device) for device in ("pure", "cpu")]
    crowd = [f"player{1 + n % 2} {n // 2} {('warrior', 'scout', 'harvester')[n % 3]} {n % 6},{n // 6}" for n in range(36)]
    told = set()
    for batch in games:
        if is_crowded:
            batch.load(position("energy 40000 40000; turn 0/20", *crowd, tiles="N . G Z F ."))
    for _ in range(12):
        for batch in games:
            batch.play_random(40)
        for seat in (-1, 0, 1):
            pure, compiled = (batch.frames(seat) for batch in games)
            assert pure.tobytes() == compiled.tobytes()
            told |= {kind for frame in pure for kind in frame["event_kind"][: frame["events"]].tolist()}
    assert len(told) > (8 if is_crowded else 1)


def test_the_default_is_always_legal() -> None:
    mask = np.zeros(T.ACTIONS + 8, np.int8)
    for s, action in ((position(*SHOT), T.NOTHING), (position("player2 0 scout 5,5"), T.DONE)):
        mask[:] = 0
        SMALL.verbs.legal(s, mask)
        assert (SMALL.verbs.default(s), mask[action]) == (action, 1)
