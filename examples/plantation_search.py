"""Look ahead in a hidden game: judge actions of Plantation in many positions that the view could come from.

    ludus match plantation examples/plantation_search.py scry_and_die --games 20 --swap

What the view does not tell is drawn anew in every copy (`sample`). Built-in bots propose actions, each of which is tried in the
same number of copies; then bots play a few turns on, and the margin of scores says how good it was.
"""

import numpy as np

import ludus

BOT = "tracker"  # proposes, and plays both seats after the action that is tried
GAMES = 192  # copies in all
MOST = 12  # actions that are tried
DECISIONS = 18  # played on after each: three turns of both seats


class Search(ludus.Agent):
    """Try what bots propose in positions that could be."""

    def start(self, start):
        """Get ready for a game; one decision is made for nothing, so that everything is compiled before the clock runs."""
        self.game, self.seat, self.bots = start.game, start.seat, [BOT] * len(start.game.spec.seats)
        self.chance = np.random.default_rng(start.seed)
        self.batch = ludus.Batch(start.game, GAMES, start.seed, frame="rules", restart=False)
        table = ludus.Table(start.game, start.seed)
        self.act(table.observe(), table.legal())

    def act(self, view, legal):
        """Return the best of what is proposed; `view` is a row, `legal` are numbers."""
        if len(legal) == 1:
            return legal[0]
        batch = self.batch
        batch.sample(view)
        proposed = np.unique(batch.choose(self.bots))
        if len(proposed) > MOST:
            proposed = self.chance.choice(proposed, MOST, replace=False)
        tried = np.resize(np.arange(len(proposed)), GAMES)  # 0, 1, 2, 0, 1, 2 …
        batch.step(proposed[tried])
        batch.finish(self.bots, steps=DECISIONS)
        _, _, points = batch.result()
        margin = points[:, self.seat] - points[:, 1 - self.seat]
        return int(proposed[np.bincount(tried, margin).argmax()])
