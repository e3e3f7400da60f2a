"""Pictures in the terminal: every scene fits every width, and whatever a colour says a sign says, too."""

import io
import random
from pathlib import Path

import pytest

from ludus import games
from ludus.cli.new import write_game
from ludus.core import Bar, Board, Cell, Event, Link, Mark, Number, Piece, Scene, spelled
from ludus.engine import Table
from ludus.games import Game, load, names
from ludus.viewers import Paper, Screen, draw, step_through, tell

WIDTHS = (1, 20, 40, 60, 80, 200)
PAPERS = ((True, "utf-8"), (False, "utf-8"), (False, "ascii"), (False, "cp1252"))
KINDS = {  # of new games: whether they are hidden, simultaneous, and their seats
    "rows": (False, False, 2),
    "trios": (False, False, 3),
    "tricks": (True, False, 2),
    "trails": (False, True, 5),
    "bids": (True, True, 8),
}


def scene(**parts: object) -> Scene:
    given: dict[str, object] = {"title": "Duel", "status": "one to move", "seats": ("one", "two")}
    return Scene(**{**given, "board": Board(4, 3), **parts})  # type: ignore[arg-type]


def plain(shown: Scene, width: int = 80, encoding: str = "utf-8") -> list[str]:
    return draw(shown, Paper(width, encoding=encoding))


def bare(line: str) -> str:
    """Return a line without its escape codes."""
    parts = line.split("\x1b[")
    return parts[0] + "".join(part.partition("m")[2] for part in parts[1:])


def check(shown: Scene) -> None:
    """Draw a scene in every way: no line is too long, nothing cannot be written, and colours change no sign."""
    for width in WIDTHS:
        pictures = [draw(shown, Paper(width, 0, has_colour, encoding)) for has_colour, encoding in PAPERS]
        assert [bare(line).rstrip() for line in pictures[0]] == pictures[1]
        for (_, encoding), lines in zip(PAPERS, pictures, strict=True):
            for line in lines:
                assert len(bare(line)) <= width
                line.encode(encoding)
        assert len(draw(shown, Paper(width, 10))) <= 10
    for encoding in ("utf-8", "ascii"):
        assert all(line.encode(encoding) for line in tell(shown, None, encoding))


def check_game(game: Game, steps: int) -> None:
    """Play at random, and look through everybody's eyes."""
    chance, table = random.Random(1), Table(game, 2, "pure")
    for step in range(steps):
        if step % (steps // 4) == 0 or table.over:
            for seat in range(-1, len(game.spec.seats)):
                check(table.game.scene(table.s, seat))
        if table.over:
            return
        table.apply(chance.choice(table.legal()))


@pytest.mark.parametrize("name", names())
def test_every_scene_of_every_game_fits(name: str) -> None:
    check_game(load(name), 200)


@pytest.mark.parametrize("kind", KINDS)
def test_every_scene_of_a_new_game_fits(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, (hidden, simultaneous, seats) = f"shown_{kind}", KINDS[kind]
    write_game(name, tmp_path / name, hidden, simultaneous, seats)
    monkeypatch.syspath_prepend(str(tmp_path / name))
    monkeypatch.setitem(games._folders(), name, name)
    check_game(load(name), 24)


def test_a_game_without_pictures_shows_its_numbers(tiny: Game) -> None:
    check_game(tiny, 8)


def test_seats_are_told_apart_without_colour() -> None:
    """Of two seats by small letters, of numbers by a letter; a sign that begins like its seat's name needs nothing."""
    pieces = tuple(
        Piece(k, x, y, f"seat{seat}", text, kind, seat=seat)
        for k, (x, y, seat, text, kind) in enumerate(
            [
                (0, 0, 0, "H", "scout"),
                (1, 0, 1, "H", "scout"),
                (0, 1, 0, "3", "stack"),
                (1, 1, 1, "3", "stack"),
                (2, 1, 1, "T", "tank"),
            ]
        )
    )
    lines = plain(scene(pieces=pieces))
    assert lines[1].split()[:3] == ["H", "h", "·"]
    assert lines[2].split()[:3] == ["A3", "B3", "T"]
    assert "h two's scout" in "\n".join(lines)


def test_marks_fog_and_walls_have_signs() -> None:
    cells = (Cell(0, 0, "wall"), Cell(1, 0, "fog"), Cell(2, 0, "resource", amount="-126"))
    marks = (Mark(0, 1, "safe"), Mark(1, 1, "danger"), Mark(2, 1, "seat1"), Mark(2, 2, "safe"), Mark(2, 2, "danger"))
    piece = Piece(1, 1, 1, "seat0", "R", "rook", seat=0)
    shown = scene(cells=cells, marks=marks, pieces=(piece,), legend=(("safe", "the zone"),))
    lines = plain(shown, encoding="ascii")
    assert lines[1].startswith("#####:::::-126 ")
    assert lines[2].split()[:3] == ["o", "!R", ","]
    assert "!o" in lines[3]
    assert any("o the zone" in line for line in lines)
    assert any(", known to two alone" in line for line in lines)


def test_a_board_that_does_not_fit_is_told() -> None:
    piece = Piece(1, 2, 1, "seat0", "R", "rook", seat=0, bars=(Bar("health", 3, 5),))
    lines = plain(scene(board=Board(30, 3), pieces=(piece,)), 20)
    assert " ".join(" ".join(lines).split()).startswith("Duel: one to move The board needs 30 columns and there are 20")
    assert "health 3 of 5." in " ".join(" ".join(lines).split())


def test_places_with_numbers_keep_them() -> None:
    """Beside the signs, or above them where it is narrow."""
    places = tuple((x, y, z, str(100 + 4 * (3 * z + y) + x)) for z in range(2) for y in range(3) for x in range(4))
    piece = Piece(1, 1, 0, "seat1", "12", "stack", z=1, seat=1, bars=(Bar("energy", 10, 10),))
    shown = scene(board=Board(4, 3, 2, places=places), pieces=(piece,))
    for width in (80, 40, 25):
        text = "\n".join(plain(shown, width))
        assert all(name in text for *_, name in places)
        assert "B12:10" in text


def test_the_panel_stands_beside_or_below() -> None:
    shown = scene(numbers=(Number("turn", "3", 3), Number("score", "5", 5, 0), Number("score", "7", 7, 1)))
    wide, narrow = plain(shown, 80), plain(shown, 30)
    assert any(line.startswith(" ·") and "score  5    7" in line for line in wide)
    assert narrow[-3:] == ["turn 3", "one score 5", "two score 7"]


def test_a_shot_and_a_stack_are_drawn() -> None:
    pair = tuple(Piece(k, 0, 0, f"seat{k % 2}", "W", "warrior", seat=k % 2) for k in range(2))
    crowd = tuple(Piece(9 + k, 3, 2, "seat0", "H", "harvester", seat=0) for k in range(3))
    lines = plain(scene(pieces=pair + crowd, links=(Link(0, 0, 3, 0, "seat0"),)))
    assert lines[1].split()[:4] == ["Ww", "!", "!", "·"]
    assert "H3" in lines[3]


def test_sentences_tell_what_is_new() -> None:
    first = scene(
        pieces=(Piece(1, 0, 0, "seat0", "R", "rook", seat=0), Piece(2, 1, 0, "seat1", "K", "king", seat=1)),
        cells=tuple(Cell(x, 2, "wall") for x in range(3)),
        numbers=(Number("turn", "1", 1),),
    )
    assert tell(first) == ["Duel: one to move.", "turn 1.", "one's rook on 0,0.", "two's king on 1,0.", "wall: 0,2 to 2,2."]
    second = scene(
        pieces=(Piece(1, 0, 1, "seat0", "R", "rook", seat=0),),
        cells=first.cells,
        numbers=first.numbers,
        events=(Event("m", "hop"),),
    )
    assert tell(second, first) == ["Duel: one to move.", "hop.", "one's rook on 0,1.", "no longer there: two's king on 1,0."]


def test_what_an_encoding_lacks_gets_another_sign() -> None:
    assert spelled("█·↑", "ascii") == "#.^"
    assert spelled("█·", "cp1252") == "#·"
    assert spelled("日", "ascii") == "?"
    assert spelled("日", "utf-8") == "日"


class Terminal(io.StringIO):
    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "12")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


def test_a_terminal_is_drawn_over(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """It never scrolls: a picture has fewer lines than there are, and each begins at the top."""
    screen = Screen(out=terminal)
    screen.head("who plays")
    for turn in range(3):
        screen.note(f"note {turn}")
        screen.show(scene(turn=turn, board=Board(4, 40)), ["prompt"])
    pictures = terminal.getvalue().split("\x1b[H")[1:]
    assert [picture.count("\n") for picture in pictures] == [11, 11, 11]
    assert "more lines" in pictures[-1]
    assert "note 0" in pictures[-1]
    assert "\x1b[1m" in pictures[0]
    monkeypatch.setenv("NO_COLOR", "1")
    quiet = Terminal()
    Screen(out=quiet).show(scene())
    assert "m" not in {part[-1] for part in quiet.getvalue().split("\x1b[")[1:] if part[-1:].isalpha()}
    assert "\x1b[1m" not in quiet.getvalue()


def test_a_pipe_gets_each_picture_once() -> None:
    out = io.StringIO()
    screen = Screen(out=out)
    for _ in range(2):
        screen.show(scene())
    assert out.getvalue().count("Duel") == 1
    assert "\x1b" not in out.getvalue()


class Typed:
    """Keys that somebody has pressed; None is time that passes."""

    def __init__(self, *keys: str) -> None:
        self.keys = list(keys)
        self.seconds: list[float | None] = []

    def read(self, seconds: float | None) -> str:
        self.seconds.append(seconds)
        return self.keys.pop(0)


def steps(*keys: str) -> tuple[list[int], list[float | None]]:
    """Return which turns a replay of four showed, and how long it waited for keys."""
    shown: list[int] = []

    def scene_of(turn: int) -> Scene:
        shown.append(turn)
        return scene(turn=turn)

    typed = Typed(*keys)
    step_through(4, scene_of, Screen(out=io.StringIO()), typed)
    return shown, typed.seconds


def test_a_replay_is_stepped_through() -> None:
    assert steps("", "", "q") == ([0, 1, 2], [0.5, 0.5, 0.5])
    assert steps("space", "right", "right", "left", "end", "right", "home", "left", "q")[0] == [0, 0, 1, 2, 1, 4, 4, 0, 0]
    assert steps("+", "+", "", "-", "q") == ([0, 0, 0, 1, 1], [0.5, 0.25, 0.125, 0.125, 0.25])
    assert steps("", "", "", "", "space", "", "q") == ([0, 1, 2, 3, 4, 0, 1], [0.5, 0.5, 0.5, 0.5, None, 0.5, 0.5])


def test_without_keys_a_replay_is_shown_to_its_end() -> None:
    out = io.StringIO()
    step_through(3, lambda turn: scene(turn=turn, status=f"turn {turn}"), Screen(is_plain=True, out=out))
    assert [line for line in out.getvalue().splitlines() if "Duel" in line] == [f"Duel: turn {turn}." for turn in range(4)]
