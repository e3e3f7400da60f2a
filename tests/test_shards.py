"""Training data: what stands in shards is what was played; damaged files are named; loaders go on where they stood."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from ludus.arena import RecordFolder, play_match
from ludus.core import LudusError
from ludus.engine import Table
from ludus.games import Game
from ludus.school import (
    Chance,
    GameRow,
    Loader,
    Shard,
    find_shards,
    finish_folder,
    make_plan,
    play_games,
    play_plan,
    shards_from,
)
from ludus.school.data import packings, shard_name

BOTS = ["random", "counting", "random"]


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tiny game is played sooner than it is compiled."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def made(game: Game, folder: Path, games: int = 12, files: int = 3) -> list[GameRow]:
    """Write shards of a few games."""
    size, played = games // files, list[GameRow]()
    for number in range(files):
        shard = Shard(game)
        numbers = range(number * size, (number + 1) * size)
        some = play_games(game, BOTS, numbers, 7, Chance(), shard)
        shard.write(folder / shard_name(number, files), some)
        played += some
    finish_folder(folder, game, {"by": "a test"})
    return played


def test_rows_are_what_a_table_shows_when_the_game_is_played_again(tiny: Game, tmp_path: Path) -> None:
    played = made(tiny, tmp_path)
    rows = sorted(_rows(tmp_path), key=lambda row: (row["game"], row["ply"]))
    packing = packings(tiny)["planes"]
    for one in played:
        table, own = Table(tiny, one.seed, "pure"), [row for row in rows if row["game"] == one.number]
        assert [row["ply"] for row in own] == list(range(one.plies))
        for row in own:
            assert row["seat"] == table.seat
            assert np.array_equal(packing.unpack(np.frombuffer(row["planes"], np.uint8)[None])[0], table.encode())
            assert row["legal"] == np.flatnonzero(table.own_mask()).tolist()
            assert row["policy"] == []
            turned = one.result.outcome[table.seat :] + one.result.outcome[: table.seat]
            assert row["outcome"] == list(turned)  # from the seat that decides on
            table.apply(table.rule_id(table.seat, row["action"]))
        assert table.result() == one.result


def _rows(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.glob("train-*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_bots_play_the_games_of_a_match(tiny: Game) -> None:
    """What is learned from is what the arena would see."""
    played = play_games(tiny, BOTS, range(20), 5, Chance())
    match = play_match(tiny, BOTS, 20, seed=5)
    assert [(row.seed, row.result, row.plies) for row in played] == [(g.seed, g.result, g.decisions) for g in match.games]


def test_random_decisions_are_played_and_not_kept(tiny: Game) -> None:
    shard = Shard(tiny)
    played = play_games(tiny, BOTS, range(30), 5, Chance(opening=4, random_share=0.3), shard)
    assert 0 < shard.rows < 0.8 * sum(row.plies for row in played)
    plain = play_games(tiny, BOTS, range(30), 5, Chance())
    assert [row.result for row in played] != [row.result for row in plain]


def test_agents_of_any_kind_are_asked_by_a_referee(tiny: Game, tmp_path: Path) -> None:
    bot = tmp_path / "last.py"
    bot.write_text("def act(view, legal):\n    return legal[-1]\n")
    shard = Shard(tiny)
    played = play_games(tiny, [str(bot), "random", "random"], [0, 1, 2], 5, Chance(opening=3), shard)
    assert [row.number for row in played] == [0, 1, 2]
    assert shard.rows == sum(row.plies for row in played)
    assert any(row.start for row in played)
    with pytest.raises(LudusError, match="opening"):
        play_games(tiny, [str(bot), "random", "random"], [0], 5, Chance(random_share=0.5), shard)


def test_records_become_the_rows_of_the_same_games(tiny: Game, tmp_path: Path) -> None:
    keep = RecordFolder(tmp_path / "records", 12)
    play_match(tiny, BOTS, 12, seed=7, keep=keep.add)
    (tmp_path / "records" / "0005.json.gz").write_bytes(b"not a record")
    said: list[str] = []
    manifest = shards_from([tmp_path / "records"], tmp_path / "out", said.append)
    assert manifest["made_by"]["games"] == 11
    assert len(said) == 1
    assert "0005.json.gz" in said[0]
    made(tiny, tmp_path / "played")
    due = {row["seed"]: (row["plies"], row["outcome"]) for row in _games(tmp_path / "played") if row["seed"] != 11}
    assert {row["seed"]: (row["plies"], row["outcome"]) for row in _games(tmp_path / "out")} == due
    with pytest.raises(LudusError, match="already"):
        shards_from([tmp_path / "records"], tmp_path / "out", said.append)


def _games(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.glob("games-*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_a_file_that_was_cut_is_named_and_the_others_are_read(tiny: Game, tmp_path: Path) -> None:
    made(tiny, tmp_path)
    whole = find_shards([tmp_path], tiny, pytest.fail)
    cut = whole[1]
    cut.write_bytes(cut.read_bytes()[: cut.stat().st_size // 2])
    said: list[str] = []
    assert find_shards([tmp_path], tiny, said.append) == [whole[0], whole[2]]
    assert len(said) == 1
    assert cut.name in said[0]
    changed = bytearray(whole[0].read_bytes())
    changed[100] ^= 1
    whole[0].write_bytes(changed)
    assert find_shards([tmp_path], tiny, said.append) == [whole[2]]
    whole[2].unlink()
    with pytest.raises(LudusError, match="no whole shard"):
        find_shards([tmp_path], tiny, said.append)


def test_a_file_that_is_cut_while_it_is_used_is_named(tiny: Game, tmp_path: Path) -> None:
    made(tiny, tmp_path)
    said: list[str] = []
    loader = Loader(tiny, find_shards([tmp_path], tiny, pytest.fail), 8, say=said.append)
    cut = tmp_path / shard_name(0, 3)
    cut.write_bytes(cut.read_bytes()[:200])
    next(loader())
    assert len(said) == 1
    assert cut.name in said[0]


def test_a_loader_gives_the_same_batches_from_any_cursor(tiny: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.school.loader.AT_ONCE", 2)  # several groups of files
    made(tiny, tmp_path)
    files = find_shards([tmp_path], tiny, pytest.fail)
    loader = Loader(tiny, files, 8, seed=3)
    epoch = loader.batches()
    first = [batch for batch, _ in zip(loader(), range(2 * epoch + 3), strict=False)]
    for cursor in (0, 1, epoch - 1, epoch, 2 * epoch + 2):
        again = next(Loader(tiny, files, 8, seed=3)(cursor))
        assert all(np.array_equal(a, b) for a, b in zip(again, first[cursor], strict=True))
    keys = {batch.shown.tobytes() for batch in first[:epoch]}
    assert len(keys) > 1
    assert any(not np.array_equal(a, b) for a, b in zip(first[0], first[epoch], strict=True))  # epochs differ
    assert all((batch.policy.sum(1) == 1).all() and batch.mask[batch.policy > 0].all() for batch in first)


def test_parts_share_no_game_and_lack_none(tiny: Game, tmp_path: Path) -> None:
    made(tiny, tmp_path, games=30)
    files = find_shards([tmp_path], tiny, pytest.fail)
    parts = {part: Loader(tiny, files, 4, part=part).rows for part in ("all", "train", "test")}
    assert parts["train"] + parts["test"] == parts["all"]
    assert 0 < parts["test"] < parts["train"]


def test_self_play_goes_on_where_it_was_stopped(tiny: Game, tmp_path: Path) -> None:
    plan = make_plan(tiny, BOTS, 20, seed=3, shard_games=6)
    assert [made.games for made in play_plan(plan, tmp_path / "whole")] == [6, 6, 6, 2]
    stopped = play_plan(plan, tmp_path / "stopped")
    next(stopped)
    next(stopped)
    stopped.close()
    assert not (tmp_path / "stopped" / "manifest.json").exists()
    assert [made.number for made in play_plan(plan, tmp_path / "stopped")] == [2, 3]
    assert list(play_plan(plan, tmp_path / "stopped")) == []
    for file in (tmp_path / "whole").iterdir():
        assert (tmp_path / "stopped" / file.name).read_bytes() == file.read_bytes()
    numbers = [row["game"] for row in _games(tmp_path / "whole")]
    assert numbers == list(range(20))  # so many games, none twice
    with pytest.raises(LudusError, match="its games is 20, not 21"):
        next(play_plan(make_plan(tiny, BOTS, 21, seed=3, shard_games=6), tmp_path / "whole"))


def test_a_pool_sits_across_from_the_first_agent(tiny: Game) -> None:
    plan = make_plan(tiny, ["counting"], 60, pool=["random", "broken"])
    line_ups = [plan.line_up(number) for number in range(60)]
    assert all(words[number % 3] == "counting" for number, words in enumerate(line_ups))
    assert {words[(number + 1) % 3] for number, words in enumerate(line_ups)} == {"random", "broken"}


def test_manifest_and_card_say_what_is_there(tiny: Game, tmp_path: Path) -> None:
    made(tiny, tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert [file["rows"] for file in manifest["files"] if file["name"].startswith("games")] == [4, 4, 4]
    assert (manifest["game"], manifest["rules"], manifest["seats"]) == ("tiny", 1, ["one", "two", "three"])
    card = (tmp_path / "README.md").read_text()
    assert card.startswith("---\n")
    assert "12 games" in card


@pytest.mark.slow
def test_others_read_shards_without_us(tiny: Game, tmp_path: Path) -> None:
    """pyarrow, polars and DuckDB find the same rows, by the documented schema alone."""
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    made(tiny, tmp_path)
    pattern = str(tmp_path / "train-*.parquet")
    due = sorted(_rows(tmp_path), key=lambda row: (row["game"], row["ply"]))
    by_polars = polars.read_parquet(pattern).sort("game", "ply").to_dicts()
    columns = ", ".join(due[0])
    found = duckdb.sql(f"select {columns} from '{pattern}' order by game, ply").fetchall()
    for row, one, other in zip(due, by_polars, found, strict=True):
        assert row == {key: list(value) if key == "outcome" else value for key, value in one.items()}
        assert row == {key: list(v) if isinstance(v, tuple) else v for key, v in zip(row, other, strict=True)}
    joined = duckdb.sql(
        f"select count(*) from '{pattern}' t join '{tmp_path}/games-*.parquet' g using (game) where g.plies > t.ply"
    ).fetchall()
    assert joined == [(len(due),)]
