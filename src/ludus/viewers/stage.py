"""What a window shows and how it answers keys and mouse, without a window: a reel of scenes, a place in it, a camera.

A reel is anything with a length and `scene(k, eyes)`; a live game's grows. `eyes` is a seat, or -1 for all there is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ludus.core import NOBODY, Scene

from .choices import Choice
from .layout import PANELS, ZOOMS, Box, Camera
from .lettering import pillow
from .overlay import STRIP, paint_choices, paint_curtain, paint_help, paint_places, paint_strip, paint_tip
from .painter import Painter

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # turns a second
ZOOM_STEP, PAN_STEP = 1.2, 60
LIST_FROM = 0.45  # of the side panel's height
MOVE_SHARE = 0.6  # of a turn's time that pieces take to move
ARROWS = ("up", "down", "left", "right")
KEYS = (
    ("space", "pause, go on"), ("left, right", "a step back or forward"), (", .", "slower, faster"),
    ("home, end", "first, last"), ("+ -, wheel", "zoom"), ("w a s d, drag", "pan"), ("r", "reset the view"),
    ("f", "whose eyes: all, or a seat's"),
    ("m", "panel: in proportion, fixed, none"), ("t", "dark or light"), ("h", "these keys"), ("escape", "close"),
)  # fmt: skip


class Reel(Protocol):
    """Scenes in a row."""

    @property
    def names(self) -> Sequence[str]:
        """The agents' names, by seat."""
        ...

    @property
    def eyes(self) -> Sequence[int]:
        """Whose eyes one may look through."""
        ...

    @property
    def is_done(self) -> bool:
        """Whether nothing will be added."""
        ...

    def __len__(self) -> int: ...

    def scene(self, k: int, eyes: int) -> Scene:
        """Return the k-th scene."""
        ...


class Stage:
    """The picture of a window of a size, and what keys and mouse do to it."""

    def __init__(
        self, reel: Reel, size: tuple[int, int], speed: float = 2.0, colours: str = "dark", is_live: bool = False
    ) -> None:
        self.reel, self.size, self.speed, self.colours = reel, size, speed, colours
        self.is_live, self.is_playing, self.is_closed, self.has_help = is_live, True, False, False
        self.panel = PANELS[0]
        self.at, self.t = 0, 1.0  # which scene, and how far the pieces have come to it
        self.eyes, self.camera = reel.eyes[0], Camera()
        self.mouse = (-1, -1)
        self.choices: list[Choice] = []
        self.answer: Callable[[Choice], None] | None = None
        self.picked: tuple[int, int, int] | None = None
        self.first = 0  # choice that the list begins with
        self.curtain = ""  # what stands before the board until somebody clicks
        self._waited = 0.0
        self._drawn: tuple[Any, Any] = (None, None)
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        """Take another size."""
        width, height = max(160, size[0]), max(120, size[1])
        self.size = width, height
        self.painter = Painter((width, height - STRIP), self.colours, self.reel.names, self.panel)
        self._drawn = (None, None)

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self.reel.scene(self.at, self.eyes)

    @property
    def shown(self) -> list[Choice]:
        """The choices that the list holds: those that touch the place that was picked, or all."""
        touching = [choice for choice in self.choices if self.picked in choice.places]
        return touching or self.choices

    def ask(self, seat: int, choices: list[Choice], answer: Callable[[Choice], None]) -> None:
        """Let a person choose; the answer is called once."""
        self.choices, self.answer, self.picked, self.first = choices, answer, None, 0
        self.is_playing = True
        if seat in self.reel.eyes:
            self.eyes = seat

    def choose(self, choice: Choice) -> None:
        """Answer what was asked."""
        answer, self.answer, self.choices, self.picked = self.answer, None, [], None
        if answer is not None:
            answer(choice)

    def advance(self, seconds: float) -> None:
        """Let time pass: pieces move, and the next scene comes when this one was seen."""
        turn = 1.0 / self.speed
        self.t = min(1.0, self.t + seconds / (turn * MOVE_SHARE))
        self._waited += seconds
        is_last = self.at >= len(self.reel) - 1
        if self.is_playing and not is_last and self._waited >= turn:
            self.step(1)
        elif self.is_playing and is_last and self.reel.is_done and not self.is_live and self.t >= 1:
            self.is_playing = False

    def step(self, by: int) -> None:
        """Go some scenes on or back."""
        to = max(0, min(len(self.reel) - 1, self.at + by))
        self.t = 0.0 if to == self.at + 1 else 1.0
        self.at, self._waited = to, 0.0

    def press(self, key: str) -> None:
        """Do what a key is for."""
        actions: dict[str, Callable[[], None]] = {
            "space": self._pause, "left": lambda: self._walk(-1), "right": lambda: self._walk(1), ",": lambda: self._faster(-1),
            ".": lambda: self._faster(1), "home": lambda: self.step(-self.at), "end": lambda: self.step(len(self.reel)),
            "+": lambda: self.zoom(1), "=": lambda: self.zoom(1), "-": lambda: self.zoom(-1), "r": self._reset,
            "w": lambda: self.pan(0, PAN_STEP), "s": lambda: self.pan(0, -PAN_STEP), "a": lambda: self.pan(PAN_STEP, 0),
            "d": lambda: self.pan(-PAN_STEP, 0), "up": lambda: self.pan(0, PAN_STEP), "down": lambda: self.pan(0, -PAN_STEP),
            "f": self._next_eyes, "m": self._switch_panel, "t": self._switch_colours, "h": self._switch_help,
            "escape": self.close,
        }  # fmt: skip
        if self.curtain:
            self.curtain = ""
            return
        meant = [choice for choice in self.choices if choice.name.lower() in (key, f"move {key}")] if key in ARROWS else []
        if meant:
            self.choose(meant[0])
        elif key in actions:
            actions[key]()

    def close(self) -> None:
        """End the show."""
        self.is_closed = True

    def zoom(self, by: int) -> None:
        """Go nearer or farther."""
        low, high = ZOOMS
        zoom = max(low, min(high, self.camera.zoom * ZOOM_STEP**by))
        ratio = zoom / self.camera.zoom
        self.camera = Camera(zoom, self.camera.x * ratio, self.camera.y * ratio)

    def pan(self, dx: float, dy: float) -> None:
        """Shift the board."""
        self.camera = self.camera._replace(x=self.camera.x + dx, y=self.camera.y + dy)

    def wheel(self, by: int) -> None:
        """Scroll the list of choices under the mouse, or zoom."""
        if self.choices and self._list_box().holds(*self.mouse):
            self.first = max(0, min(len(self.shown) - 1, self.first - 3 * by))
        else:
            self.zoom(by)

    def click(self, x: int, y: int) -> None:
        """Choose from the list, pick a place of the board, or go to a place of the reel."""
        if self.curtain or self.has_help:
            self.curtain, self.has_help = "", False
        elif y >= self.size[1] - STRIP:
            self.step(round(x / self.size[0] * (len(self.reel) - 1)) - self.at)
        elif (choice := self._choice_at(x, y)) is not None:
            self.choose(choice)
        elif self.choices:
            self._pick(self._place_at(x, y))

    def picture(self) -> Any:
        """Return what is to be seen, as a Pillow image; the same one as long as nothing has changed."""
        scene = self.scene
        state = (
            scene, self.at, self.t, self.camera, self.size, self.mouse, self.is_playing, self.speed, self.eyes, self.picked,
            self.first, len(self.choices), self.has_help, self.curtain, len(self.reel), id(self.painter), id(self.choices),
        )  # fmt: skip
        if self._drawn[0] is None or not _same(self._drawn[0], state):
            self._drawn = state, self._paint(scene)
        return self._drawn[1]

    def _paint(self, scene: Scene) -> Any:
        if self.curtain:
            return paint_curtain(self.size, self.painter.theme, self.curtain)
        before = self.reel.scene(self.at - 1, self.eyes) if self.t < 1 and self.at > 0 else None
        self.painter.panel_share = LIST_FROM if self.choices else 1.0
        board = self.painter.paint(scene, before, self.t, self.camera)
        picture = pillow()[0].new("RGB", self.size, self.painter.theme.ground)
        picture.paste(board, (0, 0))
        layout, colours = self.painter.layout(scene, self.camera), self.painter.theme
        if self.choices:
            pointed = self._choice_at(*self.mouse)
            places = set(pointed.places) if pointed else {self.picked} if self.picked else set()
            paint_places(picture, layout, colours, places)
            said = "your move" if self.picked is None else f"your move: {len(self.shown)} of {len(self.choices)}"
            paint_choices(picture, self._list_box(), self.shown, self.first, said, pointed, layout.letter, colours)
        elif (place := self._place_at(*self.mouse)) is not None:
            paint_tip(picture, layout, colours, scene, place)
        paint_strip(picture, colours, self._about(), self.at, len(self.reel))
        if self.has_help:
            paint_help(picture, colours, KEYS, layout.letter)
        return picture

    def _about(self) -> str:
        whose = "all" if self.eyes == NOBODY else self.scene.seats[self.eyes]
        state = "" if self.is_playing else "paused · "
        return f"{state}{self.at}/{len(self.reel) - 1} · {self.speed:g}x · eyes: {whose} · h: keys"

    def _list_box(self) -> Box:
        """Return where the list of choices stands: over the lower part of the side panel."""
        layout = self.painter.layout(self.scene, self.camera)
        width, height = self.size[0], self.size[1] - STRIP
        box = layout.panel or Box(width // 2, 0, width // 2, height)
        top = box.y + round(box.height * LIST_FROM)
        return Box(box.x, top, box.width, box.y + box.height - top)

    def _choice_at(self, x: int, y: int) -> Choice | None:
        box = self._list_box()
        if not self.choices or not box.holds(x, y):
            return None
        line = round(self.painter.layout(self.scene).letter * 1.5)
        k = (y - box.y) // line - 1 + self.first
        return self.shown[k] if self.first <= k < len(self.shown) else None

    def _place_at(self, x: int, y: int) -> tuple[int, int, int] | None:
        place = self.painter.layout(self.scene, self.camera).place_at(x, y)
        return None if place is None or place in self.scene.board.holes else place

    def _pick(self, place: tuple[int, int, int] | None) -> None:
        """Keep the actions that touch a place; a second click on it plays the only one."""
        if place is not None and place == self.picked and len(self.shown) == 1:
            self.choose(self.shown[0])
            return
        self.picked, self.first = place, 0

    def _walk(self, by: int) -> None:
        """Step, and stop there: whoever steps looks."""
        self.is_playing = False
        self.step(by)

    def _pause(self) -> None:
        if not self.is_playing and not self.is_live and self.at >= len(self.reel) - 1:
            self.step(-self.at)  # once more
        self.is_playing = not self.is_playing

    def _faster(self, by: int) -> None:
        nearest = min(range(len(SPEEDS)), key=lambda k: abs(SPEEDS[k] - self.speed))
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, nearest + by))]

    def _reset(self) -> None:
        self.camera = Camera()

    def _next_eyes(self) -> None:
        eyes = list(self.reel.eyes)
        self.eyes = eyes[(eyes.index(self.eyes) + 1) % len(eyes)] if self.eyes in eyes else eyes[0]

    def _switch_panel(self) -> None:
        self.panel = PANELS[(PANELS.index(self.panel) + 1) % len(PANELS)]
        self.resize(self.size)

    def _switch_colours(self) -> None:
        self.colours = "light" if self.colours == "dark" else "dark"
        self.resize(self.size)

    def _switch_help(self) -> None:
        self.has_help = not self.has_help


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two states of a stage look alike; scenes are compared as objects: a reel gives the same one again."""
    return one[0] is other[0] and one[1:] == other[1:]
