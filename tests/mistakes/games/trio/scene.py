"""How Trio looks."""

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

from .rules import HEIGHT, NOBODY, WIDTH, is_over

Frame = frame_type(WIDTH, HEIGHT, pieces=WIDTH * HEIGHT)
BOARD = Board(WIDTH, HEIGHT, columns=tuple("abcde"), rows=tuple("1234"), point="{column}{row}")
WORDS = Words(
    status=("{seat} to move", "{a:players} has a row", "a draw"),
    pieces=(PieceWord("stone", "X"), PieceWord("stone", "O")),
    numbers=(NumberWord("move"),),
    events=(EventWord("claim", "{to} was claimed"),),
    lists={"players": ("x", "o")},
)


@rule
def show(view, frame):
    show_status(frame, how_it_stands(view), view.seat, view.turn)
    frame.status_value[0] = max(view.winner, 0)
    show_number(frame, 0, view.turn, 0)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            owner = view.owner[y, x]
            if owner != NOBODY:
                add_piece(frame, y * WIDTH + x, owner, owner, x, y, 0)
    if view.last_action >= 0 and view.owner[view.last_action // WIDTH, view.last_action % WIDTH] != NOBODY:
        k = add_event(frame, 0, NOBODY, view.last_action, 0)
        event_to(frame, k, view.last_action % WIDTH, view.last_action // WIDTH, 0)


@rule
def how_it_stands(view):
    if view.winner != NOBODY:
        return 1
    return 2 if is_over(view) else 0
