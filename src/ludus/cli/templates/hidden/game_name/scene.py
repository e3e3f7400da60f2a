"""How Game Name looks: a row a seat, its card of the trick first, then its hand; what is not seen is fog."""

from ludus.core import (
    FOG,
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
    show_cell,
    show_number,
    show_status,
)

from .rules import DECK, HAND, NONE, SEATS, SPEC, is_over

TO_LAY, OVER = 0, 1  # sentences of WORDS.status

Frame = frame_type(1 + HAND, SEATS, pieces=DECK, numbers=SEATS)
BOARD = Board(1 + HAND, SEATS, rows=SPEC.seats)
WORDS = Words(
    status=("trick {a} of {b}, {seat} to lay a card", "the last trick is taken; the most points: {c}"),
    pieces=(PieceWord("card", "{amount}", about="card {amount} of {seat}"),),
    numbers=tuple(NumberWord("points", seat) for seat in range(SEATS)),
    events=(EventWord("trick", "{seat} takes the trick with {amount}"),),
    legend=(("fog", "a card that is not seen"),),
)


@rule
def show(view, frame):
    """Draw what a seat sees, from its view alone."""
    show_status(frame, OVER if is_over(view) else TO_LAY, view.seat if not is_over(view) else -1, view.turn)
    frame.status_value[0], frame.status_value[1] = view.turn + 1, HAND
    for seat in range(SEATS):
        frame.status_value[2] = max(frame.status_value[2], view.points[seat])
        show_number(frame, seat, view.points[seat], 0)
        show_hand(view, frame, seat)
    tell_trick(view, frame)


@rule
def show_all(s, frame):
    """Draw what a spectator sees: a position has the fields of a view, with nothing unseen."""
    show(s, frame)


@rule
def show_hand(view, frame, seat):
    """Draw the card that a seat has laid, and what is known of its hand."""
    laid = view.table[seat] if view.table[seat] != NONE else view.last_trick[seat] - 1
    if laid != NONE:
        show_card(frame, laid, seat, 0)
    elif seat < view.seat:
        show_cell(frame, 0, seat, 0, FOG)
    x = 1
    for card in range(DECK):
        if view.where[card] == seat and view.table[seat] != card:
            show_card(frame, card, seat, x)
            x += 1
    while x <= HAND - view.turn - int(seat < view.seat):
        show_cell(frame, x, seat, 0, FOG)
        x += 1


@rule
def show_card(frame, card, seat, x):
    """Draw a card; it is the same piece wherever it lies."""
    k = add_piece(frame, card, 0, seat, x, seat, 0)
    frame.piece_amount[k] = card + 1


@rule
def tell_trick(view, frame):
    """Tell who took the last trick."""
    taker = 0
    for seat in range(SEATS):
        if view.last_trick[seat] > view.last_trick[taker]:
            taker = seat
    if view.last_trick[taker] > 0:
        k = add_event(frame, 0, taker, view.last_trick[taker] - 1, view.last_trick[taker])
        event_to(frame, k, 0, taker, 0)
