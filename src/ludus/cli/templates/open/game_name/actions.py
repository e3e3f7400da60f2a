"""The actions of Game Name as people write them: the column's letter, then the row's number from the top."""

from ludus.core import UnknownName

from .rules import SIZE

COLUMNS, ROWS = "abcdefghi"[:SIZE], "123456789"[:SIZE]
CELL_NAMES = tuple(column + row for row in ROWS for column in COLUMNS)  # by action


def action_name(action: int) -> str:
    """Return an action as people write it."""
    return CELL_NAMES[action]


def parse_action(text: str) -> int:
    """Read an action in any case."""
    word = text.strip().lower()
    if word not in CELL_NAMES:
        raise UnknownName("cell", text, [f"{CELL_NAMES[0]} to {CELL_NAMES[-1]}"])
    return CELL_NAMES.index(word)
