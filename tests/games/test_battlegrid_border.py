"""What comes into BattleGrid from outside: rows and texts are refused, or can be played without a slip."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from ludus.core import NOBODY, BadRecord, Row, plain, read_traces, streams
from ludus.games import load
from ludus.testing import same

FILE = Path(__file__).parent.parent / "data" / "battlegrid" / "visible.jsonl.gz"
GAME = load("battlegrid")
SMALL = load("battlegrid", grid_size=8)
POSITIONS, DECISIONS = 2, 30  # more positions take longer and find no more

DUEL = """
turn 6/300; blue to act; zone 1 0 6 6
blue facing right; wants up; cooldown 3; stay 1; score -2; double_shot
red facing left; wants left; cooldown 0; stay 0; score 9
items 4,2 double_shot; 7,7 minus_one; 7,7 double_cooldown
last red; left shoot; moved; fired 0,3; penalty red; reward 1
. . . # . . . .
. B . . . # . .
. . . . s . . .
. # . . . . R .
. . . . . . . .
. . . . . . . .
. . . . . . # .
. . . . . . . mc
"""


class Strict(np.ndarray):
    """An array that takes no index below 0, as compiled code has no bounds at all."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(_checked(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(_checked(index), value)


def _checked(index: Any) -> Any:
    for place in index if isinstance(index, tuple) else (index,):
        if not isinstance(place, slice) and place is not None and place is not Ellipsis and place < 0:
            raise IndexError(f"index {place}")
    return index


def strict(row: Any) -> Any:
    """Return a row, whose arrays are strict."""
    for name in row.dtype.names:
        if row.dtype[name].subdtype:
            row.__dict__[name] = row.array[name][0].view(Strict)
    return row


def playable(game: Any, row: Row, dice: np.random.Generator, tactician: bool = False) -> None:
    """Hold every verb, bot and word to a row that was found sound, for some turns of random play."""
    verbs, s = game.verbs, strict(row.copy())
    rng, chance = streams(int(dice.integers(2**31)), 1)[0], streams(7, 1)[0]
    scratch = strict(plain(np.zeros(1, game.part("bots").Scratch)))
    mask, planes = np.zeros(8, np.int8), np.zeros(game.spec.planes, game.spec.plane_type).view(Strict)
    for decision in range(DECISIONS):
        assert verbs.sound(s)
        mask[:] = 0
        is_over = verbs.legal(s, mask) == 0
        assert is_over == (verbs.result(s, np.zeros(2), np.zeros(2)) != 0) == (not mask.any())
        if decision % 10 == 0:
            for seat in range(2):
                view = strict(game.look(s, seat))
                planes[:] = 0
                verbs.encode(view, planes)
                worded(game, s, view, sampled(game, view, chance))
        if is_over:
            return
        if decision % 5 == 0:
            bot = game.bots["tactician" if tactician and decision == 0 else "hunter"]
            assert 0 <= bot(strict(game.look(s, s.seat)), mask, chance, scratch) < 8
        assert verbs.default(s) in range(4)
        verbs.apply(s, int(dice.integers(8)), rng)


def sampled(game: Any, view: Any, rng: Any) -> Any:
    """Return a position that the view could come from."""
    t = strict(plain(game.empty()))
    game.verbs.sample(view, t, rng)
    assert game.verbs.sound(t)
    same(view.array, game.look(t, view.me).array, "views of a position and of a sampled one")
    return t


def worded(game: Any, s: Any, view: Any, other: Any) -> None:
    """Hold the texts, plain data and scenes of a position, and of another with the same view, to what they promise."""
    for row in (s, other):
        same(row.array, game.parse(game.text(row)).array, game.text(row))
    shown = game.public(view)
    assert msgspec.json.decode(msgspec.json.encode(shown)) == shown
    for scene in (game.scene(s), game.scene(other), game.scene(s, view.me)):
        size, ids = range(scene.board.width), [piece.id for piece in scene.pieces]
        places = [
            *scene.cells,
            *scene.marks,
            *scene.pieces,
            *scene.links,
            *(event for event in scene.events if event.x is not None),
        ]
        assert all(place.x in size and place.y in size for place in places)
        assert all(link.to_x in size and link.to_y in size for link in scene.links)
        assert len(ids) == len(set(ids))
        assert {event.who for event in scene.events} <= {NOBODY, *ids}


def positions(game: Any, count: int, seed: int = 3) -> Iterator[Any]:
    """Give positions of random games, the last one of each included."""
    dice = np.random.default_rng(seed)
    for number in range(count):
        s: Any = plain(game.empty())
        rng = streams(number, 1)[0]
        game.verbs.new(s, rng)
        for _ in range(int(dice.choice([0, 1, 30, 69, 140, 299, 300]))):
            game.verbs.apply(s, int(dice.integers(8)), rng)
        yield s


def mutants(s: Any, dice: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """Give copies of a row with one number changed, each field several times."""
    for name in s.dtype.names:
        kind = s.dtype[name].base
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        for change in ("low", "high", "less", "more", "small"):
            t = s.copy()
            cells = t.array[name].reshape(-1)
            place = int(dice.integers(len(cells)))
            now = int(cells[place])
            values = {"low": low, "high": high, "less": now - 1, "more": now + 1, "small": int(dice.integers(-2, 20))}
            cells[place] = min(max(values[change], low), high)
            yield f"{name}[{place}] = {cells[place]}", t


@pytest.mark.parametrize("game", [SMALL, GAME], ids=["8", "15"])
def test_a_row_with_one_number_changed_is_refused_or_can_be_played(game: Any) -> None:
    dice = np.random.default_rng(5)
    accepted = refused = 0
    for s in positions(game, POSITIONS):
        assert game.verbs.sound(s)
        for what, t in mutants(s, dice):
            if not game.verbs.sound(t):
                refused += 1
                continue
            accepted += 1
            try:
                playable(game, t, dice, tactician=accepted % 40 == 0)
            except Exception as error:
                raise AssertionError(f"{what}\n{game.text(s)}") from error
    assert accepted > 80
    assert refused > 200


def test_random_bytes_are_refused() -> None:
    dice = np.random.default_rng(6)
    for _ in range(200):
        row = np.frombuffer(dice.bytes(GAME.state_type.itemsize), GAME.state_type).copy()
        assert not GAME.verbs.sound(plain(row))


def test_all_positions_of_golden_games_are_sound_and_read_back() -> None:
    for trace in read_traces(FILE):
        game = load("battlegrid", **GAME.part("golden").options(trace))
        s = plain(game.part("golden").row_of(game, trace["initial"]))
        assert game.verbs.sound(s)
        same(s.array, game.parse(game.text(s)).array, game.text(s))


def test_texts_read_back() -> None:
    for game in (GAME, SMALL):
        for s in positions(game, 12):
            same(s.array, game.parse(game.text(s)).array, game.text(s))
    same(SMALL.parse(DUEL).array, SMALL.parse(SMALL.text(SMALL.parse(DUEL))).array, DUEL)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("6/300", "20000000/300", "the turn must be a whole number from 0 to 300"),
        ("6/300", "6/2000000", "number of turns must be a whole number from 1 to 1000000"),
        ("6/300", "6/300/1", "it should look like: turn 12/300"),
        ("6/300", "-6/300", "the turn must be"),
        ("6/300", f"6/{'9' * 5000}", "the number of turns must be"),
        ("6/300", "٦/300", "the turn must be"),
        ("6/300", "7/300", "after 7 turns red is to act"),
        ("6/300", "0/300", "red cannot have had the last turn after 0 turns"),
        ("last red", "last blue", "blue cannot have had the last turn after 6 turns"),
        ("to act", "to acts", "turn 12/300; blue to act"),
        ("zone 1", "zone 99", "a side of the zone must be a whole number from 0 to 7"),
        ("zone 1 0 6", "zone 6 0 1", "is not x1 y1 x2 y2"),
        ("zone 1", "zone 1 1", "should look like"),
        ("cooldown 3", "cooldown 9", "cooldown of blue must be a whole number from 0 to 8"),
        ("cooldown 3", "cooldown", "it should look like: blue facing"),
        ("cooldown 3", "cooldowm 3", "it should look like: blue facing"),
        ("score 9", "score 9999999999", "score of red must be"),
        ("score 9", "score 1073741824", "contradict"),
        ("stay 1", "stay -1", "stay of blue must be"),
        ("facing right", "facing east", "it should look like: blue facing"),
        ("blue facing", "green facing", "begins, once each, with: turn"),
        ("red facing", "blue facing", "begins, once each, with: turn"),
        ("4,2", "8,2", "the column of an item must be a whole number from 0 to 7"),
        ("4,2 double_shot", "4,2", "it should look like: items"),
        ("4,2 double_shot; ", "", "do not show the same items"),
        ("# .\n", "#s .\n", "'#' on 6,6 is none of"),
        ("4,2 double", "6,6 double", "do not show the same items"),
        (". B", ". #", "blue must stand on the board once"),
        (". B", ". X", "'X' on 1,1 is none of"),
        (". B", ". BB", "blue must stand on the board once, not 2 times"),
        ("mc\n", "mc\n. . .\n", "8 rows of 8 cells"),
        ("mc\n", "m" + "c" * 90 + "\n", "holds 80 items at most"),
        ("fired 0,3", "fired 0,9", "the row of the shot's end must be"),
        ("fired 0,3", "hit 2", "contradict"),
        ("fired 0,3", "fired 0,3; hit 5", "the points of a hit must be a whole number from 1 to 2"),
        ("reward 1", "reward 1000", "a reward must be"),
        ("left shoot", "left shot", "it should look like: last"),
        ("last red", "options max_turns=20\nlast red", "not in both"),
        ("last red", "options view_range=99\nlast red", "option view_range must be from 0 to 16"),
        ("last red", "options speed=1\nlast red", "unknown option 'speed'"),
        ("last red", "options view_range\nlast red", "written name=number"),
        ("last red", "seen blue 1 2 3\nlast red", "8 hexadecimal numbers"),
        ("last red", f"seen blue {'fff ' * 8}\nlast red", "8 hexadecimal numbers"),
        ("last red", "x" * 20_000 + "\nlast red", "characters at most"),
    ],
)
def test_mistakes_in_a_text_are_named(old: str, new: str, why: str) -> None:
    assert old in DUEL
    with pytest.raises(BadRecord, match=why) as raised:
        SMALL.parse(DUEL.replace(old, new, 1))
    assert len(str(raised.value)) < 600


def test_an_item_in_a_wall_and_a_board_without_a_free_cell_are_refused() -> None:
    with pytest.raises(BadRecord, match="an item lies in the wall on 3,0"):
        SMALL.parse(DUEL.replace("4,2", "3,0").replace(" s ", " . ").replace("mc", "."))
    full = "\n".join(["B R # # # # # #", *["# # # # # # # #"] * 7])
    with pytest.raises(BadRecord, match="no cell is left for items"):
        SMALL.parse(full)
    assert SMALL.parse(full[:-1] + ".")


def test_what_is_in_view_has_been_seen() -> None:
    s: Any = SMALL.parse("seen blue 0 0 0 0 0 0 0 80\n" + DUEL.strip())
    assert SMALL.verbs.sound(s)
    assert (s.seen[0, 1] & 2, s.seen[0, 7] & 128) == (2, 128)
    s.seen[0, 1] = 0
    assert not SMALL.verbs.sound(s)


def test_a_text_with_something_changed_is_refused_or_can_be_played() -> None:
    dice = np.random.default_rng(9)
    texts = [SMALL.text(s) for s in positions(SMALL, 6)] + [DUEL]
    accepted = refused = 0
    for _ in range(300):
        text = mutated(str(dice.choice(texts)), dice)
        try:
            s = SMALL.parse(text)
        except BadRecord:
            refused += 1
            continue
        accepted += 1
        playable(SMALL, s, dice, tactician=accepted % 40 == 0)
    assert accepted > 30
    assert refused > 100


WORDS = (
    "-1",
    "99",
    "4000000000",
    "9" * 30,
    "1e3",
    "٣",
    "",
    ";",
    "blue",
    "up",
    "#",
    ".",
    "B",
    "smdc",
    "fff",
    "seen",
    "/",
    "1_0",
)


def mutated(text: str, dice: np.random.Generator) -> str:
    """Change one or two words, or drop, double or move a line."""
    lines = text.strip().split("\n")
    for _ in range(int(dice.integers(1, 3))):
        k, other = dice.integers(len(lines), size=2)
        match int(dice.integers(7)):
            case 0:
                lines[k] = lines[other]
            case 1:
                lines[k], lines[other] = lines[other], lines[k]
            case 2:
                letters = list(lines[k])
                letters[dice.integers(len(letters))] = chr(dice.integers(32, 127))
                lines[k] = "".join(letters) or "."
            case 3 | 4:
                lines[k] = re.sub("[0-9]", lambda digit: str(dice.integers(10)), lines[k], count=1)
            case _:
                words = lines[k].split() or ["."]
                words[dice.integers(len(words))] = str(dice.choice(WORDS))
                lines[k] = " ".join(words) or "."
    return "\n".join(lines)
