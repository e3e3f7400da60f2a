"""How BattleGrid looks: what a seat's view shows, and what a spectator sees, who looks through the eyes of both tanks."""

from __future__ import annotations

from typing import Any

from ludus.core import (
    DANGER,
    FACING_UP,
    FOG,
    NO_FACING,
    NOBODY,
    SAFE,
    WALL,
    add_event,
    add_link,
    add_mark,
    add_piece,
    event_from,
    event_to,
    rule,
    show_bar,
    show_number,
    show_status,
)

from .rules import BLUE, CELLS, DX, DY, ITEM_PERIOD, KINDS, QUIET_END, RED, RELOAD, SEATS, SET_SIZE, SHRINKS, SIZE, sight
from .text import score_line
from .words import (
    BLOCKED,
    BLUE_WINS,
    BOARD,
    DRAW,
    ENDED,
    ESCAPED,
    FACES,
    FIRST_OWN,
    HINT,
    HIT,
    ITEM,
    MISSED,
    MOVED,
    OVER,
    OWN,
    PICKED,
    POWERS,
    PUNISHED,
    RED_WINS,
    RELOADS,
    SCORE,
    SHRINK,
    SHRUNK,
    STAYED,
    STILL,
    SUPPLIED,
    TO_ACT,
    TURN,
    TURNED,
    WORDS,
    Frame,
)

__all__ = ["BOARD", "WORDS", "Frame", "final_line", "show", "show_all"]


@rule
def show(view, frame):
    """Draw what one seat knows: walls once seen, boxes for items, the enemy or the area that it is in, its own turn."""
    me, enemy = int(view.me), 1 - int(view.me)
    is_over = view.turn >= view.max_turns
    show_status(frame, OVER if is_over else TO_ACT, NOBODY if is_over else view.seat, view.turn)
    show_time(frame, view.turn, view.max_turns)
    for y in range(SIZE):
        show_row(frame, y, int(view.wall[y]), sight(view.view_range, view.view_metric, view.x, view.y, y))
    outline(frame, view.zone)
    for k in range(view.hint_count):
        kind = int(view.hint_kind[k])
        add_item(frame, HINT + kind, int(view.hint_x[k]), int(view.hint_y[k]), kind)
    if view.enemy_x >= 0:
        add_tank(frame, enemy, view.enemy_x, view.enemy_y, NO_FACING)
    else:
        for y in range(view.enemy_area[2], view.enemy_area[3] + 1):
            for x in range(view.enemy_area[0], view.enemy_area[1] + 1):
                add_mark(frame, x, y, 0, DANGER)
    k = add_tank(frame, me, view.x, view.y, FACING_UP + view.facing)
    show_bar(frame, k, 0, max(0, RELOAD - int(view.cooldown)), RELOAD)
    powers = view.double_shot + 2 * view.double_damage + 4 * view.double_cooldown
    show_own(frame, me, view.score, view.cooldown, powers, view.stay)
    tell_own_turn(view, frame)
    tell_board(frame, view.turn, view.max_turns, OVER)


@rule
def show_all(s, frame):
    """Draw walls and items in view of either tank, both tanks with their numbers, and the last turn (D31)."""
    is_over, end = s.turn >= s.opt_max_turns, ending(s.score[BLUE], s.score[RED])
    show_status(frame, end if is_over else TO_ACT, NOBODY if is_over else s.seat, s.turn)
    frame.status_value[0], frame.status_value[1] = s.score[BLUE], s.score[RED]
    show_time(frame, s.turn, s.opt_max_turns)
    for y in range(SIZE):
        in_view = in_view_of_any(s, y)
        show_row(frame, y, int(s.wall[y]) & in_view, in_view)
    outline(frame, s.zone)
    for k in range(s.item_count):
        x, y, kind = int(s.item_cell[k]) % SIZE, int(s.item_cell[k]) // SIZE, int(s.item_kind[k])
        if in_view_of_any(s, y) >> x & 1 != 0:
            add_item(frame, ITEM + kind, x, y, kind)
    for seat in range(SEATS):
        k = add_tank(frame, seat, s.x[seat], s.y[seat], FACING_UP + s.facing[seat])
        show_bar(frame, k, 0, max(0, RELOAD - int(s.cooldown[seat])), RELOAD)
        powers = s.double_shot[seat] + 2 * s.double_damage[seat] + 4 * s.double_cooldown[seat]
        show_own(frame, seat, s.score[seat], s.cooldown[seat], powers, s.stay[seat])
    if s.last_seat >= 0:
        tell_turn(s, frame)
    tell_board(frame, s.turn, s.opt_max_turns, end)


@rule
def ending(blue, red):
    """Return which end these scores are."""
    return BLUE_WINS if blue > red else RED_WINS if red > blue else DRAW


@rule
def in_view_of_any(s, y):
    """Return the cells of a row that one of the tanks has in view, as bits."""
    reach, metric = s.opt_view_range, s.opt_view_metric
    return sight(reach, metric, s.x[BLUE], s.y[BLUE], y) | sight(reach, metric, s.x[RED], s.y[RED], y)


@rule
def show_row(frame, y, wall, in_view):
    """Draw a row's walls, and fog where nobody looks."""
    role = frame.role
    for x in range(SIZE):
        role[0, y, x] = WALL if wall >> x & 1 != 0 else FOG if in_view >> x & 1 == 0 else 0


@rule
def outline(frame, zone):
    """Outline the safe zone by its outermost cells, each of them once."""
    for x in range(zone[0], zone[2] + 1):
        add_mark(frame, x, zone[1], 0, SAFE)
        if zone[3] > zone[1]:
            add_mark(frame, x, zone[3], 0, SAFE)
    for y in range(zone[1] + 1, zone[3]):
        add_mark(frame, zone[0], y, 0, SAFE)
        if zone[2] > zone[0]:
            add_mark(frame, zone[2], y, 0, SAFE)


@rule
def show_time(frame, turn, max_turns):
    """Show the turns played, and how many until the zone shrinks; short games never do that (D29)."""
    show_number(frame, TURN, turn, max_turns)
    period = 2 * ((max_turns - QUIET_END) // (2 * SHRINKS))
    if period > 0 and turn < period * SHRINKS:
        show_number(frame, SHRINK, period - turn % period, 0)


@rule
def show_own(frame, seat, score, cooldown, powers, stay):
    """Show the numbers of one tank."""
    first = FIRST_OWN + OWN * seat
    show_number(frame, first + SCORE, score, 0)
    show_number(frame, first + RELOADS, cooldown, 0)
    show_number(frame, first + POWERS, powers, 0)
    show_number(frame, first + STILL, stay, 0)


@rule
def add_tank(frame, seat, x, y, facing):
    """Add a tank, whose id is its seat."""
    k = add_piece(frame, seat, seat * FACES + facing, seat, x, y, 0)
    frame.piece_facing[k] = facing
    return k


@rule
def add_item(frame, word, x, y, kind):
    """Add an item, whose id is its cell and kind; items of one kind on one cell are numbered."""
    identity = SEATS + (y * SIZE + x) * KINDS + kind
    for k in range(frame.pieces):
        if frame.piece_id[k] == identity:
            identity += CELLS * KINDS
    add_piece(frame, identity, word, NOBODY, x, y, 0)


@rule
def tell(frame, kind, seat, amount, value, x, y):
    """Tell something that a tank did, or that was done to it, on a cell; return its place in the frame."""
    k = add_event(frame, kind, seat, seat, amount)
    frame.event_value[k, 0] = value
    event_from(frame, k, x, y, 0)
    return k


@rule
def tell_drive(frame, kind, seat, x, y, direction):
    """Tell of a tank that came to a cell."""
    k = tell(frame, kind, seat, 0, direction, x - DX[direction], y - DY[direction])
    event_to(frame, k, x, y, 0)


@rule
def tell_shot(frame, seat, x, y, to_x, to_y, points):
    """Tell of a shot, and draw it as far as it is known and went."""
    k = tell(frame, HIT if points > 0 else MISSED, seat, points, 0, x, y)
    if to_x >= 0:
        event_to(frame, k, to_x, to_y, 0)
        if to_x != x or to_y != y:
            add_link(frame, x, y, 0, to_x, to_y, 0, DANGER)


@rule
def tell_turn(s, frame):
    """Tell the last turn: the tank's action, its pick-ups and its shot, then the penalties."""
    seat = int(s.last_seat)
    x, y, facing = s.x[seat], s.y[seat], s.facing[seat]
    if s.last_escaped >= 0:
        tell_drive(frame, ESCAPED, seat, x, y, facing)
    elif s.last_moved == 1:
        tell_drive(frame, MOVED, seat, x, y, facing)
    elif s.last_action >= 0:
        tell(frame, TURNED if s.last_rotated == 1 else BLOCKED, seat, 0, facing, x, y)
    for k in range(min(int(s.last_picked), SET_SIZE)):  # play has no more; of a position made by hand the first will do
        tell(frame, PICKED, seat, 0, int(s.last_kinds[k]), x, y)
    if s.last_fired == 1:
        tell_shot(frame, seat, x, y, s.last_shot_x, s.last_shot_y, s.last_points)
    for k in range(SEATS):
        if s.last_penalty[k] == 1:
            tell(frame, PUNISHED, k, -1, 0, s.x[k], s.y[k])


@rule
def tell_own_turn(view, frame):
    """Tell a seat what came of its own turn; where a shot ended it sees only if that hit an enemy in view."""
    me, x, y, facing = int(view.me), view.x, view.y, view.facing
    if view.last_escaped >= 0:
        tell_drive(frame, ESCAPED, me, x, y, facing)
    elif view.last_moved == 1:
        tell_drive(frame, MOVED, me, x, y, facing)
    elif view.last_action >= 0:
        tell(frame, STAYED, me, 0, facing, x, y)
    if view.last_fired == 1:
        if view.last_hit == 1:
            tell_shot(frame, me, x, y, view.enemy_x, view.enemy_y, view.last_points)
        else:
            tell_shot(frame, me, x, y, -1, -1, 0)
    if view.last_penalty == 1:
        tell(frame, PUNISHED, me, -1, 0, x, y)


@rule
def tell_board(frame, turn, max_turns, end):
    """Tell what happens to the board after certain turns: it shrinks, items are laid out, the game ends."""
    period = 2 * ((max_turns - QUIET_END) // (2 * SHRINKS))
    if turn > 0 and period > 0 and turn <= period * SHRINKS and turn % period == 0:
        add_event(frame, SHRUNK, NOBODY, NOBODY, 0)
    if turn > 0 and turn % ITEM_PERIOD == 0:
        add_event(frame, SUPPLIED, NOBODY, NOBODY, 0)
    if turn >= max_turns:
        k = add_event(frame, ENDED, NOBODY, NOBODY, 0)
        frame.event_value[k, 0] = end


def final_line(s: Any, names: tuple[str, ...], result: Any) -> str:
    """Return the line that ends a game: every agent's name and score (D20)."""
    return score_line(names, result.points)
