"""BattleGrid's bots on every backend, their strength, and golden traces that were tampered with."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus import golden
from ludus.arena import play_match
from ludus.core import Difference, plain, read_traces
from ludus.engine import Batch, Table
from ludus.games import load

FILE = Path(__file__).parent.parent / "data" / "battlegrid" / "visible.jsonl.gz"
GAME = load("battlegrid")


def test_bots_choose_the_same_uncompiled_and_compiled() -> None:
    for bots in (["hunter"] * 2, ["tactician"] * 2):
        batches = [Batch(GAME, 2, 3, device) for device in ("pure", "cpu")]
        for _ in range(6 if bots[0] == "tactician" else 60):
            chosen = [np.array(batch.choose(bots)) for batch in batches]
            assert (chosen[0] == chosen[1]).all()
            for batch in batches:
                batch.step(chosen[0])


def test_bots_see_only_their_view() -> None:
    """Two games that differ in what the seat cannot know: the bot plays the same in both."""
    table = Table(GAME, 8)
    dice = np.random.default_rng(8)
    for _ in range(120):
        table.apply(int(dice.integers(8)))
    s: Any = plain(table.s)
    for bot in GAME.bots:
        pair = Batch(GAME, 2, [1, 1], restart=False)  # one seed: the bots draw alike
        rows = np.concatenate([s.array, s.array]).view(np.recarray)
        other = 1 - int(s.seat)
        rows[1].cooldown[other], rows[1].facing[other], rows[1].score[other] = 4, 3 - int(s.facing[other]), 99
        pair.load(rows)
        assert len(set(pair.choose([bot] * 2).tolist())) == 1


@pytest.mark.parametrize(("strong", "weak", "least"), [("hunter", "random", 0.9), ("tactician", "hunter", 0.6)])
def test_strength(strong: str, weak: str, least: float) -> None:
    summary = play_match(GAME, [strong, weak], 400, seed=1, swap=True).summary(0)
    assert summary["games"] == 400
    assert summary["wins"] / 400 >= least
    assert summary["score_low"] > least


def test_a_changed_record_is_a_difference(tmp_path: Path) -> None:
    record = next(read_traces(FILE))
    for change, where in [
        (lambda r: r["steps"][40]["delta"].update(turn=42), "step 40, delta"),
        (lambda r: r["steps"][40]["result"].update(fired=not r["steps"][40]["result"]["fired"]), "step 40, result"),
        (lambda r: r["steps"][40]["obs"].update(shoot_cooldown=9), "step 40, obs"),
        (lambda r: r["steps"][40].update(more=1), "step 40, more"),
        (lambda r: r["initial"]["walls"].pop(), "new"),
        (lambda r: r["shrink_schedule"].pop(), "shrink_schedule"),
        (lambda r: r["final"].update(line="Blue:0 - Red:0"), "final, line"),
    ]:
        changed = json.loads(json.dumps(record))
        change(changed)
        file = tmp_path / "changed.jsonl"
        file.write_text(json.dumps(changed))
        with pytest.raises(Difference, match=where):
            golden.check("battlegrid", [file])
