"""The words every room uses."""

from .agent import Agent, Answer, Start, listens
from .clock import Clock, TimeControl, time_control
from .errors import BadRecord, BadValue, IllegalAction, LudusError, MissingExtra, UnknownName, one_line, shown, whole_number
from .files import open_bounded, read_bounded
from .kit import any_marked, count_bits, first_bit, flood_step, is_better, nth_bit, nth_marked
from .record import DECIDED, LIMIT, RUNNING, VERDICTS, Decision, Fault, Record, Result, runs
from .report import Chart, Report, Sheet
from .rng import HIGHEST_SEED, Rng, Tape, agent_seed, dealt_seed, draw, streams, streams_of
from .row import Row, Rows, blank, plain, row_class
from .rule import WAITING, compiled_as, rule
from .scene import ROLES, Bar, Cell, Event, Link, Mark, Piece, Scene
from .spec import Contest, Option, Spec, check_options, parse_options, structural, structural_values
from .trace import Count, Difference, Trace, read_traces

__all__ = [
    "DECIDED", "HIGHEST_SEED", "LIMIT", "ROLES", "RUNNING", "VERDICTS", "WAITING", "Agent", "Answer", "BadRecord", "BadValue",
    "Bar", "Cell", "Chart", "Clock", "Contest", "Count", "Decision", "Difference", "Event", "Fault", "IllegalAction", "Link",
    "LudusError", "Mark", "MissingExtra", "Option", "Piece", "Record", "Report", "Result", "Rng", "Row", "Rows", "Scene",
    "Sheet", "Spec", "Start", "Tape", "TimeControl", "Trace", "UnknownName", "agent_seed", "any_marked", "blank",
    "check_options", "compiled_as", "count_bits", "dealt_seed", "draw", "first_bit", "flood_step", "is_better", "listens",
    "nth_bit", "nth_marked", "one_line", "open_bounded", "parse_options", "plain", "read_bounded", "read_traces", "row_class",
    "rule", "runs", "shown", "streams", "streams_of", "structural", "structural_values", "time_control", "whole_number",
]  # fmt: skip
