"""How Cards looks: a row of cards a seat."""

from ludus.core import Board, NumberWord, PieceWord, Words, add_piece, frame_type, rule, show_number, show_status

from .rules import CARDS, HAND, NONE, PLAYED, SPEC

Frame = frame_type(CARDS, PLAYED, pieces=CARDS, numbers=2)
BOARD = Board(CARDS, PLAYED)
WORDS = Words(
    status=("{seat} to play", "over"),
    pieces=(PieceWord("card", "{amount}"), PieceWord("card led", "{amount}")),
    numbers=tuple(NumberWord("tricks", seat) for seat in range(len(SPEC.seats))),
)


@rule
def show(view, frame):
    for card in range(CARDS):
        if view.mine[card]:
            show_card(frame, card, 0, view.me, view.me)
    show_table(view, frame)


@rule
def show_all(s, frame):
    for card in range(CARDS):
        if s.place[card] < 2:
            show_card(frame, card, 0, s.place[card], s.place[card])
    show_table(s, frame)


@rule
def show_card(frame, card, kind, seat, y):
    k = add_piece(frame, card, kind, seat, card, y, 0)
    frame.piece_amount[k] = card


@rule
def show_table(position, frame):
    show_status(frame, 1 if position.turn == HAND else 0, position.seat, position.turn)
    for seat in range(2):
        show_number(frame, seat, position.tricks[seat], 0)
    if position.lead != NONE:
        show_card(frame, position.lead, 1, -1, 2)
