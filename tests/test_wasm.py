"""The rules as WebAssembly: modules that fit their sources, whole games that are those of the CPU, the backend's borders."""

import gc
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludus.core import LudusError, MissingExtra, agent_seed, streams_of
from ludus.engine import Batch, Table, built_module, compiled_bots, kept_module, module_of, source_hash, wasm, web_folder
from ludus.engine.wasm_about import about
from ludus.engine.wasm_files import Module, cache_folder, read_module, signed
from ludus.games import Game, add_folder, load, names
from ludus.testing.compare import same
from ludus.testing.devices import compare_devices, compare_seat

FIELDS = ("status", "outcomes", "points")


@pytest.fixture(scope="module")
def game() -> Game:
    """Some game; all of this holds for any."""
    return load(names()[0])


@pytest.mark.parametrize("name", names())
def test_the_module_of_a_game_fits_its_sources(name: str) -> None:
    """A rule was changed: `ludus web build --stale` builds what does not fit any more."""
    found = read_module(web_folder(load(name)), name)
    assert found is not None, f"run: ludus web build {name}"
    assert found.about["sources"] == source_hash(load(name)), f"run: ludus web build {name}"
    assert found == signed(name, found.code, about(load(name), source_hash(load(name))))


@pytest.mark.parametrize("name", names())
def test_whole_games_of_bots_are_those_of_the_cpu(name: str) -> None:
    """Every bot on every seat, and chance: each whole game leaves the same row, result, chance and digest."""
    game = load(name)
    values = 0
    for bot in compiled_bots(game):
        batches = [Batch(game, 2, 11, device, restart=False) for device in ("cpu", "wasm")]
        lengths = [batch.finish([bot] * len(game.spec.seats)) for batch in batches]
        values += same(*(np.array(length) for length in lengths), f"{bot}: lengths")
        values += equal_ends(batches, bot)
    batches = [Batch(game, 20, 12, device, restart=False) for device in ("cpu", "wasm")]
    for batch in batches:
        assert (batch.finish_random() > 0).all()
    assert values + equal_ends(batches, "chance") > 1000


def equal_ends(batches: list[Batch], who: str) -> int:
    one, other = batches
    values = same(one.states, other.states, f"{who}: rows") + same(one.digest(), other.digest(), f"{who}: digests")
    for name, a, b in zip(FIELDS, one.result(), other.result(), strict=True):
        values += same(a, b, f"{who}: {name}")
    for seat in range(-1, 1):
        values += same(one.frames(seat), other.frames(seat), f"{who}: frames of {seat}")
    assert (one.result()[0] != 0).all()
    return values


@pytest.mark.parametrize("name", names())
def test_every_step_is_that_of_the_uncompiled_rules(name: str) -> None:
    assert "values equal" in compare_devices(load(name), "pure", "wasm", 2, steps=16)
    assert "values equal" in compare_seat(load(name), "pure", "wasm", 2, decisions=6)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_building_again_gives_the_same_bytes(name: str) -> None:
    kept = kept_module(load(name))
    assert kept is not None
    assert built_module(load(name)).code == kept.code


@pytest.mark.slow
@pytest.mark.parametrize("kind", [[], ["--hidden"], ["--simultaneous", "--seats", "3"]])
def test_a_new_game_is_built_by_the_same_command(kind: list[str], tmp_path: Path) -> None:
    ludus(tmp_path, "new", "game", "my_game", *kind)
    (folder,) = (path.parent for path in tmp_path.rglob("rules.py"))
    ludus(tmp_path, "web", "build", str(folder), "--out", str(tmp_path / "out"))
    found = read_module(tmp_path / "out", "my_game")
    assert found is not None
    assert found.about["title"] == "My Game"
    add_folder(folder)
    found.write(web_folder(load("my_game")))
    assert "values equal" in compare_devices(load("my_game"), "pure", "wasm", 2)


def ludus(folder: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, "-m", "ludus", *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("device", ["pure", "wasm"])
def test_a_seed_deals_the_same_game_without_python(game: Game, device: str) -> None:
    """What a page does to begin: the kernel `seed` gives chance to the game and to every bot as a table of that seed does."""
    seeds = [0, 1, 9, 10, 99, 12345678901234567, 2**63 - 1]
    batch = Batch(game, len(seeds), 0, device)
    buffers = batch._need("seeds", "bot_dice")
    buffers.seeds[:, 0] = np.array(seeds, np.uint64)
    batch._run("seed", "new")
    for place, seed in enumerate(seeds):
        table = Table(game, seed, "pure")
        same(table.s.array, batch.states[place : place + 1], f"seed {seed}")
        assert table.dice[0] == buffers.dice[place, 0]
        own = [agent_seed(seed, seat) for seat in range(len(game.spec.seats))]
        assert (streams_of(np.array(own, np.uint64)) == buffers.bot_dice[place]).all()


def test_a_game_whose_bots_remember_nothing_is_told_with_plain_numbers(tiny: Game) -> None:
    """Its room to remember is one number, which is no row."""
    told = about(tiny, "")
    types = {buffer["name"]: buffer["type"] for buffer in told["buffers"]}
    assert (types["plan"], types["mask_words"], types["states"], types["views"]) == ("i8", "i8", "State", "View")
    assert types["scratch"] == ("Scratch" if "Scratch" in told["rows"] else "i8")


def test_a_view_is_shown_without_its_position(game: Game) -> None:
    """A page in which a person plays has the view alone: `show_view` draws it as `show` does."""
    batch = Batch(game, 4, 3, "wasm")
    wanted = batch.frames(0).copy()
    batch.observe(0)
    batch._backend.zero(batch.states)
    batch._run("clear_frames", "show_view")
    assert same(wanted, batch._buffers.frames, "a view and its position") > 100


def test_memory_is_used_again(game: Game) -> None:
    batch, rows, tops = Batch(game, 8, 0, "wasm"), Batch(game, 8, 1, "pure").states, []
    for _ in range(20):
        batch.load(rows)  # which are looked at in memory of their own
        tops.append(batch._backend._instance._top)
    assert tops[3] == tops[-1]


def test_memory_outlives_its_batch(game: Game) -> None:
    states = Batch(game, 3, 5, "wasm").states
    gc.collect()
    same(Batch(game, 3, 5, "pure").states, states, "rows of a batch that is gone")


def test_more_games_than_there_is_memory_for(game: Game) -> None:
    with pytest.raises(LudusError, match="WebAssembly has 4 GB; take fewer games"):
        Batch(game, 2**33 // game.state_type.itemsize, 0, "wasm")


def test_copies_go_on_as_the_batch_does(game: Game) -> None:
    batch = Batch(game, 5, 6, "wasm")
    batch.play_random(20)
    other = batch.copy()
    for one in (batch, other):
        one.play_random(20)
    same(batch.states, other.states, "a copy")


def test_searches_run_elsewhere(game: Game) -> None:
    with pytest.raises(LudusError, match=r"gumbel_search is not part of modules in WebAssembly; use device='cpu'"):
        Batch(game, 1, 0, "wasm")._run("gumbel_search")


def test_a_table_does_not_run_there(game: Game) -> None:
    with pytest.raises(LudusError, match="use Batch for many"):
        Table(game, device="wasm")


def test_without_wasmtime(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    wasm._compiled.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'ludus\[web\]'"):
        Batch(game, 1, 0, "wasm")


def test_without_ziglang_nothing_is_built(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ziglang", None)
    with pytest.raises(MissingExtra, match=r"ziglang.*pip install 'ludus\[web\]'"):
        built_module(game)


def test_what_is_missing_is_said_before_anything_is_built(
    game: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ludus.cli import web

    monkeypatch.setitem(sys.modules, "ziglang", None)
    monkeypatch.setattr(web, "kept_module", lambda game: None)
    with pytest.raises(MissingExtra, match="ziglang"):
        web.build([game.name], None, [], is_stale=False)
    assert capsys.readouterr().err == ""


def test_a_module_that_does_not_fit_is_not_taken(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of other sources, one whose bytes are damaged, one whose JSON is: each is as if it were not there."""
    whole = module_of(game)
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path))
    folder = cache_folder(game, source_hash(game))
    monkeypatch.setattr("ludus.engine.wasm_files.web_folder", lambda game: tmp_path / "nowhere")
    assert kept_module(game) is None
    whole.write(folder)
    assert kept_module(game) == whole
    Module(game.name, whole.code, {**whole.about, "sources": "0"}).write(folder)
    assert kept_module(game) is None
    Module(game.name, whole.code[:-1], whole.about).write(folder)
    assert kept_module(game) is None
    (folder / f"{game.name}.json").write_text("{")
    assert kept_module(game) is None
