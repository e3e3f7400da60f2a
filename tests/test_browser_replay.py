"""Replays in a real browser: keys, scrubbing, fog, files that are wrong, and scenes that tell what Python tells."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from browsing import hostile_record, open_file, painted, random_record, saved, tab, turn_of, turns_of

from ludus.arena import Replay
from ludus.arena.formats import encode
from ludus.core import BadRecord, Record, Scene
from ludus.games import load, names
from ludus.viewers import reel_of

pytestmark = pytest.mark.browser
every_game = pytest.mark.parametrize("name", names())
HIDDEN = [name for name in names() if load(name).hidden]


@every_game
def test_a_record_is_run_again_and_every_scene_is_told_as_python_tells_it(chromium, site, tmp_path, name: str) -> None:
    record = random_record(name, 90)
    reel = reel_of(Replay(record, "pure"))
    with tab(chromium) as page:
        open_file(page, site, saved(record, tmp_path))
        assert turns_of(page) == len(reel) - 1
        for eyes in reel.eyes:
            for k in range(0, len(reel), max(1, len(reel) // 12)):
                found = page.evaluate("([k, eyes]) => ludus.app.screen.viewer.reel.scene(k, eyes)", [k, eyes])
                assert told_by_page(found) == told_by_python(reel.scene(k, eyes)), (k, eyes)


def told_by_python(scene: Scene) -> dict[str, Any]:
    """Return what matters of a scene, in plain data."""
    told = msgspec.to_builtins(scene)
    return {
        "status": told["status"], "seat": told.get("seat", -1), "turn": told.get("turn", 0),
        "cells": [
            [c["x"], c["y"], c.get("z", 0), c["role"], c.get("text", ""), c.get("amount", "")] for c in told.get("cells", ())
        ],
        "pieces": [
            [p["id"], p["x"], p["y"], p.get("z", 0), p["role"], p["text"], p.get("facing", ""), p.get("is_past", False),
             p.get("about", ""), [[b["name"], b["value"], b["full"]] for b in p.get("bars", ())]]
            for p in told.get("pieces", ())
        ],
        "marks": [[m["x"], m["y"], m.get("z", 0), m["role"]] for m in told.get("marks", ())],
        "links": [[n["x"], n["y"], n["to_x"], n["to_y"], n["role"]] for n in told.get("links", ())],
        "numbers": [[n["name"], n["text"], n["value"], n.get("seat", -1)] for n in told.get("numbers", ())],
        "events": [
            [e["kind"], e["text"], e.get("who", -1), e.get("seat", -1), e.get("amount", 0)] for e in told.get("events", ())
        ],
    }  # fmt: skip


def told_by_page(scene: dict[str, Any]) -> dict[str, Any]:
    """Return the same of a scene of the page."""
    return {
        "status": scene["status"], "seat": scene["seat"], "turn": scene["turn"],
        "cells": [[c["x"], c["y"], c["z"], c["role"], c["text"], c["amount"]] for c in scene["cells"]],
        "pieces": [
            [p["id"], p["x"], p["y"], p["z"], p["role"], p["text"], p["facing"], p["isPast"], p["about"],
             [[b["name"], b["value"], b["full"]] for b in p["bars"]]]
            for p in scene["pieces"]
        ],
        "marks": [[m["x"], m["y"], m["z"], m["role"]] for m in scene["marks"]],
        "links": [[n["x"], n["y"], n["toX"], n["toY"], n["role"]] for n in scene["links"]],
        "numbers": [[n["name"], n["text"], n["value"], n["seat"]] for n in scene["numbers"]],
        "events": [[e["kind"], e["text"], e["who"], e["seat"], e["amount"]] for e in scene["events"]],
    }  # fmt: skip


def test_keys_walk_play_and_change_speed(chromium, site, tmp_path) -> None:
    record = random_record(names()[0], 80)
    with tab(chromium) as page:
        open_file(page, site, saved(record, tmp_path))
        last = turns_of(page)
        walk = (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0), ("PageDown", min(10, last)))
        for key, turn in walk:
            page.keyboard.press(key)
            assert turn_of(page) == turn, key
        page.keyboard.press("Home")
        for key, speed in (("+", "2"), ("+", "4"), ("+", "8"), ("+", "8"), ("-", "4"), (".", "8")):
            page.keyboard.press(key)
            assert page.input_value(".speed") == speed, key
        page.keyboard.press(" ")
        page.wait_for_function("() => parseInt(document.querySelector('.count').textContent) >= 3")
        page.keyboard.press(" ")
        stopped = turn_of(page)
        page.wait_for_timeout(400)
        assert turn_of(page) == stopped
        page.keyboard.press("?")
        assert page.is_visible("dialog.help")
        page.keyboard.press("Escape")
        assert not page.is_visible("dialog.help")
        page.keyboard.press("g")
        page.keyboard.type("5")
        page.keyboard.press("Enter")
        page.wait_for_function("() => parseInt(document.querySelector('.count').textContent) === 5")


def test_the_address_names_a_turn_and_follows(chromium, site, tmp_path) -> None:
    file = saved(random_record(names()[0], 80), tmp_path)
    with tab(chromium) as page:
        open_file(page, f"{site}#t=7", file)
        assert turn_of(page) == 7
        page.keyboard.press("ArrowRight")
        assert page.evaluate("location.hash") == "#t=8"
        page.evaluate("location.hash = '#t=3'")
        page.wait_for_function("() => parseInt(document.querySelector('.count').textContent) === 3")


def test_a_click_on_the_bar_goes_there_and_so_does_a_drag(chromium, site, tmp_path) -> None:
    with tab(chromium) as page:
        open_file(page, site, saved(random_record(names()[0], 80), tmp_path))
        last, box = turns_of(page), page.locator(".track input").bounding_box()
        for share in (0.5, 0.9, 0.1):
            page.mouse.click(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
            assert abs(turn_of(page) - share * last) <= max(1, 0.03 * last)
        seen = []
        page.mouse.down()
        for share in (0.2, 0.4, 0.6, 0.8):
            page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
            seen.append(turn_of(page))
        page.mouse.up()
        assert seen == sorted(set(seen))
        assert abs(turn_of(page) - 0.8 * last) <= max(1, 0.03 * last)
        page.click(".log .turn >> nth=1")
        assert turn_of(page) == seen[-1] - 1


@pytest.mark.parametrize("name", HIDDEN)
def test_fog_lies_over_what_a_seat_does_not_see(chromium, site, tmp_path, name: str) -> None:
    record = random_record(name, 60)
    with tab(chromium) as page:
        open_file(page, f"{site}#t=4", saved(record, tmp_path))
        eyes = page.locator(".eyes button")
        assert eyes.count() == 1 + len(record.agents)
        pictures = []
        for k in range(eyes.count()):
            eyes.nth(k).click()
            assert eyes.nth(k).get_attribute("aria-pressed") == "true"
            painted(page)
            pictures.append(page.locator("canvas.board").screenshot())
        assert pictures[0] != pictures[1]
        page.keyboard.press("f")
        assert eyes.nth(0).get_attribute("aria-pressed") == "true"


def changed_record(name: str) -> tuple[Record, str]:
    """Return a record in which one action is another one, and where Python says that it is not the game that was played."""
    record = random_record(name, 60)
    for place in range(len(record.decisions) // 2, len(record.decisions)):
        seat, action = record.decisions[place]
        decisions = list(record.decisions)
        decisions[place] = (seat, (action + 1) % load(name).spec.actions)
        changed = msgspec.structs.replace(record, decisions=tuple(decisions))
        try:
            Replay(changed, "pure")
        except BadRecord as error:
            return changed, str(error)
    raise AssertionError("no change makes a difference")


@every_game
def test_a_record_changed_in_one_action_is_shown_up_to_there_and_refused(chromium, site, tmp_path, name: str) -> None:
    record, sentence = changed_record(name)
    where = re.match(r"turn \d+,? \(?decision \d+", sentence)
    assert where
    with tab(chromium) as page:
        open_file(page, site, saved(record, tmp_path))
        page.keyboard.press("End")
        assert 0 <= turns_of(page) < len(record.digests)
        assert where[0] in page.inner_text(".trouble"), sentence


def bad_files() -> dict[str, tuple[bytes, str]]:
    """Return files that are no sound records, and what the page says of them."""
    good = encode(random_record(names()[0], 30))
    other = json.loads(good)
    return {
        "empty.json": (b"", "is empty"),
        "text.json": (b"hello", "is cut off, or no JSON"),
        "half.json": (good[: len(good) // 2], "is cut off, or no JSON"),
        "half.json.gz": (gzip.compress(good)[:100], "is cut off"),
        "list.json": (b"[1, 2]", "is no record of a game"),
        "newer.json": (json.dumps({**other, "format": 9}).encode(), "is of format 9"),
        "rules.json": (json.dumps({**other, "rules": 99}).encode(), "was played by version 99 of the rules"),
        "game.json": (json.dumps({**other, "game": "nothing"}).encode(), 'is a game of "nothing"'),
        "seats.json": (json.dumps({**other, "agents": []}).encode(), "agents for"),
        "decisions.json": (json.dumps({**other, "decisions": [[0]]}).encode(), "is no sound record"),
        "options.json": (json.dumps({**other, "options": {"nonsense": 1}}).encode(), "nonsense"),
    }


def test_bad_files_get_one_sentence_and_the_page_goes_on(chromium, site, tmp_path) -> None:
    good = saved(random_record(names()[0], 30), tmp_path)
    with tab(chromium) as page:
        page.goto(site)
        page.wait_for_selector(".dropzone")
        for name, (data, sentence) in bad_files().items():
            Path(tmp_path / name).write_bytes(data)
            page.set_input_files("input[aria-label=record]", str(tmp_path / name))
            said = "name => document.querySelector('.error:not([hidden])')?.textContent.startsWith(name)"
            page.wait_for_function(said, arg=name)
            assert sentence in page.inner_text(".error"), name
        page.set_input_files("input[aria-label=record]", str(good))
        page.wait_for_selector(".viewer")
        assert not page.is_visible(".error")


def test_a_file_can_be_dropped(chromium, site, tmp_path) -> None:
    data = list(saved(random_record(names()[0], 30), tmp_path).read_bytes())
    with tab(chromium) as page:
        page.goto(site)
        page.wait_for_selector(".dropzone")
        dropped = page.evaluate_handle(
            """data => {
              const dropped = new DataTransfer();
              dropped.items.add(new File([new Uint8Array(data)], "game.json.gz"));
              return dropped;
            }""",
            data,
        )
        page.dispatch_event("body", "dragover", {"dataTransfer": dropped})
        page.dispatch_event("body", "drop", {"dataTransfer": dropped})
        page.wait_for_selector(".viewer")


def test_several_records_in_one_file_are_listed(chromium, site, tmp_path) -> None:
    lines = b"\n".join(encode(random_record(name, 12)) for name in names())
    (tmp_path / "many.jsonl").write_bytes(lines)
    with tab(chromium) as page:
        page.goto(site)
        page.wait_for_selector(".dropzone")
        page.set_input_files("input[aria-label=record]", str(tmp_path / "many.jsonl"))
        page.wait_for_selector(".games button")
        assert page.locator(".games button").count() == len(names())
        page.click(".games button >> nth=1")
        page.wait_for_selector(".viewer")


def test_names_and_messages_of_bots_are_text(chromium, site, tmp_path) -> None:
    record = hostile_record(names()[0])
    with tab(chromium) as page:
        open_file(page, site, saved(record, tmp_path))
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        assert "<img src=x" in page.inner_text(".card .agent >> nth=0")
        assert "second line" in page.inner_text(".log pre >> nth=0")
        assert page.evaluate("[...document.images].every(({ src }) => src.startsWith('data:image/png'))")  # the page's own
        assert "owned" not in page.title()


def test_what_curves_legend_and_chances_show_comes_from_the_game(chromium, site, tmp_path) -> None:
    with tab(chromium) as page:
        open_file(page, site, saved(random_record(HIDDEN[0], 60), tmp_path))
        page.click("[role=tab]:has-text('Curves')")
        page.wait_for_selector(".curves canvas")
        page.click("[role=tab]:has-text('Legend')")
        assert page.locator(".legend li").count() > 1
        page.click("[role=tab]:has-text('Chances')")
        page.click(".analysis button.main")
        page.wait_for_function("() => /[1-9]/.test(document.querySelector('.analysis .note').textContent)")
        shares = page.eval_on_selector_all(".chance strong", "all => all.map((one) => parseFloat(one.textContent))")
        assert sum(shares) == pytest.approx(100, abs=1.5)
        page.click(".analysis button.main")
