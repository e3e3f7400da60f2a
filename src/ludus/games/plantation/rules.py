"""Plantation: two growers on one field; each sees its own tiles and the answers to its commands.

The truth is README.md beside this file; D-numbers are its decisions. A decision is one command; colonise takes two, the
target and then the source. A command that fails is played, too: it is answered with an error and costs its moves (D2).
"""

import numpy as np

from ludus.core import Contest, Option, Spec, draw, rule, structural

ROWS = structural("rows", 11, low=1, high=32, about="rows of the field")
COLS = structural("cols", 11, low=2, high=32, about="columns of the field")

CELLS = ROWS * COLS  # a cell is y * COLS + x
SHAPE = (ROWS, COLS)
SEATS, PLAYER1, PLAYER2 = 2, 0, 1
SIGN = (1, -1)  # by seat: what its tiles count on the board
FERTILISE, PLANT, SCOUT, COLONISE, SPRAY, BOMB, SOURCE = range(7)  # action = kind * CELLS + cell
COMMANDS, NO_COMMAND = 6, 6  # how many commands there are; the kind of whatever is none (D4)
FAULT = 7 * CELLS  # + kind: that command with unusable coordinates (D5); + NO_COMMAND: no command at all
ACTIONS = FAULT + COMMANDS + 1
NOTHING_YET, OK, OCCUPIED, ERROR = range(4)  # answers
FINE, UNKNOWN, COORDINATES, TOO_DEAR, NOT_YOURS, YOURS, NOT_ADJACENT, WEAK_SOURCE = range(8)  # why an error
RUNNING, OVER = 0, 1
NOWHERE = -1
LEAST_SOURCE = 2  # score from which a tile may colonise
WINDOW = 9  # cells that a scout sees
CROSS = 5  # cells that a spray reaches
CROSS_X, CROSS_Y = (0, 0, 0, -1, 1), (0, -1, 1, 0, 0)
HIGHEST_PLANE = 255
HIGHEST_SUM = 32_000  # of a player's scores, ever: tiles have 16 bits
HIGHEST_HIT = 9  # the most that one command takes off a tile, whatever the options
NOT_LEFT = np.array([cell % COLS > 0 for cell in range(CELLS)], np.int8)  # 0 in the first column
NOT_RIGHT = np.array([cell % COLS < COLS - 1 for cell in range(CELLS)], np.int8)  # 0 in the last column

# Every action as it looks with left and right changed.
TURN = np.array([a if a >= FAULT else a // COLS * COLS + COLS - 1 - a % COLS for a in range(ACTIONS)], np.int32)

SPEC = Spec(
    title="Plantation",
    version=1,
    seats=("player1", "player2"),
    actions=ACTIONS,
    planes=(6, ROWS, COLS),
    plane_type="u1",
    plane_high=HIGHEST_PLANE,
    options=(
        Option("starting_tiles", min(3, ROWS), 1, ROWS, "tiles of each player at set-up"),
        Option("max_turns", 100, 1, 3000, "turns that each player gets"),
        Option("moves", 3, 1, 9, "moves in a turn"),
        Option("bomb_damage", 4, 1, 9, "the most that a bomb takes off a tile"),
        Option("cost_fertilise", 1, 1, 9, "moves that a fertilise costs"),
        Option("cost_plant", 1, 1, 9, "moves that a plant costs"),
        Option("cost_scout", 1, 1, 9, "moves that a scout costs"),
        Option("cost_colonise", 2, 1, 9, "moves that a colonise costs"),
        Option("cost_spray", 2, 1, 9, "moves that a spray costs"),
        Option("cost_bomb", 2, 1, 9, "moves that a bomb costs"),
    ),
    refuses=False,
    contest=Contest(on_fault="forfeit", forfeit_points=100, clock="1+0.1"),  # D27, D28
    own_ids=(tuple(range(ACTIONS)), tuple(TURN.tolist())),  # both seats see their own home at the left
)

OPTIONS = [(f"opt_{option.name}", "i4") for option in SPEC.options]

State = np.dtype(
    [
        *OPTIONS,
        ("turn", "i4"),  # 1..max_turns, the same number for both players' turns
        ("seat", "i4"),  # who decides; stays at the last one when over
        ("moves", "i4"),  # left to that seat in this turn; 0 when over
        ("pending", "i4"),  # target cell of a colonise that waits for its source, or NOWHERE
        ("end", "i4"),  # RUNNING or OVER
        ("total", "i4", SEATS),  # sum of scores by seat, never negative
        ("last_seat", "i4"),  # who decided last; -1 at the start
        ("last_action", "i4"),  # what it decided; -1 at the start
        ("last_reward", "i4", SEATS),  # by seat; not 0 on the last decision only
        ("last_changes", "i4"),  # tiles that it changed
        ("last_cell", "i4", CROSS),  # which, [change]
        ("last_amount", "i4", CROSS),  # by how much on the board, with its sign, [change]
        ("told_kind", "i4", SEATS),  # the last command of each seat: FERTILISE..BOMB, NO_COMMAND; -1 before the first
        ("told_cell", "i4", SEATS),  # its target, or NOWHERE
        ("told_source", "i4", SEATS),  # its source, or NOWHERE
        ("told_turn", "i4", SEATS),  # when
        ("told_answer", "i4", SEATS),  # NOTHING_YET, OK, OCCUPIED, ERROR
        ("told_value", "i4", SEATS),  # the number of the answer: the tile in the way, or what spray and bomb did
        ("told_reason", "i4", SEATS),  # why an ERROR; FINE otherwise
        ("told_window", "i2", (SEATS, WINDOW)),  # the answer of a scout, rows from the top; 0 off the board
        ("board", "i2", CELLS),  # [cell]; above 0 player 1's score, below 0 player 2's, 0 empty
        ("known", "i2", (SEATS, CELLS)),  # the opponent's score as the seat last learned it, never negative
        ("known_turn", "i2", (SEATS, CELLS)),  # when it learned that; 0 = never
    ],
    align=True,
)

View = np.dtype(
    [
        *OPTIONS,
        ("me", "i4"),  # the seat that looks
        ("turn", "i4"),
        ("seat", "i4"),
        ("moves", "i4"),  # left to me; 0 when it is not my turn
        ("pending", "i4"),  # target cell of my colonise that waits for its source, or NOWHERE
        ("end", "i4"),
        ("total", "i4"),  # sum of my scores
        ("opponent_total", "i4"),  # told at the end; 0 before
        ("last_mine", "i4"),  # 1 if the last decision was mine, so that what came of it is news
        ("told_kind", "i4"),  # my last command and its answer, as in State
        ("told_cell", "i4"),
        ("told_source", "i4"),
        ("told_turn", "i4"),
        ("told_answer", "i4"),
        ("told_value", "i4"),
        ("told_reason", "i4"),
        ("told_window", "i2", WINDOW),
        ("own", "i2", CELLS),  # my score by cell, never negative
        ("known", "i2", CELLS),  # the opponent's score by cell as I last learned it
        ("known_turn", "i2", CELLS),  # when; 0 = never
    ],
    align=True,
)


@rule
def new(s, rng):
    """Clear the field, then give each player its starting tiles, one in each of some rows of its home column."""
    s.turn, s.seat, s.moves, s.pending, s.end = 1, PLAYER1, s.opt_moves, NOWHERE, RUNNING
    s.board[:] = 0
    forget_everything(s)
    for seat in range(SEATS):
        for placed in range(s.opt_starting_tiles):
            plant_in_free_row(s, seat, draw(rng, ROWS - placed))
    clear_last(s)


@rule
def legal(s, mask):
    """Mark every command that does not err: that depends on the mover's own tiles alone (D1); return how many."""
    if s.end != RUNNING:
        return 0
    count = mark_sources(s, mask) if s.pending >= 0 else mark_commands(s, mask)
    if count == 0:  # nothing but errors is left, the one of a begun colonise or any
        mask[FAULT + (COLONISE if s.pending >= 0 else NO_COMMAND)] = 1
        count = 1
    return count


@rule
def apply(s, action, rng):
    """Carry out one command: hear it, answer it, remember the answer, pay. A colonise first waits for its source."""
    clear_last(s)
    s.last_seat, s.last_action = s.seat, action
    if s.pending < 0 and action // CELLS == COLONISE:
        s.pending = action % CELLS
        return
    hear(s, action)
    carry_out(s)
    learn(s)
    pay(s)


@rule
def observe(s, seat, view):
    """Show a seat its own tiles, the last answer it got, and what it knows of its opponent's."""
    copy_options(s, view)
    mine, other = s.seat == seat and s.end == RUNNING, 1 - seat
    view.me, view.turn, view.seat, view.end = seat, s.turn, s.seat, s.end
    view.moves = s.moves if mine else 0
    view.pending = s.pending if mine else NOWHERE
    view.total = s.total[seat]
    view.opponent_total = s.total[other] if s.end != RUNNING else 0
    view.last_mine = 1 if s.last_seat == seat else 0
    view.told_kind, view.told_cell, view.told_source = s.told_kind[seat], s.told_cell[seat], s.told_source[seat]
    view.told_turn, view.told_answer = s.told_turn[seat], s.told_answer[seat]
    view.told_value, view.told_reason = s.told_value[seat], s.told_reason[seat]
    for k in range(WINDOW):
        view.told_window[k] = s.told_window[seat, k]
    board, own, known, known_turn, sign = s.board, view.own, view.known, view.known_turn, SIGN[seat]
    known_here, turn_here = s.known[seat], s.known_turn[seat]
    for cell in range(CELLS):
        own[cell] = max(int(board[cell]) * sign, 0)
        known[cell] = known_here[cell]
        known_turn[cell] = turn_here[cell]


@rule
def encode(view, planes):
    """Fill planes, home at the left: own, known, its freshness, colonise target, moves left and time used as bars."""
    own, known, known_turn, turn = view.own, view.known, view.known_turn, view.turn
    for y in range(ROWS):
        own_plane, known_plane, fresh_plane = planes[0, y], planes[1, y], planes[2, y]
        for x in range(COLS):
            cell = y * COLS + (x if view.me == PLAYER1 else COLS - 1 - x)
            own_plane[x] = min(int(own[cell]), HIGHEST_PLANE)
            known_plane[x] = min(int(known[cell]), HIGHEST_PLANE)
            if known_turn[cell] > 0:
                fresh_plane[x] = max(HIGHEST_PLANE - turn + int(known_turn[cell]), 1)
    if view.pending >= 0:
        y, x = view.pending // COLS, view.pending % COLS
        planes[3, y, x if view.me == PLAYER1 else COLS - 1 - x] = 1
    for k in range(min(int(view.moves), CELLS)):
        planes[4, k // COLS, k % COLS] = 1
    for k in range((view.turn - 1) * COLS // view.opt_max_turns):
        planes[5, 0, k] = 1


@rule
def result(s, outcome, points):
    """Write who won (nobody while running, nor with equal sums) and each player's sum of scores."""
    margin = s.total[PLAYER1] - s.total[PLAYER2]
    for seat in range(SEATS):
        points[seat] = s.total[seat]
        outcome[seat] = 0
        if s.end != RUNNING and margin != 0:
            outcome[seat] = 1 if margin * SIGN[seat] > 0 else -1
    return 1 if s.end != RUNNING else 0


@rule
def sample(view, s, rng):
    """Write a position that this view could come from: what is known stands, the rest of the opponent's is grown."""
    copy_options(view, s)
    forget_everything(s)
    clear_last(s)
    me, other = view.me, 1 - view.me
    s.turn, s.seat, s.pending, s.end = view.turn, view.seat, view.pending, view.end
    s.moves = view.moves
    if view.end == RUNNING and view.seat != me:
        s.moves = s.opt_moves if view.last_mine else 1 + draw(rng, s.opt_moves)
    if view.last_mine:
        s.last_seat, s.last_action = me, last_decision(view)
    s.told_kind[me], s.told_cell[me], s.told_source[me] = view.told_kind, view.told_cell, view.told_source
    s.told_turn[me], s.told_answer[me] = view.told_turn, view.told_answer
    s.told_value[me], s.told_reason[me] = view.told_value, view.told_reason
    for k in range(WINDOW):
        s.told_window[me, k] = view.told_window[k]
    for cell in range(CELLS):
        s.known[me, cell], s.known_turn[me, cell] = view.known[cell], view.known_turn[cell]
        s.board[cell] = int(view.own[cell]) * SIGN[me]
        if view.own[cell] == 0:
            s.board[cell] = int(view.known[cell]) * SIGN[other]
    count_totals(s)
    grow_opponent(s, me, view.opponent_total, rng)
    if view.end != RUNNING:
        reward_winner(s)


@rule
def default(s):
    """Decide for a seat that does not: look at the corner, which changes nothing; a begun colonise takes the first source."""
    if s.pending >= 0:
        source = first_tile(s, s.seat, LEAST_SOURCE)
        can_work = source >= 0 and s.moves >= s.opt_cost_colonise and score(s, s.seat, s.pending) <= 0
        return SOURCE * CELLS + source if can_work else FAULT + COLONISE
    return SCOUT * CELLS if s.moves >= s.opt_cost_scout else FAULT + NO_COMMAND


@rule
def sound(s):
    """Say whether a position can be played on: counters, tiles, memories and what just happened are what play could leave."""
    if not (1 <= s.turn <= s.opt_max_turns and RUNNING <= s.end <= OVER and NOWHERE <= s.pending < CELLS):
        return False
    if s.end == RUNNING and not 1 <= s.moves <= s.opt_moves:
        return False
    if s.end == OVER and (s.moves != 0 or s.pending != NOWHERE):
        return False
    for seat in range(SEATS):
        if not (sound_tiles(s, seat) and sound_answer(s, seat)):
            return False
    return sound_last(s)


@rule
def twin(s, other):
    """Write the same position with the players exchanged, left and right too."""
    copy_options(s, other)
    other.turn, other.seat, other.moves, other.end = s.turn, 1 - s.seat, s.moves, s.end
    other.pending = mirrored(s.pending)
    other.last_seat = 1 - s.last_seat if s.last_seat >= 0 else -1
    other.last_action = TURN[s.last_action] if s.last_action >= 0 else -1
    other.last_changes = s.last_changes
    for k in range(CROSS):
        other.last_cell[k], other.last_amount[k] = mirrored(s.last_cell[k]), -s.last_amount[k]
    for seat in range(SEATS):
        exchange(s, seat, other, 1 - seat)
    for cell in range(CELLS):
        other.board[mirrored(cell)] = -int(s.board[cell])


@rule
def exchange(s, seat, other, seat_there):
    """Copy what one seat has, was told and knows to the other seat of a twin."""
    other.total[seat_there], other.last_reward[seat_there] = s.total[seat], s.last_reward[seat]
    other.told_kind[seat_there], other.told_turn[seat_there] = s.told_kind[seat], s.told_turn[seat]
    other.told_cell[seat_there] = mirrored(s.told_cell[seat])
    other.told_source[seat_there] = mirrored(s.told_source[seat])
    other.told_answer[seat_there], other.told_reason[seat_there] = s.told_answer[seat], s.told_reason[seat]
    is_tile = s.told_answer[seat] == OCCUPIED
    other.told_value[seat_there] = -s.told_value[seat] if is_tile else s.told_value[seat]
    for k in range(WINDOW):
        other.told_window[seat_there, k // 3 * 3 + 2 - k % 3] = -int(s.told_window[seat, k])
    for cell in range(CELLS):
        other.known[seat_there, mirrored(cell)] = s.known[seat, cell]
        other.known_turn[seat_there, mirrored(cell)] = s.known_turn[seat, cell]


@rule
def sound_tiles(s, owner):
    """Say whether a player's sum is that of its tiles, what is known of them could be, and neither can outgrow 16 bits."""
    board, known, known_turn, sign, turn = s.board, s.known[1 - owner], s.known_turn[1 - owner], SIGN[owner], s.turn
    total, most = 0, 0
    for cell in range(CELLS):
        value, remembered, when = int(board[cell]) * sign, int(known[cell]), int(known_turn[cell])
        if remembered < 0 or when < 0 or when > turn:
            return False
        if remembered > 0 and (when == 0 or value < 0):  # never learned, or the tile of whoever remembers
            return False
        total += max(value, 0)
        most += max(value, remembered)  # a tile known to have moved on may turn up a second time in `known`
    return total == s.total[owner] and most + moves_to_come(s, owner) <= HIGHEST_SUM


@rule
def moves_to_come(s, seat):
    """Return how many moves a seat still has in this game: no tile can grow by more."""
    if s.end != RUNNING:
        return 0
    turns = s.opt_max_turns - s.turn
    if s.seat == seat:
        return turns * s.opt_moves + s.moves
    return (turns + 1 if seat == PLAYER2 else turns) * s.opt_moves


@rule
def sound_answer(s, seat):
    """Say whether the last answer that a seat got is one that its command can have."""
    kind, cell, source, answer = s.told_kind[seat], s.told_cell[seat], s.told_source[seat], s.told_answer[seat]
    turn, value, reason = s.told_turn[seat], s.told_value[seat], s.told_reason[seat]
    for k in range(WINDOW):
        if s.told_window[seat, k] != 0:
            if answer != OK or kind != SCOUT or not 0 <= cell < CELLS or beside(cell, k % 3 - 1, k // 3 - 1) < 0:
                return False
            if not -HIGHEST_SUM <= s.told_window[seat, k] <= HIGHEST_SUM:  # the smallest number has no absolute value
                return False
    if answer == NOTHING_YET:
        return kind == -1 and cell == NOWHERE and source == NOWHERE and turn == 0 and value == 0 and reason == FINE
    if not (OK <= answer <= ERROR and FERTILISE <= kind <= NO_COMMAND and 1 <= turn <= s.turn):
        return False
    if not (NOWHERE <= cell < CELLS and NOWHERE <= source < CELLS):
        return False
    if (kind == NO_COMMAND and cell >= 0) or (source >= 0 and (kind != COLONISE or cell < 0)):
        return False
    if answer == ERROR:
        return FINE < reason <= WEAK_SOURCE and value == 0
    if reason != FINE or cell < 0 or (kind == COLONISE and source < 0):
        return False
    if answer == OCCUPIED:
        return PLANT <= kind <= COLONISE and kind != SCOUT and -HIGHEST_SUM <= value <= HIGHEST_SUM
    return 0 <= value <= HIGHEST_HIT if SPRAY <= kind <= BOMB else value == 0


@rule
def sound_last(s):
    """Say whether the last decision, the changes that it made and the rewards that it gave could be."""
    if not (-1 <= s.last_seat < SEATS and -1 <= s.last_action < ACTIONS and 0 <= s.last_changes <= CROSS):
        return False
    if (s.last_seat < 0) != (s.last_action < 0) or (s.last_seat < 0 and s.last_changes > 0):
        return False
    if s.last_seat >= 0 and (s.last_seat != s.seat if s.pending >= 0 else s.told_answer[s.last_seat] == NOTHING_YET):
        return False
    for k in range(CROSS):
        cell, amount = s.last_cell[k], s.last_amount[k]
        if k < s.last_changes:
            if not (0 <= cell < CELLS and -HIGHEST_HIT <= amount <= HIGHEST_HIT):
                return False
        elif cell != NOWHERE or amount != 0:
            return False
    margin = s.total[PLAYER1] - s.total[PLAYER2] if s.end == OVER else 0
    due = 1 if margin > 0 else -1 if margin < 0 else 0
    return s.last_reward[PLAYER1] == due and s.last_reward[PLAYER2] == -due


@rule
def last_decision(view):
    """Return the decision that a seat took last, as its view tells it."""
    if view.pending >= 0:
        return COLONISE * CELLS + view.pending
    if view.told_source >= 0:
        return SOURCE * CELLS + view.told_source
    if view.told_cell < 0 or view.told_kind == COLONISE:
        return FAULT + view.told_kind
    return view.told_kind * CELLS + view.told_cell


@rule
def mirrored(cell):
    """Return the cell with left and right changed; NOWHERE stays."""
    return cell // COLS * COLS + COLS - 1 - cell % COLS if cell >= 0 else NOWHERE


@rule
def mark_commands(s, mask):
    """Mark the commands that the moves left can pay for and the own tiles allow; plain loops a kind are fastest."""
    moves, count = s.moves, 0
    own, strong = count_tiles(s)
    mark_tiles(s, mask, FERTILISE, 1)
    if moves >= s.opt_cost_plant:
        count += mark_plant(mask)
    if moves >= s.opt_cost_fertilise:
        count += own
    else:
        mark_all(mask, FERTILISE, 0)
    if moves >= s.opt_cost_scout:
        count += mark_all(mask, SCOUT, 1)
    if moves >= s.opt_cost_colonise and strong > 0:
        count += CELLS - own
        mark_tiles(s, mask, COLONISE, 0)
    if moves >= s.opt_cost_spray:
        count += mark_all(mask, SPRAY, 1)
    if moves >= s.opt_cost_bomb:
        count += CELLS - own
        mark_tiles(s, mask, BOMB, 0)
    return count


@rule
def count_tiles(s):
    """Return how many tiles the mover has, and how many of them may colonise."""
    board, own, strong, sign = s.board, 0, 0, SIGN[s.seat]
    for cell in range(CELLS):
        value = int(board[cell]) * sign
        own += value > 0
        strong += value >= LEAST_SOURCE
    return own, strong


@rule
def mark_all(mask, kind, mark):
    """Mark a command on every cell, or on none; return how many cells there are."""
    part = mask[kind * CELLS : (kind + 1) * CELLS]
    for cell in range(CELLS):
        part[cell] = mark
    return CELLS


@rule
def mark_tiles(s, mask, kind, own):
    """Mark a command on the mover's own tiles (1) or on all others (0)."""
    part, board = mask[kind * CELLS : (kind + 1) * CELLS], s.board
    if s.seat == PLAYER1:
        for cell in range(CELLS):
            part[cell] = (board[cell] > 0) == own
    else:
        for cell in range(CELLS):
            part[cell] = (board[cell] < 0) == own


@rule
def mark_plant(mask):
    """Mark the cells beside own tiles that are not own, the marks of fertilise being a map of them; return how many."""
    own, part, count = mask[:CELLS], mask[PLANT * CELLS : (PLANT + 1) * CELLS], 0
    for cell in range(COLS, CELLS):
        part[cell] = own[cell - COLS]
    for cell in range(CELLS - COLS):
        part[cell] |= own[cell + COLS]
    for cell in range(1, CELLS):
        part[cell] |= own[cell - 1] & NOT_LEFT[cell]
    for cell in range(CELLS - 1):
        part[cell] |= own[cell + 1] & NOT_RIGHT[cell]
    for cell in range(CELLS):
        part[cell] &= 1 - own[cell]
        count += int(part[cell])
    return count


@rule
def mark_sources(s, mask):
    """Mark the tiles that the begun colonise may take from; none if it is bound to err."""
    count = 0
    if s.moves < s.opt_cost_colonise or score(s, s.seat, s.pending) > 0:
        return 0
    for cell in range(CELLS):
        if score(s, s.seat, cell) >= LEAST_SOURCE:
            mask[SOURCE * CELLS + cell] = 1
            count += 1
    return count


@rule
def hear(s, action):
    """Note the command that an action stands for; what fits nowhere is no command, or a colonise without a source."""
    seat, kind, cell, source = s.seat, action // CELLS, action % CELLS, NOWHERE
    if s.pending >= 0:
        source = cell if kind == SOURCE else NOWHERE
        kind, cell = COLONISE, s.pending
    elif action >= FAULT:
        kind, cell = action - FAULT, NOWHERE
    elif kind == SOURCE:
        kind, cell = NO_COMMAND, NOWHERE
    s.pending = NOWHERE
    s.told_kind[seat], s.told_cell[seat], s.told_source[seat], s.told_turn[seat] = kind, cell, source, s.turn
    s.told_value[seat] = 0
    for k in range(WINDOW):
        s.told_window[seat, k] = 0


@rule
def carry_out(s):
    """Answer the mover's command: with an error, or with its effect."""
    seat = s.seat
    kind, cell = s.told_kind[seat], s.told_cell[seat]
    s.told_reason[seat] = why_error(s, seat, kind, cell, s.told_source[seat])
    s.told_answer[seat] = ERROR if s.told_reason[seat] != FINE else OK
    if s.told_reason[seat] != FINE:
        return
    if kind == FERTILISE:
        change(s, cell, seat, 1)
    elif kind == SCOUT:
        scout(s, cell)
    elif kind == SPRAY:
        spray(s, cell)
    elif kind == BOMB:
        bomb(s, cell)
    else:  # plant or colonise
        settle(s, cell, s.told_source[seat])


@rule
def why_error(s, seat, kind, cell, source):
    """Say why a command errs, or FINE; this depends on the mover's own tiles alone (D1, D10)."""
    if kind == NO_COMMAND:
        return UNKNOWN
    if cell < 0 or (kind == COLONISE and source < 0):
        return COORDINATES
    if cost(s, kind) > s.moves:
        return TOO_DEAR  # D3
    own = score(s, seat, cell) > 0
    if kind == FERTILISE and not own:
        return NOT_YOURS
    if own and kind != FERTILISE and kind != SCOUT and kind != SPRAY:
        return YOURS
    if kind == PLANT and not touches(s, seat, cell):
        return NOT_ADJACENT
    if kind == COLONISE and score(s, seat, source) < LEAST_SOURCE:
        return WEAK_SOURCE
    return FINE


@rule
def settle(s, cell, source):
    """Plant or colonise a cell; an opponent's tile there stays, answers, and costs the source nothing (D8, D11)."""
    seat = s.seat
    if s.board[cell] != 0:
        s.told_answer[seat], s.told_value[seat] = OCCUPIED, int(s.board[cell])
        return
    change(s, cell, seat, 1)
    if source >= 0:
        change(s, source, seat, -1)


@rule
def scout(s, cell):
    """Read the 3×3 window off the board, tiles of both players; cells off the board are left out (D6, D7)."""
    for k in range(WINDOW):
        near = beside(cell, k % 3 - 1, k // 3 - 1)
        if near >= 0:
            s.told_window[s.seat, k] = s.board[near]


@rule
def spray(s, cell):
    """Take 1 from every opponent's tile in the cross."""
    other = 1 - s.seat
    for k in range(CROSS):
        near = beside(cell, CROSS_X[k], CROSS_Y[k])
        if near >= 0 and score(s, other, near) > 0:
            change(s, near, other, -1)
            s.told_value[s.seat] += 1


@rule
def bomb(s, cell):
    """Take up to the bomb's damage from an opponent's tile; an empty one answers 0 (D9)."""
    other = 1 - s.seat
    taken = min(score(s, other, cell), int(s.opt_bomb_damage))
    if taken > 0:
        change(s, cell, other, -taken)
        s.told_value[s.seat] = taken


@rule
def learn(s):
    """Remember what the answer says of the opponent's tiles; it reads the answer and own tiles, never the others."""
    seat = s.seat
    kind, cell, value = s.told_kind[seat], s.told_cell[seat], s.told_value[seat]
    if s.told_answer[seat] == OCCUPIED:
        know(s, seat, cell, abs(value))
    elif s.told_answer[seat] == ERROR:
        return
    elif kind == SCOUT:
        learn_window(s, seat, cell)
    elif kind == SPRAY:
        learn_spray(s, seat, cell, value)
    elif kind == BOMB and value < s.opt_bomb_damage:
        know(s, seat, cell, 0)  # it took all there was
    elif kind == BOMB:
        lower_known(s, seat, cell, value)
    elif kind != FERTILISE:  # planted or colonised
        know(s, seat, cell, 0)


@rule
def learn_window(s, seat, cell):
    """Remember a scout's answer."""
    for k in range(WINDOW):
        near = beside(cell, k % 3 - 1, k // 3 - 1)
        if near >= 0:
            know(s, seat, near, max(-SIGN[seat] * int(s.told_window[seat, k]), 0))


@rule
def learn_spray(s, seat, cell, hits):
    """Remember a spray's answer: none hit means none there, else whatever was known there is 1 lower."""
    for k in range(CROSS):
        near = beside(cell, CROSS_X[k], CROSS_Y[k])
        if near >= 0 and score(s, seat, near) <= 0:
            if hits == 0:
                know(s, seat, near, 0)
            else:
                lower_known(s, seat, near, 1)


@rule
def know(s, seat, cell, value):
    """Remember the opponent's score of a tile."""
    s.known[seat, cell], s.known_turn[seat, cell] = value, s.turn


@rule
def lower_known(s, seat, cell, amount):
    """Take off a remembered score what an attack took; when it was learned stays."""
    s.known[seat, cell] = max(int(s.known[seat, cell]) - amount, 0)


@rule
def pay(s):
    """Subtract the cost whatever the answer was, and pass the turn on when no moves are left (D2)."""
    s.moves -= cost(s, s.told_kind[s.seat])
    if s.moves > 0:
        return
    if s.seat == PLAYER2 and s.turn >= s.opt_max_turns:
        finish(s)
        return
    if s.seat == PLAYER2:
        s.turn += 1
    s.seat, s.moves = 1 - s.seat, s.opt_moves


@rule
def finish(s):
    """End the game after the second player's last turn; the larger sum wins."""
    s.end, s.moves = OVER, 0
    reward_winner(s)


@rule
def reward_winner(s):
    """Give the winner of a finished game 1 and the loser -1; a draw gives nothing."""
    margin = s.total[PLAYER1] - s.total[PLAYER2]
    if margin != 0:
        winner = PLAYER1 if margin > 0 else PLAYER2
        s.last_reward[winner], s.last_reward[1 - winner] = 1, -1


@rule
def change(s, cell, owner, amount):
    """Raise or lower a player's tile and note it; who sees its tile vanish knows that nothing is there."""
    s.board[cell] += SIGN[owner] * amount
    s.total[owner] += amount
    s.last_cell[s.last_changes], s.last_amount[s.last_changes] = cell, SIGN[owner] * amount
    s.last_changes += 1
    if s.board[cell] == 0:
        know(s, owner, cell, 0)


@rule
def cost(s, kind):
    """Return the moves that a command costs; what is no command costs 1 (D4)."""
    if kind == FERTILISE:
        return int(s.opt_cost_fertilise)
    if kind == PLANT:
        return int(s.opt_cost_plant)
    if kind == SCOUT:
        return int(s.opt_cost_scout)
    if kind == COLONISE:
        return int(s.opt_cost_colonise)
    if kind == SPRAY:
        return int(s.opt_cost_spray)
    return int(s.opt_cost_bomb) if kind == BOMB else 1


@rule
def score(s, seat, cell):
    """Return a tile's score as a seat counts it: above 0 its own, below 0 the opponent's."""
    return int(s.board[cell]) * SIGN[seat]


@rule
def beside(cell, dx, dy):
    """Return the cell that lies so many steps away, or NOWHERE if that is off the board."""
    x, y = cell % COLS + dx, cell // COLS + dy
    return y * COLS + x if 0 <= x < COLS and 0 <= y < ROWS else NOWHERE


@rule
def touches(s, seat, cell):
    """Say whether one of the four neighbours is the seat's."""
    for k in range(1, CROSS):
        near = beside(cell, CROSS_X[k], CROSS_Y[k])
        if near >= 0 and score(s, seat, near) > 0:
            return True
    return False


@rule
def plant_in_free_row(s, seat, index):
    """Set up a tile in the index-th row whose home cell is still empty, from the top."""
    home = 0 if seat == PLAYER1 else COLS - 1
    for y in range(ROWS):
        if s.board[y * COLS + home] == 0:
            if index == 0:
                s.board[y * COLS + home] = SIGN[seat]
                s.total[seat] += 1
            index -= 1


@rule
def forget_everything(s):
    """Clear sums, answers and knowledge of both seats."""
    for seat in range(SEATS):
        s.total[seat] = 0
        s.told_kind[seat], s.told_cell[seat], s.told_source[seat], s.told_turn[seat] = -1, NOWHERE, NOWHERE, 0
        s.told_answer[seat], s.told_value[seat], s.told_reason[seat] = NOTHING_YET, 0, FINE
        for k in range(WINDOW):
            s.told_window[seat, k] = 0
        for cell in range(CELLS):
            s.known[seat, cell], s.known_turn[seat, cell] = 0, 0


@rule
def clear_last(s):
    """Forget what happened in the decision before."""
    s.last_seat, s.last_action, s.last_changes = -1, -1, 0
    for seat in range(SEATS):
        s.last_reward[seat] = 0
    for k in range(CROSS):
        s.last_cell[k], s.last_amount[k] = NOWHERE, 0


@rule
def copy_options(source, target):
    """Copy the options between a row of State and one of View."""
    target.opt_starting_tiles, target.opt_max_turns = source.opt_starting_tiles, source.opt_max_turns
    target.opt_moves, target.opt_bomb_damage = source.opt_moves, source.opt_bomb_damage
    target.opt_cost_fertilise, target.opt_cost_plant = source.opt_cost_fertilise, source.opt_cost_plant
    target.opt_cost_scout, target.opt_cost_colonise = source.opt_cost_scout, source.opt_cost_colonise
    target.opt_cost_spray, target.opt_cost_bomb = source.opt_cost_spray, source.opt_cost_bomb


@rule
def count_totals(s):
    """Work the sums out from the board, for a position that was not played."""
    s.total[PLAYER1], s.total[PLAYER2] = 0, 0
    for cell in range(CELLS):
        if s.board[cell] != 0:
            s.total[PLAYER1 if s.board[cell] > 0 else PLAYER2] += abs(int(s.board[cell]))


@rule
def grow_opponent(s, me, final_total, rng):
    """Give the opponent what it has likely grown unseen: about what I have, no more than its turns allow."""
    other = 1 - me
    turns = s.turn if s.seat == me and me == PLAYER2 else s.turn - 1
    room = int(s.opt_starting_tiles + turns * s.opt_moves - s.total[other])
    likely = s.total[me] // 2 + draw(rng, s.total[me] + 1)  # as much as mine, on average
    units = max(min(int(likely - s.total[other]), room), 0)
    if s.end != RUNNING:
        units = max(min(int(final_total) - int(s.total[other]), HIGHEST_SUM), -HIGHEST_SUM)  # told at the end
    for _ in range(units):
        raise_tile(s, other, place_to_grow(s, me, rng), 1)
    for _ in range(-units):
        raise_tile(s, other, first_tile(s, other, 1), -1)


@rule
def raise_tile(s, seat, cell, amount):
    """Change a tile without noting it, if there is one."""
    if cell >= 0:
        s.board[cell] += SIGN[seat] * amount
        s.total[seat] += amount


@rule
def first_tile(s, seat, least):
    """Return the first cell with at least this score for the seat, or NOWHERE."""
    for cell in range(CELLS):
        if score(s, seat, cell) >= least:
            return cell
    return NOWHERE


@rule
def place_to_grow(s, me, rng):
    """Draw a cell where the opponent has a tile, or could plant one; the longer ago it was seen, the more likely."""
    other = 1 - me
    home = 0 if other == PLAYER1 else COLS - 1
    found = first_tile(s, other, 0)  # not mine
    for attempt in range(16):
        cell = draw(rng, CELLS) if attempt < 15 else draw(rng, ROWS) * COLS + home
        age = s.turn - int(s.known_turn[me, cell])
        if score(s, me, cell) <= 0 and draw(rng, s.turn) < age:
            if score(s, other, cell) > 0 or touches(s, other, cell) or cell % COLS == home:
                return cell
            found = cell
    return found
