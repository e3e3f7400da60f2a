"""Batch: many games at once. Arrays in, arrays out, nothing allocated per step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ludus.core import BadValue, LudusError, known_word, whole_number
from ludus.games import Game, load

from .buffers import NO_BUFFERS
from .joining import joined
from .kernels import RESTART, SEAT, STEPS, compiled_bots
from .memory import ENCODE, LONGEST_GAME, Memory, backend, checked_views, games_in, is_row_of
from .seat import Seat
from .showing import SHOW
from .taking import actions_in, bots_in, refusal, rows_in

FRAMES = ("own", "rules")
AT_ONCE = 2_000_000  # random decisions in one call of a kernel, so that Ctrl-C is heard soon
STEPS_AT_ONCE = 1024  # random decisions of each game in one kernel of a GPU, since rows are moved before and after
# What makes a game go on as it would have: these are copied with it.
GAME = ("states", "rngs", "dice", "bot_dice", "bots", "scratch", "gains", "tally", "margins", "mine", "mix")
# So are these, so that a seat may answer what it was shown.
SHOWN = ("masks", "counts", "own_masks", "reward", "rewards", "done", "decider", "actor", "waiting", "replaced")


class Batch(Memory):
    """Own `n` games, their chance and their results, on one device.

    Every array that a method returns is the batch's own and is overwritten by the next call: copy what you keep.
    A game that `step` ends is followed by a new one at once, or with `restart=False` stands still, whatever is played there.
    Its last views, outcomes and points stay in `final_views`, `final_outcomes` and `final_points`; `done` says which games
    ended, and how.

    `frame` says whose ids `legal` hands out and `step` takes: "own" (the mover's own, which go with its planes), or "rules".
    They differ where a game turns its board for a seat.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        seed: int | Sequence[int] = 0,
        device: str = "cpu",
        restart: bool = True,
        frame: str = "own",
        **options: Any,
    ) -> None:
        if options and isinstance(game, Game):
            raise BadValue("options go with the game's name; a loaded game has its own")
        known_word(frame, "frame", FRAMES)
        super().__init__(game if isinstance(game, Game) else load(game, **options), n, device)
        self.restart, self.frame = restart, frame
        self._played = -1  # the version after random play, which leaves no game over
        self.seed(seed)
        if not self.game.spec.no_setup:
            self.new()

    def new(self, seed: int | Sequence[int] | None = None) -> None:
        """Start every game anew, with new chance if a seed is given."""
        if seed is not None:
            self.seed(seed)
        self._has_positions = not self.game.spec.no_setup
        self._run("new")
        self._forget()

    def load(self, rows: Any, which: Any = None) -> None:
        """Take positions: an array [n] of State, or one row for all; what no game can be is refused, and nothing changes.

        `which` [n] says in which games; the others stay as they are.
        """
        self._place(self.sound_rows(rows), games_in(which, self.n))

    def sound_rows(self, rows: Any) -> Any:
        """Return positions as an array of one row or n of them, all of which could be played; anything else is refused."""
        rows = rows_in(self.game, rows, self.n)
        for bad in np.flatnonzero(~self.sound(rows))[:1]:
            where = "" if len(rows) == 1 else f"row {bad}: "
            raise BadValue(f"{where}{self.game.why_unsound(rows[bad : bad + 1])}")
        return rows

    def _place(self, rows: Any, which: Any) -> None:
        self._has_positions = True
        self._change()
        if not which.all():
            kept = np.array(self.host(self._buffers.states))
            kept[which] = rows if len(rows) == 1 else rows[which]
            self._copy_in("states", kept)
            return
        if rows.size == 1:
            self._backend.fill(rows, self._buffers.states)
        else:
            self._copy_in("states", rows)
        self._forget()

    def sound(self, rows: Any) -> Any:
        """Say of rows of State, in ordinary memory, which could be played [rows]: no verb is let loose on the others."""
        if not is_row_of(rows, self.game.state_type) or np.ndim(rows) != 1:
            raise BadValue(f"rows of {self.game.name}'s State [rows] are needed, not {type(rows).__name__}")
        return self._status("sound", rows, bad=np.zeros(1, np.int64)) != 0

    def over(self, rows: Any) -> Any:
        """Say of sound rows, in ordinary memory, in which the game has ended [rows]."""
        shape = (len(rows), len(self.game.spec.seats))
        return self._status("result", rows, outcomes=np.zeros(shape, np.float32), points=np.zeros(shape)) != 0

    def _status(self, kernel: str, rows: Any, **room: Any) -> Any:
        """Return what a kernel says of rows that are no games of the batch."""
        looking = self._backend if self.device != "cuda" else backend("cpu", self.game)
        room |= {"states": np.asarray(rows, self.game.state_type), "status": np.zeros(len(rows), np.int32)}
        buffers = NO_BUFFERS._replace(**{name: looking.within(array) for name, array in room.items()})
        looking.run((kernel,), buffers, len(rows))
        return buffers.status

    def take(self, source: Batch, index: Any) -> None:
        """Copy positions from another batch of this game on this device: game i becomes its game index[i].

        Chance stays: copies of one position go on differently.
        """
        if not isinstance(source, Batch) or source.game != self.game or source.device != self.device:
            raise BadValue("positions are taken from a batch of the same game, with the same sizes, on the same device")
        index = self._backend.places(index, self.n, source.n)
        self._change()
        self._backend.gather(source._buffers.states, index, self._buffers.states)
        self._has_positions = True
        self._forget()

    def sample(self, views: Any, check: bool = True) -> None:
        """Become positions that could look so: `views` is one view for all games, or an array of them [n].

        What a view does not tell is drawn anew in every game. Checking a view takes about a millisecond; for those that
        `observe` has just made, `check=False` saves it.
        """
        views = checked_views(self.game, views, self.n, check)
        self._need("views")
        if views.size == 1:
            self._backend.fill(views, self._buffers.views)
        else:
            self._copy_in("views", views)
        self._has_positions = True
        self._run("sample")
        self._forget()

    def legal(self) -> Any:
        """Return the masks [n, actions] of the seats to move, in the batch's frame; all zero where a game is over."""
        self._mark()
        return self._buffers.own_masks

    def counts(self) -> Any:
        """Return how many actions are legal in each game [n]."""
        self._mark()
        return self._backend.read_only(self._buffers.counts)  # a seat plays by them

    def step(self, actions: Any, check: bool = True) -> None:
        """Play one action in every game; nothing is played if any of them is refused."""
        self._copy_actions(actions)
        if self.frame == "own" and self.game.spec.own_ids:
            self._run("from_own")
        if check:
            self._check_actions()
        self._plan((RESTART, int(self.restart and not self.game.spec.no_setup)))
        self._run("step")
        if self._buffers.scratch is not None and self.restart:
            self._run("forget_ended")

    def observe(self, seat: int = -1) -> Any:
        """Return the views [n] of one seat, or of the seats to move."""
        self._plan((SEAT, whole_number(seat, "seat", -1, len(self.game.spec.seats) - 1)))
        self._run("observe")
        return self._buffers.views

    def encode(self, seat: int = -1) -> Any:
        """Return the planes [n, channel, y, x] of one seat, or of the seats to move; views may be overwritten on the way."""
        if self.frame == "rules" and self.game.spec.own_ids:
            raise LudusError(f"planes of {self.game.spec.title} are in the mover's own frame; take a batch with frame='own'")
        self._plan((SEAT, whole_number(seat, "seat", -1, len(self.game.spec.seats) - 1)))
        self._run(*ENCODE)
        return self._buffers.planes

    def features(self, seat: int = -1) -> Any:
        """Return a few numbers [n, number] of one seat, or of the seats to move, named by `game.spec.features`.

        They are in the looking seat's own frame, as planes are; views may be overwritten on the way.
        """
        self.check_features()
        self._plan((SEAT, whole_number(seat, "seat", -1, len(self.game.spec.seats) - 1)))
        self._run("features")
        return self._buffers.features

    def both(self, seat: int = -1) -> Any:
        """Return features and planes, each cell a number up to 1, in one row [n, number]: a new array, of torch's on cuda."""
        return joined(self.features(seat), self.encode(seat), self.game.spec.plane_high)

    def check_features(self) -> None:
        """Raise if there are no features, or if they do not go with the ids that this batch takes."""
        assert self.game.features.names  # says what is wrong with them, if anything is
        if self.frame == "rules" and self.game.spec.own_ids:
            raise LudusError(f"features of {self.game.spec.title} are in the mover's own frame; take a batch with frame='own'")

    def frames(self, seat: int = -1) -> Any:
        """Return the positions [n] as frames, to be drawn: all of them (-1), or what one seat sees."""
        self._plan((SEAT, whole_number(seat, "seat", -1, len(self.game.spec.seats) - 1)))
        assert self.game.picture  # says what is wrong with it, if anything is
        self._run(*SHOW[self._planned[SEAT] >= 0])
        return self._buffers.frames

    def result(self) -> tuple[Any, Any, Any]:
        """Return status [n], outcomes [n, seat] and points [n, seat] as they stand."""
        self._run("result")
        return self._buffers.status, self._buffers.outcomes, self._buffers.points

    def digest(self) -> Any:
        """Return the digests [n] of the positions: what `Game.digest` gives for each."""
        self._run("digest")
        return self._buffers.digests

    @property
    def rewards(self) -> Any:
        """What the last step gave each seat [n, seat]."""
        return self._need("rewards").rewards

    @property
    def done(self) -> Any:
        """How the last step ended each game [n]: 0 not, 1 decided, 2 by a limit."""
        return self._need("done").done

    @property
    def final_views(self) -> Any:
        """The views [n, seat] at the end of each game's last finished one."""
        return self._need("final_views").final_views

    @property
    def final_outcomes(self) -> Any:
        """The outcomes [n, seat] of each game's last finished one."""
        return self._need("final_outcomes").final_outcomes

    @property
    def final_points(self) -> Any:
        """The points [n, seat] of each game's last finished one."""
        return self._need("final_points").final_points

    def copy(self) -> Batch:
        """Return an independent batch with the same positions, chance and bots."""
        kept = {name: array for name in GAME + SHOWN if (array := getattr(self._buffers, name)) is not None}
        return _rebuilt(*self._about(), kept)

    def __deepcopy__(self, memo: Any) -> Batch:
        return self.copy()

    def __copy__(self) -> Batch:
        raise LudusError("a batch is copied with batch.copy(), or copy.deepcopy: a shallow copy would share its memory")

    def __reduce__(self) -> Any:
        kept = {name: np.array(self.host(a)) for name in GAME + SHOWN if (a := getattr(self._buffers, name)) is not None}
        return _rebuilt, (*self._about(), kept)

    def _about(self) -> tuple[Game, int, str, bool, str, Any]:
        about = (self._seeds, self._has_positions, self._backend.seated, self.version)
        return self.game, self.n, self.device, self.restart, self.frame, about

    def play_random(self, steps: int, encode: bool = False, features: bool = False) -> tuple[int, int]:
        """Play `steps` random legal actions in every game, new games following; return steps and games played."""
        if features:
            self.check_features()
        left = whole_number(steps, "steps", 1, 2**40)
        self.check_setup()
        self._clear_tally()
        # On a GPU planes leave a kernel when it ends, so that it takes one step; else rows stay with their threads for many.
        in_steps, is_gpu = encode and self.device == "cuda", self.device == "cuda"
        kernel = "random_encoded" if encode else "random_features" if features else "random_steps"
        most = 1 if in_steps else STEPS_AT_ONCE if is_gpu else max(1, AT_ONCE // self.n)
        self._plan((SEAT, -1))
        if self.version != self._played or not self.restart:  # games that are over are only found where others left them
            self._run("renew")
        while left > 0:
            self._plan((STEPS, min(left, most)))
            if in_steps:
                self._run("random_step", *ENCODE)
            else:
                self._run(kernel)
            left -= most
        self._played = self.version
        played, games = self._backend.total(self._buffers.tally)
        return int(played), int(games)

    def finish_random(self, steps: int = LONGEST_GAME) -> Any:
        """Play every game at random to its end, or `steps` actions on; return how many it took [n]. `result` tells the rest."""
        return self._finish("random_game", steps)

    def finish(self, bots: Iterable[str], steps: int = LONGEST_GAME) -> Any:
        """Let built-in bots, a name a seat, play every game to its end, or `steps` actions on; return how many it took [n]."""
        chosen = bots_in(self.game, bots)
        if None in chosen:
            raise BadValue("every seat needs a bot if the games are to be played to their ends")
        self._seat_bots(chosen)
        return self._finish("bot_game", steps)

    def seat(self, seat: Any, bots: Any = "random", obs: str = "planes", reward: Any = None) -> Seat:
        """Return seats that are played from outside: `reset` and `step` give what a learner needs.

        `seat` is a name or a number, a list of them, "any" (one a game, the next one in the next) or "all". `bots` play the
        others: one for all of them, a dictionary by seat, or a list by seat with None for the learner's; see `Opponents`. `obs`
        is "planes", "features", "both" or "none": nothing else is painted. `reward` says what is paid: see `Reward`.
        """
        if self.restart:
            self.check_setup()
        return Seat(self, seat, bots, obs, reward)

    def choose(self, bots: Iterable[str | None]) -> Any:
        """Return the actions [n], in the batch's frame, that built-in bots, a name a seat, would play for the seats to move."""
        self._seat_bots(bots)
        self._mark()
        self.observe()
        self._run("bot_choice")
        if self.frame == "own" and self.game.spec.own_ids:
            self._run("to_own")
        return self._buffers.actions

    def _seat_bots(self, bots: Iterable[str | None]) -> None:
        """Seat built-in bots by name; None is a seat played from outside."""
        known, chosen = compiled_bots(self.game), bots_in(self.game, bots)
        self._backend.seated = frozenset(name for name in chosen if name)
        self._need("bots", "bot_dice")
        self._copy_in("bots", np.array([-1 if name is None else known.index(name) for name in chosen], np.int32))

    def _finish(self, kernel: str, steps: int) -> Any:
        self._plan((STEPS, whole_number(steps, "steps", 0, LONGEST_GAME)))
        self._clear_tally()
        self._backend.zero(self._buffers.bad)
        self._run(kernel)
        self.check_bots()
        return self._backend.to_host(self._buffers.tally)[:, 0]

    def check_bots(self) -> None:
        """Raise if a bot answered something that may not be played; on a GPU this waits for the kernels."""
        bad = int(self._backend.to_host(self._buffers.bad)[0])
        if bad:
            self._backend.zero(self._buffers.bad)
            game, seat = divmod(bad - 1, len(self.game.spec.seats))
            bot = compiled_bots(self.game)[int(self._backend.to_host(self._buffers.bots)[game, seat])]
            whose = f"{bot} of {self.game.spec.seats[seat]}"
            raise LudusError(f"the bot {whose} answered an action that is not legal in game {game}")

    def _mark(self) -> None:
        if not self._mask_is_current:
            self._run("clear_own_masks", "own_legal" if self.frame == "own" else "rule_legal")
            self._mask_is_current = True

    def _copy_actions(self, actions: Any) -> None:
        """Copy the actions in, be they of any whole type."""
        self._need("actions")
        if actions is not self._buffers.actions:
            self._copy_in("actions", self._backend.narrowed(actions_in(actions, self.n)))

    def _check_actions(self) -> None:
        """Refuse all actions, which are the rules' ids by now, if one of them is wrong."""
        self._mark()
        self._backend.zero(self._buffers.bad)
        self._run("check_actions")
        if self._backend.to_host(self._buffers.bad)[0]:
            self._backend.zero(self._buffers.bad)
            arrays = (self._buffers.actions, self._buffers.masks, self._buffers.states)
            raise refusal(self.game, self.frame, *(np.asarray(self._backend.to_host(array)) for array in arrays))


def _rebuilt(game: Game, n: int, device: str, restart: bool, frame: str, about: Any, kept: dict[str, Any]) -> Batch:
    """Make a batch from what was kept of another one."""
    other = Batch(game, n, 0, device, restart, frame)
    other._seeds, other._has_positions, other._backend.seated, version = about
    for name, array in kept.items():
        other._need(name)
        other._copy_in(name, array)
    other._change()
    other.version = version
    return other
