"""Plantation as a few hundred numbers: the turn, the last answer, sums, and the field cell by cell, home at the left."""

from ludus.core import rule

from .rules import BOMB, CELLS, COLS, ERROR, LEAST_SOURCE, OCCUPIED, PLAYER1, ROWS, SPRAY

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
    out[0] = view.turn / view.opt_max_turns
    out[1] = view.moves / view.opt_moves
    if view.pending >= 0:
        x = view.pending % COLS
        out[2] = 1
        out[3] = (x if view.me == PLAYER1 else COLS - 1 - x) * ACROSS
        out[4] = view.pending // COLS * DOWN
    tell_answer(view, out)
    if view.me == PLAYER1:
        tell_field(view, out, 0, 1)
    else:
        tell_field(view, out, COLS - 1, -1)


@rule
def tell_answer(view, out):
    """Write what came of the last command."""
    out[TOLD] = view.last_mine
    out[TOLD + 1] = view.told_answer == ERROR
    out[TOLD + 2] = view.told_answer == OCCUPIED
    if SPRAY <= view.told_kind <= BOMB:
        out[TOLD + 3] = min(int(view.told_value), 9) / 9
    if 0 <= view.told_kind <= BOMB:
        out[LAST + view.told_kind] = 1


@rule
def tell_field(view, out, first, step):
    """Write the field from the looking seat's home on, and its sums."""
    own, known = view.own, view.known
    total, tiles, sources, known_total, known_tiles, front, back = 0, 0, 0, 0, 0, 0, COLS - 1
    for y in range(ROWS):
        cell = y * COLS + first
        for x in range(COLS):
            mine, other = int(own[cell]), int(known[cell])
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
