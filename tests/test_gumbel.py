"""The Gumbel search against mctx, its authors' own: the same visits, actions and policies on hundreds of small trees.

mctx is no dependency: `pip install mctx` to run this.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludus import games
from ludus.engine import Batch
from ludus.games import Game
from ludus.school import GumbelSearch

TREES = 320
LOW = -1e9  # the logit of what is not legal


@pytest.fixture
def tangle(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game that is a table (tests/tangle), installed as long as the test runs."""
    monkeypatch.setitem(games._folders(), "tangle", "tangle")
    return games.load("tangle")


class Table:
    """A network that is a table: by place, in the own ids of whoever moves there."""

    input = "planes"

    def __init__(self, game: Game, seed: int) -> None:
        chance, rules = np.random.default_rng(seed), game.rules
        self.logits = chance.normal(0, 1.5, rules.NEXT.shape).astype(np.float32)  # in ids of the rules
        self.values = chance.uniform(-1, 1, rules.PLACES).astype(np.float32)  # for the mover
        self.own = np.take_along_axis(self.logits, game.own_ids[rules.MOVER], axis=1)

    def __call__(self, shown: Any, masks: Any) -> tuple[Any, Any]:
        places = shown[:, 0, 0, 0].astype(np.int64)
        return self.own[places], np.stack([self.values[places], -self.values[places]], axis=1)


def by_mctx(game: Game, network: Table, roots: Any, simulations: int, considered: int, seed: int) -> Any:
    """Search the same trees with mctx; what is not legal has a low logit, and an end has no value behind it."""
    mctx, jax, jnp = pytest.importorskip("mctx"), pytest.importorskip("jax"), pytest.importorskip("jax.numpy")
    rules = game.rules
    logits = jnp.asarray(np.where(rules.LEGAL != 0, network.logits, LOW))
    values, follows, mover = jnp.asarray(network.values), jnp.asarray(rules.NEXT), jnp.asarray(rules.MOVER)
    ends, outcome = jnp.asarray(rules.ENDS), jnp.asarray(rules.OUTCOME, jnp.float32)

    def step(params: Any, key: Any, action: Any, place: Any) -> Any:
        there = jnp.where(ends[place] != 0, place, follows[place, action])
        is_end, was_end = ends[there] != 0, ends[place] != 0
        won = jnp.where(mover[place] == 0, outcome[there], -outcome[there])
        reward = jnp.where(is_end & ~was_end, won, 0.0)
        discount = jnp.where(is_end, 0.0, jnp.where(mover[there] == mover[place], 1.0, -1.0))
        value = jnp.where(is_end, 0.0, values[there])
        return mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits[there], value=value), there

    root = mctx.RootFnOutput(prior_logits=logits[roots], value=values[roots], embedding=jnp.asarray(roots))
    return mctx.gumbel_muzero_policy(
        params=(), rng_key=jax.random.PRNGKey(seed), root=root, recurrent_fn=step, num_simulations=simulations,
        invalid_actions=jnp.asarray(rules.LEGAL[roots] == 0), max_num_considered_actions=considered,
    )  # fmt: skip


@pytest.mark.parametrize(("simulations", "considered"), [(4, 16), (16, 4), (32, 16), (50, 3), (100, 6)])
def test_visits_and_actions_are_those_of_mctx(tangle: Game, simulations: int, considered: int) -> None:
    pytest.importorskip("mctx", reason="mctx is not installed: pip install mctx")
    rules, network = tangle.rules, Table(tangle, simulations)
    roots = np.flatnonzero(rules.ENDS == 0)[:TREES]
    other = by_mctx(tangle, network, roots, simulations, considered, seed=1)
    owns = tangle.own_ids[rules.MOVER[roots]]  # [tree, own id] = id in rules

    batch = Batch(tangle, TREES, 1, frame="rules")
    rows = np.zeros(TREES, tangle.state_type)
    rows["place"], rows["seat"] = roots, rules.MOVER[roots]
    batch.load(rows)
    noise = np.take_along_axis(np.array(other.search_tree.extra_data.root_gumbel), owns, axis=1)
    search = GumbelSearch(tangle, TREES, network, simulations, considered)
    found = search(batch.observe(), noise)

    visits = np.take_along_axis(np.array(other.search_tree.summary().visit_counts), owns, axis=1)
    assert np.array_equal(found.visits, visits)
    assert np.array_equal(np.take_along_axis(owns, found.actions[:, None], axis=1)[:, 0], np.array(other.action))
    assert np.allclose(found.policy, np.take_along_axis(np.array(other.action_weights), owns, axis=1), atol=1e-4)
    assert np.allclose(found.values[:, 0], np.array(other.search_tree.summary().value), atol=1e-4)
    assert (found.visits.sum(axis=1) == simulations).all()
