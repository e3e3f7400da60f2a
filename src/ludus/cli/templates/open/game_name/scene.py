"""How Game Name looks: rules that fill a frame, and words for what they fill in. Nothing is hidden, so one rule will do."""

from ludus.core import (
    Board,
    EventWord,
    NumberWord,
    PieceWord,
    Words,
    add_event,
    add_piece,
    event_to,
    frame_type,
    rule,
    show_number,
    show_status,
)

from .actions import COLUMNS, ROWS
from .rules import CELLS, LETTERS, NOBODY, SIZE, SPEC, is_over

TO_MOVE, WON, FULL = 0, 1, 2  # sentences of WORDS.status

Frame = frame_type(SIZE, SIZE, pieces=CELLS, numbers=2)
BOARD = Board(SIZE, SIZE, columns=tuple(COLUMNS), rows=tuple(ROWS), point="{column}{row}")
WORDS = Words(
    status=("{seat} to move", "{a:players} has {b} in a row", "the board is full, a draw"),
    pieces=tuple(PieceWord("cell", letter, about="claimed by {seat}") for letter in LETTERS),  # a kind a seat
    numbers=(NumberWord("in a row", is_curve=False), NumberWord("turn", is_curve=False)),
    events=(EventWord("claim", "{seat} claims {to}"),),
    lists={"players": SPEC.seats},
)


@rule
def show(view, frame):
    """Draw the claimed cells, and tell the last move."""
    show_status(frame, how_it_stands(view), view.seat, view.turn)
    frame.status_value[0], frame.status_value[1] = max(view.winner, 0), view.opt_row
    show_number(frame, 0, view.opt_row, 0)
    show_number(frame, 1, view.turn, 0)
    for cell in range(CELLS):
        owner = view.owner[cell]
        if owner != NOBODY:
            add_piece(frame, cell, owner, owner, cell % SIZE, cell // SIZE, 0)  # its id is its place: pieces never move
    if view.turn > 0:
        cell = view.last_action
        k = add_event(frame, 0, view.owner[cell], cell, 0)
        event_to(frame, k, cell % SIZE, cell // SIZE, 0)


@rule
def how_it_stands(view):
    """Return the sentence that says how the game stands."""
    if view.winner != NOBODY:
        return WON
    return FULL if is_over(view) else TO_MOVE
