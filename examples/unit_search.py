"""Look ahead in an open game: judge every legal action of Unit by compiled playouts.

    ludus match unit examples/unit_search.py greedy --games 20 --swap

Each action is played in a few copies of the position, and built-in bots play all copies to their ends at once. The action after
which the own seat won most is the best.
"""

import numpy as np

import ludus

BOT = "greedy"  # plays both seats in the playouts
COPIES = 6  # playouts of each action


class Search(ludus.Agent):
    """Ask thousands of playouts."""

    def start(self, start):
        """Get ready for a game; one decision is made for nothing, so that everything is compiled before the clock runs."""
        self.game, self.seat, self.seed, self.batches = start.game, start.seat, start.seed, {}
        table = ludus.Table(start.game, start.seed)
        self.act(table.observe(), table.legal())

    def act(self, view, legal):
        """Return the best of the legal actions; `view` is a row, `legal` are numbers."""
        if len(legal) == 1:
            return legal[0]
        batch = self.batch(len(legal) * COPIES)
        batch.sample(view)  # in an open game: the position itself, in every copy
        batch.step(np.repeat(legal, COPIES))
        lengths = batch.finish([BOT] * len(self.game.spec.seats))
        _, outcomes, _ = batch.result()
        worth = outcomes[:, self.seat] * (1 + 100 / (100 + lengths))  # a win counts more if it comes soon
        worth = worth.reshape(len(legal), COPIES).mean(axis=1)
        return legal[int(worth.argmax())]

    def batch(self, count):
        """Return a batch of so many games, in ids of the rules; `restart=False` lets games that end stay as they ended."""
        if count not in self.batches:
            self.batches[count] = ludus.Batch(self.game, count, self.seed, frame="rules", restart=False)
        return self.batches[count]
