"""Plantation as a few hundred numbers: the turn, the last answer, sums, and the field cell by cell, home at the left."""

from ludus.core import rule

from .rules import BOMB, CELLS, COLS, ERROR, LEAST_SOURCE, NOWHERE, OCCUPIED, PLAYER1, ROWS, RUNNING, SIGN, SPRAY

COMMAND_NAMES = ("fertilise", "plant", "scout", "colonise", "spray", "bomb")
PLACES = tuple((x, y) for y in range(ROWS) for x in range(COLS))

FEATURES = (
    "time used",
    "moves left",
    "a colonise waits for its source",
    "column of its target",
    "row of its target",
    "sum of my scores",
    "my tiles",
    "my tiles that may colonise",
    "known sum of its scores",
    "known tiles of its",
    "column of my foremost tile",
    "column of its foremost known tile",
    "the last decision was mine",
    "the answer was an error",
    "the answer was occupied",
    "what spray or bomb did",
    *(f"my last command was {name}" for name in COMMAND_NAMES),
    *(f"my score at {x},{y}" for x, y in PLACES),
    *(f"its known score at {x},{y}" for x, y in PLACES),
)

TOLD, LAST = 12, 16
OWN = LAST + len(COMMAND_NAMES)
KNOWN = OWN + CELLS
MOST_SCORE, MOST_IN_ALL = 16, 512  # what counts as 1
SCORE = 1 / MOST_SCORE
ACROSS = 1 / max(1, COLS - 1)
DOWN = 1 / max(1, ROWS - 1)


@rule
def features(view, out):
    """Write the numbers."""
    tell_turn(out, view.turn, view.opt_max_turns, view.moves, view.opt_moves)
    tell_target(out, view.me, view.pending)
    tell_answer(out, view.last_mine, view.told_kind, view.told_answer, view.told_value)
    tell_field(out, view.me, view.own, 1, view.known)


@rule
def glance(s, seat, out):
    """Write the same straight from a position."""
    is_mine = s.seat == seat and s.end == RUNNING
    tell_turn(out, s.turn, s.opt_max_turns, s.moves if is_mine else 0, s.opt_moves)
    tell_target(out, seat, s.pending if is_mine else NOWHERE)
    tell_answer(out, int(s.last_seat == seat), s.told_kind[seat], s.told_answer[seat], s.told_value[seat])
    tell_field(out, seat, s.board, int(SIGN[seat]), s.known[seat])


@rule
def tell_turn(out, turn, max_turns, moves, most):
    """Write how far the game and the turn are."""
    out[0] = turn / max_turns
    out[1] = moves / most


@rule
def tell_target(out, seat, pending):
    """Write where a colonise that waits for its source leads."""
    if pending >= 0:
        x = pending % COLS
        out[2] = 1
        out[3] = (x if seat == PLAYER1 else COLS - 1 - x) * ACROSS
        out[4] = pending // COLS * DOWN


@rule
def tell_answer(out, is_last, kind, answer, value):
    """Write what came of the last command."""
    out[TOLD] = is_last
    out[TOLD + 1] = answer == ERROR
    out[TOLD + 2] = answer == OCCUPIED
    if SPRAY <= kind <= BOMB:
        out[TOLD + 3] = min(int(value), 9) / 9
    if 0 <= kind <= BOMB:
        out[LAST + kind] = 1


@rule
def tell_field(out, seat, board, sign, known):
    """Write the field from the looking seat's home on, and its sums; its own scores are those above 0, times the sign."""
    if seat == PLAYER1:
        tell_cells(out, 0, 1, board, sign, known)
    else:
        tell_cells(out, COLS - 1, -1, board, sign, known)


@rule
def tell_cells(out, first, step, board, sign, known):
    """Write every row from its first column on."""
    total, tiles, sources, known_total, known_tiles, front, back = 0, 0, 0, 0, 0, 0, COLS - 1
    for y in range(ROWS):
        cell = y * COLS + first
        for x in range(COLS):
            mine, other = int(board[cell]) * sign, int(known[cell])
            if mine > 0:
                out[OWN + y * COLS + x] = min(mine, MOST_SCORE) * SCORE
                total, tiles, sources = total + mine, tiles + 1, sources + int(mine >= LEAST_SOURCE)
                front = max(front, x)
            elif other > 0:
                out[KNOWN + y * COLS + x] = min(other, MOST_SCORE) * SCORE
                known_total, known_tiles, back = known_total + other, known_tiles + 1, min(back, x)
            cell += step
    out[5] = min(total, MOST_IN_ALL) / MOST_IN_ALL
    out[6] = tiles / CELLS
    out[7] = sources / CELLS
    out[8] = min(known_total, MOST_IN_ALL) / MOST_IN_ALL
    out[9] = known_tiles / CELLS
    out[10] = front * ACROSS
    out[11] = back * ACROSS
