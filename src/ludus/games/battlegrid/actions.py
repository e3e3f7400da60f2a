"""BattleGrid's actions as people write them, and why one may be refused."""

from __future__ import annotations

from typing import Any

from ludus.core import UnknownName

from .rules import SHOOT, SPEC

DIRECTION_NAMES = ("up", "down", "left", "right")  # by number
ACTIONS = (*DIRECTION_NAMES, *(f"{name} shoot" for name in DIRECTION_NAMES))
HELP = (
    "up, down, left, right or the first letter turn the tank there or, if it faces that way already, drive one step; "
    "with ! or shoot behind it the gun fires, too: left!, u shoot."
)
FORMS = {
    "DIRECTION": "turn to `up`, `down`, `left` or `right`; if the tank faces it already, drive one cell there",
    "DIRECTION shoot": "the same, and then fire if the gun is loaded",
}
SHOTS = ("!", " !", " s", " shoot")  # what people may type after a direction
SPELLINGS = {
    **{str(action): action for action in range(SPEC.actions)},
    **{word: k for k, name in enumerate(DIRECTION_NAMES) for word in (name, name[0])},
    **{word + shot: k + SHOOT for k, name in enumerate(DIRECTION_NAMES) for word in (name, name[0]) for shot in SHOTS},
}


def action_name(action: int) -> str:
    """Return an action as people write it."""
    return ACTIONS[action]


def parse_action(text: str) -> int:
    """Read `up`, `up shoot`, `U`, `u s`, `left!` in any case, or the number of an action."""
    action = SPELLINGS.get(" ".join(text.lower().split()))
    if action is None:
        raise UnknownName("action", text[:40], ACTIONS)
    return action


def prompt(legal: list[int]) -> str:
    """Say what a person may type."""
    return "U, D, L, R: turn there or, if the tank faces it, drive; with ! it also shoots, as in U!"


def why_not(s: Any, seat: int, action: int) -> str:
    """Return the reason for which a seat may not play this, or ""; all eight actions are always allowed."""
    if s.turn >= s.opt_max_turns:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    return "" if 0 <= action < SPEC.actions else "bad_action"
