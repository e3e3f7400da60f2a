"""A tournament as a folder of static pages: table, cross table, curves, verdicts, every game."""

from .folder import write_report

__all__ = ["write_report"]
