"""Names of actions: b3 is the second column, the third row."""

from ludus.core import UnknownName

from .rules import CELLS, NOBODY, WIDTH, is_over

NAMES = tuple("abcde"[cell % WIDTH] + "1234"[cell // WIDTH] for cell in range(CELLS))


def action_name(action):
    return NAMES[action]


def parse_action(text):
    word = text.strip().lower()
    if word not in NAMES:
        raise UnknownName("cell", text, NAMES)
    return NAMES.index(word)


def why_not(s, seat, action):
    if is_over(s):
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    if not 0 <= action < CELLS:
        return "bad_action"
    return "" if s.owner[action // WIDTH, action % WIDTH] == NOBODY else "claimed"
