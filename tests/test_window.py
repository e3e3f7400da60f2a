"""The window, without a screen: SDL's dummy driver, events that are posted, and games that run beside it."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from ludus.agents import Stop, seat_agents
from ludus.arena import Referee
from ludus.core import LudusError, MissingExtra
from ludus.engine import Table
from ludus.games import load, names
from ludus.viewers import SceneReel, TableReel, Window, WindowPerson, show_live, show_reel, show_rows
from ludus.viewers.choices import choices, places_named
from ludus.viewers.layout import ZOOMS
from ludus.viewers.stage import SPEEDS, Stage

every_game = pytest.mark.parametrize("name", names())
SIZE = (800, 600)


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import pygame

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


def reel_of_random(name: str, decisions: int = 20, seed: int = 3) -> tuple[TableReel, Table]:
    table, chance = Table(name, seed, "pure"), random.Random(seed)
    reel = TableReel(table)
    reel.add(table.s)
    for _ in range(decisions):
        if not table.over:
            table.apply(chance.choice(table.legal()))
            reel.add(table.s)
    reel.is_done = True
    return reel, table


def stage_of(name: str, decisions: int = 20) -> Stage:
    return Stage(reel_of_random(name, decisions)[0], SIZE)


@every_game
def test_a_replay_plays_to_its_end_and_stays_open(name: str) -> None:
    stage = stage_of(name, 6)
    seen = set()
    for _ in range(200):
        stage.advance(0.05)
        seen.add(stage.at)
    assert seen == set(range(len(stage.reel)))
    assert not stage.is_closed
    assert not stage.is_playing
    assert stage.picture().size == SIZE
    assert stage.picture() is stage.picture()  # nothing has changed: nothing is painted


def test_keys() -> None:
    stage = stage_of(names()[0])
    stage.press("space")
    assert not stage.is_playing
    stage.press("right")
    stage.press("right")
    assert stage.at == 2
    stage.press("left")
    assert stage.at == 1
    stage.press("end")
    assert stage.at == len(stage.reel) - 1
    stage.press("home")
    assert stage.at == 0
    for _ in range(20):
        stage.press("+")
    assert stage.camera.zoom == ZOOMS[1]
    for _ in range(40):
        stage.press("-")
    assert stage.camera.zoom == ZOOMS[0]
    stage.press("d")
    assert stage.camera.x < 0
    stage.press("r")
    assert stage.camera == (1.0, 0.0, 0.0)
    for _ in range(9):
        stage.press(".")
    assert stage.speed == SPEEDS[-1]
    for _ in range(9):
        stage.press(",")
    assert stage.speed == SPEEDS[0]
    before = stage.picture()
    for key in ("t", "m", "h"):
        stage.press(key)
        assert stage.picture().tobytes() != before.tobytes(), key
        before = stage.picture()
    stage.press("escape")
    assert stage.is_closed


def test_fog_goes_through_the_seats_of_a_hidden_game() -> None:
    name = next(name for name in names() if load(name).hidden)
    stage = stage_of(name)
    seen = [stage.eyes]
    for _ in load(name).spec.seats:
        stage.press("f")
        seen.append(stage.eyes)
    assert seen == [-1, *range(len(load(name).spec.seats))]
    stage.reel.look_through(1)  # type: ignore[attr-defined]
    assert list(stage.reel.eyes) == [1]
    assert stage.reel.scene(0, -1) is stage.reel.scene(0, 1)  # whoever plays sees its own side, whatever is asked for


@every_game
def test_every_game_can_be_played_by_clicks(name: str) -> None:
    reel, table = reel_of_random(name, 5)
    stage, given = Stage(reel, SIZE), []
    stage.step(99)
    offered = choices(table, table.seat, table.observe().copy(), table.legal())
    assert [choice.action for choice in offered] == table.legal()
    assert any(choice.places for choice in offered), "no action touches a place"
    stage.ask(table.seat, offered, given.append)
    box = stage._list_box()
    stage.mouse = box.x + 20, box.y + round(stage.painter.layout(stage.scene).letter * 1.5 * 1.5)
    assert stage.picture().size == SIZE
    stage.click(*stage.mouse)
    assert [choice.action for choice in given] == [offered[0].action]
    table.apply(given[0].action)  # it may be played


@every_game
def test_a_click_on_a_place_keeps_what_touches_it(name: str) -> None:
    reel, table = reel_of_random(name, 5)
    stage = Stage(reel, SIZE)
    stage.step(99)
    offered = choices(table, table.seat, table.observe().copy(), table.legal())
    stage.ask(table.seat, offered, lambda choice: None)
    place = next(place for choice in offered for place in sorted(choice.places))
    x, y = stage.painter.layout(stage.scene).middle(*place)
    stage.click(int(x), int(y))
    assert stage.picked == place
    assert stage.shown == [choice for choice in offered if place in choice.places]


def test_choices_give_nothing_hidden_away() -> None:
    """What an action is said to touch follows from the seat's view: it is the same wherever the view is."""
    name = next(name for name in names() if load(name).hidden and load(name).verbs.sample is not None)
    _, table = reel_of_random(name, 9)
    view = table.observe().copy()
    other = table.copy()
    from ludus.core import plain, streams

    row = plain(table.game.empty(1))
    table.game.verbs.sample(view, row, streams(77, 1)[0])
    other.load(row)
    other.rng[0] += 5
    assert choices(table, table.seat, view, table.legal()) == choices(other, table.seat, view, table.legal())


def test_places_are_found_in_names() -> None:
    from ludus.core import Board

    board = Board(12, 12)
    assert places_named(board, "move 3,4 -> 11, 2") == {(3, 4, 0), (11, 2, 0)}
    assert places_named(board, "throw 1 1") == {(1, 1, 0)}
    assert not places_named(board, "go 13,4")


def test_a_click_on_the_strip_goes_there() -> None:
    stage = stage_of(names()[0])
    stage.click(SIZE[0] - 1, SIZE[1] - 3)
    assert stage.at == len(stage.reel) - 1


@every_game
def test_the_mouse_tells_what_stands_there(name: str) -> None:
    stage = stage_of(name)
    stage.step(99)
    before = stage.picture()
    piece = stage.scene.pieces[0]
    x, y = stage.painter.layout(stage.scene).middle(piece.x, piece.y, piece.z)
    stage.mouse = int(x), int(y)
    assert stage.picture().tobytes() != before.tobytes()


def test_the_window_answers_events() -> None:
    import pygame

    reel, _ = reel_of_random(names()[0])
    window = Window(reel, "a game", SIZE)
    for event in (
        pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE, unicode=" "),
        pygame.event.Event(pygame.KEYDOWN, key=pygame.K_PLUS, unicode="+"),
        pygame.event.Event(pygame.MOUSEWHEEL, y=1, x=0),
        pygame.event.Event(pygame.MOUSEMOTION, pos=(100, 100), rel=(9, 0), buttons=(1, 0, 0)),
        pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(100, 100), button=1),
        pygame.event.Event(pygame.VIDEORESIZE, w=500, h=400, size=(500, 400)),
    ):
        pygame.event.post(event)
    window.tick()
    assert not window.stage.is_playing
    assert window.stage.camera.zoom == pytest.approx(1.44)
    assert window.stage.camera.x >= 9
    assert window.stage.size == (500, 400)
    assert pygame.display.get_surface().get_size() == (500, 400)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.run()
    assert window.stage.is_closed


def test_what_the_window_shows_is_the_picture(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from PIL import Image

    reel, _ = reel_of_random(names()[0])
    window = Window(reel, "a game", SIZE)
    window.tick()
    window.save(str(tmp_path / "shot.png"))
    with Image.open(tmp_path / "shot.png") as shot:
        assert shot.convert("RGB").tobytes() == window.stage.picture().tobytes()
    window.close()


def clicking(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let every question be answered by its first choice, and the window be closed when the game is over."""
    answered: list[int] = []

    def tick(self: Window) -> None:
        stage = self.stage
        stage.picture()
        if stage.curtain:
            stage.click(1, 1)
        if stage.choices and len(stage.choices) > 1:
            choice = stage.choices[-1]
            answered.append(choice.action)
            stage.choose(choice)
        elif stage.choices:
            stage.choose(stage.choices[0])
        stage.step(len(stage.reel))
        if stage.reel.is_done:
            stage.close()

    monkeypatch.setattr(Window, "tick", tick)
    return answered


@every_game
def test_a_person_plays_in_the_window(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = clicking(monkeypatch)
    spec = load(name).spec
    options = {option.name: max(option.low, 6) for option in spec.options if option.name in ("max_turns", "max_actions")}
    table = Table(load(name, **options), 3, "pure")
    agents = seat_agents(table.game, {spec.seats[0]: WindowPerson(table)})
    show_live(Referee(table, agents), "a game", 8.0, SIZE)
    assert answered
    assert table.over


def test_two_people_do_not_see_each_others_side(monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(name for name in names() if load(name).hidden)
    spec = load(name).spec
    options = {option.name: max(option.low, 4) for option in spec.options if option.name in ("max_turns", "max_actions")}
    table = Table(load(name, **options), 3, "pure")
    curtains: list[str] = []
    clicking(monkeypatch)
    ticked = Window.tick

    def watched(self: Window) -> None:
        if self.stage.curtain:
            curtains.append(self.stage.curtain)
        elif not self.stage.reel.is_done:
            assert self.stage.eyes != -1 or list(self.stage.reel.eyes) != [-1]
        ticked(self)

    monkeypatch.setattr(Window, "tick", watched)
    agents = seat_agents(table.game, [WindowPerson(table) for _ in spec.seats])
    show_live(Referee(table, agents), "a game", 8.0, SIZE)
    assert {text.partition(":")[0] for text in curtains} >= set(spec.seats)


@every_game
def test_rows_that_come_from_elsewhere_are_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clicking(monkeypatch)
    table, shown = Table(name, 3, "pure"), []

    def rows() -> Iterator[Any]:
        yield table.s
        for _ in range(4):
            table.apply(table.legal()[0])
            shown.append(table.turn)
            yield table.s

    show_rows(table, rows(), "a game", speed=8.0)
    assert len(shown) == 4


def test_closing_the_window_ends_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Window, "tick", lambda self: self.stage.close())
    table = Table(names()[0], 3, "pure")
    agents = seat_agents(table.game, [WindowPerson(table)])
    with pytest.raises(Stop, match="window was closed"):
        show_live(Referee(table, agents), "a game", 8.0, SIZE)


def test_a_window_that_cannot_be_opened_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    reel, _ = reel_of_random(names()[0], 1)
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    with pytest.raises(LudusError, match="no window can be opened here"):
        show_reel(SceneReel([reel.scene(0)]), "a game", SIZE)
    monkeypatch.setattr("ludus.viewers.window.NO_SCREEN", ("offscreen", "dummy", "x11", "wayland", "cocoa", "windows"))
    monkeypatch.delenv("SDL_VIDEODRIVER")  # SDL would take one that shows nothing
    with pytest.raises(LudusError, match="no window can be opened here"):
        show_reel(SceneReel([reel.scene(0)]), "a game", SIZE)
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(MissingExtra, match=r"ludus\[view\]"):
        show_reel(reel, "a game", SIZE)
