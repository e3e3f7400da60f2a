"""Names of cards."""

from ludus.core import UnknownName

from .rules import CARDS, HAND


def action_name(action):
    return f"card{action}"


def parse_action(text):
    word = text.strip().removeprefix("card")
    if not text.strip().startswith("card") or word not in [str(card) for card in range(CARDS)]:
        raise UnknownName("card", text, ["card0 to card9"])
    return int(word)


def why_not(s, seat, action):
    if s.turn == HAND:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    if not 0 <= action < CARDS:
        return "bad_action"
    return "" if s.place[action] == seat else "not_in_hand"
