# mypy: ignore-errors
"""Perfect play: a layout solved backwards from its captures.

The table [seat to move, runner, chaser1, chaser2] holds the moves to capture under best play: the runner wants many,
the chasers few. 0 is a capture, the highest number of the table's type means never. Cells count row by row. The turn
limit is not part of it: where a capture takes longer than the limit leaves, the runner escapes, and both sides play as
if there were no limit.

A set of positions is, for each seat, runner and chaser1, a board of chaser2's cells as bits, 4 rows a word at size 15.
So one look back over 34 million positions is a few bit operations on each of 600 thousand words.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.core import BadValue, draw, rule

from .rules import ACTIONS, CHASER1, CHASER2, DX, DY, RUNNER, SEATS, SIZE, STAY

LARGEST = 20  # the table has 3 × SIZE^6 bytes: 34 MB at size 15, 192 MB at 20
CELLS = SIZE * SIZE
LINES = 63 // SIZE  # rows of the board in one word of a set; the sign stays free
BITS = LINES * SIZE  # cells in one word
WORDS = -(-SIZE // LINES)
LEFT = sum(1 << line * SIZE for line in range(LINES))  # the first column, as a word
NOT_LEFT, NOT_RIGHT = ~LEFT, ~(LEFT << SIZE - 1)


def prepare(view: Any, tools: Any) -> Any:
    """Return the table of a game's layout, solved now or kept from before."""
    if SIZE > LARGEST:
        raise BadValue(f"perfect play is known for boards up to size {LARGEST}; at size {SIZE} its table is too large")
    wall = np.array(view.wall, np.int64)
    return tools.kept(wall.tobytes(), lambda: solve_layout(wall, tools.compiled))


def solve_layout(wall: Any, compiled: Callable[..., Any]) -> Any:
    """Solve the layout with these walls [SIZE], bits by row: one byte a position, two if a capture takes too long."""
    is_free = [int(wall[cell // SIZE]) >> cell % SIZE & 1 == 0 for cell in range(CELLS)]
    ways = ways_of(is_free)
    free = as_words(is_free)
    stuck = as_words([is_free[cell] and ways[cell, 0] == cell for cell in range(CELLS)])
    for kind in (np.uint8, np.uint16):
        never = np.iinfo(kind).max
        sets = np.zeros((2, SEATS, CELLS, CELLS, WORDS), np.int64)
        table = np.full((SEATS, CELLS, CELLS, CELLS), never, kind)
        if compiled(fill_table)(free, ways, stuck, sets, table, int(never)):
            break
    return table


def ways_of(is_free: list[bool]) -> Any:
    """Return where a step from each cell leads [CELLS, 4]: ways repeated to make 4, the cell itself if it has none."""
    ways = np.zeros((CELLS, STAY), np.int32)
    for cell in range(CELLS):
        y, x = divmod(cell, SIZE)
        steps = [(y + DY[action], x + DX[action]) for action in range(STAY)]
        found = [b * SIZE + a for b, a in steps if 0 <= b < SIZE and 0 <= a < SIZE and is_free[b * SIZE + a]]
        ways[cell] = np.resize(found or [cell], STAY)
    return ways


def as_words(cells: list[bool]) -> Any:
    """Return a board [CELLS] as the words of a set [WORDS]."""
    parts = [cells[first : first + BITS] for first in range(0, CELLS, BITS)]
    return np.array([sum(1 << bit for bit, is_in in enumerate(part) if is_in) for part in parts], np.int64)


def best_moves(s: Any, mask: Any, table: Any) -> list[int]:
    """List every best action of the seat to move, in a position or a view."""
    best = best_value(s, mask, table)
    return [action for action in range(ACTIONS) if mask[action] and value_after(s, action, table) == best]


@rule
def perfect(view, mask, rng, tables):
    """Play a best move; draw among equals."""
    best, chosen, equals = best_value(view, mask, tables), -1, 0
    for action in range(ACTIONS):
        if mask[action] and value_after(view, action, tables) == best:
            equals += 1
            if draw(rng, equals) == 0:
                chosen = action
    return chosen


@rule
def best_value(s, mask, table):
    """Return the value after the best move: the most moves for the runner, the fewest for a chaser."""
    best = -1
    for action in range(ACTIONS):
        if mask[action]:
            value = value_after(s, action, table)
            if best < 0 or (value > best if s.seat == RUNNER else value < best):
                best = value
    return best


@rule
def value_after(s, action, table):
    """Return the moves to capture once the seat to move has played this."""
    runner, chaser1 = cell_after(s, RUNNER, action), cell_after(s, CHASER1, action)
    return int(table[(s.seat + 1) % SEATS, runner, chaser1, cell_after(s, CHASER2, action)])


@rule
def cell_after(s, seat, action):
    """Return the cell of a seat once the seat to move has played this."""
    cell = int(s.y[seat]) * SIZE + int(s.x[seat])
    if seat == s.seat:
        cell += DY[action] * SIZE + DX[action]
    return cell


@rule
def fill_table(free, ways, stuck, sets, table, never):
    """Write every position's value, by one look back a move; say whether the table's type could hold them all."""
    mark_captures(free, sets[0], table)
    for moves in range(1, never):
        before, now = sets[(moves - 1) % 2], sets[moves % 2]
        added = 0
        for runner in range(CELLS):
            for chaser1 in range(CELLS):
                if has(free, runner) and has(free, chaser1):
                    added += look_back(before, now, ways, free, stuck, table, runner, chaser1, moves)
        if added == 0:
            return True
    return False


@rule
def has(board, cell):
    """Say whether a board has this cell."""
    return int(board[cell // BITS]) >> cell % BITS & 1 == 1


@rule
def mark_captures(free, caught, table):
    """Write value 0 where a chaser stands on the runner, whoever is to move."""
    for seat in range(SEATS):
        for runner in range(CELLS):
            for cell in range(CELLS):
                if has(free, runner) and has(free, cell):
                    table[seat, runner, runner, cell] = table[seat, runner, cell, runner] = 0
                    caught[seat, runner, runner, cell // BITS] |= 1 << cell % BITS
                    caught[seat, runner, cell, runner // BITS] |= 1 << runner % BITS


@rule
def look_back(before, now, ways, free, stuck, table, runner, chaser1, moves):
    """Add the positions lost in `moves` moves, for one runner and chaser1; return in how many words any are new."""
    lost_by_runner(before[CHASER1], ways[runner], chaser1, now[RUNNER, runner, chaser1])
    lost_by_chaser1(before[CHASER2, runner], ways[chaser1], now[CHASER1, runner, chaser1])
    lost_by_chaser2(before[RUNNER, runner, chaser1], free, stuck, now[CHASER2, runner, chaser1])
    added = 0
    for seat in range(SEATS):
        added += add(before[seat, runner, chaser1], now[seat, runner, chaser1], table[seat, runner, chaser1], moves)
    return added


@rule
def lost_by_runner(lost, ways, chaser1, found):
    """The runner is lost where every step leads to a lost position."""
    one, two = lost[ways[0], chaser1], lost[ways[1], chaser1]
    three, four = lost[ways[2], chaser1], lost[ways[3], chaser1]
    for w in range(WORDS):
        found[w] = one[w] & two[w] & three[w] & four[w]


@rule
def lost_by_chaser1(lost, ways, found):
    """A chaser needs one step that leads to a lost position."""
    one, two, three, four = lost[ways[0]], lost[ways[1]], lost[ways[2]], lost[ways[3]]
    for w in range(WORDS):
        found[w] = one[w] | two[w] | three[w] | four[w]


@rule
def lost_by_chaser2(lost, free, stuck, found):
    """The same for chaser2, whose cells are the bits: shift them a step each way; who is stuck stays."""
    above = 0
    for w in range(WORDS):
        here, below = int(lost[w]), int(lost[w + 1]) if w + 1 < WORDS else 0
        sideways = (here << 1 & NOT_LEFT) | (here >> 1 & NOT_RIGHT)
        upright = here << SIZE | here >> SIZE | above >> BITS - SIZE | below << BITS - SIZE
        found[w] = ((sideways | upright) & int(free[w])) | (here & int(stuck[w]))
        above = here


@rule
def add(known, lost, values, moves):
    """Join the positions known before, and write the values of the new ones."""
    added = 0
    for w in range(WORDS):
        new = int(lost[w]) & ~int(known[w])
        lost[w] |= known[w]
        added += new != 0
        cell = w * BITS
        while new != 0:
            if new & 15 == 0:  # skip four at a time
                new >>= 4
                cell += 4
            else:
                if new & 1:
                    values[cell] = moves
                new >>= 1
                cell += 1
    return added
