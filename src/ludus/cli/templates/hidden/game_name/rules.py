"""Game Name: players hold cards that nobody else sees, lay one each, and the highest takes the trick.

The truth is README.md beside this file; D-numbers are its decisions.
"""

import numpy as np

from ludus.core import Spec, draw, rule, structural

SEATS = 2  # who play: 2 to 8
SIMULTANEOUS = False  # whether cards are laid face down and turned up together (D3)
HAND = structural("hand", 6, low=2, high=8, about="cards in a hand, and tricks in a game")

DECK = (SEATS + 1) * HAND  # an action is the card that it lays; card k has the number k + 1
NONE = -1  # no card
STOCK, LAID, UNSEEN = SEATS, SEATS + 1, SEATS + 2  # where a card is if no seat holds it; UNSEEN in views only
MINE, GONE, TABLE, TRICK = 0, 1, 2, 3  # planes (D5)

SPEC = Spec(
    title="Game Name",
    version=1,
    seats=("ann", "bob", "cy", "dee", "eve", "flo", "gus", "hal")[:SEATS],
    actions=DECK,
    planes=(4, 1, DECK),
    plane_type="u1",
    simultaneous=SIMULTANEOUS,
)

OPEN = [  # what everybody sees
    ("seat", "i4"),  # who lays a card; the first seat after the last trick
    ("turn", "i4"),  # tricks that were taken
    ("points", "i4", SEATS),
    ("table", "i4", SEATS),  # by seat the card of this trick, or NONE; it is held until the trick is taken
    ("where", "i1", DECK),  # by card: the seat that holds it, STOCK, or LAID
    ("last_trick", "i4", SEATS),  # by seat the number of its card in the trick that was just taken; 0 if none was
    ("last_reward", "i4", SEATS),  # points by seat
]
State = np.dtype(OPEN, align=True)
View = np.dtype([("me", "i4"), *OPEN], align=True)  # `table` and `where` hold what this seat sees


@rule
def new(s, rng):
    """Deal the cards (D1)."""
    s.seat, s.turn = 0, 0
    s.points[:] = 0
    s.table[:] = NONE
    s.where[:] = STOCK
    for seat in range(SEATS):
        for _ in range(HAND):
            deal(s, seat, rng)


@rule
def legal(s, mask):
    """Mark the cards in the hand of the seat; there are none after the last trick."""
    for card in range(DECK):
        mask[card] = s.where[card] == s.seat
    return HAND - s.turn


@rule
def apply(s, action, rng):
    """Lay a card; the last one of a trick decides who takes it."""
    s.table[s.seat] = action
    s.seat += 1
    if s.seat == SEATS:
        take_trick(s)
        clear_table(s)


@rule
def observe(s, seat, view):
    """Show a seat its own cards and what was laid; of the trick all cards, or its own if they lie face down (D3)."""
    view.me, view.seat, view.turn = seat, s.seat, s.turn
    for card in range(DECK):
        is_known = s.where[card] == seat or s.where[card] == LAID
        view.where[card] = s.where[card] if is_known else UNSEEN
    for other in range(SEATS):
        view.points[other] = s.points[other]
        view.last_trick[other], view.last_reward[other] = s.last_trick[other], s.last_reward[other]
        view.table[other] = s.table[other] if other == seat or not SIMULTANEOUS else NONE
        if view.table[other] != NONE:
            view.where[view.table[other]] = other


@rule
def sample(view, s, rng):
    """Deal the others what they could hold, and let them lay some card where they have laid one face down."""
    s.seat, s.turn = view.seat, view.turn
    for card in range(DECK):
        s.where[card] = STOCK if view.where[card] == UNSEEN else view.where[card]
    for seat in range(SEATS):
        s.points[seat], s.table[seat] = view.points[seat], view.table[seat]
        s.last_trick[seat], s.last_reward[seat] = view.last_trick[seat], view.last_reward[seat]
        for _ in range(HAND - s.turn - held_by(s, seat)):
            deal(s, seat, rng)
        if seat < s.seat and s.table[seat] == NONE:
            s.table[seat] = nth_held(s, seat, draw(rng, HAND - s.turn))


@rule
def encode(view, planes):
    """Fill planes, a column a card: mine, gone, on the table; and as many columns as this trick is worth (D5)."""
    for card in range(DECK):
        if view.where[card] == view.me:
            planes[MINE, 0, card] = 1
        elif view.where[card] == LAID:
            planes[GONE, 0, card] = 1
    for seat in range(SEATS):
        if view.table[seat] != NONE:
            planes[TABLE, 0, view.table[seat]] = 1
    for column in range(min(view.turn + 1, HAND)):
        planes[TRICK, 0, column] = 1


@rule
def result(s, outcome, points):
    """Let the seat with the most points win; where several have them, these draw (D4)."""
    most, leaders = 0, 0
    for seat in range(SEATS):
        most = max(most, s.points[seat])
    for seat in range(SEATS):
        leaders += int(s.points[seat] == most)
    for seat in range(SEATS):
        points[seat] = s.points[seat]
        outcome[seat] = 0
        if is_over(s):
            outcome[seat] = -1 if s.points[seat] < most else int(leaders == 1)
    return 1 if is_over(s) else 0


@rule
def default(s):
    """Lay the lowest card."""
    return nth_held(s, s.seat, 0)


@rule
def sound(s):
    """Say whether play could lead here, so that other rules may count on it: what comes from outside is asked this first."""
    if not 0 <= s.turn <= HAND or (is_over(s) and s.seat != 0):
        return False
    for card in range(DECK):
        if not 0 <= s.where[card] <= LAID:
            return False
    points = 0
    for seat in range(SEATS):
        if held_by(s, seat) != HAND - s.turn or not 0 <= s.points[seat] <= HAND * HAND:
            return False
        points += s.points[seat]
        card = s.table[seat]
        if card != NONE if seat >= s.seat else not 0 <= card < DECK or s.where[card] != seat:
            return False
    return held_by(s, LAID) == SEATS * s.turn and points == s.turn * (s.turn + 1) // 2 and is_last_sound(s)


@rule
def is_last_sound(s):
    """Say whether the last trick and its reward could be: there is one as long as the next card is not laid."""
    was_taken, best = s.seat == 0 and s.turn > 0, 0
    for seat in range(SEATS):
        number = s.last_trick[seat]
        if number != 0 if not was_taken else not 1 <= number <= DECK or s.where[number - 1] != LAID:
            return False
        for other in range(seat):
            if was_taken and s.last_trick[other] == number:
                return False
        best = max(best, number)
    for seat in range(SEATS):
        if s.last_reward[seat] != (s.turn if was_taken and s.last_trick[seat] == best else 0):
            return False
    return True


@rule
def is_over(s):
    """Say whether all cards were laid."""
    return s.turn == HAND


@rule
def deal(s, seat, rng):
    """Give a seat any card of the stock."""
    s.where[nth_held(s, STOCK, draw(rng, held_by(s, STOCK)))] = seat


@rule
def held_by(s, place):
    """Count the cards of a seat, of the stock, or those that were laid."""
    count = 0
    for card in range(DECK):
        count += int(s.where[card] == place)
    return count


@rule
def nth_held(s, place, index):
    """Return the index-th card there, counted from 0, or NONE."""
    for card in range(DECK):
        if s.where[card] == place:
            if index == 0:
                return card
            index -= 1
    return NONE


@rule
def take_trick(s):
    """Give the trick to the highest card; the first is worth 1 point, the next 2, and so on (D2)."""
    taker = 0
    for seat in range(SEATS):
        if s.table[seat] > s.table[taker]:
            taker = seat
    s.turn += 1
    s.points[taker] += s.turn
    s.last_reward[taker] = s.turn


@rule
def clear_table(s):
    """Put the cards of the trick away; the first seat lays next."""
    for seat in range(SEATS):
        s.last_trick[seat] = s.table[seat] + 1
        s.where[s.table[seat]] = LAID
    s.table[:] = NONE
    s.seat = 0
