"""What comes from outside: rows and texts that were tampered with are refused, or can be played on without harm."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from ludus.core import NOBODY, BadRecord, Row, plain, streams
from ludus.games import Game, digest_rows, load

SMALL = load("plantation", rows=3, cols=4, max_turns=8)
TINY = load("plantation", rows=1, cols=2, moves=9, max_turns=3, cost_plant=4)
GAMES = [SMALL, TINY]
DECISIONS = 30


class Strict(np.ndarray):
    """An array that takes no negative index: compiled code would reach into whatever lies before it."""

    def __getitem__(self, index: Any) -> Any:
        refuse_negative(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        refuse_negative(index)
        super().__setitem__(index, value)


def refuse_negative(index: Any) -> None:
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, int | np.integer) and part < 0:
            raise IndexError(f"index {index}")


def strict(array: Any) -> Any:
    """A row of its own whose arrays are strict."""
    row = plain(array.copy())
    for name in row.dtype.names or ():
        if row.dtype[name].shape:
            row.__dict__[name] = row.array[name][0].view(Strict)
    return row


def empty(game: Game, view: bool = False) -> Any:
    return strict(np.zeros(1, game.view_type) if view else game.empty(1).view(np.ndarray))


def mask_of(game: Game, s: Any) -> Any:
    mask = np.zeros(-(-game.spec.actions // 8) * 8, np.int8).view(Strict)
    assert game.verbs.legal(s, mask) == mask.sum()
    assert bool(mask.sum()) == (s.end == 0)
    return mask


def look_at(game: Game, s: Any, chance: np.random.Generator, scratches: list[Any]) -> None:
    """Let every verb and every word of the game see a position; nothing may go wrong."""
    rng, bots = streams(int(chance.integers(2**40)), 1)[0], game.bots
    assert digest_rows(game.parse(game.text(s)).array) == digest_rows(s.array), game.text(s)
    assert game.scene(s).pieces is not None
    other, mask = empty(game), mask_of(game, s)
    game.rules.twin(s, other)
    for seat in range(2):
        view, again, sampled = empty(game, view=True), empty(game, view=True), empty(game)
        game.verbs.observe(s, seat, view)
        planes = np.zeros(game.spec.planes, game.spec.plane_type).view(Strict)
        game.verbs.encode(view, planes)
        assert json.loads(json.dumps(game.public(view))) == game.public(view)
        frame = strict(np.zeros(1, game.picture.frame))
        game.picture.show(view, frame)
        scene = game.read_frame(frame)
        assert {event.who for event in scene.events} <= {NOBODY, *(piece.id for piece in scene.pieces)}
        game.verbs.sample(view, sampled, rng)
        game.verbs.observe(sampled, seat, again)
        assert digest_rows(again.array) == digest_rows(view.array)
        assert game.verbs.sound(sampled)
        if seat == s.seat and mask.any():
            name = str(chance.choice(list(bots)))
            arguments = [view, mask, rng, scratches[seat]][: bots[name].__code__.co_argcount]
            assert 0 <= bots[name](*arguments) < game.spec.actions
            assert 0 <= game.verbs.default(s) < game.spec.actions  # type: ignore[misc]


def play_on(game: Game, row: Any, chance: np.random.Generator) -> None:
    """Play a position to its end, or for some decisions, half of which are under the mask."""
    s, scratches = strict(row.array), [strict(np.zeros(1, game.part("bots").Scratch)) for _ in range(2)]
    for _ in range(DECISIONS):
        look_at(game, s, chance, scratches)
        mask = mask_of(game, s)
        if s.end != 0:
            break
        action = chance.choice(np.flatnonzero(mask)) if chance.random() < 0.5 else chance.integers(game.spec.actions)
        game.verbs.apply(s, int(action), None)
        assert game.verbs.sound(s), game.text(s)


def positions(game: Game, chance: np.random.Generator, count: int) -> Iterator[Row]:
    """Positions of wild play, at any time of a game."""
    for number in range(count):
        s: Any = plain(game.empty(1))
        game.verbs.new(s, streams(number, 1)[0])
        for _ in range(int(chance.integers(60))):
            if s.end == 0:
                legal = np.flatnonzero(mask_of(game, s))
                action = chance.choice(legal) if chance.random() < 0.8 else chance.integers(game.spec.actions)
                game.verbs.apply(s, int(action), None)
        yield s


def test_positions_of_wild_play_are_sound_and_can_be_looked_at() -> None:
    chance = np.random.default_rng(1)
    for game in GAMES:
        for s in positions(game, chance, 6):
            assert game.verbs.sound(s)
            play_on(game, s, chance)


@pytest.mark.parametrize("game", GAMES, ids=["small", "tiny"])
def test_a_row_with_a_changed_field_is_refused_or_can_be_played(game: Game) -> None:
    chance, played = np.random.default_rng(2), 0
    for s in positions(game, chance, 5):
        for name in game.state_type.names or ():
            wrong: Any = s.copy()
            field = wrong.array[name].reshape(-1)
            limits = np.iinfo(field.dtype)
            near = int(field[0]) + int(chance.integers(-2, 3))
            value = chance.choice([limits.min, limits.max, -2, -1, 0, 1, near, int(chance.integers(limits.min, limits.max))])
            field[int(chance.integers(field.size))] = np.clip(value, limits.min, limits.max)
            if game.verbs.sound(wrong):
                played += 1
                play_on(game, wrong, chance)
    assert played > 10


def test_random_bytes_are_refused() -> None:
    chance = np.random.default_rng(3)
    for game in GAMES:
        for _ in range(200):
            s = plain(game.empty(1))
            s.array.view(np.uint8)[:] = chance.integers(0, 256, game.state_type.itemsize)
            assert not game.verbs.sound(s)


@pytest.mark.parametrize("game", GAMES, ids=["small", "tiny"])
def test_a_text_with_a_changed_character_is_refused_or_can_be_played(game: Game) -> None:
    chance, played = np.random.default_rng(4), 0
    for s in positions(game, chance, 60):
        text = game.text(s)
        place = int(chance.integers(len(text)))
        instead = chance.choice(["", "9", "-", "99999999999", "0", ";", "=", "@", " ", "\n", "٣", "/", ",", "x", "9" * 5000])
        wrong = text[:place] + str(instead) + text[place + int(chance.integers(2)) :]
        with suppress(BadRecord):
            read = game.parse(wrong)
            played += 1
            play_on(game, read, chance)
    assert played > 2


TEXT = "turn 5/100; player1 to move; moves 2/3\n+1  .  .\n . -2  .\nplayer1 knows: 1,1=2@5\n"
TEXT += "player1 was told in turn 5: scout 0 1 = OK 1,0,0,0,-2,0\nplayer1 decided: scout 0 1;\n"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("5/100", "0/100"), ("5/100", "101/100"), ("5/100", "5/9999"), ("5/100", "5"), ("5/100", "5/" + "9" * 5000),
        ("2/3", "4/3"), ("2/3", "0/3"), ("2/3", "2/99"), ("2/3", "-1/3"), ("moves 2/3", "over; moves 2/3; colonise 0 0"),
        ("+1", "+99999"), ("+1", "+32767"), ("+1", "x"), ("+1", "1" * 5000), ("+1", "٣"), (" .  .\n", " .\n"),
        ("player1 to", "nobody to"), ("player1 to move", "player1 to move; colonise 9 9"), ("knows", "guesses"),
        ("1,1=2@5", "9,1=2@5"), ("1,1=2@5", "1,1=2@6"), ("1,1=2@5", "1,1=-2@5"), ("1,1=2@5", "1,1=99999@5"),
        ("1,1=2@5", "0,0=2@5"), ("1,1=2@5", "1,1=2@0"), ("1,1=2@5", "1,1"), ("in turn 5", "in turn 6"),
        ("in turn 5", "in turn 0"),
        ("OK 1,0,0,0,-2,0", "OK 1,0"), ("OK 1,0,0,0,-2,0", "OK 1,0,0,0,-99999,0"), ("= OK", "= maybe"), ("= OK", "= error"),
        ("scout 0 1 = OK 1,0,0,0,-2,0", "bomb 0 1 = OK 10"), ("scout 0 1 = OK 1,0,0,0,-2,0", "bad = OK"),
        ("scout 0 1 = OK 1,0,0,0,-2,0", "plant 0 1 = OK 4"), ("scout 0 1 = OK 1,0,0,0,-2,0", "scout 0 1 = occupied 1"),
        ("scout 0 1;", "scout 0 1; 0,1+99"), ("scout 0 1;", "scout 0 1; 9,1+1"), ("scout 0 1;", "scout 0 1;" + " 0,1+1" * 6),
        ("scout 0 1;", "jump;"), ("player1 decided", "player2 decided"), (TEXT, ""), (TEXT, TEXT * 100), (TEXT, "\x00"),
    ],
)  # fmt: skip
def test_texts_that_no_game_has_are_refused_in_one_sentence(right: str, wrong: str) -> None:
    game = load("plantation", rows=2, cols=3)
    assert game.text(game.parse(TEXT)).split() == TEXT.split()
    with pytest.raises(BadRecord) as refused:
        game.parse(TEXT.replace(right, wrong, 1))
    assert len(str(refused.value)) < 300
    assert "\n" not in str(refused.value)


def test_a_sum_that_could_outgrow_its_tile_is_refused() -> None:
    game = load("plantation", rows=1, cols=2, max_turns=3000, moves=9)
    facts = "turn 1/3000; player1 to move; moves 9/9\n"
    assert game.parse(facts + "+5000 .").board.tolist() == [5000, 0]  # type: ignore[attr-defined]
    with pytest.raises(BadRecord):
        game.parse(facts + "+5001 .")
