"""Pictures of scenes: every scene of every game can be painted, and what is in it can be seen."""

import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import ludus
from ludus.arena import Replay
from ludus.core import (
    ROLES,
    Bar,
    Board,
    Cell,
    Event,
    Link,
    LudusError,
    Mark,
    MissingExtra,
    Number,
    Piece,
    Scene,
    UnknownName,
)
from ludus.engine import Table
from ludus.games import load, names
from ludus.viewers import Painter, as_html, icon_names, paint, reel_of, save_gif, save_mp4, save_png, scenes_of
from ludus.viewers.icons import mask, outlines
from ludus.viewers.layout import Camera
from ludus.viewers.motion import hurts, moving, shots

every_game = pytest.mark.parametrize("name", names())
SIZES = [(16, 16), (120, 90), (300, 220), (480, 700), (960, 720)]


def random_scenes(name: str, seed: int, most: int = 60) -> list[Scene]:
    """Play at random and return what everybody sees now and then, and at the end."""
    table, chance, found = Table(name, seed, "pure"), random.Random(seed), []
    for k in range(most):
        if k % 12 == 0 or table.over:
            found += [table.scene(seat) for seat in range(-1, len(table.spec.seats))]
        if table.over:
            break
        table.apply(chance.choice(table.legal()))
    return found


def made(**parts: object) -> Scene:
    """Return a scene of a small board."""
    given: dict[str, object] = {
        "title": "Made",
        "board": Board(4, 3),
        "status": "one to move",
        "seats": ("one", "two"),
        "seat": 0,
    }
    return Scene(**{**given, **parts})  # type: ignore[arg-type]


def differs(one: Image.Image, other: Image.Image) -> bool:
    return one.tobytes() != other.tobytes()


@every_game
def test_random_positions_paint_in_every_size(name: str) -> None:
    for scene in random_scenes(name, 5):
        for size in SIZES:
            assert paint(scene, size).size == size


@every_game
def test_every_piece_and_every_bar_is_drawn(name: str) -> None:
    scene = random_scenes(name, 7, 30)[-1]
    painter = Painter((900, 700))
    whole, layout = painter.paint(scene), painter.layout(scene)
    for piece in scene.pieces:
        others = tuple(other for other in scene.pieces if other.id != piece.id)
        assert differs(whole, Painter((900, 700)).paint(_with(scene, pieces=others))), piece
        x, y = layout.middle(piece.x, piece.y, piece.z)
        assert layout.place_at(x, y) == (piece.x, piece.y, piece.z)
        if piece.bars and piece.bars[0].value > 0:
            empty = tuple(Bar(bar.name, 0, bar.full) for bar in piece.bars)
            bare = (*others, _with(piece, bars=empty))
            assert differs(Painter((900, 700)).paint(_with(scene, pieces=bare)), Painter((900, 700)).paint(
                _with(scene, pieces=(*others, piece))
            )), piece  # fmt: skip


def _with(thing, **changes):  # type: ignore[no-untyped-def]
    import msgspec

    return msgspec.structs.replace(thing, **changes)


@every_game
def test_every_icon_of_every_game_is_drawn(name: str) -> None:
    wanted = {word.icon for word in load(name).picture.words.pieces if word.icon}
    assert wanted <= set(icon_names()), wanted - set(icon_names())


def test_icons_are_shapes_that_differ_at_sixteen_dots() -> None:
    seen = set()
    for name in icon_names():
        small = mask(name, 16)
        share = np.asarray(small).mean() / 255
        assert 0.1 < share < 0.9, f"{name} fills {share:.0%}"
        assert all(0 <= x <= 1 and 0 <= y <= 1 for line in outlines(name) for x, y in line), name
        seen.add(small.tobytes())
    assert len(seen) == len(icon_names())
    assert mask("no_such_icon", 16) is None


places = st.tuples(st.integers(0, 3), st.integers(0, 2))
texts = st.text(max_size=6)
roles = st.sampled_from([*ROLES, "seat0", "seat1"])


@settings(max_examples=40, deadline=None)
@given(
    cells=st.lists(st.tuples(places, roles, texts, texts), max_size=6),
    pieces=st.lists(
        st.tuples(places, st.integers(-1, 1), texts, st.sampled_from(["", "tank", "odd"]), st.integers(-9, 10**6)), max_size=9
    ),
    marks=st.lists(st.tuples(places, roles), max_size=12),
    links=st.lists(st.tuples(places, places, roles), max_size=3),
    words=texts,
    size=st.sampled_from(SIZES),
)
def test_any_scene_paints(cells, pieces, marks, links, words, size) -> None:  # type: ignore[no-untyped-def]
    scene = made(
        status=words,
        cells=tuple(Cell(x, y, role, 0, text, amount) for (x, y), role, text, amount in cells),
        pieces=tuple(
            Piece(
                k, x, y, f"seat{seat}" if seat >= 0 else "neutral", text, "kind", icon, 0, seat, amount, "up" if k % 2 else ""
            )
            for k, ((x, y), seat, text, icon, amount) in enumerate(pieces)
        ),
        marks=tuple(Mark(x, y, role) for (x, y), role in marks),
        links=tuple(Link(x, y, to_x, to_y, role) for (x, y), (to_x, to_y), role in links),
        numbers=(Number(words, words, 1.0), Number(words, words, 1.0, 1)),
        events=(Event("odd", words, seat=0, x=0, y=0, to_x=1, to_y=1, amount=3),),
    )
    assert paint(scene, size).size == size
    assert Painter(size, "light").paint(scene, made(), 0.7).size == size


@pytest.mark.parametrize("role", [role for role in ROLES if role != "floor"])
def test_roles_are_told_without_colour(role: str) -> None:
    """In grey, no two roles of cells look alike: each has a pattern."""
    drawn = {
        other: paint(made(cells=(Cell(1, 1, other),)), (240, 180)).convert("L").tobytes() for other in ROLES if other != role
    }
    assert paint(made(cells=(Cell(1, 1, role),)), (240, 180)).convert("L").tobytes() not in drawn.values()


def test_seats_are_told_without_colour() -> None:
    """The shapes behind pieces differ."""
    from ludus.viewers.palette import SHAPES
    from ludus.viewers.shapes import shape_mask

    assert len({shape_mask(shape, 20).tobytes() for shape in SHAPES}) == len(SHAPES)


def test_pieces_are_on_their_way_between_two_scenes() -> None:
    before = made(
        pieces=(Piece(1, 0, 0, "seat0", "a", seat=0, bars=(Bar("health", 5, 5),)), Piece(2, 3, 2, "seat1", "b", seat=1))
    )
    after = made(pieces=(Piece(1, 2, 0, "seat0", "a", seat=0, bars=(Bar("health", 3, 5),)),))
    layout = Painter((400, 300)).layout(after)
    half = {placed.piece.id: placed for placed in moving(before, after, layout, 0.5)}
    assert half[1].x == pytest.approx((layout.middle(0, 0)[0] + layout.middle(2, 0)[0]) / 2)
    assert half[2].share == pytest.approx(0.5)
    assert [placed.piece.id for placed in moving(before, after, layout, 1.0)] == [1]
    assert [hurt.text for hurt in hurts(before, after, layout)] == ["-2"]


def test_shots_are_lines_and_moves_are_none() -> None:
    shot = Event("shot", "bang", seat=1, x=0, y=0, to_x=2, to_y=2)
    step = Event("move", "goes", seat=1, x=0, y=0, to_x=1, to_y=0)
    assert [(link.to_x, link.role) for link in shots(made(events=(shot, step)))] == [(2, "seat1")]
    assert len(list(shots(made(events=(shot,), links=(Link(0, 0, 2, 2, "danger"),))))) == 1
    assert differs(paint(made(events=(shot,))), paint(made(events=(step,))))


def test_zoom_and_pan_shift_the_board() -> None:
    painter, scene = Painter((600, 400)), made()
    near = painter.layout(scene, Camera(2.0, 10, 0))
    assert near.cell == pytest.approx(2 * painter.layout(scene).cell, abs=2)
    assert near.place_at(-5, -5) is None


def test_a_region_of_marks_is_one_outline() -> None:
    """A ring of marks looks like the whole region that it surrounds."""
    board = Board(3, 3)
    ring = tuple(Mark(x, y, "safe") for x in range(3) for y in range(3) if (x, y) != (1, 1))
    full = (*ring, Mark(1, 1, "safe"))
    assert not differs(paint(made(board=board, marks=ring)), paint(made(board=board, marks=full)))


@pytest.fixture(scope="module")
def played() -> list[Scene]:
    record = ludus.play(names()[0], seed=3, agents=["random"] * 2)
    return scenes_of(reel_of(Replay(record)))[-4:]


def test_files(played: list[Scene], tmp_path: Path) -> None:
    save_png(tmp_path / "one.png", played[0], (320, 240))
    save_gif(tmp_path / "game.gif", played, (320, 240))
    save_mp4(tmp_path / "game.mp4", played, (320, 241))
    with Image.open(tmp_path / "one.png") as picture:
        assert picture.size == (320, 240)
    with Image.open(tmp_path / "game.gif") as picture:
        assert picture.n_frames > len(played)  # there are pictures on the way
        assert picture.info["loop"] == 0
    video = (tmp_path / "game.mp4").read_bytes()
    assert b"ftyp" in video[:16]
    assert len(video) > 2000


@pytest.mark.parametrize("save", [save_png, save_gif, save_mp4])
def test_a_place_that_cannot_be_written_is_one_sentence(save, played: list[Scene], tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(LudusError, match="cannot be written"):
        save(tmp_path / "no" / "folder.xyz", played[0] if save is save_png else played)


def test_wrong_sizes_and_colours_are_refused() -> None:
    with pytest.raises(LudusError, match="side of a picture"):
        Painter((0, 100))
    with pytest.raises(UnknownName, match="dark, light"):
        Painter((100, 100), "mauve")
    with pytest.raises(LudusError, match="no scene"):
        save_gif("x.gif", [])


def test_in_a_notebook_tables_and_records_show_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    name = names()[0]
    table = ludus.make(name, device="pure")
    assert table._repr_html_().startswith('<img src="data:image/png;base64,')
    record = ludus.play(name, seed=1)
    assert record._repr_html_().startswith('<img src="data:image/gif;base64,')
    monkeypatch.setitem(sys.modules, "PIL", None)
    text = table._repr_html_()
    assert text.startswith("<pre>")
    assert "ludus[view]" in text


def test_without_pillow_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ludus\[view\]'"):
        Painter((100, 100)).paint(made())


def test_without_ffmpeg_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch, played: list[Scene]) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingExtra, match="writes videos"):
        save_mp4("x.mp4", played)


def test_html_of_one_scene_is_a_picture_with_words(played: list[Scene]) -> None:
    assert f'alt="{played[-1].title}: ' in as_html(played[-1:])


def test_the_command_line_writes_pictures(tmp_path: Path) -> None:
    words = ["play", names()[0], "--seed", "3", "-q", "--gif", "g.gif", "--png", "2", "--size", "200x160", "--save", "g.json"]
    program = [sys.executable, "-c", "from ludus.cli import main; main()"]
    done = subprocess.run([*program, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "wrote g.gif" in done.stdout
    assert (tmp_path / f"{names()[0]}-3-2.png").is_file()
    again = subprocess.run([*program, "replay", "g.json", "--png", "99999"], cwd=tmp_path, capture_output=True, text=True)
    assert again.returncode == 2
    assert "turns of this game are 0 to" in again.stderr
    subprocess.run([*program, "replay", "g.json", "--png", "1"], cwd=tmp_path, check=True, capture_output=True)
    assert np.asarray(Image.open(tmp_path / "g-1.png")).shape == (720, 960, 3)
    bad = subprocess.run(
        [*program, "replay", "g.json", "--gif", "x.gif", "--size", "big"], cwd=tmp_path, capture_output=True, text=True
    )
    assert "WIDTHxHEIGHT" in bad.stderr


def test_the_page_on_watching_runs(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "watching.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "game.gif").stat().st_size > 10_000
    for picture in re.findall(r"!\[\]\((.*?)\)", page):
        file = Path(__file__).parent.parent / "docs" / picture
        assert file.stat().st_size < 60_000, picture
