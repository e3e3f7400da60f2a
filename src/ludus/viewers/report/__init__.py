"""A tournament as a folder of static pages: table, cross table, curves, verdicts, every game."""

from .curves import write_curves
from .folder import write_report
from .viewer import viewer_page

__all__ = ["viewer_page", "write_curves", "write_report"]
