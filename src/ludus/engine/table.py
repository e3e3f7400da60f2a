"""Table: one game, one decision at a time, for people, agents and environments.

Its kernels are called directly on its block of memory: about half a microsecond a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import index
from typing import Any

import numpy as np

from ludus.core import (
    HIGHEST_SEED,
    BadValue,
    IllegalAction,
    LudusError,
    Result,
    Rng,
    Row,
    Scene,
    agent_seed,
    draw,
    html_of,
    plain,
    shown,
    whole_number,
)  # fmt: skip
from ludus.games import Game, load

from .block import HEAD, Block
from .kernels import SEAT, STEPS, compiled_bots
from .memory import ENCODE, LONGEST_GAME, checked_views, read_position, settled
from .showing import SHOW
from .taking import bots_in

# The seat to move; legal actions that are listed in another way; that a refusal lists; decisions of others before a seat's.
MOVER, MANY, MOST_NAMED, MOST_PEEKED = -1, 100, 60, 100_000
NOBODY: Any = object()  # no seat that anybody could name


class Table:
    """One game at a time. `s` is its row, `view` the row that `observe` fills; both are overwritten as play goes on.

    Actions are ids of the rules; `own_mask` and `rule_id` translate for whoever looks at planes, which are in own frames.
    """

    def __init__(
        self, game: Game | str, seed: int | None = 0, device: str = "cpu", position: Any = None, **options: Any
    ) -> None:
        if not isinstance(device, str) or device not in ("pure", "cpu"):
            raise BadValue(f"one game at a time runs on pure or cpu, not on {shown(device)}; use Batch for many")
        if options and isinstance(game, Game):
            raise BadValue("options go with the game's name; a loaded game has its own")
        self._game_as_made = game if isinstance(game, Game) else load(game, **options)
        self.device, self.seed, self.position = settled(device), 0, ""
        self._open(Block(self._game_as_made, self.device))
        self.begin(seed, position)

    def _open(self, block: Block) -> None:
        """Look at a block of memory."""
        self.game, self.spec, self._block = block.game, block.game.spec, block
        self._legal, self._step = block.bound("legal_ids"), block.bound("play_one")
        # Memoryviews read and write single numbers several times faster than arrays do.
        ints, self._marks = block.bytes.cast("i"), block.numbers("masks", "b")
        ids_at, count_at, action_at = block.plan.int_places
        self._ids, self._count = ints[ids_at : ids_at + self.spec.actions], ints[count_at : count_at + 1]
        self._action = ints[action_at : action_at + 1]
        self.s = block.row("states")
        self._is_marked, self._looks_as = False, NOBODY
        self.bots: list[str | None] = []
        self._calls: dict[str, Callable[[], None]] = {}
        self._view: Row | None = None  # this and more is made when first asked for: copies cost next to nothing
        nothing: Any = None
        self._planes = self._mask = self._plan = self._rewards = self._seat = nothing

    def begin(self, seed: int | None = None, position: Any = None) -> None:
        """Begin a game: the only way in which one starts. Seed and position alone fix all chance.

        Without a seed, chance goes on where it stood; without a position, the game is dealt. A position, a row or its text,
        brings its own options: one that differs from what was asked for is an error.
        """
        if seed is not None:
            seed = whole_number(seed, "seed", 0, HIGHEST_SEED)
        row = None if position is None else read_position(self._game_as_made, position)
        if row is None and self._game_as_made.spec.no_setup:
            raise LudusError(f"{self.spec.title} has no random set-up here: {self._game_as_made.spec.no_setup}")
        self._is_marked = False
        if row is not None:
            self._place(row)  # first: it may be refused
        self.seed = agent_seed(self.seed, -1) if seed is None else seed  # agents' chance is another one in every game
        if seed is not None:
            self._block.seed(seed)
        if row is None:
            self._place(None)
        self.position = "" if row is None else self.game.text(self.s)
        self.forget()

    def _place(self, row: Row | None) -> None:
        """Deal, or put a row in place if it is sound; options that it brings make this a game with those.

        What goes wrong, an interrupt too, leaves the position that was there.
        """
        cells, game = self.s.bytes, self.game
        before = bytes(cells)
        try:
            if row is None:
                self._use(self._game_as_made)
                cells[:] = self.game.empty_bytes
                self._call("new")
            else:
                self._put(row)
        except BaseException:
            cells[:] = before
            self._use(game)
            raise

    def _put(self, row: Row) -> None:
        bad = self._block.numbers("bad", "q")
        self.s.bytes[:], bad[0] = row.bytes, 0
        self._call("sound")
        if bad[0]:
            raise BadValue(self.game.why_unsound(row))
        options = {o.name: row[f"opt_{o.name}"] for o in self.spec.options}
        if any(self.game.options[name] != value for name, value in options.items()):
            self._use(load(self.game.name, **{**self.game.options, **options}))

    def _use(self, game: Game) -> None:
        """Be a table of the same game with other options."""
        self.game = self._block.game = game

    def load(self, row: Any) -> None:
        """Take a position in the middle of play; chance goes on."""
        row, self._is_marked = read_position(self._game_as_made, row), False
        self._place(row)

    def sample(self, view: Row, check: bool = True) -> None:
        """Become a position that could look so; what `observe` has just made needs no check, which takes a millisecond."""
        other = self.copy()  # what comes of it may be refused
        other.view.bytes[:] = plain(checked_views(self.game, view, check=check)).bytes
        other._call("sample")
        self.load(other.s)  # it may bring other options
        self.rng[:] = other.rng

    def copy(self) -> Table:
        """Return an independent table with the same position, chance and bots."""
        other = Table.__new__(Table)
        other._game_as_made, other.device = self._game_as_made, self.device
        other.seed, other.position = self.seed, self.position
        other._open(self._block.copy())
        if self.bots:
            other.seat_bots(self.bots)
            other._block.array("scratch_words")[:] = self._block.array("scratch_words")
        return other

    __copy__, _repr_html_ = copy, html_of  # the second one is for notebooks

    def __deepcopy__(self, memo: Any) -> Table:
        return self.copy()

    def __getstate__(self) -> Any:
        about = (self._game_as_made, self.game, self.device, self.seed, self.position, self.bots)
        memories = np.array(self._block.array("scratch_words")) if self.bots else None
        return *about, memories, bytes(self._block.bytes[: self._block.plan.kept])

    def __setstate__(self, kept: Any) -> None:
        self._game_as_made, game, self.device, self.seed, self.position, bots, memories, cells = kept
        block = Block(game, self.device)
        block.bytes[HEAD : block.plan.kept] = cells[HEAD:]
        self._open(block)
        if bots:
            self.seat_bots(bots)
            self._block.array("scratch_words")[:] = memories

    @property
    def seat(self) -> int:
        """The seat to move."""
        if self._seat is None:
            self._seat = self.s.cell("seat")
        return self._seat[0]  # type: ignore[no-any-return]

    @property
    def turn(self) -> int:
        """What the rules call a turn, counted as they do."""
        return self.s.turn  # type: ignore[no-any-return]

    def legal(self) -> list[int]:
        """Return the legal actions of the seat to move, in ascending order; none after the end."""
        if not self._is_marked:
            self._legal()
            self._is_marked = True
        count = self._count[0]
        return self._ids[:count].tolist() if count < MANY else self._block.marked()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        if not self._is_marked:
            self._legal()
            self._is_marked = True
        return self._count[0] == 0

    def _marked(self) -> Any:
        """Return the mask itself."""
        if not self._is_marked:
            self._legal()
            self._is_marked = True
        if self._mask is None:
            self._mask = np.frombuffer(self._marks, np.int8, self.spec.actions)
        return self._mask

    @property
    def mask(self) -> Any:
        """The legal actions as ones [actions]; the caller's to keep."""
        return self._marked().copy()

    def own_mask(self) -> Any:
        """Return the mask in the own ids of the seat to move, which go with its planes; the caller's to keep."""
        return self._marked().take(self.game.own_ids[self.seat]) if self.spec.own_ids else self._marked().copy()

    def rule_id(self, seat: int, own: Any) -> Any:
        """Return a seat's own id of an action as the rules number it; what is none comes back as it is, to be refused."""
        if not self.spec.own_ids:
            return own
        try:
            return int(self.game.own_ids[seat, own]) if own >= 0 else own
        except Exception:  # an action may come from anybody
            return own

    @property
    def view(self) -> Row:
        """The row that `observe` fills."""
        if self._view is None:
            self._view, self._observe = self._block.row("views"), self._block.bound("observe")
        return self._view

    def observe(self, seat: int = MOVER) -> Row:
        """Return what a seat, by default the one to move, may know."""
        view = self._view or self.view
        if seat is not self._looks_as:  # as a rule it is the same one again
            self._look(seat)
        self._observe()
        return view

    def encode(self, seat: int = -1) -> Any:
        """Return that as planes [channel, y, x], in the seat's own frame."""
        if seat is not self._looks_as:
            self._look(seat)
        if self._planes is None:
            self._clear_planes, self._encode = (self._block.bound(kernel) for kernel in ENCODE)
            self._planes = self._block.array("planes")[0]
        self._clear_planes()
        self._encode()
        return self._planes

    def features(self, seat: int = -1) -> Any:
        """Return that as a few numbers [number], named by `game.spec.features`; overwritten by the next call."""
        assert self.game.features.names  # says what is wrong with them, if anything is
        self._look(seat)
        self._call("features")
        return self._block.array("features")[0]

    def frame(self, seat: int = -1) -> Row:
        """Return the position as a frame: all of it (-1), or what a seat sees; overwritten by the next call."""
        self._look(seat)
        assert self.game.picture  # says what is wrong with it, if anything is
        for kernel in SHOW[self._plan[SEAT] >= 0]:
            self._call(kernel)
        return plain(self._block.array("frames"))

    def scene(self, seat: int = -1) -> Scene:
        """Return the position as something to draw: all of it (-1), or what a seat sees."""
        return self.game.read_frame(self.frame(seat))

    def _look(self, seat: int) -> None:
        if type(seat) is not int or not -1 <= seat < len(self.spec.seats):
            seat = whole_number(seat, "seat", -1, len(self.spec.seats) - 1)
        if self._plan is None:
            self._plan = self._block.numbers("plan", "q")
        self._looks_as = NOBODY  # whatever interrupts this
        self._plan[SEAT] = seat
        self._looks_as = seat

    def _call(self, kernel: str) -> None:
        call = self._calls.get(kernel)
        if call is None:
            call = self._calls[kernel] = self._block.bound(kernel)
        call()

    def apply(self, action: int, chance: Rng = None) -> None:
        """Play an action of the seat to move; `chance` (a Tape) stands in for the game's own."""
        if not self._is_marked:
            self._legal()
            self._is_marked = True
        try:
            number = action if type(action) is int else index(action)
            if number < 0 or self._marks[number] == 0 or (number is not action and action.__class__ is bool):
                number = self.check(action)
        except Exception:  # an action may come from anybody
            number = self.check(action)
        self._is_marked = False
        if chance is not None:
            self.game.verbs.apply(self.s, number, chance)
            self._block.array("rewards")[0] = self.s.last_reward * self.spec.reward_unit
        else:
            self._action[0] = number
            self._step()

    def check(self, action: object) -> int:
        """Return an action as the rules number it; raise if the seat to move may not play it."""
        number = whole_number(action, f"an action of {self.spec.title}", 0, self.spec.actions - 1)
        if self.over:
            raise IllegalAction("the game is over; begin another one", "game_over")
        if self.spec.refuses and not self._marks[number]:
            reason = self.why_not(self.seat, number)
            name = self.game.action_name(number, self.s)
            legal = ", ".join(self.game.action_name(k, self.s) for k in self.legal()[:MOST_NAMED])
            more = ", …" if len(self.legal()) > MOST_NAMED else ""
            raise IllegalAction(f"{name} is refused ({reason}); legal are: {legal}{more}", reason)
        return number

    def why_not(self, seat: int, action: object) -> str:
        """Return the reason for which an action of a seat is refused, or ""."""
        try:
            number = whole_number(action, "an action", 0, self.spec.actions - 1)
        except BadValue:
            number = -1
        return self.game.why_not(self.s, self.game.seat_of(seat), number)

    def default(self, rng: Rng = None) -> int:
        """Return what is decided for a seat that decides nothing: the rules' default, or any legal action."""
        if self.game.verbs.default is not None:
            return int(self.game.verbs.default(self.s))
        legal = self.legal()
        return legal[0 if rng is None else draw(rng, len(legal))]

    def peek(self, seat: int) -> Table:
        """Return a table of its own at which `seat` is asked, before the others have committed: they play the default.

        After the end, or where the game ends before the seat is asked, it is over.
        """
        other, seat = self.copy(), self.game.seat_of(seat)
        for _ in range(MOST_PEEKED):
            if other.over or other.seat == seat:
                break
            other.apply(other.default())
        return other

    @property
    def rng(self) -> Any:
        """The game's chance."""
        return self._block.array("rngs")[0]

    @property
    def dice(self) -> Any:
        """The chance of whoever plays at random at this table."""
        return self._block.array("dice")[0]

    def seat_bots(self, bots: Iterable[str | None]) -> None:
        """Seat built-in bots by name for `play_bots`; None is a seat that they leave alone. Their memories are empty."""
        known, self.bots = compiled_bots(self.game), bots_in(self.game, bots)
        self._block.array("bots")[:] = [-1 if name is None else known.index(name) for name in self.bots]
        self.forget()

    def forget(self) -> None:
        """Empty the bots' memories, as at the start of a game."""
        if self.bots:
            self._block.array("scratch_words")[:] = 0

    def play_bots(self) -> list[float]:
        """Let the bots play until a seat without one is to move or the game is over; return what each seat got meanwhile."""
        gains, bad = self._block.array("gains")[0], self._block.numbers("bad", "q")
        gains[:], bad[0] = 0, 0
        self._block.numbers("plan", "q")[STEPS] = LONGEST_GAME
        self._is_marked = False
        self._call("answer")
        if bad[0]:
            seat = self.seat
            raise LudusError(f"the bot {self.bots[seat]} of {self.spec.seats[seat]} answered an action that is not legal")
        return (gains * self.spec.reward_unit).tolist()  # type: ignore[no-any-return]

    @property
    def rewards(self) -> list[float]:
        """What the last action gave each seat."""
        if self._rewards is None:
            self._rewards = self._block.numbers("rewards", "f")
        return self._rewards.tolist()  # type: ignore[no-any-return]

    def result(self) -> Result:
        """Return how the game stands."""
        self._call("result")
        outcome, points = (tuple(self._block.numbers(*field).tolist()) for field in (("outcomes", "f"), ("points", "d")))
        return Result(self._block.numbers("status", "i")[0], outcome, points)

    def digest(self) -> int:
        """Return the digest of the position: what `Game.digest` gives for it."""
        self._call("digest")
        return self._block.numbers("digests", "Q")[0]
