"""How Bids looks: a row a player, coins as a bar."""

from ludus.core import (
    RESOURCE,
    Board,
    EventWord,
    NumberWord,
    PieceWord,
    Words,
    add_event,
    add_piece,
    frame_type,
    rule,
    show_amount,
    show_bar,
    show_cell,
    show_number,
    show_status,
)

from .rules import NONE, PRIZES, SEATS, SPEC

Frame = frame_type(1 + PRIZES, SEATS, pieces=SEATS, bars=1, numbers=SEATS)
BOARD = Board(1 + PRIZES, SEATS)
WORDS = Words(
    status=("{seat} bids", "over"),
    pieces=(PieceWord("player", "{seat}"), PieceWord("bidder", "{seat}", about="bids {amount}")),
    bars=("coins",),
    numbers=tuple(NumberWord("score", seat) for seat in range(len(SPEC.seats))),
    events=(EventWord("win", "{seat} takes the prize"),),
)


@rule
def show(view, frame):
    show_players(view, frame, view.most, view.winner)
    if view.bid != NONE:
        frame.piece_kind[view.me], frame.piece_amount[view.me] = 1, view.bid


@rule
def show_all(s, frame):
    show_players(s, frame, s.opt_coins, s.last_winner)
    for seat in range(SEATS):
        if s.bids[seat] != NONE:
            frame.piece_kind[seat], frame.piece_amount[seat] = 1, s.bids[seat]


@rule
def show_players(position, frame, most, winner):
    show_status(frame, 1 if position.turn == PRIZES else 0, position.seat, position.turn)
    for seat in range(SEATS):
        k = add_piece(frame, seat, 0, seat, 0, seat, 0)
        show_bar(frame, k, 0, position.coins[seat], most)
        show_number(frame, seat, position.score[seat], 0)
    for place in range(PRIZES):
        if position.prize[place]:
            show_cell(frame, 1 + place, 0, 0, RESOURCE)
            show_amount(frame, 1 + place, 0, 0, position.prize[place])
    if winner != NONE:
        add_event(frame, 0, winner, winner, 0)
