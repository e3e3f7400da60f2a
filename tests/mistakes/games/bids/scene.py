"""How Bids looks: a row a player, coins as a bar."""

from ludus.core import Bar, Cell, Event, Piece, Scene

from .rules import NONE, PRIZES, SEATS, SPEC


def scene(view):
    prizes = view.prize.tolist()
    return _scene(view, view.most, prizes, view.winner, [view.bid if seat == view.me else NONE for seat in range(SEATS)])


def scene_all(s):
    return _scene(s, s.opt_coins, s.prize.tolist(), s.last_winner, s.bids.tolist())


def _scene(position, most, prizes, winner, bids):
    over = position.turn == PRIZES
    pieces = tuple(
        Piece(
            SPEC.seats[seat], 0, seat, f"seat{seat}", SPEC.seats[seat], bars=(Bar("coins", int(position.coins[seat]), most),),
            about="" if bids[seat] < 0 else f"bids {bids[seat]}",
        )
        for seat in range(SEATS)
    )  # fmt: skip
    won = (Event("win", f"{SPEC.seats[winner]} takes the prize", SPEC.seats[winner]),) if winner != NONE else ()
    return Scene(
        title=SPEC.title,
        width=1 + PRIZES,
        height=SEATS,
        status="over" if over else f"{SPEC.seats[position.seat]} bids",
        cells=tuple(Cell(1 + k, 0, "resource", text=str(prize)) for k, prize in enumerate(prizes) if prize),
        pieces=pieces,
        numbers=tuple((SPEC.seats[seat], str(position.score[seat])) for seat in range(SEATS)),
        events=won,
    )
