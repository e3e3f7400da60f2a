"""Helpers of the original program: the board and the status as text, cells as `c7`, agents by kind."""

from __future__ import annotations

from typing import Any

from agent_policies import BaseAgent, ManualAgent, RandomAgent
from board_state import Position

CLEAR_SCREEN = "\033[2J\033[H"


def render_board(state: Any, clear: bool = False, padded: bool = True) -> str:
    """Return the board of a BoardState or an environment as text; `padded=False` draws it as the original did."""
    table = state.table
    return (CLEAR_SCREEN if clear else "") + str(table.game.part("scene").board(table.s, padded))


def format_game_status(state: Any) -> str:
    """Return turn, mover, positions, and who won."""
    return str(state.table.game.part("scene").status(state.table.s))


def position_to_text(position: Position) -> str:
    """Return a cell as column letter and row number: Position(6, 2) is c7."""
    return f"{chr(97 + position.y)}{position.x + 1}"


def text_to_position(text: str) -> Position:
    """Read `c7` or `c 7`."""
    from ludus.games import load

    x, y = load("chase").part("text").parse_cell(text)
    return Position(y, x)


def create_agent(kind: str, name: str) -> BaseAgent:
    """Return a random or a manual agent."""
    kinds = {"random": RandomAgent, "manual": ManualAgent}
    if kind not in kinds:
        raise ValueError(f"an agent is one of {', '.join(kinds)}, not {kind!r}")
    return kinds[kind](name)
