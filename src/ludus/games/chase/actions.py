"""The moves of Chase in words, and why one is refused."""

from __future__ import annotations

from typing import Any

from ludus.core import UnknownName

from .rules import DX, DY, RUNNING, SIZE, SPEC, STAY

ACTION_NAMES = ("up", "down", "left", "right", "stay")
LETTERS = "UDLRS"  # what people type
HELP = "A move is up, down, left, right or its first letter, in any case; stay (S) is for an agent that cannot move."
FORMS = {
    "up": "to the cell above: y - 1",
    "down": "to the cell below: y + 1",
    "left": "to the cell at the left: x - 1",
    "right": "to the cell at the right: x + 1",
    "stay": "stay; only for who can go nowhere",
}
_WORDS = {word: action for action, name in enumerate(ACTION_NAMES) for word in (name, LETTERS[action].lower(), str(action))}


def action_name(action: int) -> str:
    """Return an action as people write it."""
    return ACTION_NAMES[action]


def parse_action(text: str) -> int:
    """Read an action: its name or its letter in any case, or its number."""
    word = text.strip().lower()
    if word not in _WORDS:
        raise UnknownName("move", text[:40], (f"{letter} ({name})" for letter, name in zip(LETTERS, ACTION_NAMES, strict=True)))
    return _WORDS[word]


def why_not(s: Any, seat: int, action: int) -> str:
    """Return the reason for which a seat may not play this, in the rules' order of precedence, or ""."""
    if s.end != RUNNING:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    if not 0 <= action < SPEC.actions:
        return "bad_action"
    if action == STAY:
        return "" if legal_moves(s, seat) == [STAY] else "stay_not_allowed"
    return _obstruction(s, seat, action)


def legal_moves(s: Any, seat: int) -> list[int]:
    """List what a seat could play were it to move; none after the end."""
    if s.end != RUNNING:
        return []
    return [step for step in range(STAY) if not _obstruction(s, seat, step)] or [STAY]


def _obstruction(s: Any, seat: int, step: int) -> str:
    """Return what is in the way of a step, or ""."""
    x, y = int(s.x[seat]) + DX[step], int(s.y[seat]) + DY[step]
    if not (0 <= x < SIZE and 0 <= y < SIZE):
        return "edge"
    return "obstacle" if int(s.wall[y]) >> x & 1 else ""
