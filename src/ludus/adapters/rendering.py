"""How environments draw: the same scenes as everywhere, as dots, as text, or in a window."""

from __future__ import annotations

from typing import Any

from ludus.core import BadValue, LudusError, known_word
from ludus.engine import Batch, Table

RENDER_MODES = ("human", "ansi", "rgb_array")
RENDER_FPS = 4
SIZE = (640, 480)


class Rendering:
    """Draw the position of an environment's table in its mode; a window is opened by the first picture."""

    def __init__(self, table: Table, mode: str | None) -> None:
        self.mode, self._table = None if mode is None else known_word(mode, "render mode", RENDER_MODES), table
        self._painter: Any = None
        self._window: Any = None
        self._has_screen = True

    def render(self) -> Any:
        """Return dots [y, x, 3], return text, or show the position in the window until it was seen."""
        if self.mode is None:
            raise LudusError(f"render() needs a render_mode, to be given with the environment: {', '.join(RENDER_MODES)}")
        if self.mode == "human":
            return self._show()
        if self.mode == "ansi":
            return self._text()
        from ludus.viewers import Painter, pixels

        self._painter = self._painter or Painter(SIZE)
        return pixels(self._table.scene(), painter=self._painter)

    def step(self) -> None:
        """Show what has happened, in mode "human": nobody calls `render` there."""
        if self.mode == "human":
            self._show()

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def _show(self) -> None:
        """Show the position in a window; where none can be opened, say so once and print it."""
        if self._window is None and self._has_screen:
            try:
                self._open()
            except LudusError as error:
                print(f"({error})")
                self._has_screen = False
        elif self._has_screen and not self._window.stage.is_closed:  # whoever has closed it does not want to see more
            self._reel.add(self._table.s)
            self._window.catch_up()
        if not self._has_screen:
            print(self._text(), end="")

    def _open(self) -> None:
        from ludus.viewers import TableReel, Window

        self._reel = TableReel(self._table)
        self._reel.add(self._table.s)
        self._window = Window(self._reel, self._table.spec.title, speed=RENDER_FPS, is_live=True)
        self._window.tick()

    def _text(self) -> str:
        from ludus.viewers import draw

        return "\n".join(draw(self._table.scene())) + "\n"


class BatchRendering:
    """Draw all positions of a batch, for vector environments."""

    MODES = ("ansi", "rgb_array")

    def __init__(self, batch: Batch, mode: str | None) -> None:
        if isinstance(mode, str) and mode == "human":
            raise BadValue("many games have no window; gymnasium.wrappers.vector.HumanRendering shows them with 'rgb_array'")
        self.mode, self._batch = None if mode is None else known_word(mode, "render mode", self.MODES), batch
        self._painter: Any = None

    def render(self) -> tuple[Any, ...]:
        """Return each position as dots [y, x, 3] or as text."""
        if self.mode is None:
            raise LudusError(f"render() needs a render_mode, to be given with the environment: {', '.join(self.MODES)}")
        from ludus.viewers import Painter, draw, pixels

        frames = self._batch.host(self._batch.frames())
        scenes = [self._batch.game.read_frame(frames[i : i + 1]) for i in range(self._batch.n)]
        if self.mode == "ansi":
            return tuple("\n".join(draw(scene)) + "\n" for scene in scenes)
        self._painter = self._painter or Painter(SIZE)
        return tuple(pixels(scene, painter=self._painter) for scene in scenes)
