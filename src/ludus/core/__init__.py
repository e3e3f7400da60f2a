"""The words every room uses."""

from .clock import Clock
from .errors import BadRecord, BadValue, IllegalAction, LudusError, MissingExtra, UnknownName, whole_number
from .report import Chart, Report, Sheet
from .rng import Tape, draw, streams
from .rule import compiled_as, rule
from .scene import Bar, Cell, Event, Link, Mark, Piece, Scene
from .spec import Option, Spec, structural

__all__ = [
    "BadRecord", "BadValue", "Bar", "Cell", "Chart", "Clock", "Event", "IllegalAction", "Link", "LudusError", "Mark",
    "MissingExtra", "Option", "Piece", "Report", "Scene", "Sheet", "Spec", "Tape", "UnknownName", "compiled_as",
    "draw", "rule", "streams", "structural", "whole_number",
]  # fmt: skip
