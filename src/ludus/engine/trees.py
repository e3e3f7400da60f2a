"""Trees: the memory of a search over many games at once, and the steps that a search is made of."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludus.core import BadValue, LudusError, known_word, shown, whole_number
from ludus.games import Game

from .batch import Batch
from .buffers import shapes
from .kernels import compiled_bots
from .memory import array_of, checked_views
from .playout_kernels import grow_with
from .tree import CAPACITY, CONSIDERED, CUT, DOUBT, EXPLORE, HORIZON, MARGIN, SIMULATIONS, TREE_PLAN, TREE_SCALES, WIDTH

MOST_NODES = 2**31 - 1  # of all trees: links have 32 bits


class Found(NamedTuple):
    """What a search found, in the ids and the order of the seat that asked: the trees' own arrays, overwritten by the next."""

    actions: Any  # [n] what to play, in the mover's own ids; -1 where a game is over
    visits: Any  # [n, actions] simulations that began with each action, in own ids
    policy: Any  # [n, actions] what the search advises: what a network learns, in own ids
    values: Any  # [n, seat] what it expects, the mover's first, then that of the seats after it


class Trees(Batch):
    """One tree for each of `n` games. The rows are room to work in: what is searched are the views that `plant` takes."""

    def __init__(self, game: Game | str, n: int, nodes: int, seed: int = 0, device: str = "cpu", halving: Any = ()) -> None:
        super().__init__(game, n, seed, device, restart=False)
        if self.game.verbs.sample is None:
            raise LudusError(f"{self.game.spec.title} has no rule `sample`, which makes positions from a view")
        self._nodes = whole_number(nodes, "the nodes of a tree", 2, MOST_NODES // n)
        table = array_of(halving).ravel()
        if table.size and table.dtype.kind not in "iu":
            raise BadValue(f"a table of halving has whole numbers, not {shown(halving)}")
        self._room = max(1, table.size)
        self._shapes = shapes(self.game, self.n, self.n * self._nodes, self._room)
        self._need("tree_plan", "tree_scales", "halving", "root_views")
        if table.size:
            self._copy_in("halving", table)
        self.settings(1)
        self._has_positions = True  # they are made from views
        self._is_planted, self._walks = False, 0  # how often one went down since then

    def settings(
        self, simulations: int, considered: int = 0, cut: int = 0, explore: float = 0, margin: float = 1, horizon: float = 1,
        width: float = 0, doubt: float = 0,
    ) -> None:  # fmt: skip
        """Say how the trees are searched: see tree.py for what each number means."""
        simulations, considered = (whole_number(k, "a setting of a search", 0, 2**31 - 1) for k in (simulations, considered))
        self._most_walks = simulations + 1 if (considered + 1) * simulations <= self._room else 0  # as the table has them
        plan, scales = np.zeros(TREE_PLAN, np.int64), np.zeros(TREE_SCALES, np.float64)
        plan[[CAPACITY, SIMULATIONS, CUT, CONSIDERED]] = self._nodes, simulations, cut, considered
        scales[[EXPLORE, MARGIN, HORIZON, WIDTH, DOUBT]] = explore, margin, horizon, width, doubt
        self._copy_in("tree_plan", plan)
        self._copy_in("tree_scales", scales)

    def plant(self, views: Any, check: bool = True) -> None:
        """Begin with trees of a root alone: what a seat sees in each game [n], or in all of them; see `Batch.sample`."""
        views = views if hasattr(views, "__cuda_array_interface__") else checked_views(self.game, views, self.n, check)
        if views.size == 1:
            self._backend.fill(views, self._buffers.root_views)
        else:
            self._copy_in("root_views", views)
        self._run("plant")
        self._is_planted, self._walks = True, 0

    def grow(self, playout: str = "random") -> None:
        """Make as many simulations as the settings say in every tree, with playouts of a bot."""
        known_word(playout, "bot", compiled_bots(self.game))
        self._check()
        self._run(grow_with(playout))

    def descend(self) -> None:
        """Go down to the leaf of every tree's next simulation: `legal`, `encode` and `observe` show the positions there."""
        self._check()
        if self._walks >= self._most_walks:
            raise LudusError("the table of halving has no more simulations than the settings say: plant anew, or give another")
        self._walks += 1
        self._run("descend")

    def settle(self, logits: Any, values: Any) -> None:
        """Add what a network says of the leaves: logits [n, actions] in own ids, values [n, seat] from the mover on."""
        self._check()
        self._need("logits", "guesses")
        self.legal()
        for name, given in (("logits", logits), ("guesses", values)):
            shape = self._shapes[name][1]
            came = tuple(given.shape) if hasattr(given, "shape") else shown(given)
            if came != shape:
                raise BadValue(f"a network must answer with {name} of the shape {shape}, not {came}")
            self._copy_in(name, given)
        self._run("settle")

    def shake(self, noise: Any) -> None:
        """Take noise [n, actions] for the roots, in the movers' own ids."""
        self._need("noise")
        self._copy_in("noise", noise)

    def advised(self) -> Found:
        """Return what came of asking a network: the improved policy, and the best of the most visited actions."""
        return self._found("decide")

    def counted(self) -> Found:
        """Return what came of playouts: the visits as a policy, and the most visited action."""
        return self._found("count_visits")

    def _found(self, kernel: str) -> Found:
        self._check()
        self._run(kernel)
        return Found(self._buffers.actions, self._buffers.visits, self._buffers.policy, self._buffers.root_values)

    def _check(self) -> None:
        if not self._is_planted:
            raise LudusError("trees are planted before they grow: call plant(views)")
