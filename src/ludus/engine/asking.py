"""Ask those outside who are no learners: functions over the games in which they are to decide, and bots with tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.core import BadValue, LudusError

from .joining import joined
from .kernels import BEGIN, SEAT
from .memory import ENCODE, array_of
from .opponents import Opponents, Policy, TableBot

if TYPE_CHECKING:
    from .batch import Batch

MOST_ASKED = 1_000_000  # rounds of asking before the learner is to decide: a game that never comes to it is broken


class Others:
    """Those outside who play in a batch, and what they look at: what the learner does."""

    def __init__(self, batch: Batch, opponents: Opponents, obs: str) -> None:
        self.batch, self.opponents, self.obs = batch, opponents, obs

    def play(self, go_on: int) -> None:
        """Let them decide until the learner is to decide in every game."""
        batch = self.batch
        for _ in range(MOST_ASKED):
            waiting = np.asarray(batch.host(batch._buffers.waiting))
            numbers = np.unique(waiting[waiting > 0])
            if not len(numbers):
                return
            players = [self.opponents.outside[number - 1] for number in numbers]
            self._paint({self._looks_at(player) for player in players if not isinstance(player, TableBot)})
            actions = np.zeros(batch.n, np.int32)
            for number in numbers:
                player, games = self.opponents.outside[number - 1], np.flatnonzero(waiting == number)
                assert player is not None
                ask = self._ask_bot if isinstance(player, TableBot) else self._ask
                actions[games] = ask(player, games)
            batch._copy_in("actions", actions)
            batch._plan((BEGIN, go_on))
            batch._run("seat_step")
        raise LudusError(f"the learner was not asked after {MOST_ASKED} decisions of others")

    def _looks_at(self, player: Any) -> str:
        """Return what a function is shown: what it asks for (`obs`), or what the learner is."""
        return str(getattr(player, "obs", "planes" if self.obs in ("planes", "both") else "features"))

    def _paint(self, wanted: set[str]) -> None:
        kernels = (*(ENCODE if wanted & {"planes", "both"} else ()), *(("features",) if wanted & {"features", "both"} else ()))
        if kernels:
            self.batch._plan((SEAT, -1))
            self.batch._run(*kernels)

    def _ask(self, policy: Policy, games: Any) -> Any:
        """Ask a function about its games."""
        b = self.batch._buffers
        wanted = self._looks_at(policy)
        features = self._of(b.features, games) if wanted != "planes" else None
        planes = self._of(b.planes, games) if wanted != "features" else None
        high = self.batch.game.spec.plane_high
        obs = joined(features, planes, high) if wanted == "both" else features if planes is None else planes
        answer = policy(obs, *(self._of(array, games) for array in (b.own_masks, b.decider)))
        actions = array_of(answer.detach().cpu() if hasattr(answer, "detach") else answer)
        if actions.shape != (len(games),) or actions.dtype.kind not in "iu":
            said = f"{actions.dtype} {actions.shape}"
            raise BadValue(f"an opponent answers one whole number for each of its {len(games)} games, not {said}")
        return np.clip(actions, -1, 2**31 - 1)

    def _of(self, array: Any, games: Any) -> Any:
        """Return the part of an array that belongs to some games: NumPy's, or torch's on a CUDA device."""
        if self.batch.device != "cuda":
            return array[games]
        import torch

        whole = torch.as_tensor(array, device="cuda")
        return whole[torch.as_tensor(games, device="cuda")]

    def _ask_bot(self, bot: TableBot, games: Any) -> Any:
        """Ask a bot with tables about its games, one by one."""
        batch, actions = self.batch, []
        batch._plan((SEAT, -1))
        batch._run("observe")
        b = batch._buffers
        for game in games.tolist():
            seat, number = int(b.decider[game]), int(b.tally[game, 1])
            view, dice = b.views[game : game + 1], b.bot_dice[game, seat]
            actions.append(bot.choose(game, number, seat, view, b.own_masks[game], dice))
        return np.array(actions, np.int32)
