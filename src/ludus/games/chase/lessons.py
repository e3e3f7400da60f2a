"""Games on solved layouts, many at once: what perfect play would do is known in every position that a learner gets into.

Arrays are torch's, on any device; the module is handed in, so that the game itself needs no torch. Boards have one more row and
column of wall, so that a step is a shift of the whole table and the edge needs no care. Values are turns to capture.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .rules import CHASER1, CHASER2, CLEAR_ZONE, RUNNER, SEATS, SIZE, SPAWN_DISTANCE, STAY

WIDE = SIZE + 1
CELLS = WIDE * WIDE
POSITIONS = CELLS**3
STRIDES = (CELLS * CELLS, CELLS, 1)  # of runner, chaser1 and chaser2 in a table
STEPS = (-WIDE, WIDE, -1, 1, 0)  # by action
SYMMETRIES, FLIP_ROWS, FLIP_COLUMNS, SWAP = 8, 1, 2, 4
NEVER, WORST = 255, 999  # turns to capture of what is never caught; how much worse an illegal action is
LOST = 0.05  # of a value each turn: soon is better

MEMORY = 2**33  # bytes for tables
LAYOUTS, RENEWED = min(128, MEMORY // (SEATS * POSITIONS)), 2  # at once; how many of them are new after a while
LONGEST = 75  # turns after which a game begins anew
TRIES = 48  # of places for the three, until they are far enough from each other and from the walls
# Of a hundred games: in the first the learner has the chasers, then the runner, then all; the last are perfect but for chance.
CHASERS, ALONE, ALL, EVERY = 50, 65, 90, 100
NOISE, ANYWHERE, ANY_TIME = 0.25, 0.15, 0.2  # shares: of random moves there, of games that begin anywhere, at any time


def solved(torch: Any, is_wall: Any) -> Any:
    """Return the turns to capture under best play [seat to move × runner × chaser1 × chaser2] of a layout [CELLS]."""
    edge, device = STRIDES[0] * WIDE, is_wall.device
    cell = torch.arange(CELLS, device=device)
    is_caught = (cell[:, None, None] == cell[:, None]) | (cell[:, None, None] == cell)
    free = torch.where(is_caught, 0, NEVER).to(torch.uint8)
    closed = torch.where(is_wall, NEVER, 0).to(torch.uint8)
    # Whoever looks at a table to step must not like walls, where a shift may come from another row of the table, too: what the
    # runner looks at is 0 there, what chasers look at is NEVER, a capture or not.
    tables = torch.full((SEATS, edge + POSITIONS + edge), NEVER, dtype=torch.uint8, device=device)
    tables[CHASER1, :edge] = tables[CHASER1, -edge:] = 0
    inner = tables[:, edge:-edge].view(SEATS, CELLS, CELLS, CELLS)
    inner &= free
    found, before, now = torch.empty_like(free), -1, 0
    while before != now:
        for mover in (CHASER2, CHASER1, RUNNER):
            better, ahead = torch.maximum if mover == RUNNER else torch.minimum, tables[(mover + 1) % SEATS]
            one, two, three, four = (ahead[edge + step * STRIDES[mover] :][:POSITIONS].view_as(found) for step in STEPS[:STAY])
            better(better(one, two, out=found), three, out=found)
            better(found, four, out=found)
            if mover == RUNNER:
                found.clamp_(max=NEVER - 1).add_(1)
            found &= free
            if mover == CHASER1:
                torch.bitwise_and(found, ~closed[:, None, None], out=inner[mover])
            else:
                torch.bitwise_or(found, closed if mover == RUNNER else closed[:, None], out=inner[mover])
        before, now = now, int(inner[RUNNER].sum(dtype=torch.int64))
    return inner.flatten()


class Lessons:
    """Many games on some solved layouts; the learner plays some of the seats, perfect play the others."""

    def __init__(self, torch: Any, device: str, games: int, options: Mapping[str, int], layouts: int = LAYOUTS) -> None:
        self.obstacles, self.turns = options["obstacles"], options["max_turns"]
        self.torch, self.device, self.n, self.layouts = torch, device, games, min(layouts, games)
        self.longest, self.anywhere, self.kinds = LONGEST, ANYWHERE, (0, EVERY)
        self.tables = torch.zeros((self.layouts, SEATS * POSITIONS), dtype=torch.uint8, device=device)
        self.walls = torch.ones((self.layouts, CELLS), dtype=torch.bool, device=device)
        numbers = torch.zeros((5, games), dtype=torch.long, device=device)
        self.layout, self.oldest = torch.arange(games, device=device) % self.layouts, 0
        self.cells = torch.zeros((games, SEATS), dtype=torch.long, device=device)
        self.seat, self.turn, self.clock, self.kind, self.symmetry = numbers
        self.strides = torch.tensor(STRIDES, device=device)
        self._turn_boards()
        self.renew(self.layouts)

    def _turn_boards(self) -> None:
        """Make the eight symmetries: where each cell is shown, what is shown at each, how far each action leads."""
        torch, last, shown, steps = self.torch, SIZE - 1, [], []
        y, x = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
        self.board = (y * WIDE + x).flatten().to(self.device)  # the cells without the edge
        for symmetry in range(SYMMETRIES):
            row, column = (x, y) if symmetry & SWAP else (y, x)
            row, column = (last - row if symmetry & FLIP_ROWS else row), (last - column if symmetry & FLIP_COLUMNS else column)
            shown.append((row * SIZE + column).flatten())
            ways = [*([1, 0] if symmetry & FLIP_ROWS else [0, 1]), *([3, 2] if symmetry & FLIP_COLUMNS else [2, 3])]
            steps.append([*(STEPS[way ^ 2 if symmetry & SWAP else way] for way in ways), 0])  # rows for columns: up for left
        self.shown_at = torch.stack(shown).to(self.device)  # [symmetry, cell of the board]
        self.shown_from, self.steps = self.shown_at.argsort(1), torch.tensor(steps, device=self.device)

    def renew(self, count: int = RENEWED) -> None:
        """Solve new layouts in place of the oldest; their games begin anew."""
        torch = self.torch
        for _ in range(count):
            k, self.oldest = self.oldest, (self.oldest + 1) % self.layouts
            self.walls[k] = True
            self.walls[k, self.board[torch.randperm(len(self.board), device=self.device)[self.obstacles :]]] = False
            self.tables[k] = solved(torch, self.walls[k])
            self.begin((self.layout == k).nonzero()[:, 0])

    def begin(self, games: Any) -> None:
        """Begin games anew where the rules would put the three, or anywhere."""
        torch, n, device = self.torch, len(games), self.device
        cells = self.board[torch.randint(len(self.board), (n, TRIES, SEATS), device=device)]
        is_start, is_good = self._fits(cells, self.walls[self.layout[games]])
        is_start &= torch.rand((n, 1), device=device) >= self.anywhere
        chosen = (is_good.float() + 2 * is_start.float()).argmax(1)
        self.cells[games] = cells[torch.arange(n, device=device), chosen]
        self.seat[games] = self.turn[games] = 0
        is_late = torch.rand(n, device=device) < ANY_TIME
        self.clock[games] = torch.randint(max(1, self.turns - LONGEST), (n,), device=device) * is_late
        self.symmetry[games] = torch.randint(SYMMETRIES, (n,), device=device)
        self.kind[games] = torch.randint(*self.kinds, (n,), device=device)

    def _fits(self, cells: Any, walls: Any) -> tuple[Any, Any]:
        """Say of places [n, try, seat] whether the rules would draw them, and whether one can play there at all."""
        y, x = cells // WIDE, cells % WIDE
        is_good = ~walls.gather(1, cells.flatten(1)).view_as(cells).any(2)
        is_good &= (cells[..., 1:] != cells[..., :1]).all(2)
        far = (y[..., 1:] - y[..., :1]).abs() + (x[..., 1:] - x[..., :1]).abs() >= SPAWN_DISTANCE
        is_start = is_good & far.all(2) & (cells[..., CHASER1] != cells[..., CHASER2])
        for down in range(-CLEAR_ZONE, CLEAR_ZONE + 1):
            for across in range(-CLEAR_ZONE, CLEAR_ZONE + 1):
                is_on = (y + down >= 0) & (y + down < SIZE) & (x + across >= 0) & (x + across < SIZE)
                beside = self.torch.where(is_on, cells + down * WIDE + across, cells)
                is_start &= ~walls.gather(1, beside.flatten(1)).view_as(cells).any(2)
        return is_start, is_good

    def shown(self) -> Any:
        """Return planes as the rules' `encode` writes them."""
        torch, n = self.torch, self.n
        planes = torch.zeros((n, 6, SIZE * SIZE), dtype=torch.uint8, device=self.device)
        planes[:, 0] = self.walls[:, self.board][self.layout].gather(1, self.shown_from[self.symmetry])
        cells = self.cells // WIDE * SIZE + self.cells % WIDE
        at = self.shown_at[self.symmetry[:, None], cells]  # [n, seat]
        planes[:, 1:4].scatter_(2, at[:, :, None], 1)
        planes[:, 4].scatter_(1, at.gather(1, self.seat[:, None]), 1)
        used = (self.turn + self.clock) * SIZE // self.turns
        planes[:, 5, :SIZE] = torch.arange(SIZE, device=self.device) < used[:, None]
        return planes.view(n, 6, SIZE, SIZE)

    def judged(self) -> tuple[Any, Any, Any]:
        """Return what is legal [n, actions], how many turns worse than the best, and values [n, seats] from the mover on."""
        torch, seat = self.torch, self.seat[:, None]
        here, steps = self.cells.gather(1, seat), self.steps[self.symmetry]
        to = here + steps
        is_open = (to >= 0) & ~self.walls[self.layout[:, None], to.clamp(min=0)]
        is_open[:, STAY] = ~is_open[:, :STAY].any(1)
        position = (self.cells * self.strides).sum(1, keepdim=True) + steps * is_open * self.strides[self.seat][:, None]
        turns = self.tables.view(-1)[(self.layout[:, None] * SEATS + (seat + 1) % SEATS) * POSITIONS + position].long()
        turns = torch.where(seat == RUNNER, -turns, turns)
        best = turns.masked_fill(~is_open, WORST).amin(1, keepdim=True)
        worse = (turns - best).masked_fill(~is_open, WORST)
        worth = (1 - LOST) ** best.abs().float()
        around = (seat + torch.arange(SEATS, device=self.device)) % SEATS
        return is_open, worse, torch.where(around == RUNNER, -worth, worth)

    def is_learners(self) -> Any:
        """Say where the learner is to move."""
        kind, is_runner = self.kind, self.seat == RUNNER
        return self.torch.where(kind < CHASERS, ~is_runner, self.torch.where(kind < ALONE, is_runner, kind < ALL))

    def step(self, actions: Any, worse: Any) -> Any:
        """Play the learner's actions where it moves, best ones elsewhere; return the turn in which a game ended, or 0."""
        torch = self.torch
        chance = torch.rand(worse.shape, device=self.device)
        best = (worse + chance).argmin(1)
        is_random = (self.kind >= ALL) & (torch.rand(self.n, device=self.device) < NOISE)
        best = torch.where(is_random, (chance * (worse < WORST)).argmax(1), best)
        played = torch.where(self.is_learners(), actions, best)[:, None]
        seat = self.seat[:, None]
        self.cells.scatter_(1, seat, self.cells.gather(1, seat) + self.steps[self.symmetry].gather(1, played))
        turn = self.turn + 1
        self.turn += self.seat == CHASER2
        self.seat.add_(1).remainder_(SEATS)
        is_over = (self.cells[:, 1:] == self.cells[:, :1]).any(1) | (self.turn >= self.longest)
        self.begin(is_over.nonzero()[:, 0])
        return turn * is_over
