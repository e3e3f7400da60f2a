"""What people look at: scenes in a terminal, in a window, as pictures and videos. No viewer knows a game."""

from typing import TYPE_CHECKING, Any

from .terminal import Keys, Paper, Screen, draw, step_through, tell

if TYPE_CHECKING:
    from .icons import icon_names
    from .images import as_html, few_colours, pixels, save_gif, save_mp4, save_png
    from .live import WindowPerson, show_live, show_rows
    from .notebook import thing_as_html
    from .painter import Painter, paint
    from .reels import SceneReel, TableReel, reel_of, scenes_of
    from .report import write_curves, write_report
    from .window import Window, show_reel

__all__ = [
    "Keys", "Painter", "Paper", "SceneReel", "Screen", "TableReel", "Window", "WindowPerson", "as_html", "draw",
    "few_colours", "icon_names", "paint", "pixels", "reel_of", "save_gif", "save_mp4", "save_png", "scenes_of", "show_live",
    "show_reel", "show_rows", "step_through", "tell", "thing_as_html", "write_curves", "write_report",
]  # fmt: skip

_MODULES = {
    "Painter": "painter", "SceneReel": "reels", "TableReel": "reels", "Window": "window", "WindowPerson": "live",
    "as_html": "images", "few_colours": "images", "icon_names": "icons", "paint": "painter", "pixels": "images",
    "reel_of": "reels", "save_gif": "images", "save_mp4": "images", "save_png": "images", "scenes_of": "reels",
    "show_live": "live", "show_reel": "window", "show_rows": "live", "thing_as_html": "notebook",
    "write_curves": "report", "write_report": "report",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load pictures and windows when they are asked for: they are an extra."""
    from importlib import import_module

    if name in _MODULES:
        return getattr(import_module(f".{_MODULES[name]}", __name__), name)
    raise AttributeError(f"module 'ludus.viewers' has no attribute {name!r}")
