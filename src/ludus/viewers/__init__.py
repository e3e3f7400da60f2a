"""What people look at: scenes in a terminal, in a window, in a web page, as pictures and videos. No viewer knows a game."""

from typing import TYPE_CHECKING, Any

from .terminal import Keys, Paper, Screen, draw, step_through, tell

if TYPE_CHECKING:
    from .icons import icon_names
    from .images import as_html, few_colours, pixels, save_gif, save_mp4, save_png
    from .live import WindowPerson, show_live, show_rows
    from .notebook import thing_as_html
    from .page import show_page, write_html, write_site
    from .page_live import Live, PagePerson, play_in_page
    from .page_run import watch_run
    from .painter import Painter, paint
    from .reels import SceneReel, TableReel, reel_of, scenes_of
    from .report import viewer_page, write_curves, write_report
    from .window import Window, show_reel

__all__ = [
    "Keys", "Live", "PagePerson", "Painter", "Paper", "SceneReel", "Screen", "TableReel", "Window", "WindowPerson",
    "as_html", "draw", "few_colours", "icon_names", "paint", "pixels", "play_in_page", "reel_of", "save_gif", "save_mp4",
    "save_png", "scenes_of", "show_live", "show_page", "show_reel", "show_rows", "step_through", "tell", "thing_as_html",
    "viewer_page", "watch_run", "write_curves", "write_html", "write_report", "write_site",
]  # fmt: skip

_MODULES = {
    "Live": "page_live", "PagePerson": "page_live", "Painter": "painter", "SceneReel": "reels", "TableReel": "reels",
    "Window": "window", "WindowPerson": "live", "as_html": "images", "few_colours": "images", "icon_names": "icons",
    "paint": "painter", "pixels": "images", "play_in_page": "page_live", "reel_of": "reels", "save_gif": "images",
    "save_mp4": "images", "save_png": "images", "scenes_of": "reels", "show_live": "live", "show_page": "page",
    "show_reel": "window", "show_rows": "live", "thing_as_html": "notebook", "viewer_page": "report",
    "watch_run": "page_run", "write_curves": "report", "write_html": "page", "write_report": "report", "write_site": "page",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load pictures and windows when they are asked for: they are an extra."""
    from importlib import import_module

    if name in _MODULES:
        return getattr(import_module(f".{_MODULES[name]}", __name__), name)
    raise AttributeError(f"module 'ludus.viewers' has no attribute {name!r}")
