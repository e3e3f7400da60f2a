"""Bids: four players, two sides; each turn all bid in secret for a prize, and the highest single bid takes it."""

import numpy as np

from ludus.core import Option, Spec, draw, rule

SEATS, PRIZES, BIDS = 4, 5, 16
NONE = -1

SPEC = Spec(
    title="Bids",
    version=1,
    seats=("a", "b", "c", "d"),
    sides=(0, 1, 0, 1),
    actions=BIDS,
    planes=(2, SEATS, BIDS),
    plane_type="u1",
    options=(Option("coins", 8, 4, 15, "coins of each player"),),
    simultaneous=True,
)

State = np.dtype(
    [
        ("opt_coins", "i4"),
        ("seat", "i4"),  # who bids next
        ("turn", "i4"),  # prizes that are gone
        ("last_winner", "i4"),  # of the last prize, or NONE
        ("last_reward", "i4", SEATS),
        ("coins", "i4", SEATS),
        ("score", "i4", SEATS),
        ("bids", "i4", SEATS),  # of this turn, or NONE
        ("prize", "i1", PRIZES),  # in the order in which they come
    ],
    align=True,
)

View = np.dtype(
    [
        ("me", "i4"),
        ("most", "i4"),  # coins that all began with
        ("seat", "i4"),
        ("turn", "i4"),
        ("winner", "i4"),
        ("bid", "i4"),  # my own of this turn, or NONE
        ("reward", "i4", SEATS),
        ("coins", "i4", SEATS),
        ("score", "i4", SEATS),
        ("prize", "i1", PRIZES),  # 0 = still to come
    ],
    align=True,
)


@rule
def new(s, rng):
    """Shuffle the prizes."""
    clear_last(s)
    s.seat, s.turn = 0, 0
    for seat in range(SEATS):
        s.coins[seat], s.score[seat], s.bids[seat] = s.opt_coins, 0, NONE
    for k in range(PRIZES):
        s.prize[k] = k + 1
    shuffle(s, 0, rng)


@rule
def shuffle(s, first, rng):
    """Put the prizes from a place on in any order."""
    for k in range(PRIZES - 1, first, -1):
        j = first + draw(rng, k + 1 - first)
        s.prize[k], s.prize[j] = s.prize[j], s.prize[k]


@rule
def legal(s, mask):
    """Mark the bids that can be paid."""
    if s.turn == PRIZES:
        return 0
    for bid in range(s.coins[s.seat] + 1):
        mask[bid] = 1
    return s.coins[s.seat] + 1


@rule
def apply(s, action, rng):
    """Commit a bid; the last one ends the turn."""
    clear_last(s)
    s.bids[s.seat] = action
    s.seat += 1
    if s.seat == SEATS:
        s.seat = 0
        settle(s)


@rule
def settle(s):
    """Give the prize to the highest single bid, which is paid."""
    best, winner = -1, NONE
    for seat in range(SEATS):
        if s.bids[seat] > best:
            best, winner = s.bids[seat], seat
        elif s.bids[seat] == best:
            winner = NONE
    if winner != NONE:
        s.coins[winner] -= best
        s.score[winner] += s.prize[s.turn]
        s.last_winner = winner
        for seat in range(SEATS):
            s.last_reward[seat] = s.prize[s.turn] if seat % 2 == winner % 2 else -s.prize[s.turn]
    for seat in range(SEATS):
        s.bids[seat] = NONE
    s.turn += 1


@rule
def observe(s, seat, view):
    """Show what is open, and one's own bid."""
    view.me, view.most, view.seat, view.turn, view.winner = seat, s.opt_coins, s.seat, s.turn, s.last_winner
    view.bid = s.bids[seat]
    for k in range(SEATS):
        view.reward[k] = s.last_reward[k]
        view.coins[k] = s.coins[k]
        view.score[k] = s.score[k]
    for k in range(PRIZES):
        view.prize[k] = s.prize[k] if k <= s.turn else 0


@rule
def sample(view, s, rng):
    """Draw the bids of the others and the order of the prizes to come."""
    s.seat, s.turn, s.last_winner = view.seat, view.turn, view.winner
    for k in range(SEATS):
        s.coins[k], s.score[k], s.last_reward[k] = view.coins[k], view.score[k], view.reward[k]
        s.bids[k] = NONE
        if k == view.me:
            s.bids[k] = view.bid
        elif k < view.seat:
            s.bids[k] = draw(rng, view.coins[k] + 1)
    seen = 0
    for k in range(PRIZES):
        s.prize[k] = view.prize[k]
        seen += int(view.prize[k] > 0)
    left = seen
    for value in range(1, PRIZES + 1):
        if not has_come_up(view, value):
            s.prize[left] = value
            left += 1
    shuffle(s, seen, rng)


@rule
def has_come_up(view, value):
    """Say whether a prize has come up."""
    found = False
    for k in range(PRIZES):
        found = found or view.prize[k] == value
    return found


@rule
def encode(view, planes):
    """Fill planes: coins and scores, as rows of ones, mine first."""
    for k in range(SEATS):
        seat = (view.me + k) % SEATS
        for place in range(view.coins[seat]):
            planes[0, k, place] = 1
        for place in range(view.score[seat]):
            planes[1, k, place] = 1


@rule
def result(s, outcome, points):
    """Let the side with the higher score win."""
    even, odd = s.score[0] + s.score[2], s.score[1] + s.score[3]
    for seat in range(SEATS):
        points[seat] = s.score[seat]
        outcome[seat] = 0
        if s.turn == PRIZES and even != odd:
            outcome[seat] = 1 if (even > odd) == (seat % 2 == 0) else -1
    return 1 if s.turn == PRIZES else 0


@rule
def sound(s):
    """Say whether this can be a position."""
    if not 0 <= s.turn <= PRIZES or (s.turn == PRIZES and s.seat != 0) or not NONE <= s.last_winner < SEATS:
        return False
    total = 0
    for seat in range(SEATS):
        if not 0 <= s.coins[seat] <= s.opt_coins or not 0 <= s.score[seat] <= 15:
            return False
        if seat < s.seat and not 0 <= s.bids[seat] <= s.coins[seat]:
            return False
        if seat >= s.seat and s.bids[seat] != NONE:
            return False
        total += s.score[seat]
    bits, gone = 0, 0
    for k in range(PRIZES):
        if not 1 <= s.prize[k] <= PRIZES:
            return False
        bits |= 1 << s.prize[k]
        if k < s.turn:
            gone += s.prize[k]
    return bits == 62 and total <= gone


@rule
def default(s):
    """Bid nothing."""
    return 0


@rule
def clear_last(s):
    """Forget what happened before."""
    s.last_winner = NONE
    for seat in range(SEATS):
        s.last_reward[seat] = 0
