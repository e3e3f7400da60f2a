"""Networks in a real browser: they sit down from a file or as a game's champion, and choose what they choose in Python."""

from __future__ import annotations

import contextlib
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import random_record, saved, set_up, tab
from test_browser_play import PLAY_TO_THE_END, every_game

from ludus.arena import read_record, rerun
from ludus.core import BadValue
from ludus.games import Game, load, names
from ludus.school import champion_file, open_network
from ludus.viewers import envelope, write_html, write_site
from ludus.viewers.server import PageServer

pytestmark = pytest.mark.browser
SHORT = {"max_turns": 12, "max_actions": 40, "seed": 5}


def made_net(game: Game, file: Path, shown: str, heat: float = 0.0, kind: str = "") -> Path:
    """Write a small network of random weights, exported as every trained one is."""
    torch = pytest.importorskip("torch")
    from ludus.school import Net, Sizes, about_net, export_onnx

    torch.manual_seed(3)
    net = Net(game, Sizes(16, 1, shown, kind or ("residual" if shown == "planes" else "layers")))
    file.parent.mkdir(parents=True, exist_ok=True)
    export_onnx(net, about_net(game, net, {}, heat), game, file)
    return file


def first_of(kind: str, file: Path) -> tuple[str, str]:
    """Write a network of a kind for the first game that can have one; return the game and what the network sees."""
    for name, shown in itertools.product(names(), ("features", "planes", "both")):
        with contextlib.suppress(BadValue):
            made_net(load(name), file, shown, kind=kind)
            return name, shown
    raise AssertionError(f"no game has networks of the kind {kind}")


def choose_file(page: Any, seat: int, file: Path) -> None:
    """Let a network from a file sit down."""
    with page.expect_file_chooser() as chooser:
        page.select_option(f"select[name=seat{seat}]", "file:")
    chooser.value.set_files(str(file))


def played_out(page: Any, folder: Path) -> Any:
    """Play what the list offers until the game is over, and return its record."""
    page.click("button[type=submit].large")
    page.wait_for_selector(".move:not([hidden])")
    assert page.evaluate(PLAY_TO_THE_END) > 3
    page.wait_for_selector(".winner:not([hidden])")
    with page.expect_download() as download:
        page.click("button:has-text('Save record')")
    download.value.save_as(folder / "saved.json")
    return read_record(folder / "saved.json")


def seen_by(table: Any, shown: str) -> Any:
    """Return what a network of the seat to move sees: both are in one row, features first."""
    if shown != "both":
        return np.array(table.features() if shown == "features" else table.encode())
    features = np.array(table.features())
    return np.concatenate([features, np.asarray(table.encode(), np.float32).ravel() / np.float32(table.spec.plane_high)])


def assert_chosen_alike(record: Any, file: Path, shown: str, seats: set[int]) -> None:
    """Hold every decision of these seats to what the network likes best in Python."""
    network, asked = open_network(file, load(record.game, **record.options)), 0
    decided = iter(record.decisions)
    for table, _ in rerun(record, "pure"):
        seat, action = next(decided, (-1, -1))
        legal = [] if table.over else table.legal()
        if seat not in seats or len(legal) < 2:
            continue
        logits, _ = network(seen_by(table, shown)[None])
        liked = np.empty(logits.shape[1])
        liked[table.game.own_ids[seat]] = logits[0]
        assert action == legal[int(np.argmax(liked[legal]))]
        asked += 1
    assert asked > 3


def play_against(page: Any, site: str, name: str, file: Path, folder: Path) -> Any:
    """Play a short game against a network on all other seats; return its record."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    set_up(page, site, name, **SHORT)
    assert not {"net.js", "net.wasm.gz"} & set(asked), "what runs networks is loaded when one is chosen"
    choose_file(page, 1, file)
    page.wait_for_function("() => document.querySelector('select[name=seat1]').value === 'net:net.onnx'")
    assert {"net.js", "net.wasm.gz"} <= set(asked)
    seats = range(1, len(load(name).spec.seats))
    for seat in seats:
        page.select_option(f"select[name=seat{seat}]", "net:net.onnx")
    record = played_out(page, folder)
    assert record.agents == ("human", *["net:net.onnx"] * len(seats))
    return record


@pytest.mark.parametrize("shown", ["features", "planes", "both"])
@every_game
def test_a_network_from_a_file_plays_a_whole_game_as_it_does_in_python(chromium, site, tmp_path, name: str, shown: str) -> None:
    file = made_net(load(name), tmp_path / "net.onnx", shown)
    with tab(chromium, accept_downloads=True) as page:
        record = play_against(page, site, name, file, tmp_path)
    assert_chosen_alike(record, file, shown, set(range(1, len(record.agents))))


def test_every_kind_of_network_plays_as_it_does_in_python(chromium, site, tmp_path) -> None:
    pytest.importorskip("torch")
    from ludus.school.net import KINDS

    for kind in KINDS:
        file = tmp_path / kind / "net.onnx"
        name, shown = first_of(kind, file)
        with tab(chromium, accept_downloads=True) as page:
            record = play_against(page, site, name, file, file.parent)
        assert_chosen_alike(record, file, shown, set(range(1, len(record.agents))))


def test_a_games_champion_sits_down_by_its_name(chromium, tmp_path, monkeypatch) -> None:
    name = names()[0]
    file = made_net(load(name), tmp_path / "champion.onnx", "features")
    monkeypatch.setattr(envelope, "champion_file", lambda game: file)
    server = PageServer(envelope.whole_shelf())
    try:
        with tab(chromium, accept_downloads=True) as page:
            set_up(page, server.address, name, **SHORT)
            page.select_option("select[name=seat1]", "champion")
            record = played_out(page, tmp_path)
    finally:
        server.close()
    assert_chosen_alike(record, file, "features", {1})


@every_game
def test_the_champion_of_a_game_plays_in_the_page_as_in_python(chromium, site, tmp_path, name: str) -> None:
    game = load(name)
    file, seats = champion_file(game), range(1, len(game.spec.seats))
    with tab(chromium, accept_downloads=True) as page:
        page.add_init_script("Math.random = () => 0.5")  # who plays by chance likes what it likes best
        set_up(page, site, name, seed=5)
        for seat in seats:
            page.select_option(f"select[name=seat{seat}]", "champion")
        record = played_out(page, tmp_path)
    assert record.agents == ("human", *["champion"] * len(seats))
    assert_chosen_alike(record, file, open_network(file, game).input, set(seats))


def test_a_network_that_plays_by_chance_does_so(chromium, site, tmp_path) -> None:
    name = names()[0]
    file = made_net(load(name), tmp_path / "net.onnx", "features", heat=1.0)
    with tab(chromium, accept_downloads=True) as page:
        set_up(page, site, name, **SHORT)
        choose_file(page, 1, file)
        page.wait_for_function("() => document.querySelector('select[name=seat1]').value === 'net:net.onnx'")
        record = played_out(page, tmp_path)
    with pytest.raises(AssertionError):
        assert_chosen_alike(record, file, "features", {1})


def test_a_site_brings_champions_along(tmp_path, monkeypatch) -> None:
    file = tmp_path / "champion.onnx"
    file.write_bytes(b"a network")
    monkeypatch.setattr(envelope, "champion_file", lambda game: file)
    write_site(tmp_path / "site")
    told = json.loads((tmp_path / "site" / "ludus.json").read_bytes())
    for game in told["games"]:
        (net,) = game["nets"]
        assert net["name"] == "champion"
        assert (tmp_path / "site" / net["file"]).read_bytes() == b"a network"


def test_what_is_no_network_for_this_game_is_refused_in_a_sentence(chromium, site, tmp_path) -> None:
    one, other = names()[:2]
    file = made_net(load(other), tmp_path / "other.onnx", "features")
    (tmp_path / "rubbish.onnx").write_bytes(b"\x00no network\xff" * 30)
    with tab(chromium) as page:
        set_up(page, site, one, **SHORT)
        before = page.input_value("select[name=seat1]")
        for wrong, said in (
            (file, f"is a network for {other}, not for {one}"),
            (tmp_path / "rubbish.onnx", "cannot be run as a network"),
        ):
            choose_file(page, 1, wrong)
            page.wait_for_selector(f".error:has-text('{wrong.name}')")
            assert said in page.inner_text(".error")
            assert page.input_value("select[name=seat1]") == before
        page.click("button[type=submit].large")
        page.wait_for_selector(".move:not([hidden])")


def test_one_file_says_that_networks_sit_elsewhere(chromium, tmp_path) -> None:
    file = tmp_path / "game.html"
    write_html(saved(random_record(names()[0], 10), tmp_path), file)
    assert len(file.read_bytes()) < 500_000
    with tab(chromium, offline=True) as page:
        page.goto(file.as_uri())
        page.wait_for_selector(".viewer")
        page.click("button.brand")
        page.click(".gamecard >> nth=0")
        page.wait_for_selector(".setup")
        assert page.locator("select[name=seat1] option[value='file:']").count() == 0
        assert "networks" in page.inner_text(".setup")
