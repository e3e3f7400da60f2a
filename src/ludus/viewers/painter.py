"""The painter: a scene as a picture of any size, by Pillow. Window, images, environments and notebooks show what it draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ludus.core import Scene, whole_number

from .layout import PANELS, STRAIGHT, Camera, Layout, lay_out
from .lettering import pillow, write
from .motion import hurts, moving, shots
from .palette import theme
from .panel import paint_events, paint_header, paint_panel
from .sprites import paint_piece
from .tiles import name_places, paint_arrow, paint_board

LARGEST = 8192  # dots a side
SMALLEST = 16


class Painter:
    """Draw scenes of one game in one size. It remembers how full cells were, and what lies still between two scenes."""

    def __init__(
        self, size: tuple[int, int] = (960, 720), colours: str = "dark", names: Sequence[str] = (), panel: str = PANELS[0]
    ) -> None:
        self.size = tuple(whole_number(side, "a side of a picture", SMALLEST, LARGEST) for side in size)
        self.theme, self.names, self.panel = theme(colours), tuple(names), panel
        self.panel_share = 1.0  # what is left to the panel where something else is laid over it
        self._fullest: dict[str, float] = {}
        self._still: tuple[Any, ...] = ()

    def layout(self, scene: Scene, camera: Camera = STRAIGHT) -> Layout:
        """Return where everything stands."""
        return lay_out(scene.board, (self.size[0], self.size[1]), camera, self.panel)

    def paint(self, scene: Scene, before: Scene | None = None, t: float = 1.0, camera: Camera = STRAIGHT) -> Any:
        """Return a scene as a Pillow image; with the scene before and t below 1, on the way from there."""
        layout = self.layout(scene, camera)
        picture = self._lying_still(scene, layout, camera).copy()
        is_moving = before is not None and t < 1
        if not is_moving or t >= 0.5:
            for link in shots(scene):
                paint_arrow(picture, link, layout, self.theme.role(link.role), min(1.0, 2 * t - 1) if is_moving else 1.0)
        labels = _labels(scene)
        for piece, x, y, side, share, count in moving(before, scene, layout, t):
            is_counted = bool(piece.icon and piece.amount) and str(abs(piece.amount)) in piece.text
            is_told = is_counted or (piece.icon, piece.seat) in labels
            label = f"{count}x" if count > 1 else piece.text if is_told else ""
            if share > 0:
                paint_piece(picture, piece, x, y, side, self.theme, share, label)
        name_places(picture, scene, layout, self.theme)
        if is_moving and t >= 0.5:
            self._paint_hurts(picture, before, scene, layout, t)
        self._frame(picture, scene, layout)
        return picture

    def _lying_still(self, scene: Scene, layout: Layout, camera: Camera) -> Any:
        if len(self._still) != 3 or self._still[0] is not scene or self._still[1] != camera:
            picture = pillow()[0].new("RGB", self.size, self.theme.ground)
            paint_board(picture, scene, layout, self.theme, self._fullest)
            self._still = scene, camera, picture
        return self._still[2]

    def _paint_hurts(self, picture: Any, before: Scene | None, scene: Scene, layout: Layout, t: float) -> None:
        draw = pillow()[1].Draw(picture)
        for hurt in hurts(before, scene, layout):
            size = max(9, int(layout.cell * 0.42))
            y = hurt.y - layout.cell * (0.1 + 0.5 * (2 * t - 1))
            for dx, dy in ((-1, -1), (1, 1), (-1, 1), (1, -1)):
                write(draw, hurt.x + dx, y + dy, hurt.text, size, (0, 0, 0), "mm")
            write(draw, hurt.x, y, hurt.text, size, self.theme.role("goal"), "mm")

    def _frame(self, picture: Any, scene: Scene, layout: Layout) -> None:
        """Draw what stands around the board, over whatever of it reaches out."""
        draw, ground = pillow()[1].Draw(picture), self.theme.ground
        for box in (layout.header, layout.events):
            if box is not None:
                draw.rectangle((0, box.y, box.x + box.width + 20, box.y + box.height), fill=ground)
        paint_panel(picture, scene, layout, self.theme, self.names, self.panel_share)
        paint_header(picture, scene, layout, self.theme)
        paint_events(picture, scene, layout, self.theme)


def _labels(scene: Scene) -> set[tuple[str, int]]:
    """Return icons and seats that stand for pieces of more than one text: those need their texts beside them."""
    texts = {(piece.icon, piece.seat, piece.text) for piece in scene.pieces if piece.icon and not piece.facing}
    counts = Counter((icon, seat) for icon, seat, _ in texts)
    return {key for key, count in counts.items() if count > 1}


def paint(scene: Scene, size: tuple[int, int] = (960, 720), colours: str = "dark", names: Sequence[str] = ()) -> Any:
    """Return a scene as a Pillow image."""
    return Painter(size, colours, names).paint(scene)
