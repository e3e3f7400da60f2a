"""Look ahead in the fog: improve a built-in bot of BattleGrid by one decision.

    ludus match battlegrid examples/battlegrid_search.py hunter --games 20 --swap

Every action is played in the same positions that the view could come from (`sample`, `take`); then bots play on for a while,
and the margin of scores says how good it was. Where nothing is better than what the bot would do, that is done.
"""

import numpy as np

import ludus

BOT = "hunter"  # plays both seats after the action that is tried
COPIES = 64  # positions that the view could come from
DECISIONS = 20  # played on after each action: ten turns of each tank
TIE = 0.01  # what the bot's own choice is worth more, in points


class Search(ludus.Agent):
    """Try every action, then do as the bot does."""

    def start(self, start):
        """Get ready for a game; one decision is made for nothing, so that everything is compiled before the clock runs."""
        self.seat, self.bots = start.seat, [BOT] * len(start.game.spec.seats)
        actions = start.game.spec.actions
        self.worlds = ludus.Batch(start.game, COPIES, start.seed, frame="rules", restart=False)
        self.batch = ludus.Batch(start.game, COPIES * actions, start.seed, frame="rules", restart=False)
        self.tried, self.world = np.repeat(range(actions), COPIES), np.tile(range(COPIES), actions)
        table = ludus.Table(start.game, start.seed)
        self.act(table.observe(), table.legal())

    def act(self, view, legal):
        """Return the best action; `view` is a row, and all actions are legal at any time."""
        self.worlds.sample(view)
        own = int(self.worlds.choose(self.bots)[0])
        self.batch.take(self.worlds, self.world)
        self.batch.step(self.tried)
        self.batch.finish(self.bots, steps=DECISIONS)
        _, _, points = self.batch.result()
        margin = points[:, self.seat] - points[:, 1 - self.seat]
        worth = margin.reshape(-1, COPIES).mean(axis=1)
        worth[own] += TIE
        return int(worth.argmax())
