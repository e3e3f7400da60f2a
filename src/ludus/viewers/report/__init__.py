"""A tournament as a folder of static pages: table, cross table, curves, verdicts, every game."""

from .curves import write_curves
from .folder import write_report

__all__ = ["write_curves", "write_report"]
