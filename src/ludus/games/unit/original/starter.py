"""A starter for Unit of the original's kind: a function `select_move` that returns an action object."""
# mypy: ignore-errors

import random

from self_play.agent_utils import get_legal_moves

ORDER = ("place", "infuse", "attack", "pincer", "move", "endTurn", "end_turn")


def select_move(game_state):
    """Return an action object: the first kind that there is, fights before moves."""
    moves = get_legal_moves(game_state)
    kinds = {move["type"] for move in moves}
    kind = next((kind for kind in ORDER if kind in kinds), moves[0]["type"])
    return random.choice([move for move in moves if move["type"] == kind])
