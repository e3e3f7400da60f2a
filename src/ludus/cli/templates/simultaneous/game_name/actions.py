"""The actions of Game Name as people write them: up, right, down, left, or the first letter."""

from ludus.core import UnknownName

NAMES = ("up", "right", "down", "left")  # by action


def action_name(action: int) -> str:
    """Return an action as people write it."""
    return NAMES[action]


def parse_action(text: str) -> int:
    """Read a step in any case, by its name or its first letter."""
    word = text.strip().lower()
    for action, name in enumerate(NAMES):
        if word in (name, name[0]):
            return action
    raise UnknownName("step", text, NAMES)
