"""How Game Name looks: heads are capital letters, trails small ones, × is where somebody went out."""

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

from .rules import CELLS, NOBODY, SEATS, SIZE, SPEC, is_over

TO_STEP, LAST_ONE, NOBODY_LEFT = 0, 1, 2  # sentences of WORDS.status
TRAIL, HEAD, FALLEN = 0, 1, 2  # kinds of pieces, for each seat

Frame = frame_type(SIZE, SIZE, pieces=CELLS, numbers=SEATS, events=SEATS)
BOARD = Board(SIZE, SIZE)
WORDS = Words(
    status=("turn {turn}, {seat} to step", "{a:players} is the last one", "nobody is left, a draw of the last ones"),
    pieces=tuple(
        PieceWord(kind, sign)
        for name in SPEC.seats
        for kind, sign in (("trail", name[0]), ("head", name[0].upper()), ("wreck", "×"))
    ),
    numbers=tuple(NumberWord("", seat, "states", is_curve=False) for seat in range(SEATS)),
    events=(EventWord("out", "{seat} is out"),),
    lists={"players": SPEC.seats, "states": ("in", "out")},
)


@rule
def show(view, frame):
    """Draw what a seat sees, from its view alone."""
    show_status(frame, TO_STEP, view.seat, view.turn)
    if is_over(view):
        tell_end(view, frame)
    for cell in range(CELLS):
        seat = view.owner[cell]
        if seat != NOBODY:
            kind = TRAIL
            if cell == view.head[seat]:
                kind = FALLEN if view.out[seat] else HEAD
            add_piece(frame, cell, 3 * seat + kind, seat, cell % SIZE, cell // SIZE, 0)
    for seat in range(SEATS):
        show_number(frame, seat, 1 if view.out[seat] else 0, 0)
        if view.out[seat] and view.out[seat] == view.turn:
            k = add_event(frame, 0, seat, view.head[seat], 0)
            event_to(frame, k, view.head[seat] % SIZE, view.head[seat] // SIZE, 0)


@rule
def show_all(s, frame):
    """Draw what a spectator sees: a position has the fields of a view, and plans are not drawn."""
    show(s, frame)


@rule
def tell_end(view, frame):
    """Say who is left."""
    frame.status, frame.seat = NOBODY_LEFT, -1
    for seat in range(SEATS):
        if view.out[seat] == 0:
            frame.status, frame.status_value[0] = LAST_ONE, seat
