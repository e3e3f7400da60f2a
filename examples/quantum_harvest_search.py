"""Look ahead in a simultaneous game with many units: choose among whole ways to play Quantum Harvest, anew every few turns.

    ludus match quantum_harvest examples/quantum_harvest_search.py raider --games 10 --swap

Single orders of dozens of units are too many to try, and the other seat's are not known. So each built-in bot of PLANS plays
the own seat in some of the positions that the view could come from, against one that fights; the plan that does best gives
the orders.
"""

import numpy as np

import ludus

PLANS = ("growth", "raider", "commander")  # ways to play
RIVAL = "raider"  # plays the other seat
COPIES = 8  # positions for each plan
TURNS = 10  # for so many turns a plan is kept
DECISIONS = 2000  # of both seats that are played to judge a plan


class Search(ludus.Agent):
    """Play as the bot that would do best from here."""

    def start(self, start):
        """Get ready for a game; one decision is made for nothing, so that everything is compiled before the clock runs."""
        self.seat, self.until = start.seat, -1  # the turn in which the plan is chosen anew
        self.batch = ludus.Batch(start.game, COPIES, start.seed, frame="rules", restart=False)
        self.one = ludus.Batch(start.game, 1, start.seed, frame="rules", restart=False)  # at which the chosen bot is asked
        table = ludus.Table(start.game, start.seed)
        self.act(table.observe(), table.legal())
        self.until = -1

    def act(self, view, legal):
        """Return an action for the unit that is asked; `view` is a row, `legal` are numbers."""
        if view.turn >= self.until:
            self.plan = max(PLANS, key=lambda plan: self.worth(view, plan))
            self.until = view.turn + TURNS
        self.one.sample(view)
        return int(self.one.choose(self.seated(self.plan))[0])

    def worth(self, view, plan):
        """Return how much better the own seat stands if it plays so: a win is worth more than any energy."""
        self.batch.sample(view)
        self.batch.finish(self.seated(plan), steps=DECISIONS)
        _, outcomes, points = self.batch.result()
        mine, theirs = points[:, self.seat], points[:, 1 - self.seat]
        return np.mean(1e6 * outcomes[:, self.seat] + mine - theirs)

    def seated(self, plan):
        """Return a bot for each seat."""
        return [plan, RIVAL] if self.seat == 0 else [RIVAL, plan]
