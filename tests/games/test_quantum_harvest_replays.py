"""Quantum Harvest's long games as small records, and replay files of its original, which are shown without the rules."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.arena import Original, Replay, open_any, open_original
from ludus.arena.formats import decode, encode
from ludus.core import BadRecord, Scene, read_bounded
from ludus.games import load

FILE = Path(__file__).parent.parent / "data" / "quantum_harvest" / "original_1_0_2.json.gz"
ORIGINAL = load("quantum_harvest").part("original")
ENTRIES: list[Any] = json.loads(read_bounded(FILE, 1 << 24))


def watched(entries: object) -> Any:
    return ORIGINAL.read_replay(json.dumps(entries).encode())


def scenes_of(entries: object) -> list[Scene]:
    return ORIGINAL.scenes_of_original(watched(entries))


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


def test_a_file_of_the_original_is_told_a_turn_a_frame() -> None:
    """The second entry of each turn shows how it ended, and both have attacks and orders."""
    told, turns = watched(ENTRIES), [ENTRIES[1:2], *zip(ENTRIES[2::2], ENTRIES[3::2], strict=True)]
    assert (told.size, told.names, told.max_turns, told.territory_goal, told.territory_turns) == (
        12, ("Player1", "Player2"), 60, 0.7, 10,
    )  # fmt: skip
    assert [frame.turn for frame in told.frames] == list(range(61))
    for frame, halves in zip(told.frames, turns, strict=True):
        seen, info = halves[-1]["observation"], halves[-1]["info"]
        assert frame.tiles.T.tolist() == seen["map"]
        assert [frame.amounts[y, x] for x, y in info["energy_nodes"]] == [int(value) for value in info["energy_values"]]
        for seat in range(2):
            assert np.argwhere(frame.explored[seat].T).tolist() == sorted(info["explored_tiles"][seat])
        units = [[unit.id, unit.seat, unit.kind, unit.x, unit.y, unit.health, unit.attacks] for unit in frame.units]
        assert units == [[*row[:6], row[-1]] for row in seen["units"]]
        assert (list(frame.energy), list(frame.territory)) == (seen["player_energy"], info["territory_control"])
        attacks = [event for half in halves for event in half["info"]["combat_events"]]
        assert [list(attack.target_pos) for attack in frame.attacks] == [event["target_pos"] for event in attacks]
        orders = {unit: tuple(order) for half in halves for unit, order in half.get("action", {}).items()}
        assert frame.orders == orders
    last = told.frames[-1]
    assert (last.energy, last.over, last.winner, last.reason) == ((19.5, 83.5), True, 1, "limit_energy")
    assert (told.frames[-2].over, told.frames[-2].winner, told.frames[-2].reason) == (False, None, "")


def test_a_file_of_the_original_opens_as_scenes() -> None:
    opened = open_any(FILE)
    assert isinstance(opened, Original)
    assert (opened.game.name, opened.names, opened.turns) == ("quantum_harvest", ("Player1", "Player2"), 60)
    assert [scene.turn for scene in opened.scenes] == list(range(61))
    scene, last = opened.scenes[2], opened.scenes[-1]
    told = [event.text for event in scene.events]
    assert told[0] == "Player1's warrior on 4,5 hits the enemy on 5,5 for 48 of 15"
    assert told[2:5] == [
        "Player2's warrior on 7,7 hits the enemy on 7,4 for 63 of 50", "Player2 destroys the enemy on 7,4",
        "Player2's warrior 2 moves to 8,5",
    ]  # fmt: skip
    assert scene.events[0].who == next(piece.id for piece in scene.pieces if (piece.x, piece.y) == (4, 5))
    assert scene.status == "turn 2 of 60"
    assert (last.status, last.seats) == ("last turn: Player2 wins by more energy", ("Player1", "Player2"))


def test_scenes_of_a_replay_show_what_the_rules_show() -> None:
    replay = Replay(ludus.play("quantum_harvest", ["commander", "commander"], seed=1, max_turns=150))
    game, log = replay.game, ORIGINAL.Log({})
    original, limits = game.part("original"), {"territory_victory_threshold": 0.7, "territory_victory_turns": 10}
    rows = [replay.row(turn) for turn in range(replay.turns + 1)]
    names = {f"player{seat + 1}_username": name for seat, name in enumerate(game.spec.seats)}
    log.begin({"map_size": 12, "max_turns": 150, **limits, **names}, original.env_observation(rows[0]), original.info(rows[0]))
    for row in rows[1:]:
        is_end, limit = bool(1 <= row.end <= 3), bool(row.end > 3)
        log.add(original.env_observation(row), original.info(row), original.ran_orders(row), 0.0, is_end, limit)
    for scene, row in zip(scenes_of(log.entries), rows, strict=True):
        shown = game.scene(row)
        assert (scene.cells, set(scene.marks), scene.links) == (shown.cells, set(shown.marks), shown.links)
        assert [number.value for number in scene.numbers] == [number.value for number in shown.numbers]
        assert {piece.id: piece for piece in scene.pieces} == {piece.id: piece for piece in shown.pieces}
        for kind in ("shot", "kill", "end"):
            assert [event for event in scene.events if event.kind == kind] == [e for e in shown.events if e.kind == kind]
    assert scene.status == shown.status
    assert sum(len(scene.links) for scene in scenes_of(log.entries)) > 40


def entry(size: int, turn: int, units: list[list[float]]) -> dict[str, Any]:
    """Return an entry of a map with a node."""
    seen = {"map": [[0] * size for _ in range(size)], "units": units, "player_energy": [123456.75, 0]}
    seen["map"][7][3] = 1
    info = {"energy_nodes": [[7, 3]], "energy_values": [900.0], "explored_tiles": [[[size - 1, 0]], []]}
    return {"type": "step", "turn": turn, "observation": seen, "info": info}


def test_more_units_and_larger_maps_than_the_rules_have_are_read_and_shown() -> None:
    units: list[list[float]] = [[k, k % 2, k % 3, k % 60, k // 60, 45.5, 0, 0, 2] for k in range(500)]
    built = entry(60, 1, [[*row[:4], row[4] + 1, *row[5:]] for row in units])
    built["observation"]["map"][8][9] = 5
    built["observation"]["units"][8] = [8, 0, 2, 8, 8, 45.5, 0, 0, 2]
    built["action"] = {"p0_8": [16, 1, 2, 0], "p0_10": "go", "p0_12": [16], "p1_1": ["x", 1, 1, 0]}
    entries = [{"map_size": 60, "max_turns": 9, "player1_username": "a\x1bnn"}, entry(60, 0, units), built]
    told = watched(entries)
    frame = told.frames[0]
    assert told.names == ("a nn", "Player2")
    assert (len(frame.units), frame.units[61].x, frame.units[61].y, frame.units[61].attacks) == (500, 1, 1, 2)
    assert (frame.tiles[3, 7], frame.amounts[3, 7], frame.tiles.sum()) == (1, 900, 1)
    assert np.argwhere(frame.explored).tolist() == [[0, 0, 59]]
    assert told.frames[1].orders == {"p0_8": (16, 1, 2, 0)}
    first, last = scenes_of(entries)
    assert (first.board.width, len(first.pieces), len({piece.id for piece in last.pieces})) == (60, 500, 500)
    assert {event.kind for event in last.events} == {"move", "build"}
    assert "a nn's scout 8 builds a gate on 8,9" in [event.text for event in last.events]
    assert last.numbers[4].text == "250"


def test_the_largest_that_is_read_can_be_shown() -> None:
    size, most, largest = 180, 8000, 2**29 - 1
    places = [[x, y] for x in range(size) for y in range(size)]
    units = [[k, k % 2, 1, k % size, k // size, largest, 0, largest] for k in range(most - 1)]
    units += [[largest, 1, 0, 9, 9, -1, 0, -1]]
    attack = {"attacker_player": 1, "attacker_pos": [0, 0], "target_pos": [179, 179], "damage": largest, "defeated": True}
    full = entry(size, 2**31 - 1, [])
    full["observation"] |= {"units": units, "player_energy": [largest, -largest]}
    full["info"] |= {"explored_tiles": [places, []], "energy_values": [largest], "combat_events": [attack] * most}
    settings = {"map_size": size, "max_turns": 2**31 - 1, "territory_victory_threshold": "inf"}
    _, scene = scenes_of([settings, entry(size, 0, []), full | {"terminated": True}])
    assert (len(scene.pieces), len(scene.marks), len(scene.links)) == (most, size**2, most)
    assert len(scene.events) == 2 * most + most + 1  # all attacks and kills, all who came, the end
    assert [number.value for number in scene.numbers[:3]] == [2**31 - 1, largest, 0]
    full["info"]["combat_events"] = [attack] * (most + 1)
    with pytest.raises(BadRecord, match="at most 8000 attacks"):
        watched([settings, full])


@pytest.mark.parametrize(
    ("ending", "winner", "told"),
    [
        ({"terminated": True, "winner": 0}, 0, "energy_threshold"),
        ({"terminated": True}, 0, "energy_threshold"),
        ({"terminated": True, "one side": True}, 1, "elimination"),
        ({"terminated": True, "nobody": True}, None, "elimination"),
        ({"truncated": True}, 0, "limit_energy"),
        ({"truncated": True, "reason": "limit_draw"}, None, "limit_draw"),
        ({"reason": "\x1b", "winner": 1}, None, ""),
    ],
)
def test_ends_are_told_or_worked_out(ending: dict[str, Any], winner: int | None, told: str) -> None:
    units: list[list[float]] = [[0, 1, 0, 5, 5, 45, 0, 0], [0, 0, 0, 1, 1, 45, 0, 0]]
    last = entry(12, 3, [] if "nobody" in ending else units[:1] if "one side" in ending else units) | ending
    last["info"]["reason"] = ending.get("reason")
    entries = [{"map_size": 12}, last]
    frame = watched(entries).frames[-1]
    assert (frame.winner, frame.reason) == (winner, told)
    assert any(event.kind == "end" for event in scenes_of(entries)[-1].events) == bool(told)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("turn",), -1),
        (("turn",), "x"),
        (("turn",), 2**31),
        (("observation",), {}),
        (("observation",), 5),
        (("info",), []),
        (("observation", "units"), [[0, 0, 2, 99, 0, 45, 0, 0]]),
        (("observation", "units"), [[0, 0, 2, -1, 0, 45, 0, 0]]),
        (("observation", "units"), [[0, 0, 7, 0, 0, 45, 0, 0]]),
        (("observation", "units"), [[0, 2, 1, 0, 0, 45, 0, 0]]),
        (("observation", "units"), [[-1, 0, 1, 0, 0, 45, 0, 0]]),
        (("observation", "units"), [[0, 0, 1, 0, 0, 1e10, 0, 0]]),
        (("observation", "units"), [[0, 0, 1, 0, 0, 45, 0, 0]] * 2),
        (("observation", "units"), [[0, 0]]),
        (("observation", "map"), [[0]]),
        (("observation", "map"), [[0] * 12] * 11 + [[0]]),
        (("observation", "map"), [[9] * 12] * 12),
        (("observation", "player_energy"), ["much", 0]),
        (("observation", "player_energy"), [1e30, 0]),
        (("observation", "player_energy"), [float("nan"), 0]),
        (("info", "explored_tiles"), [[[10**9, 0]], []]),
        (("info", "energy_values"), [1]),
        (("info", "energy_values"), [-5] * len(ENTRIES[1]["info"]["energy_nodes"])),
        (("info", "territory_control"), [2, 0]),
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
    with pytest.raises(BadRecord, match=r"has an entry 1 that cannot be read: |is no replay of Quantum Harvest: ") as refused:
        watched(entries)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("opening", [open_any, open_original])
def test_bad_files_are_refused_in_a_sentence(tmp_path: Path, opening: Callable[[Path], object]) -> None:
    whole, file = json.dumps(ENTRIES[:3]).encode(), tmp_path / "bad.json"
    cases = {
        whole[: len(whole) // 2]: "is no replay of Quantum Harvest",
        json.dumps(ENTRIES[:1]).encode(): "without a turn",
        whole.replace(b'"map_size": 12', b'"map_size": 10000'): "map_size",
        b'[{"map_size": 6}, {}]': "has an entry 1 that cannot be read",
        b'[{"map_size": 6}, ' + b"[" * 10**5: "is no replay of Quantum Harvest",
        b"[1, 2]": "is neither a record nor a replay file",
        b"[]": "is neither a record nor a replay file",
        b"[": "is neither a record nor a replay file",
        b"": "is",
        b"{": "is",
        b"\x1f\x8bnonsense": "",
    }
    for content, complaint in cases.items():
        file.write_bytes(content)
        with pytest.raises(BadRecord, match=rf"bad\.json .*{complaint}"):
            opening(file)
    assert ORIGINAL.read_replay(b'{"game": "x"}') is None


def test_no_more_is_unpacked_than_there_is_room_for(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(gzip.compress(b"[" + b" " * (16 << 20)) * 32)
    with pytest.raises(BadRecord, match="holds more than 256 MiB"):
        open_original(file)


def test_a_file_of_the_original_opens_in_the_page_by_its_own_scenes(tmp_path: Path) -> None:
    """The page is handed the scenes, and what is the same in all of them once; no module is needed to draw them."""
    from msgspec import convert, to_builtins

    from ludus.viewers import write_html
    from ludus.viewers.envelope import Shelf, open_for_page

    shelf = Shelf()
    told = open_for_page(FILE, "game.json.gz", shelf)["original"]
    same = {key: told[key] for key in ("title", "seats", "board", "legend")}
    assert [convert(to_builtins({**scene, **same}), Scene) for scene in told["scenes"]] == scenes_of(ENTRIES)
    assert (told["names"], shelf.modules) == (("Player1", "Player2"), [])
    write_html(FILE, tmp_path / "game.html")
    assert b"Player1" in (tmp_path / "game.html").read_bytes()
