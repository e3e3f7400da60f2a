"""How Plantation looks: a seat's frame from its view alone, the spectator's from the row, and their words."""

from __future__ import annotations

from ludus.core import (
    FOG,
    GOAL,
    NOBODY,
    PATH,
    SEAT_ROLE,
    Board,
    EventWord,
    NumberWord,
    PieceWord,
    Words,
    add_event,
    add_mark,
    add_piece,
    event_from,
    event_to,
    frame_type,
    rule,
    show_bar,
    show_number,
    show_status,
)

from .actions import BAD, FROM, NAMES, REASONS
from .drawing import board, draw_board, final_line, grid, status
from .rules import (
    BOMB,
    CELLS,
    COLONISE,
    COLS,
    COMMANDS,
    CROSS,
    NOWHERE,
    OK,
    PLAYER1,
    PLAYER2,
    ROWS,
    RUNNING,
    SCOUT,
    SEATS,
    SIGN,
    SPEC,
    SPRAY,
    WINDOW,
    beside,
)

__all__ = ["BOARD", "WORDS", "Frame", "board", "draw_board", "final_line", "grid", "show", "show_all", "status"]

# Places in WORDS.
TILE, REMEMBERED = range(2)
TURN, MOVES, TOTAL, KNOWN = 0, 1, 2, 2 + SEATS  # numbers; a total, and what is known of it, for each seat
ANSWERS = 4  # a command's event is its kind * ANSWERS + the answer to it, or + UNPLACED
UNPLACED = 0  # an error that is about no place
WON = (COMMANDS + 1) * ANSWERS
DRAWN = WON + 1
OTHERS_MOVE, TO_MOVE, TO_NAME_SOURCE, PLAYER1_WINS, PLAYER2_WINS, DRAW = range(6)  # status


def _event_words(kind: int) -> tuple[EventWord, ...]:
    """Return how a command's answers are told, in their order."""
    name = NAMES[kind] if kind < COMMANDS else BAD
    said = f"{{seat}} {name} {{to}}" + (f" {FROM} {{at}}" if kind == COLONISE else "")
    done = ": OK, opponent's tiles there: {a}, in all {amount:+}" if kind == SCOUT else ": OK"
    if kind in (SPRAY, BOMB):
        done += " {amount}"
    wrong = ": error ({a:reasons})"
    unplaced = f"{{seat}} {BAD}" + (f" {name}" if kind < COMMANDS else "") + wrong
    return tuple(EventWord(name, text) for text in (unplaced, said + done, said + ": occupied {amount:+}", said + wrong))


Frame = frame_type(COLS, ROWS, pieces=CELLS, bars=1, marks=CROSS + WINDOW + 1, numbers=2 + 2 * SEATS, events=2)
BOARD = Board(
    COLS,
    ROWS,
    columns=tuple(str(x) for x in range(COLS)),
    rows=tuple(str(y) for y in range(ROWS)),
    point="x{x} y{y}",
)
WORDS = Words(
    status=(
        "turn {turn}/{a}: {seat} to move",
        "turn {turn}/{a}: {seat} to move, {b} left",
        "turn {turn}/{a}: {seat} to move, {b} left, from where to colonise {c:places}?",
        *(f"{name} wins by {{a}}" for name in SPEC.seats),
        "a draw",
    ),
    pieces=(
        PieceWord("tile", "{amount:+}", "", "{seat} {amount:+} on {at}"),
        PieceWord("tile", "{amount:+}?", "", "{seat} {amount:+} on {at}, as last known"),
    ),
    bars=("seen in turn",),
    numbers=(
        NumberWord("turn", is_curve=False),
        NumberWord("moves left", is_curve=False),
        *(NumberWord(f"{name} score", seat, "+") for seat, name in enumerate(SPEC.seats)),
        *(NumberWord(f"{name} as far as known", seat, "+") for seat, name in enumerate(SPEC.seats)),
    ),
    events=(
        *(word for kind in range(COMMANDS + 1) for word in _event_words(kind)),
        EventWord("end", "{seat} wins by {amount}"),
        EventWord("end", "a draw"),
    ),
    lists={
        "places": tuple(f"{cell // COLS},{cell % COLS}" for cell in range(CELLS)),
        "reasons": REASONS,
    },
    legend=(
        ("+3", "tile of player1 with a score of 3"),
        ("-3", "tile of player2 with a score of 3"),
        ("?", "as last known, in an earlier turn"),
        ("fog", "not seen in this turn"),
        ("path", "changed by the last command"),
        ("goal", "to be colonised"),
        *((f"seat{seat}", f"just scouted by {name}") for seat, name in enumerate(SPEC.seats)),
    ),
)


@rule
def show(view, frame):
    """Draw what a seat sees: its tiles, the opponent's as last known, fog over all that it did not see in this turn."""
    me, other = int(view.me), 1 - int(view.me)
    known = show_known_tiles(view, frame)
    show_number(frame, TOTAL + me, int(view.total) * SIGN[me], 0)
    if view.end == RUNNING:
        show_number(frame, KNOWN + other, known * SIGN[other], 0)
    else:
        show_number(frame, TOTAL + other, int(view.opponent_total) * SIGN[other], 0)
    show_turn(view, frame)
    if view.last_mine == 1 and view.pending == NOWHERE:
        kind, cell, source, answer = view.told_kind, view.told_cell, view.told_source, view.told_answer
        about = NOBODY
        if answer == OK and kind <= COLONISE and kind != SCOUT:  # of the opponent's tiles it hears how many, not which
            about = mark_change(frame, cell, view.own[cell] != 0, about)
            if source >= 0:
                about = mark_change(frame, source, view.own[source] != 0, about)
        k = tell(frame, me, about, kind, cell, source, answer, view.told_value, view.told_reason)
        if answer == OK and kind == SCOUT:
            tell_window(frame, k, me, cell, view.told_window)
    if view.end != RUNNING:
        tell_end(frame, (int(view.total) - int(view.opponent_total)) * SIGN[me])


@rule
def show_all(s, frame):
    """Draw the whole position, as a spectator sees it."""
    for y in range(ROWS):
        for x in range(COLS):
            value = int(s.board[y * COLS + x])
            if value != 0:
                k = add_piece(frame, y * COLS + x, TILE, PLAYER1 if value > 0 else PLAYER2, x, y, 0)
                frame.piece_amount[k] = value
    for seat in range(SEATS):
        show_number(frame, TOTAL + seat, int(s.total[seat]) * SIGN[seat], 0)
    show_turn(s, frame)
    about = NOBODY
    for change in range(s.last_changes):
        cell = s.last_cell[change]
        about = mark_change(frame, cell, s.board[cell] != 0, about)
    seat = s.last_seat
    if seat >= 0 and s.pending == NOWHERE:
        kind, cell, source, answer = s.told_kind[seat], s.told_cell[seat], s.told_source[seat], s.told_answer[seat]
        k = tell(frame, seat, about, kind, cell, source, answer, s.told_value[seat], s.told_reason[seat])
        if answer == OK and kind == SCOUT:
            tell_window(frame, k, seat, cell, s.told_window[seat])
    if s.end != RUNNING:
        tell_end(frame, int(s.total[PLAYER1]) - int(s.total[PLAYER2]))


@rule
def show_known_tiles(view, frame):
    """Draw the tiles that a seat knows, and fog; return the sum of the opponent's."""
    me, turn, own, known, known_turn = int(view.me), int(view.turn), view.own, view.known, view.known_turn
    role, total = frame.role, 0
    for y in range(ROWS):
        for x in range(COLS):  # a pass of its own, without a jump
            cell = y * COLS + x
            role[0, y, x] = FOG if (own[cell] == 0) & (known_turn[cell] < turn) else 0
        for x in range(COLS):
            cell = y * COLS + x
            mine, theirs = int(own[cell]), int(known[cell])
            if mine > 0:
                k = add_piece(frame, cell, TILE, me, x, y, 0)
                frame.piece_amount[k] = mine * SIGN[me]
            elif theirs > 0:
                is_past = int(known_turn[cell]) < turn
                k = add_piece(frame, cell, REMEMBERED if is_past else TILE, 1 - me, x, y, 0)
                frame.piece_amount[k], frame.piece_past[k] = theirs * SIGN[1 - me], is_past
                show_bar(frame, k, 0, int(known_turn[cell]), turn)
                total += theirs
    return total


@rule
def show_turn(row, frame):
    """Show the turn, whose it is, and if whoever looks may know that, the moves left and the target of a colonise."""
    show_status(frame, TO_MOVE if row.moves > 0 else OTHERS_MOVE, row.seat if row.end == RUNNING else NOBODY, row.turn)
    show_number(frame, TURN, row.turn, row.opt_max_turns)
    frame.status_value[0], frame.status_value[1] = row.opt_max_turns, row.moves
    if row.moves > 0:
        show_number(frame, MOVES, row.moves, row.opt_moves)
    if row.pending >= 0:
        frame.status, frame.status_value[2] = TO_NAME_SOURCE, row.pending
        add_mark(frame, row.pending % COLS, row.pending // COLS, 0, GOAL)


@rule
def mark_change(frame, cell, is_standing, about):
    """Mark a tile that the last command changed; return the tile that its event is about: the first that still stands."""
    add_mark(frame, cell % COLS, cell // COLS, 0, PATH)
    return int(cell) if about == NOBODY and is_standing else about


@rule
def tell(frame, seat, about, kind, cell, source, answer, value, reason):
    """Tell a command with its answer; return the event's place in the frame."""
    k = add_event(frame, kind * ANSWERS + (UNPLACED if cell < 0 else answer), seat, about, value)
    frame.event_value[k, 0] = reason
    if cell >= 0:
        event_to(frame, k, cell % COLS, cell // COLS, 0)
    if source >= 0:
        event_from(frame, k, source % COLS, source // COLS, 0)
    return k


@rule
def tell_window(frame, k, seat, cell, window):
    """Tint what a scout saw, and tell how many tiles of the opponent these are, with their sum."""
    tiles, total = 0, 0
    for place in range(WINDOW):
        near = beside(cell, place % 3 - 1, place // 3 - 1)
        if near >= 0:
            add_mark(frame, near % COLS, near // COLS, 0, SEAT_ROLE + seat)
        if int(window[place]) * SIGN[seat] < 0:
            tiles += 1
            total += int(window[place])
    frame.event_value[k, 0], frame.event_amount[k] = tiles, total


@rule
def tell_end(frame, margin):
    """Tell who won and by how much; the margin is that of player 1."""
    frame.status = PLAYER1_WINS if margin > 0 else PLAYER2_WINS if margin < 0 else DRAW
    frame.status_value[0] = abs(margin)
    if margin == 0:
        add_event(frame, DRAWN, NOBODY, NOBODY, 0)
    else:
        add_event(frame, WON, PLAYER1 if margin > 0 else PLAYER2, NOBODY, abs(margin))
