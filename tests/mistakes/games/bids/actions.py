"""Names of bids, and why one is refused."""

from ludus.core import UnknownName

from .rules import BIDS, PRIZES


def action_name(action):
    return f"bid {action}"


def parse_action(text):
    words = text.split()
    if len(words) != 2 or words[0] != "bid" or words[1] not in [str(bid) for bid in range(BIDS)]:
        raise UnknownName("bid", text, ["bid 0 to bid 15"])
    return int(words[1])


def why_not(s, seat, action):
    if s.turn == PRIZES:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    if not 0 <= action < BIDS:
        return "bad_action"
    return "" if action <= s.coins[seat] else "too_few_coins"
