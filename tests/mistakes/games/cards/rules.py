"""Cards: two players hold cards that the other does not see; the higher card takes the trick."""

import numpy as np

from ludus.core import Option, Spec, draw, rule

SEATS, CARDS, HAND = 2, 10, 4
NONE = -1
ASIDE, PLAYED = 2, 3  # where a card is, beside the seats' hands: never dealt, or played

SPEC = Spec(
    title="Cards",
    version=1,
    seats=("north", "south"),
    actions=CARDS,
    planes=(3, 1, CARDS),
    plane_high=4.0,
    options=(Option("bonus", 1, 1, 3, "what the last trick counts"),),
)

State = np.dtype(
    [
        ("opt_bonus", "i4"),
        ("seat", "i4"),
        ("turn", "i4"),  # tricks taken
        ("lead", "i4"),  # the card that was led, or NONE
        ("last_card", "i4"),  # played last, or NONE
        ("last_reward", "i4", SEATS),
        ("tricks", "i4", SEATS),
        ("place", "i1", CARDS),  # of each card: a seat, ASIDE or PLAYED
    ],
    align=True,
)

View = np.dtype(
    [
        ("me", "i4"),
        ("bonus", "i4"),
        ("seat", "i4"),
        ("turn", "i4"),
        ("lead", "i4"),
        ("last_card", "i4"),
        ("reward", "i4", SEATS),
        ("tricks", "i4", SEATS),
        ("mine", "i1", CARDS),  # 1 = in my hand
        ("played", "i1", CARDS),  # 1 = played
    ],
    align=True,
)


@rule
def new(s, rng):
    """Deal."""
    clear_last(s)
    s.seat, s.turn, s.lead = 0, 0, NONE
    s.tricks[:] = 0
    s.place[:] = ASIDE
    for seat in range(SEATS):
        for k in range(HAND):
            give(s, seat, draw(rng, CARDS - seat * HAND - k))


@rule
def give(s, seat, index):
    """Give a seat the index-th card that nobody has."""
    for card in range(CARDS):
        if s.place[card] == ASIDE:
            if index == 0:
                s.place[card] = seat
                return
            index -= 1


@rule
def legal(s, mask):
    """Mark the cards in hand."""
    count = 0
    if s.turn == HAND:
        return 0
    for card in range(CARDS):
        if s.place[card] == s.seat:
            mask[card] = 1
            count += 1
    return count


@rule
def apply(s, action, rng):
    """Play a card; the second one ends the trick."""
    clear_last(s)
    s.place[action] = PLAYED
    s.last_card = action
    if s.lead == NONE:
        s.lead = action
        s.seat = 1 - s.seat
    else:
        take(s, s.seat if action > s.lead else 1 - s.seat)


@rule
def take(s, winner):
    """Give a trick to its winner, who leads."""
    worth = s.opt_bonus if s.turn == HAND - 1 else 1
    s.tricks[winner] += worth
    s.last_reward[winner] = worth
    s.last_reward[1 - winner] = -worth
    s.turn += 1
    s.seat, s.lead = winner, NONE


@rule
def observe(s, seat, view):
    """Show a seat its hand and what was played."""
    view.me, view.bonus, view.seat, view.turn = seat, s.opt_bonus, s.seat, s.turn
    view.lead, view.last_card = s.lead, s.last_card
    for k in range(SEATS):
        view.tricks[k] = s.tricks[k]
        view.reward[k] = s.last_reward[k]
    for card in range(CARDS):
        view.mine[card] = 1 if s.place[card] == seat else 0
        view.played[card] = 1 if s.place[card] == PLAYED else 0


@rule
def sample(view, s, rng):
    """Deal the unseen cards between the other hand and those set aside."""
    s.seat, s.turn, s.lead, s.last_card = view.seat, view.turn, view.lead, view.last_card
    unseen, mine = 0, 0
    for k in range(SEATS):
        s.tricks[k] = view.tricks[k]
        s.last_reward[k] = view.reward[k]
    for card in range(CARDS):
        s.place[card] = PLAYED if view.played[card] else ASIDE
        mine += int(view.mine[card])
        unseen += int(view.mine[card] == 0 and view.played[card] == 0)
    theirs = unseen - (CARDS - SEATS * HAND)
    for k in range(theirs):
        give_unseen(view, s, draw(rng, unseen - k))
    for card in range(CARDS):
        if view.mine[card]:
            s.place[card] = view.me


@rule
def give_unseen(view, s, index):
    """Give the other seat the index-th card that is still unseen."""
    for card in range(CARDS):
        if s.place[card] == ASIDE and view.mine[card] == 0:
            if index == 0:
                s.place[card] = 1 - view.me
                return
            index -= 1


@rule
def encode(view, planes):
    """Fill planes: my cards, played cards, and my lead in tricks."""
    for card in range(CARDS):
        planes[0, 0, card] = view.mine[card]
        planes[1, 0, card] = view.played[card]
    planes[2, 0, 0] = min(4, view.tricks[view.me])
    planes[2, 0, 1] = min(4, view.tricks[1 - view.me])
    if view.lead != NONE:
        planes[2, 0, 2] = (1 + view.lead) / 4


@rule
def result(s, outcome, points):
    """Let more tricks win."""
    for seat in range(SEATS):
        points[seat] = s.tricks[seat]
        outcome[seat] = 0
        if s.turn == HAND and s.tricks[0] != s.tricks[1]:
            outcome[seat] = 1 if s.tricks[seat] > s.tricks[1 - seat] else -1
    return 1 if s.turn == HAND else 0


@rule
def sound(s):
    """Say whether this can be a position: cards and tricks add up."""
    if not 0 <= s.turn <= HAND or not NONE <= s.lead < CARDS or not NONE <= s.last_card < CARDS:
        return False
    count, other, played = 0, 0, 0
    for card in range(CARDS):
        if not 0 <= s.place[card] <= PLAYED:
            return False
        count += int(s.place[card] == s.seat)
        other += int(s.place[card] == 1 - s.seat)
        played += int(s.place[card] == PLAYED)
    is_led = int(s.lead != NONE)
    if s.lead != NONE and (s.turn == HAND or s.place[s.lead] != PLAYED):
        return False
    for seat in range(SEATS):
        if not 0 <= s.tricks[seat] <= 2 * HAND:
            return False
    return count == HAND - s.turn and other == HAND - s.turn - is_led and played == 2 * s.turn + is_led


@rule
def clear_last(s):
    """Forget what happened before."""
    s.last_card = NONE
    for seat in range(SEATS):
        s.last_reward[seat] = 0
