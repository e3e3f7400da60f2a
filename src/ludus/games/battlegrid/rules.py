"""BattleGrid: two tanks duel on a walled board whose safe zone shrinks; one action each in turn, Blue first.

The truth is README.md beside this file; D-numbers are its decisions.
"""

from itertools import permutations

import numpy as np

from ludus.core import Option, Spec, count_bits, draw, rule, structural

SIZE = structural("grid_size", 15, low=8, high=62, about="rows and columns of the board")

CELLS = SIZE * SIZE
FULL_ROW = (1 << SIZE) - 1  # a bit for each column
SEATS, BLUE, RED = 2, 0, 1
UP, DOWN, LEFT, RIGHT = range(4)
SHOOT = 4  # added to a direction: the tank also fires
DX, DY = (0, 0, -1, 1), (-1, 1, 0, 0)
# Every order in which a stuck tank may try the four directions; one draw picks a row.
ESCAPE_ORDERS = np.array(list(permutations(range(4))), np.int8)

DOUBLE_SHOT, DOUBLE_DAMAGE, MINUS_ONE, DOUBLE_COOLDOWN = range(4)
KINDS = 4
SET_SIZE, ITEM_PERIOD = 5, 70
CAPACITY = 80  # items on the board at once: play has 5, positions may be given with more (D37)

WALLS = 3 * CELLS // 20  # 15 % of the cells, before the corridor is cleared
RELOAD, DOUBLE_RELOAD = 4, 8
STUCK_LIMIT = 2  # turns without a move; the one after it escapes
ZONE_STEP, ZONE_FLOOR = 2, 6
SHRINKS = (SIZE - ZONE_FLOOR) // ZONE_STEP
QUIET_END = 100  # turns kept free of shrinks when the schedule is made
MANHATTAN, SQUARE = 0, 1  # opt_view_metric
MOST_CHANGE = CAPACITY + 3  # no turn changes a score, or the difference of the two, by more
HIGHEST = 1 << 30  # what a score or a count may come to in a game; its type holds twice as much

SPEC = Spec(
    title="BattleGrid",
    version=1,
    seats=("blue", "red"),
    actions=2 * SHOOT,
    planes=(14, SIZE, SIZE),
    plane_type="u1",
    options=(
        Option("view_range", 5, 0, 2 * SIZE, "how far a tank sees"),
        Option("view_metric", MANHATTAN, MANHATTAN, SQUARE, "shape of the view: 0 = Manhattan, 1 = square"),
        Option("shoot_range", 5, 0, 2 * SIZE, "how far a shot reaches"),
        Option("max_turns", 300, 1, 1_000_000, "length of the game, one action of one tank a turn"),
        Option("min_tank_distance", 1, 0, 2 * SIZE, "a tank may not enter a cell nearer than this to the other"),
        Option("double_damage_lost_on_miss", 1, 0, 1, "1 = a missed shot uses double damage up, too"),
    ),
)

State = np.dtype(
    [
        ("opt_view_range", "i4"),
        ("opt_view_metric", "i4"),
        ("opt_shoot_range", "i4"),
        ("opt_max_turns", "i4"),
        ("opt_min_tank_distance", "i4"),
        ("opt_double_damage_lost_on_miss", "i4"),
        ("turn", "i4"),  # turns played
        ("seat", "i4"),  # who acts next: Blue after an even number of turns
        ("x", "i4", SEATS),  # column by seat; 0 = left
        ("y", "i4", SEATS),  # row by seat; 0 = top
        ("facing", "i4", SEATS),  # direction by seat
        ("desired", "i4", SEATS),  # direction last asked for, or that of the escape; plays no part
        ("cooldown", "i4", SEATS),  # own turns until loaded, by seat
        ("double_shot", "i4", SEATS),  # 1 = active, by seat
        ("double_damage", "i4", SEATS),
        ("double_cooldown", "i4", SEATS),
        ("stay", "i4", SEATS),  # turns in a row without a move, by seat
        ("score", "i4", SEATS),
        ("zone", "i4", 4),  # x1, y1, x2, y2 of the safe zone, both corners inside
        ("item_count", "i4"),
        ("item_cell", "i2", CAPACITY),  # y * SIZE + x; 0 beyond item_count
        ("item_kind", "i1", CAPACITY),  # DOUBLE_SHOT…; 0 beyond item_count
        ("wall", "i8", SIZE),  # by row; bit x is set where a wall stands
        ("seen", "i8", (SEATS, SIZE)),  # by seat and row; bit x is set once the seat had the cell in view
        ("last_seat", "i4"),  # who acted last; -1 at the start
        ("last_action", "i4"),  # what it asked for; -1 at the start
        ("last_rotated", "i4"),  # 1 = it turned on the spot
        ("last_moved", "i4"),  # 1 = it drove one cell forward
        ("last_escaped", "i4"),  # direction of its escape, or -1
        ("last_fired", "i4"),  # 1 = a shot left the gun
        ("last_shot_x", "i4"),  # where the shot ended: the enemy, or the last cell it crossed; -1 without a shot
        ("last_shot_y", "i4"),
        ("last_hit", "i4"),  # 1 = it hit
        ("last_points", "i4"),  # score won by the shot
        ("last_picked", "i4"),  # how many items it took
        ("last_kinds", "i1", CAPACITY),  # their kinds, in list order; 0 beyond last_picked
        ("last_penalty", "i4", SEATS),  # 1 = the seat lost a point outside the zone
        ("last_reward", "i4", SEATS),  # change of the seat's score minus that of the other's
    ],
    align=True,
)

View = np.dtype(
    [
        ("me", "i4"),  # the seat that looks
        ("seat", "i4"),  # who acts next
        ("turn", "i4"),  # turns played (D34)
        ("max_turns", "i4"),  # the options of this game, as everybody knows them
        ("view_range", "i4"),
        ("view_metric", "i4"),
        ("shoot_range", "i4"),
        ("min_tank_distance", "i4"),
        ("double_damage_lost_on_miss", "i4"),
        ("x", "i4"),  # own tank, as in State
        ("y", "i4"),
        ("facing", "i4"),
        ("desired", "i4"),
        ("cooldown", "i4"),  # of the seat to act: already ticked down (D22)
        ("double_shot", "i4"),
        ("double_damage", "i4"),
        ("double_cooldown", "i4"),
        ("stay", "i4"),
        ("score", "i4"),
        ("enemy_x", "i4"),  # -1 while the enemy is out of view
        ("enemy_y", "i4"),
        ("enemy_area", "i4", 4),  # x_min, x_max, y_min, y_max around the enemy, in view or not (D6)
        ("zone", "i4", 4),  # x1, y1, x2, y2, as in State
        ("hint_count", "i4"),  # one hint for every item on the board, in list order
        ("hint_x", "i1", CAPACITY),  # left column of its 2×2 box; 0 beyond hint_count
        ("hint_y", "i1", CAPACITY),  # upper row of its box
        ("hint_kind", "i1", CAPACITY),
        ("wall", "i8", SIZE),  # by row: the walls that this seat has had in view
        ("seen", "i8", SIZE),  # by row: the cells that it has had in view
        ("last_action", "i4"),  # own action of the turn just played, and what came of it; -1 and 0 after the enemy's
        ("last_moved", "i4"),
        ("last_escaped", "i4"),
        ("last_fired", "i4"),
        ("last_hit", "i4"),
        ("last_points", "i4"),
        ("last_penalty", "i4"),  # own penalty of the turn just played, whoever played it
    ],
    align=True,
)


@rule
def new(s, rng):
    """Draw walls and corridor, place Red, then Blue, and lay out the first items."""
    s.turn, s.seat = 0, BLUE
    s.zone[0], s.zone[1], s.zone[2], s.zone[3] = 0, 0, SIZE - 1, SIZE - 1
    place_walls(s, rng)
    for k in range(SEATS):
        reset_tank(s, k)
    for k in range(SEATS):
        spawn(s, RED - k, rng)  # Red first (D28)
    s.item_count = CAPACITY  # so that every slot is cleared
    s.last_picked = CAPACITY
    place_items(s, rng)
    clear_last(s)
    s.seen[:, :] = 0
    look_around(s, BLUE)
    look_around(s, RED)


@rule
def legal(s, mask):
    """Mark all eight actions while the game runs: a direction, with or without a shot."""
    if s.turn >= s.opt_max_turns:
        return 0
    for action in range(2 * SHOOT):
        mask[action] = 1
    return 2 * SHOOT


@rule
def apply(s, action, rng):
    """Play one turn of one tank."""
    clear_last(s)
    s.last_seat, s.last_action = s.seat, action
    blue_before, red_before = s.score[BLUE], s.score[RED]
    tick_cooldown(s)
    turn_or_move(s, action & 3)
    escape_if_stuck(s, rng)
    if s.last_moved == 1 or s.last_escaped >= 0:
        look_around(s, s.seat)
    pick_up(s)
    if action >= SHOOT:
        shoot(s)
    s.turn += 1
    if s.turn % 2 == 0:  # all that follows happens after Red's turns
        if is_shrink_turn(s):
            shrink_zone(s, rng)
        if s.turn % ITEM_PERIOD == 0:
            place_items(s, rng)
        punish_outsiders(s)
    s.last_reward[BLUE] = (s.score[BLUE] - blue_before) - (s.score[RED] - red_before)
    s.last_reward[RED] = -s.last_reward[BLUE]
    s.seat = s.turn % SEATS


@rule
def observe(s, seat, view):
    """Show a seat its own tank, the enemy if in view, its area, the zone, the hints and the cells seen so far."""
    view.me, view.seat, view.turn = seat, s.seat, s.turn
    view.max_turns, view.view_range, view.view_metric = s.opt_max_turns, s.opt_view_range, s.opt_view_metric
    view.shoot_range, view.min_tank_distance = s.opt_shoot_range, s.opt_min_tank_distance
    view.double_damage_lost_on_miss = s.opt_double_damage_lost_on_miss
    show_own_tank(s, seat, view)
    show_enemy(s, seat, view)
    show_hints(s, view)
    show_board(s, seat, view)
    show_last(s, seat, view)


@rule
def encode(view, planes):
    """Fill planes: known walls, seen cells, me by facing (4), enemy, zone outline, hints by kind (4), two of bars."""
    for y in range(SIZE):
        seen, wall = view.seen[y], view.wall[y]
        if seen != 0:
            for x in range(SIZE):
                planes[0, y, x] = wall >> x & 1
                planes[1, y, x] = seen >> x & 1
    planes[2 + view.facing, view.y, view.x] = 1
    planes[6, decoded(view.enemy_area[2], view.enemy_area[3]), decoded(view.enemy_area[0], view.enemy_area[1])] = 1
    for x in range(view.zone[0], view.zone[2] + 1):
        planes[7, view.zone[1], x] = 1
        planes[7, view.zone[3], x] = 1
    for y in range(view.zone[1], view.zone[3] + 1):
        planes[7, y, view.zone[0]] = 1
        planes[7, y, view.zone[2]] = 1
    for k in range(view.hint_count):
        planes[8 + int(view.hint_kind[k]), int(view.hint_y[k]), int(view.hint_x[k])] = 1
    encode_bars(view, planes)


@rule
def result(s, outcome, points):
    """Write who leads and the scores; after the last turn the leader has won (D21, D35)."""
    for seat in range(SEATS):
        mine, other = s.score[seat], s.score[1 - seat]
        outcome[seat] = 1 if mine > other else -1 if mine < other else 0
        points[seat] = mine
    return 1 if s.turn >= s.opt_max_turns else 0


@rule
def sample(view, s, rng):
    """Write a position that this view could come from: what the seat cannot know is drawn (D36)."""
    s.opt_max_turns, s.opt_view_range, s.opt_view_metric = view.max_turns, view.view_range, view.view_metric
    s.opt_shoot_range, s.opt_min_tank_distance = view.shoot_range, view.min_tank_distance
    s.opt_double_damage_lost_on_miss = view.double_damage_lost_on_miss
    s.turn, s.seat = view.turn, view.seat
    for k in range(4):
        s.zone[k] = view.zone[k]
    restore_own_tank(view, s, rng)
    guess_enemy_tank(view, s, rng)
    guess_walls(view, s, rng)
    guess_items(view, s, rng)
    restore_last(view, s)
    for y in range(SIZE):
        s.seen[view.me, y] = view.seen[y]
        s.seen[1 - view.me, y] = 0
    look_around(s, 1 - view.me)


@rule
def default(s):
    """Return what is played for an agent that gave no action: it drives on and holds its fire (D24)."""
    return int(s.facing[s.seat])


@rule
def sound(s):
    """Say whether a row can be played: every number within its bounds, and all that play keeps true.

    Scores and counts leave room for what the turns to come may add. A cell is free for items, so that drawing one ends.
    """
    if not 0 <= s.turn <= s.opt_max_turns or s.seat != s.turn % SEATS:
        return False
    for axis in range(2):
        if not 0 <= s.zone[axis] <= s.zone[axis + 2] < SIZE:
            return False
    for seat in range(SEATS):
        if not is_sound_tank(s, seat):
            return False
    return are_sound_cells(s) and are_sound_items(s) and is_sound_last(s)


@rule
def tick_cooldown(s):
    """Load the actor's gun by one turn; the other tank's stands still (D22)."""
    if s.cooldown[s.seat] > 0:
        s.cooldown[s.seat] -= 1


@rule
def turn_or_move(s, direction):
    """Turn to a new direction, or drive on in the present one; never both."""
    me = s.seat
    s.desired[me] = direction
    if direction != s.facing[me]:
        s.facing[me] = direction
        s.last_rotated = 1
    elif is_open(s, s.x[me] + DX[direction], s.y[me] + DY[direction]):
        s.x[me] += DX[direction]
        s.y[me] += DY[direction]
        s.last_moved = 1


@rule
def escape_if_stuck(s, rng):
    """Count turns without a move, turning included (D10); the third drives the tank off at random (D11, D12)."""
    me = s.seat
    if s.last_moved == 1:
        s.stay[me] = 0
        return
    s.stay[me] += 1
    if s.stay[me] <= STUCK_LIMIT:
        return
    order = draw(rng, ESCAPE_ORDERS.shape[0])
    for k in range(4):
        direction = int(ESCAPE_ORDERS[order, k])
        x, y = s.x[me] + DX[direction], s.y[me] + DY[direction]
        if is_open(s, x, y):
            s.x[me], s.y[me] = x, y
            s.facing[me], s.desired[me], s.last_escaped = direction, direction, direction
            s.stay[me] = 0
            return


@rule
def is_open(s, x, y):
    """Say whether the actor may enter a cell: on the board, no wall, not too near the other tank (D7)."""
    if not (0 <= x < SIZE and 0 <= y < SIZE) or s.wall[y] >> x & 1 != 0:
        return False
    other = 1 - s.seat
    return abs(x - s.x[other]) + abs(y - s.y[other]) >= s.opt_min_tank_distance


@rule
def pick_up(s):
    """Take every item on the actor's cell in list order, moved or not; the others close up."""
    here = s.y[s.seat] * SIZE + s.x[s.seat]
    cells, kinds, kept = s.item_cell, s.item_kind, 0
    for k in range(s.item_count):
        if int(cells[k]) == here:
            take(s, int(kinds[k]))
        else:
            if kept != k:
                cells[kept], kinds[kept] = cells[k], kinds[k]
            kept += 1
    drop_items(s, kept)


@rule
def take(s, kind):
    """Give the actor one item."""
    me = s.seat
    s.last_kinds[s.last_picked] = kind
    s.last_picked += 1
    if kind == DOUBLE_SHOT:
        s.double_shot[me] = 1
    elif kind == DOUBLE_DAMAGE:
        s.double_damage[me] = 1
    elif kind == DOUBLE_COOLDOWN:
        s.double_cooldown[me] = 1
    else:
        s.score[me] -= 1


@rule
def drop_items(s, kept):
    """Keep the first items only, and clear the slots of the others."""
    for k in range(kept, s.item_count):
        s.item_cell[k], s.item_kind[k] = 0, 0
    s.item_count = kept


@rule
def shoot(s):
    """Fire along the actor's facing if the gun is loaded, and reload; only a hit scores."""
    me = s.seat
    if s.cooldown[me] > 0:
        return
    s.last_fired = 1
    s.last_hit = trace_shot(s)
    if s.last_hit == 1:
        s.last_points = 1 + s.double_damage[me]
        s.score[me] += s.last_points
    if s.last_hit == 1 or s.opt_double_damage_lost_on_miss == 1:
        s.double_damage[me] = 0  # D13
    if s.double_shot[me] == 1:  # before double cooldown, which waits (D14)
        s.double_shot[me], s.cooldown[me] = 0, 0
    elif s.double_cooldown[me] == 1:
        s.double_cooldown[me], s.cooldown[me] = 0, DOUBLE_RELOAD
    else:
        s.cooldown[me] = RELOAD


@rule
def trace_shot(s):
    """Follow the shot from the cell ahead to the edge, a wall, the enemy or its range; return 1 for a hit."""
    me, other = s.seat, 1 - s.seat
    x, y, facing = s.x[me], s.y[me], s.facing[me]
    s.last_shot_x, s.last_shot_y = x, y
    for _ in range(s.opt_shoot_range):
        x, y = x + DX[facing], y + DY[facing]
        if not (0 <= x < SIZE and 0 <= y < SIZE) or s.wall[y] >> x & 1 != 0:
            return 0
        s.last_shot_x, s.last_shot_y = x, y
        if x == s.x[other] and y == s.y[other]:
            return 1
    return 0


@rule
def is_shrink_turn(s):
    """Say whether the schedule names the turn just played; short games have none (D29)."""
    gap = (s.opt_max_turns - QUIET_END) // (2 * SHRINKS)
    return gap > 0 and s.turn <= 2 * gap * SHRINKS and s.turn % (2 * gap) == 0


@rule
def shrink_zone(s, rng):
    """Make the zone smaller, somewhere inside the old one (D16)."""
    for axis in range(2):
        low, high = s.zone[axis], s.zone[axis + 2]
        width = high - low + 1
        if width > ZONE_FLOOR:  # D15
            smaller = max(ZONE_FLOOR, width - ZONE_STEP)
            s.zone[axis] = low + draw(rng, width - smaller // 2 * 2)
            s.zone[axis + 2] = s.zone[axis] + smaller - 1


@rule
def place_items(s, rng):
    """Replace all items by a new set on cells without wall or tank; a cell may be drawn twice (D26, D27)."""
    drop_items(s, 0)
    for k in range(SET_SIZE):
        s.item_cell[k] = free_cell(s, rng)
        s.item_kind[k] = draw(rng, KINDS)
    s.item_count = SET_SIZE


@rule
def free_cell(s, rng):
    """Draw cells until one has neither wall nor tank."""
    while True:
        cell = draw(rng, CELLS)
        if is_free(s, cell % SIZE, cell // SIZE):
            return cell


@rule
def is_free(s, x, y):
    """Say whether neither a wall nor a tank stands here."""
    if s.wall[y] >> x & 1 != 0:
        return False
    return not ((x == s.x[BLUE] and y == s.y[BLUE]) or (x == s.x[RED] and y == s.y[RED]))


@rule
def punish_outsiders(s):
    """Take a point from each tank outside the zone, whoever acted."""
    for k in range(SEATS):
        if not (s.zone[0] <= s.x[k] <= s.zone[2] and s.zone[1] <= s.y[k] <= s.zone[3]):
            s.score[k] -= 1
            s.last_penalty[k] = 1


@rule
def look_around(s, seat):
    """Remember the cells that a seat has in view."""
    x, y, seen = s.x[seat], s.y[seat], s.seen
    view_range, view_metric = s.opt_view_range, s.opt_view_metric
    for row in range(max(0, y - view_range), min(SIZE, y + view_range + 1)):
        seen[seat, row] |= sight(view_range, view_metric, x, y, row)


@rule
def sight(view_range, view_metric, x, y, row):
    """Return the cells of a row, as bits, that are in view from x, y; walls hide nothing (D3, D4)."""
    reach = view_range - abs(row - y)
    if reach < 0:
        return 0
    if view_metric == SQUARE:
        reach = view_range
    left, right = max(0, x - reach), min(SIZE - 1, x + reach)
    return (2 << int(right)) - (1 << int(left))


@rule
def show_own_tank(s, seat, view):
    """Copy the seat's own tank; if it acts next, its gun is shown as it will be when it does (D22)."""
    view.x, view.y, view.facing, view.desired = s.x[seat], s.y[seat], s.facing[seat], s.desired[seat]
    view.cooldown = s.cooldown[seat]
    if seat == s.seat and s.turn < s.opt_max_turns and view.cooldown > 0:
        view.cooldown -= 1
    view.double_shot, view.double_damage = s.double_shot[seat], s.double_damage[seat]
    view.double_cooldown = s.double_cooldown[seat]
    view.stay, view.score = s.stay[seat], s.score[seat]


@rule
def show_enemy(s, seat, view):
    """Show the enemy's cell if it is in view, and its area in any case (D6)."""
    x, y = s.x[1 - seat], s.y[1 - seat]
    if sight(s.opt_view_range, s.opt_view_metric, s.x[seat], s.y[seat], y) >> int(x) & 1 != 0:
        view.enemy_x, view.enemy_y = x, y
    else:
        view.enemy_x, view.enemy_y = -1, -1
    view.enemy_area[0], view.enemy_area[1] = max(0, x - 1), min(SIZE - 1, x + 2)
    view.enemy_area[2], view.enemy_area[3] = max(0, y - 1), min(SIZE - 1, y + 2)


@rule
def show_board(s, seat, view):
    """Show the zone, and of the walls those that the seat has had in view."""
    for k in range(4):
        view.zone[k] = s.zone[k]
    wall, seen, known_wall, known = s.wall, s.seen, view.wall, view.seen  # uncompiled, each look-up in a row is dear
    for y in range(SIZE):
        known_wall[y] = wall[y] & seen[seat, y]
        known[y] = seen[seat, y]


@rule
def decoded(low, high):
    """Return the enemy's column or row, which the two ends of its area give away."""
    return 0 if low == 0 and high == 2 else low + 1


@rule
def show_hints(s, view):
    """Show a 2×2 box for each item: the item is its upper left cell but in the last column and row (D5)."""
    view.hint_count = s.item_count
    view.hint_x[:] = 0
    view.hint_y[:] = 0
    view.hint_kind[:] = 0
    cells, kinds, hint_x, hint_y, hint_kind = s.item_cell, s.item_kind, view.hint_x, view.hint_y, view.hint_kind
    for k in range(s.item_count):
        cell = int(cells[k])
        hint_x[k], hint_y[k], hint_kind[k] = min(cell % SIZE, SIZE - 2), min(cell // SIZE, SIZE - 2), kinds[k]


@rule
def show_last(s, seat, view):
    """Tell a seat what came of its own action; of the enemy's it learns nothing."""
    view.last_action, view.last_escaped, view.last_penalty = -1, -1, s.last_penalty[seat]
    view.last_moved, view.last_fired, view.last_hit, view.last_points = 0, 0, 0, 0
    if s.last_seat == seat:
        view.last_action, view.last_moved, view.last_escaped = s.last_action, s.last_moved, s.last_escaped
        view.last_fired, view.last_hit, view.last_points = s.last_fired, s.last_hit, s.last_points


@rule
def encode_bars(view, planes):
    """Write the own tank's numbers as bars, one a row: plane 12 for the tank, plane 13 for time and score."""
    for x in range(min(SIZE, view.cooldown)):
        planes[12, 0, x] = 1
    for x in range(min(SIZE, view.stay)):
        planes[12, 1, x] = 1
    planes[12, 2, 0], planes[12, 2, 1], planes[12, 2, 2] = view.double_shot, view.double_damage, view.double_cooldown
    planes[12, 2, 3] = view.me
    for x in range(int(view.turn) * SIZE // view.max_turns):
        planes[13, 0, x] = 1
    for x in range(view.turn % ITEM_PERIOD * SIZE // ITEM_PERIOD):
        planes[13, 1, x] = 1
    for x in range(min(SIZE, max(0, view.score) // 2)):
        planes[13, 2, x] = 1
    for x in range(min(SIZE, max(0, -view.score) // 8)):
        planes[13, 3, x] = 1


@rule
def clear_last(s):
    """Forget what happened in the turn before."""
    s.last_seat, s.last_action = -1, -1
    s.last_rotated, s.last_moved, s.last_escaped = 0, 0, -1
    s.last_fired, s.last_shot_x, s.last_shot_y, s.last_hit, s.last_points = 0, -1, -1, 0, 0
    for k in range(s.last_picked):
        s.last_kinds[k] = 0
    s.last_picked = 0
    for seat in range(SEATS):
        s.last_penalty[seat], s.last_reward[seat] = 0, 0


@rule
def place_walls(s, rng):
    """Mark different cells one by one, then clear one column."""
    s.wall[:] = 0
    marked = 0
    while marked < WALLS:
        cell = draw(rng, CELLS)
        x, y = cell % SIZE, cell // SIZE
        if s.wall[y] >> x & 1 == 0:
            s.wall[y] |= 1 << x
            marked += 1
    corridor = draw(rng, SIZE)
    for y in range(SIZE):
        s.wall[y] &= ~(1 << corridor)


@rule
def reset_tank(s, seat):
    """Give a tank what it starts with (D8)."""
    s.facing[seat], s.desired[seat] = RIGHT, RIGHT
    s.cooldown[seat], s.stay[seat], s.score[seat] = 0, 0, 0
    s.double_shot[seat], s.double_damage[seat], s.double_cooldown[seat] = 0, 0, 0


@rule
def spawn(s, seat, rng):
    """Draw a tank's cell in its third of the board, Red's at the bottom, until it is no wall."""
    first_row = 2 * SIZE // 3 if seat == RED else 0
    rows = SIZE - first_row if seat == RED else SIZE // 3
    while True:
        x, y = draw(rng, SIZE), first_row + draw(rng, rows)
        if s.wall[y] >> x & 1 == 0:
            s.x[seat], s.y[seat] = x, y
            return


@rule
def restore_own_tank(view, s, rng):
    """Put the own tank back; a gun that shows 0 before the own turn may have had one turn to go."""
    me = view.me
    s.x[me], s.y[me], s.facing[me], s.desired[me] = view.x, view.y, view.facing, view.desired
    s.cooldown[me] = view.cooldown
    if me == view.seat and view.turn < view.max_turns:
        if view.cooldown > 0:
            s.cooldown[me] += 1
        elif view.turn >= 2 * RELOAD:
            s.cooldown[me] = draw(rng, 2)
    s.double_shot[me], s.double_damage[me] = view.double_shot, view.double_damage
    s.double_cooldown[me] = view.double_cooldown
    s.stay[me], s.score[me] = view.stay, view.score


@rule
def guess_enemy_tank(view, s, rng):
    """Place the enemy where its area says, and draw what is hidden about it."""
    enemy = 1 - view.me
    reset_tank(s, enemy)
    s.x[enemy] = decoded(view.enemy_area[0], view.enemy_area[1])
    s.y[enemy] = decoded(view.enemy_area[2], view.enemy_area[3])
    turns = (view.turn + 1 - enemy) // 2  # that the enemy has had
    if turns == 0:
        return
    s.facing[enemy] = draw(rng, 4)
    s.desired[enemy] = s.facing[enemy]
    s.cooldown[enemy] = draw(rng, RELOAD + 1)
    s.stay[enemy] = draw(rng, min(turns, STUCK_LIMIT) + 1)
    s.score[enemy] = draw(rng, turns // RELOAD + 1) - draw(rng, turns // 2 + 1)
    s.double_shot[enemy] = draw(rng, 8) == 0
    s.double_damage[enemy] = draw(rng, 8) == 0
    s.double_cooldown[enemy] = draw(rng, 8) == 0


@rule
def guess_walls(view, s, rng):
    """Keep the known walls and draw the others as set-up does: 15 % in all, then one column cleared."""
    corridor, room = guess_corridor(view, rng), s.seen[1 - view.me]  # what the enemy has seen is written after this
    marked, free = 0, 0
    for y in range(SIZE):
        s.wall[y] = view.wall[y]
        room[y] = possible_walls(view, s, corridor, y)
        marked += count_bits(int(s.wall[y]))
        free += count_bits(int(room[y]))
    for _ in range(min(free, WALLS - marked)):
        cell = draw(rng, CELLS)
        while room[cell // SIZE] >> cell % SIZE & 1 == 0:
            cell = draw(rng, CELLS)
        s.wall[cell // SIZE] |= 1 << cell % SIZE
        room[cell // SIZE] &= ~(1 << cell % SIZE)
    if corridor >= 0:
        for y in range(SIZE):
            s.wall[y] &= ~(1 << corridor)


@rule
def guess_corridor(view, rng):
    """Draw one of the columns in which no wall is known; -1 if there is none, as in positions made by hand."""
    known = 0
    for y in range(SIZE):
        known |= view.wall[y]
    columns = 0
    for x in range(SIZE):
        columns += 1 - (known >> x & 1)
    if columns == 0:
        return -1
    index = draw(rng, columns)
    for x in range(SIZE):
        if known >> x & 1 == 0:
            if index == 0:
                return x
            index -= 1
    return -1


@rule
def possible_walls(view, s, corridor, y):
    """Return the cells of a row, as bits, for one more wall: in the corridor, or unseen with no tank and no hint."""
    taken = int(view.seen[y])
    for seat in range(SEATS):
        if s.y[seat] == y:
            taken |= 1 << int(s.x[seat])
    for k in range(view.hint_count):
        if 0 <= y - int(view.hint_y[k]) <= 1:
            taken |= 3 << int(view.hint_x[k])
    if corridor >= 0:
        taken &= ~(1 << corridor)
    return FULL_ROW & ~taken & ~int(s.wall[y])


@rule
def guess_items(view, s, rng):
    """Place each item in its box: the upper left cell, or in the last column and row one of those that share it."""
    s.item_count = view.hint_count
    s.item_cell[:] = 0
    for k in range(CAPACITY):
        s.item_kind[k] = view.hint_kind[k]
    for k in range(view.hint_count):
        x, y = int(view.hint_x[k]), int(view.hint_y[k])
        columns, rows = 1 + (x == SIZE - 2), 1 + (y == SIZE - 2)
        free = 0
        for place in range(columns * rows):
            free += is_free(s, x + place % columns, y + place // columns)
        index = draw(rng, free) if free > 1 else 0
        for place in range(columns * rows):
            here_x, here_y = x + place % columns, y + place // columns
            is_open_here = s.wall[here_y] >> here_x & 1 == 0
            # With a tank on every open place, as in positions made by hand, the first will do.
            if is_open_here and (free == 0 or is_free(s, here_x, here_y)):
                if index == 0:
                    s.item_cell[k] = here_y * SIZE + here_x
                index -= 1


@rule
def restore_last(view, s):
    """Put back what the seat knows of the turn just played."""
    s.last_picked = CAPACITY
    clear_last(s)
    s.last_penalty[view.me] = view.last_penalty
    if view.turn > 0:
        s.last_seat = 1 - view.seat
    if view.last_action >= 0:
        s.last_action, s.last_moved, s.last_escaped = view.last_action, view.last_moved, view.last_escaped
        s.last_fired, s.last_hit, s.last_points = view.last_fired, view.last_hit, view.last_points


@rule
def is_sound_tank(s, seat):
    """Say whether a tank stands on the board with numbers that can be its own."""
    most = HIGHEST - MOST_CHANGE * (s.opt_max_turns - s.turn)
    return (
        0 <= s.x[seat] < SIZE
        and 0 <= s.y[seat] < SIZE
        and 0 <= s.facing[seat] < 4
        and 0 <= s.desired[seat] < 4
        and 0 <= s.cooldown[seat] <= DOUBLE_RELOAD
        and 0 <= s.double_shot[seat] <= 1
        and 0 <= s.double_damage[seat] <= 1
        and 0 <= s.double_cooldown[seat] <= 1
        and 0 <= s.stay[seat] <= most
        and -most <= s.score[seat] <= most
    )


@rule
def are_sound_cells(s):
    """Say whether walls and seen cells are on the board, no wall under a tank, what is in view seen, and a cell free."""
    is_free_cell = False
    for y in range(SIZE):
        wall = int(s.wall[y])
        free = FULL_ROW & ~wall
        for seat in range(SEATS):
            x, seen = int(s.x[seat]), int(s.seen[seat, y])
            in_view = sight(s.opt_view_range, s.opt_view_metric, x, s.y[seat], y)
            if not 0 <= seen <= FULL_ROW or in_view & ~seen != 0:
                return False
            if s.y[seat] == y:
                if wall >> x & 1 != 0:
                    return False
                free &= ~(1 << x)
        if not 0 <= wall <= FULL_ROW:
            return False
        is_free_cell = is_free_cell or free != 0
    return is_free_cell


@rule
def are_sound_items(s):
    """Say whether the items lie on the board outside the walls, and slots without one are clear."""
    if not 0 <= s.item_count <= CAPACITY:
        return False
    for k in range(CAPACITY):
        cell, kind = int(s.item_cell[k]), int(s.item_kind[k])
        if k >= s.item_count:
            if cell != 0 or kind != 0:
                return False
        elif not (0 <= cell < CELLS and 0 <= kind < KINDS) or s.wall[cell // SIZE] >> cell % SIZE & 1 != 0:
            return False
    return True


@rule
def is_sound_last(s):
    """Say whether the turn just played, if there was one, can have gone as it is told."""
    known = int(s.last_seat >= 0)  # 0: nothing may be told
    told = int(s.last_action >= 0)  # 0: nothing of the action, as in a sampled position
    if s.last_seat != -1 and (s.turn == 0 or s.last_seat != 1 - s.seat):
        return False
    if not (-1 <= s.last_action < 2 * SHOOT * known and -1 <= s.last_escaped < 4 * told):
        return False
    if not (0 <= s.last_rotated <= told and 0 <= s.last_moved <= told and 0 <= s.last_fired <= told):
        return False
    if (s.last_moved == 1 or s.last_escaped >= 0) and not came_from_board(s, s.last_seat):
        return False
    if not (0 <= s.last_hit <= s.last_fired and s.last_hit <= s.last_points <= 2 * s.last_hit):
        return False
    far = SIZE * s.last_fired  # a sampled position does not know where a shot ended: -1, -1
    if not (-1 <= s.last_shot_x < far and -1 <= s.last_shot_y < far) or (s.last_shot_x < 0) != (s.last_shot_y < 0):
        return False
    if not 0 <= s.last_picked <= CAPACITY * told:
        return False
    for k in range(CAPACITY):
        if not 0 <= int(s.last_kinds[k]) < (KINDS if k < s.last_picked else 1):
            return False
    if not (0 <= s.last_penalty[BLUE] <= known and 0 <= s.last_penalty[RED] <= known):
        return False
    most = MOST_CHANGE * known
    return -most <= s.last_reward[BLUE] <= most and s.last_reward[RED] == -s.last_reward[BLUE]


@rule
def came_from_board(s, seat):
    """Say whether the cell behind a tank is one of the board."""
    x, y = s.x[seat] - DX[s.facing[seat]], s.y[seat] - DY[s.facing[seat]]
    return 0 <= x < SIZE and 0 <= y < SIZE
