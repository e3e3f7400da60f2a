"""Games on solved layouts, many at once: what perfect play would do is known in every position that a learner gets into.

Arrays are torch's, on any device; the module is handed in, so that the game itself needs no torch. Boards have one more row and
column of wall, so that a step is one shift of the whole table, and the edge needs no care. Values are turns to capture.
"""

from __future__ import annotations

from typing import Any

from .rules import CLEAR_ZONE, RUNNER, SEATS, SIZE, SPAWN_DISTANCE, STAY

WIDE = SIZE + 1
CELLS = WIDE * WIDE
STRIDES = (CELLS * CELLS, CELLS, 1)  # of runner, chaser1 and chaser2 in a table
STEPS = (-WIDE, WIDE, -1, 1)  # up, down, left, right
NEVER = 255
LONGEST = 75  # turns after which a game begins anew
OBSTACLES = 5
# Who is played by the learner, of a hundred games: the chasers, the runner, all; in the rest all are perfect but for chance.
AGAINST_RUNNER, AGAINST_CHASERS, AGAINST_ITSELF = 50, 65, 90
NOISE = 0.25  # the share of random moves there
ANY_TIME = 0.2  # the share of games whose clock shows any turn at first
ANYWHERE = 0.15  # the share of games that begin anywhere at all


def solved(torch: Any, is_wall: Any) -> Any:
    """Return the turns to capture under best play [seat to move, runner × chaser1 × chaser2] of a layout [CELLS]."""
    total, device = CELLS**3, is_wall.device
    cell = torch.arange(CELLS, device=device)
    runner, chaser1, chaser2 = cell[:, None, None], cell[None, :, None], cell[None, None, :]
    free = torch.where((runner == chaser1) | (runner == chaser2), 0, NEVER).to(torch.uint8).flatten()  # 0 = caught
    closed = torch.where(is_wall, NEVER, 0).to(torch.uint8)
    to_runner = torch.where(is_wall, 0, NEVER).to(torch.uint8)
    edge = STRIDES[0] * WIDE  # beyond both ends: nothing good for who looks there
    values = torch.full((SEATS, edge + total + edge), NEVER, dtype=torch.uint8, device=device)
    values[1, :edge] = values[1, edge + total :] = 0
    inner = values[:, edge : edge + total]
    inner &= free
    found, shape = torch.empty_like(free), (CELLS, CELLS, CELLS)
    turned = -1
    while turned != (turned := int(inner[RUNNER].sum(dtype=torch.int64))):
        for mover in (2, 1, 0):
            ahead, better = values[(mover + 1) % SEATS], torch.maximum if mover == RUNNER else torch.minimum
            shifted = [ahead[edge + step * STRIDES[mover] :][:total] for step in STEPS]
            better(shifted[0], shifted[1], out=found)
            better(found, shifted[2], out=found)
            better(found, shifted[3], out=found)
            if mover == RUNNER:
                found.clamp_(max=NEVER - 1).add_(1)
            found &= free
            board = found.view(shape)  # whoever looks here next must not step into a wall
            if mover == 2:
                board |= closed[None, :, None]
            elif mover == 1:
                board &= to_runner[:, None, None]
            else:
                board |= closed[None, None, :]
            inner[mover].copy_(found)
    return inner.flatten()


class Lessons:
    """Many games on some solved layouts; the learner plays some of the seats, perfect play the others."""

    def __init__(self, torch: Any, device: str, layouts: int, games: int) -> None:
        self.torch, self.device, self.layouts, self.n = torch, device, layouts, layouts * games
        self.tables = torch.zeros((layouts, SEATS * CELLS**3), dtype=torch.uint8, device=device)
        self.walls = torch.ones((layouts, CELLS), dtype=torch.bool, device=device)
        self.layout = torch.arange(self.n, device=device) % layouts
        self.cells = torch.zeros((self.n, SEATS), dtype=torch.long, device=device)
        self.seat, self.turn, self.mode, self.turned, self.clock = (
            torch.zeros(self.n, dtype=torch.long, device=device) for _ in range(5)
        )
        self.oldest, self.longest, self.anywhere, self.modes = 0, LONGEST, ANYWHERE, (0, 100)
        y, x = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
        self.board = (y * WIDE + x).flatten().to(device)  # the cells without the edge
        self._turn_boards(y, x)
        steps = torch.tensor(STEPS, device=device)
        self.steps = steps[self.way]  # [symmetry, action]

    def _turn_boards(self, y: Any, x: Any) -> None:
        """Make the eight symmetries: where each cell is shown, what is shown at each, which way each action leads."""
        torch, last = self.torch, SIZE - 1
        shown_at, ways = [], []
        for turned in range(8):
            to_y, to_x = (x, y) if turned & 4 else (y, x)
            to_y, to_x = (last - to_y if turned & 1 else to_y), (last - to_x if turned & 2 else to_x)
            shown_at.append((to_y * SIZE + to_x).flatten())
            vertical, horizontal = ([1, 0] if turned & 1 else [0, 1]), ([3, 2] if turned & 2 else [2, 3])
            ways.append([way ^ 2 if turned & 4 else way for way in vertical + horizontal])  # rows for columns: up for left
        self.shown_at = torch.stack(shown_at).to(self.device)  # [symmetry, cell of the board] its place in the picture
        self.shown_from = self.shown_at.argsort(1)
        self.way = torch.tensor(ways, device=self.device)

    def renew(self, count: int) -> None:
        """Solve new layouts in place of the oldest; their games begin anew."""
        torch = self.torch
        for _ in range(count):
            k, self.oldest = self.oldest, (self.oldest + 1) % self.layouts
            self.walls[k] = True
            self.walls[k, self.board] = False
            self.walls[k, self.board[torch.randperm(len(self.board), device=self.device)[:OBSTACLES]]] = True
            self.tables[k] = solved(torch, self.walls[k])
            self._begin((self.layout == k).nonzero()[:, 0])

    def _begin(self, games: Any) -> None:
        """Begin games anew where the rules would put the three, or anywhere."""
        torch, n = self.torch, len(games)
        tries, device = 48, self.device
        cells = self.board[torch.randint(len(self.board), (n, tries, SEATS), device=device)]
        y, x = cells // WIDE, cells % WIDE
        walls = self.walls[self.layout[games]]
        is_good = ~walls.gather(1, cells.flatten(1)).view(n, tries, SEATS).any(2)
        is_good &= (cells[..., 1] != cells[..., 0]) & (cells[..., 2] != cells[..., 0])
        far = (y[..., 1:] - y[..., :1]).abs() + (x[..., 1:] - x[..., :1]).abs() >= SPAWN_DISTANCE
        is_start = is_good & far.all(2) & (cells[..., 1] != cells[..., 2])
        for down in range(-CLEAR_ZONE, CLEAR_ZONE + 1):
            for across in range(-CLEAR_ZONE, CLEAR_ZONE + 1):
                beside, is_on = (
                    cells + down * WIDE + across,
                    (y + down >= 0) & (y + down < SIZE) & (x + across >= 0) & (x + across < SIZE),
                )
                is_start &= ~(walls.gather(1, beside.clamp(0, CELLS - 1).flatten(1)).view(n, tries, SEATS) & is_on).any(2)
        anywhere = torch.rand((n, 1), device=device) < self.anywhere
        chosen = (is_good.float() + 2 * (is_start & ~anywhere).float()).argmax(1)
        self.cells[games] = cells[torch.arange(n, device=device), chosen]
        self.seat[games], self.turn[games] = RUNNER, 0
        self.turned[games] = torch.randint(8, (n,), device=device)
        self.clock[games] = torch.randint(300 - LONGEST, (n,), device=device) * (torch.rand(n, device=device) < ANY_TIME)
        self.mode[games] = torch.randint(*self.modes, (n,), device=device)

    def shown(self) -> Any:
        """Return planes as the rules' `encode` writes them."""
        torch, n = self.torch, self.n
        planes = torch.zeros((n, 6, SIZE * SIZE), dtype=torch.uint8, device=self.device)
        planes[:, 0] = self.walls[:, self.board][self.layout].gather(1, self.shown_from[self.turned])
        y, x = self.cells // WIDE, self.cells % WIDE
        at = self.shown_at[self.turned[:, None], y * SIZE + x]  # [n, seat]
        planes[:, 1:4].scatter_(2, at[:, :, None], 1)
        planes[:, 4].scatter_(1, at.gather(1, self.seat[:, None]), 1)
        used = (self.turn + self.clock) * SIZE // 300
        planes[:, 5, :SIZE] = torch.arange(SIZE, device=self.device) < used[:, None]
        return planes.view(n, 6, SIZE, SIZE)

    def judged(self) -> tuple[Any, Any, Any]:
        """Return what is legal [n, actions], how many turns worse than the best each action is, and the turns to capture."""
        torch, seat = self.torch, self.seat[:, None]
        to = self.cells.gather(1, seat) + self.steps[self.turned]  # [n, 4]
        is_off = (to < 0) | (to >= CELLS)
        is_open = ~(self.walls[self.layout[:, None], to.clamp(0, CELLS - 1)] | is_off)
        strides = torch.tensor(STRIDES, device=self.device)
        here = (self.cells * strides).sum(1, keepdim=True)
        own = strides[self.seat][:, None]
        base = self.layout[:, None] * (SEATS * CELLS**3)
        after = here + (to - self.cells.gather(1, seat)) * own + (seat + 1) % SEATS * CELLS**3
        flat = self.tables.view(-1)
        values = flat[(base + torch.where(is_open, after, here))].long()
        is_runner = seat == RUNNER
        best = torch.where(
            is_runner,
            values.masked_fill(~is_open, -1).amax(1, keepdim=True),
            values.masked_fill(~is_open, 999).amin(1, keepdim=True),
        )
        worse = (values - best).abs().masked_fill(~is_open, 999)
        mask = torch.zeros((self.n, STAY + 1), dtype=torch.bool, device=self.device)
        mask[:, :STAY] = is_open
        mask[:, STAY] = ~is_open.any(1)
        cost = torch.full((self.n, STAY + 1), 999, dtype=torch.long, device=self.device)
        cost[:, :STAY] = worse
        cost[:, STAY] = torch.where(mask[:, STAY], 0, 999)
        return mask, cost, best[:, 0]

    def is_learner(self) -> Any:
        """Say where the learner is to move."""
        mode, is_runner = self.mode, self.seat == RUNNER
        is_one = (
            torch_between(mode, 0, AGAINST_RUNNER) & ~is_runner
            | torch_between(mode, AGAINST_RUNNER, AGAINST_CHASERS) & is_runner
        )
        return is_one | torch_between(mode, AGAINST_CHASERS, AGAINST_ITSELF)

    def step(self, actions: Any, mask: Any, cost: Any) -> tuple[Any, Any]:
        """Play the learner's actions where it sits, best ones elsewhere; say which games are over and in which turn."""
        torch = self.torch
        chance = torch.rand(cost.shape, device=self.device)
        perfect = (cost + chance).argmin(1)
        random = (chance * mask).argmax(1)
        is_random = (self.mode >= AGAINST_ITSELF) & (torch.rand(self.n, device=self.device) < NOISE)
        played = torch.where(self.is_learner(), actions, torch.where(is_random, random, perfect))
        moved = torch.cat([self.steps, torch.zeros_like(self.steps[:, :1])], 1)[self.turned, played]
        self.cells.scatter_add_(1, self.seat[:, None], moved[:, None])
        in_turn = self.turn + 1
        self.turn += self.seat == SEATS - 1
        self.seat.add_(1).remainder_(SEATS)
        is_over = (self.cells[:, 1:] == self.cells[:, :1]).any(1) | (self.turn >= self.longest)
        games = is_over.nonzero()[:, 0]
        if len(games):
            self._begin(games)
        return is_over, in_turn


def torch_between(mode: Any, low: int, high: int) -> Any:
    return (mode >= low) & (mode < high)
