"""The actions of Game Name as people write them: the number of the card."""

from ludus.core import UnknownName

from .rules import DECK


def action_name(action: int) -> str:
    """Return an action as people write it."""
    return str(action + 1)


def parse_action(text: str) -> int:
    """Read a card's number."""
    names = [action_name(action) for action in range(DECK)]
    if text.strip() not in names:
        raise UnknownName("card", text, [f"{names[0]} to {names[-1]}"])
    return names.index(text.strip())
