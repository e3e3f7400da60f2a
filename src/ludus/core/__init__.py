"""The words every room uses."""

from .agent import Agent, Answer, Start, listens
from .clock import Clock, TimeControl, time_control
from .errors import (
    BadRecord,
    BadValue,
    IllegalAction,
    LudusError,
    MissingExtra,
    UnknownName,
    known_word,
    one_line,
    printed_line,
    shown,
    whole_number,
)
from .files import is_file, is_there, open_bounded, read_bounded, read_json
from .frame import (
    DANGER,
    FACING_DOWN,
    FACING_LEFT,
    FACING_RIGHT,
    FACING_UP,
    FACINGS,
    FLOOR,
    FOG,
    GOAL,
    NEUTRAL,
    NO_FACING,
    NOBODY,
    NOWHERE,
    PATH,
    RESOURCE,
    ROLES,
    SAFE,
    SEAT_ROLE,
    WALL,
    add_event,
    add_link,
    add_mark,
    add_piece,
    event_from,
    event_to,
    frame_type,
    show_amount,
    show_bar,
    show_cell,
    show_number,
    show_status,
)
from .graph import Graph
from .kit import any_marked, count_bits, first_bit, flood_step, is_better, nth_bit, nth_marked, parts_of
from .notebook import html_of
from .plain_view import Area, Place, PlainView, about
from .record import DECIDED, LIMIT, RUNNING, VERDICTS, Decision, Fault, Record, Result, runs
from .report import Chart, Report, Sheet
from .rng import HIGHEST_SEED, Rng, Tape, agent_seed, dealt_seed, draw, streams, streams_of
from .row import Row, Rows, blank, plain, row_class
from .rule import WAITING, compiled_as, rule
from .scene import (
    Bar,
    Board,
    Cell,
    Event,
    EventWord,
    Link,
    Mark,
    Number,
    NumberWord,
    Piece,
    PieceWord,
    Scene,
    Words,
    place_names,
    read_scene,
    role_name,
    split,
)
from .seeding import ROOM, agent_word, first_word
from .signs import spelled
from .spec import Contest, Option, Spec, check_options, parse_options, structural, structural_values
from .trace import Count, Difference, Trace, read_traces

__all__ = [
    "DANGER", "DECIDED", "FACINGS", "FACING_DOWN", "FACING_LEFT", "FACING_RIGHT", "FACING_UP", "FLOOR", "FOG", "GOAL",
    "HIGHEST_SEED", "LIMIT", "NEUTRAL", "NOBODY", "NOWHERE", "NO_FACING", "PATH", "RESOURCE", "ROLES", "ROOM", "RUNNING",
    "SAFE", "SEAT_ROLE", "VERDICTS", "WAITING", "WALL", "Agent", "Answer", "Area", "BadRecord", "BadValue", "Bar", "Board",
    "Cell", "Chart", "Clock", "Contest", "Count", "Decision", "Difference", "Event", "EventWord", "Fault", "Graph",
    "IllegalAction", "Link", "LudusError", "Mark", "MissingExtra", "Number", "NumberWord", "Option", "Piece", "PieceWord",
    "Place", "PlainView", "Record", "Report", "Result", "Rng", "Row", "Rows", "Scene", "Sheet", "Spec", "Start", "Tape",
    "TimeControl", "Trace", "UnknownName", "Words", "about", "add_event", "add_link", "add_mark", "add_piece", "agent_seed",
    "agent_word", "any_marked", "blank", "check_options", "compiled_as", "count_bits", "dealt_seed", "draw", "event_from",
    "event_to", "first_bit", "first_word", "flood_step", "frame_type", "html_of", "is_better", "is_file", "is_there",
    "known_word", "listens", "nth_bit", "nth_marked", "one_line", "open_bounded", "parse_options", "parts_of", "place_names",
    "plain", "printed_line", "read_bounded", "read_json", "read_scene", "read_traces", "role_name", "row_class", "rule", "runs",
    "show_amount", "show_bar", "show_cell", "show_number", "show_status", "shown", "spelled", "split", "streams", "streams_of",
    "structural",
    "structural_values", "time_control", "whole_number",
]  # fmt: skip
