"""The page in Chromium: how fast the rules run there, how soon a long record is open, how smoothly it plays.

usage: python benchmarks/browser.py [--parts=rules,open,smooth] [--size=16] [--pieces=60] [GAME…]

Every row of the rules' part is also a check: the digests of all games after a million random decisions must be equal.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ.setdefault("LUDUS_THREADS", "1")  # the CPU backend is measured on one thread
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browsing import launched, random_play, served, tab

from ludus.engine import module_of
from ludus.games import load, names
from ludus.viewers.envelope import Shelf, envelope
from ludus.viewers.page_files import page_files

GAMES, DECISIONS, ROUNDS = 1000, 1_000_000, 5
LONG = {"game": "quantum_harvest", "options": {}, "bot": "growth", "turns": 1000, "pieces": 10**9}
SMOOTH = {"game": "quantum_harvest", "options": {"size": 16}, "bot": "commander", "turns": 600, "pieces": 60}
PLAY_BOTS = """async ({ index, options, bot, turns, pieces, more }) => {
  // Let a bot play on all seats until the game is so long or the board so full, and some turns more; return a record.
  const { about, module } = await ludus.app.envelope.load(index), table = new ludus.Table(about, module);
  table.begin(3n, options);
  const runs = [], number = about.bots.indexOf(bot), all = {};
  for (const one of about.options) all[one.name] = options[one.name] ?? about.sizes[one.name] ?? one.default;
  let digests = "", full = Infinity, most = 0, played = 0;
  while (!table.isOver && played < turns && played < full + more) {
    const { turn, seat } = table, action = table.choose(number);
    table.play(action);
    if (runs.at(-1)?.[0] === seat) runs.at(-1).push(action); else runs.push([seat, action]);
    if (table.turn === turn && !table.isOver) continue;
    digests += table.digest().toString(16).padStart(16, "0");
    played++;
    table.scene(-1);
    most = Math.max(most, table.frame.number("pieces"));
    if (most >= pieces && full === Infinity) full = played;
  }
  const none = about.seats.map(() => 0), result = table.isOver ? table.result() : { status: 0, outcome: none, points: none };
  const record = {
    format: 2, game: about.game, rules: about.rules, options: all, seed: "3", seats: about.seats,
    agents: about.seats.map(() => bot), result, decisions: runs, digests,
  };
  return { record: JSON.stringify(record), full: Number.isFinite(full) ? full : 0, most, turns: played };
}"""
OPEN = """async (text) => {
  const begun = performance.now();
  await ludus.app.take(new File([text], "record.json"));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const error = document.querySelector(".error:not([hidden])")?.textContent ?? "";
  return { seconds: (performance.now() - begun) / 1000, error };
}"""
WATCH = """async ({ from, seconds }) => {
  // Play from a turn on at two turns a second and note when each picture came.
  const { viewer } = ludus.app.screen;
  viewer.go(from);
  while (document.querySelector(".speed").value !== "2") viewer.faster(1);
  viewer.toggle();
  const times = [];
  await new Promise((done) => {
    const tick = (now) => { times.push(now); now - times[0] > 1000 * seconds ? done() : requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
  });
  viewer.toggle();
  const gaps = times.slice(1).map((time, k) => time - times[k]).sort((one, other) => one - other);
  const rate = 1000 * gaps.length / (times.at(-1) - times[0]), slow = gaps.filter((gap) => gap > 25).length / gaps.length;
  return { rate, slow, count: gaps.length, pieces: viewer.scene.pieces.length };
}"""
WORK = {"ScriptDuration": "scripts", "LayoutDuration": "layout", "RecalcStyleDuration": "styles", "TaskDuration": "all of it"}


def main(words: list[str]) -> None:
    """Measure in one browser, one thing after the other."""
    parts = next(
        (word.removeprefix("--parts=").split(",") for word in words if word.startswith("--parts=")), ["rules", "open", "smooth"]
    )
    chosen = [word for word in words if not word.startswith("--")] or names()
    given = {
        name: int(value) for name, _, value in (word.removeprefix("--").partition("=") for word in words) if value.isdecimal()
    }
    SMOOTH["pieces"], SMOOTH["options"] = given.get("pieces", 60), {"size": given.get("size", 16)}
    wanted = {
        "rules": [(name, {}) for name in chosen],
        "open": [(LONG["game"], LONG["options"])],
        "smooth": [(SMOOTH["game"], SMOOTH["options"])],
    }
    shelf = Shelf()
    places = {
        (name, str(options)): shelf.place(module_of(load(name, **options))) for part in parts for name, options in wanted[part]
    }
    with tempfile.TemporaryDirectory() as folder, launched() as chromium:
        files = {**page_files(), **shelf.files(), "ludus.json": envelope(shelf.listed(), None, is_served=False)}
        for place, data in files.items():
            (Path(folder) / place).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / place).write_bytes(data)
        with served(Path(folder)) as address, tab(chromium) as page:
            page.goto(address)
            page.wait_for_selector(".dropzone")
            page.set_default_timeout(600_000)
            for name in chosen if "rules" in parts else ():
                measure_rules(page, name, places[name, "{}"])
            if "open" in parts:
                measure_open(page, places)
            if "smooth" in parts:
                measure_smooth(page, places)


def measure_rules(page: Any, name: str, index: int) -> None:
    """Print how fast random decisions are made in the browser and by the CPU backend, and whether they come to the same."""
    found, due, seconds = random_play(page, name, index, GAMES, DECISIONS // GAMES, ROUNDS)
    equal = "equal" if found["digests"] == due else "NOT EQUAL"
    there, here = DECISIONS / found["seconds"] / 1e6, DECISIONS / seconds / 1e6
    print(
        f"{name}: {there:.2f} million decisions a second in Chromium, {here:.2f} by the CPU backend, "
        f"{there / here:.0%}; {equal}",
        flush=True,
    )


def measure_open(page: Any, places: dict[tuple[str, str], int]) -> None:
    """Print how long a record of 1,000 turns takes from the file to the picture, run again and checked."""
    made = page.evaluate(PLAY_BOTS, {**LONG, "index": places[LONG["game"], "{}"], "more": 0})
    found = [page.evaluate(OPEN, made["record"]) for _ in range(ROUNDS)]
    assert not found[0]["error"], found[0]["error"]
    seconds = [one["seconds"] for one in found]
    print(
        f"{LONG['game']}: a record of {made['turns']} turns, {len(made['record']) / 1000:.0f} kB, is open, run again and "
        f"checked in {min(seconds):.2f} s (slowest {max(seconds):.2f} s)",
        flush=True,
    )


def measure_smooth(page: Any, places: dict[tuple[str, str], int]) -> None:
    """Print how many pictures a second are drawn while a full board plays."""
    made = page.evaluate(PLAY_BOTS, {**SMOOTH, "index": places[SMOOTH["game"], str(SMOOTH["options"])], "more": 40})
    assert made["full"], f"there were never more than {made['most']} pieces"
    page.evaluate(OPEN, made["record"])
    page.wait_for_timeout(1500)
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})  # processor time: other programs do not count
    for _ in range(ROUNDS):
        before = worked(tools)
        found = page.evaluate(WATCH, {"from": made["full"], "seconds": 6})
        each = {name: 1000 * (worked(tools)[key] - before[key]) / found["count"] for key, name in WORK.items()}
        print(
            f"{SMOOTH['game']} {SMOOTH['options']}: {found['pieces']} pieces, {found['rate']:.1f} pictures a second, "
            f"{found['slow']:.1%} of them later than 25 ms; processor time of the page for one: "
            f"{', '.join(f'{name} {ms:.2f} ms' for name, ms in each.items())}; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )


def worked(tools: Any) -> dict[str, float]:
    """Return how many seconds the page's own thread has worked so far, by kind of work."""
    return {one["name"]: one["value"] for one in tools.send("Performance.getMetrics")["metrics"]}


if __name__ == "__main__":
    main(sys.argv[1:])
