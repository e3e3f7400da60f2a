"""Perfect play of Chase: recorded values, plain minimax, whole tables, games against every bot, and the report."""

from __future__ import annotations

import gzip
import itertools
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from ludus.agents import make_agent
from ludus.arena import Referee
from ludus.cli import main
from ludus.cli.solve import print_solution
from ludus.core import BadValue, LudusError, Report, Start, UnknownName, streams
from ludus.engine import Batch, Table, Tools
from ludus.games import Game, load

DATA = Path(__file__).parents[1] / "data" / "chase" / "perfect.jsonl.gz"
RECORDS = [json.loads(line) for line in gzip.decompress(DATA.read_bytes()).splitlines()]
CHASE = load("chase")
TINY = load("chase", size=5)
NEVER = 255
EMPTY = "R . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . 1 2"
POCKETS = "R . # # .\n. # . . 1\n# . . # .\n# # . # #\n2 . . # ."  # a sealed corner, and a cell that nobody can leave
DENSE = "R . # # .\n. . # . 1\n# . . . #\n# # . . #\n2 . . # #"


def solved(game: Game, wall: Any, device: str = "cpu") -> Any:
    """Solve a layout, past the disk."""
    table = game.part("perfect").solve_layout(np.array(wall, np.int64), Tools(game, device).compiled)
    table.flags.writeable = False
    return table


@cache
def recorded_table(number: int) -> Any:
    return solved(CHASE, row_of(RECORDS[number]).wall)


def row_of(record: dict[str, Any], position: dict[str, Any] | None = None) -> Any:
    """Return a recorded layout, and a position in it, as a row."""
    nowhere = {name: [0, 0] for name in CHASE.spec.seats}
    state = {"max_turns": 300, "turn": 0, "over": False, "to_move": "runner", **nowhere}
    return CHASE.part("golden").row_of({**state, "obstacles": record["obstacles"], **(position or {})})


def mask_of(game: Game, s: Any) -> Any:
    mask = np.zeros(game.spec.actions, np.int8)
    game.rules.legal(s, mask)
    return mask


@pytest.mark.parametrize("number", range(len(RECORDS)))
def test_recorded_values_and_best_moves(number: int) -> None:
    """Every recorded position has the recorded value and exactly the recorded best moves."""
    record, table = RECORDS[number], recorded_table(number)
    for position in record["positions"]:
        s = row_of(record, position)
        value = CHASE.part("solve").value(s, table)
        assert (None if value == NEVER else value) == position["plies_to_capture"], position
        assert CHASE.part("perfect").best_moves(s, mask_of(CHASE, s), table) == position["best"], position


@pytest.mark.parametrize("number", range(len(RECORDS)))
def test_recorded_lines(number: int) -> None:
    """Best play of the lowest ids follows every recorded line to its end."""
    record, table = RECORDS[number], recorded_table(number)
    for line in record["lines"]:
        s = row_of(record, line)
        assert CHASE.part("solve").value(s, table) == line["plies_to_capture"] == len(line["actions"])
        assert CHASE.part("solve").best_line(s, table) == line["actions"]


def minimax(game: Game, s: Any) -> dict[tuple[int, ...], int]:
    """Return the value of every position of a layout: plain minimax over the game's own verbs, depth by depth."""
    size, after = game.rules.SIZE, {}
    cells = [(x, y) for y in range(size) for x in range(size) if not int(s.wall[y]) >> x & 1]
    for seat, *where in itertools.product(range(3), cells, cells, cells):
        row = game.empty()[0]
        row.wall[:], row.seat = s.wall, seat
        row.opt_max_turns = 1000
        row.x[:], row.y[:] = zip(*where, strict=True)
        after[key_of(row)] = children(game, row)
    values = {key: 0 if next_ones is None else NEVER for key, next_ones in after.items()}
    while True:
        deeper = {
            key: value if not after[key] else min(NEVER, 1 + (min if key[0] else max)(values[k] for k in after[key]))
            for key, value in values.items()
        }
        if deeper == values:
            return values
        values = deeper


def children(game: Game, row: Any) -> list[tuple[int, ...]] | None:
    """Return the positions one move on: None at a capture, none where the runner has won."""
    if game.rules.is_caught(row):
        return None
    found = []
    for action in np.flatnonzero(mask_of(game, row)):
        other = row.copy()
        game.rules.apply(other, int(action), None)
        if other.end == game.rules.WALLED_IN:
            return []
        found.append(key_of(other))
    return found


def key_of(row: Any) -> tuple[int, ...]:
    """Return seat, runner, chaser1, chaser2 as the table is indexed."""
    size = len(row.wall)
    return int(row.seat), *(int(row.y[k]) * size + int(row.x[k]) for k in range(3))


@pytest.mark.parametrize("drawing", [POCKETS, DENSE], ids=["pockets", "dense"])
def test_tiny_boards_against_plain_minimax(drawing: str) -> None:
    """Uncompiled, on all positions of a board of size 5."""
    s = TINY.parse(drawing)
    table, judged = solved(TINY, s.wall, "pure"), minimax(TINY, s)
    assert len(judged) > 8_000
    assert {key: int(table[key]) for key in judged} == judged
    assert max(judged.values()) == NEVER if drawing == POCKETS else 20 < max(judged.values()) < NEVER


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_random_tiny_boards_against_plain_minimax(seed: int) -> None:
    """Boards with 0 to 10 random walls, all positions."""
    s = TINY.parse(EMPTY)
    for cell in np.random.default_rng(seed).choice(25, 2 * seed, replace=False):
        s.wall[cell // 5] |= 1 << int(cell % 5)
    table, judged = solved(TINY, s.wall, "pure"), minimax(TINY, s)
    assert {key: int(table[key]) for key in judged} == judged


def test_compiled_is_uncompiled() -> None:
    """The same table from both."""
    wall = TINY.parse(POCKETS).wall
    assert np.array_equal(solved(TINY, wall, "pure"), solved(TINY, wall))


@pytest.mark.parametrize("number", [5, 7], ids=["longest", "pocket"])
def test_whole_table_is_consistent(number: int) -> None:
    """All 34 million values: 0 at captures alone, else 1 + the best of the next; never leads to never.

    Such a table is right: a finite value tells both sides how to keep to it, by induction, and where it says never the
    runner has a step to another such position, or the chasers have none out of them.
    """
    check_consistency(row_of(RECORDS[number]).wall, recorded_table(number))


def check_consistency(wall: Any, table: Any) -> None:
    size, never = len(wall), np.iinfo(table.dtype).max
    is_free = np.array([int(wall[c // size]) >> c % size & 1 == 0 for c in range(size * size)])
    cells = np.flatnonzero(is_free)
    ways = {c: [n for n in neighbours(c, size) if is_free[n]] or [c] for c in cells}
    inner = table[np.ix_(range(3), cells, cells, cells)]
    index = {c: i for i, c in enumerate(cells)}
    captured = np.zeros(inner.shape[1:], bool)
    for i in range(len(cells)):
        captured[i, i, :] = captured[i, :, i] = True
    assert ((inner == 0) == captured).all()
    for seat, best in ((0, np.max), (1, np.min), (2, np.min)):
        after = inner[(seat + 1) % 3]
        for i, cell in enumerate(cells):
            found = best(np.take(after, [index[n] for n in ways[cell]], axis=seat), axis=seat).astype(np.int64)
            due = np.where(found == never, never, found + 1)
            here = np.take(captured, i, axis=seat)
            assert (np.take(inner[seat], i, axis=seat)[~here] == due[~here]).all(), (seat, cell)


def neighbours(cell: int, size: int) -> list[int]:
    y, x = divmod(cell, size)
    around = ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
    return [b * size + a for b, a in around if 0 <= a < size and 0 <= b < size]


def test_values_beyond_a_byte() -> None:
    """In one long corridor a capture takes more than 254 moves: two bytes a position, and still right."""
    s = row_of({"obstacles": []}, {"runner": [14, 14], "chaser1": [0, 1], "chaser2": [0, 0]})
    for y in range(1, 15, 2):
        s.wall[y] = (1 << 15) - 1 & ~(1 << (14 if y % 4 == 1 else 0))
    table = solved(CHASE, s.wall)
    assert table.dtype == np.uint16
    line = CHASE.part("solve").best_line(s, table)
    assert len(line) == CHASE.part("solve").value(s, table) > 254
    check_consistency(s.wall, table)


@cache
def starts_of(layout: int) -> list[Any]:
    """Return 50 admissible starts in the layout of a seed, none twice."""
    drawn, chance = Table(CHASE, layout).s.copy(), np.random.default_rng(layout)
    rows: dict[tuple[int, ...], Any] = {}
    while len(rows) < 50:
        row = drawn.copy()
        row.y[:], row.x[:] = np.divmod(chance.integers(225, size=3), 15)
        if is_admissible(row):
            rows[key_of(row)] = row
    return list(rows.values())


def is_admissible(row: Any) -> bool:
    """Chasers 7 steps or more from the runner, on two cells, and no wall in the 3×3 of anybody."""
    size = len(row.wall)
    where = [(int(row.x[k]), int(row.y[k])) for k in range(3)]
    (a, b), *chasers = where
    if where[1] == where[2] or any(abs(a - x) + abs(b - y) < 7 for x, y in chasers):
        return False
    walls = [(x, y) for y in range(size) for x in range(size) if int(row.wall[y]) >> x & 1]
    return all(max(abs(x - p), abs(y - q)) > 1 for x, y in walls for p, q in where)


@pytest.mark.parametrize("runner", CHASE.bots)
def test_perfect_chasers_catch_every_bot(runner: str) -> None:
    """In all of 200 games, never later than the table says, and exactly then if the runner is perfect, too."""
    for layout in range(4):
        table = Tools(CHASE).tables("perfect", starts_of(layout)[0])
        for number, start in enumerate(starts_of(layout)):
            agents = [make_agent(CHASE, bot) for bot in (runner, "perfect", "perfect")]
            match = Referee(Table(CHASE, number, position=start), agents)
            played, due = match.finish(), CHASE.part("solve").value(start, table)
            assert not played.faults
            assert match.table.s.end == CHASE.rules.CAUGHT
            assert len(played.decisions) <= due
            if runner == "perfect":
                assert len(played.decisions) == due
                turn = int(match.table.s.turn) + (match.table.s.last_seat != CHASE.rules.CHASER2)  # 1-based
                assert turn == CHASE.part("solve").turn_of(start, due)


def test_the_bot_draws_among_the_best_moves() -> None:
    """All of them, in time, and no other; the same compiled and not."""
    record, table = RECORDS[0], recorded_table(0)
    perfect = CHASE.bots["perfect"]
    compiled = Tools(CHASE).compiled(perfect)
    for position in record["positions"][:12]:
        s = row_of(record, position)
        mask = mask_of(CHASE, s)
        dice, same_dice = streams(5, 1)[0], streams(5, 1)[0]
        chosen = [perfect(s, mask, dice, table) for _ in range(80)]
        assert sorted(set(chosen)) == position["best"]
        assert [compiled(s, mask, same_dice, table) for _ in range(80)] == chosen


def test_an_agent_without_a_first_view_prepares_at_its_first_decision() -> None:
    game = Table(CHASE, 1)
    agents = [make_agent(CHASE, "perfect") for _ in range(2)]
    agents[0].start(Start(CHASE, 0, ("a", "b", "c"), 7))
    agents[1].start(Start(CHASE, 0, ("a", "b", "c"), 7, view=game.observe(0).copy()))
    answers = [agent.act(game.observe(0).copy(), game.legal()) for agent in agents]
    assert answers[0] == answers[1] in game.legal()


def test_kernels_leave_bots_with_tables_out() -> None:
    with pytest.raises(UnknownName, match="random, careful, greedy, search"):
        Batch(CHASE, 2).finish(["perfect"] * 3)


def test_boards_that_are_too_large() -> None:
    large = load("chase", size=21)
    assert "perfect" not in large.bots
    with pytest.raises(BadValue, match="up to size 20"):
        large.part("solve").solve(large.empty()[0], Tools(large))


def test_a_table_from_disk_is_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    s = TINY.parse(DENSE)
    due = Tools(TINY, "pure").tables("perfect", s)
    Tools(TINY).compiled(TINY.part("perfect").fill_table)  # machine code from the ordinary place
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        assert np.array_equal(Tools(TINY).tables("perfect", s), due)
    assert len(list((tmp_path / "chase" / "tables").iterdir())) == 1


def test_admissible_starts() -> None:
    """Counted against a plain loop on a board of size 8, one count a class."""
    game = load("chase", size=8)
    s = game.empty()[0]
    s.wall[3], s.wall[7] = 1 << 6, 1 << 1
    times = game.part("solve").capture_times(s, np.ones((3, 64, 64, 64), np.uint8))
    cells = [(x, y) for x in range(8) for y in range(8) if max(abs(x - 6), abs(y - 3)) > 1 < max(abs(x - 1), abs(y - 7))]
    due = [0, 0, 0]
    for x, y in cells:
        apart = [d for a, b in cells if (d := abs(x - a) + abs(y - b)) >= 7]
        for one, two in itertools.permutations(apart, 2):
            due[one % 2 + two % 2] += 1
    assert times[0, :, 1].tolist() == due
    assert times[0].sum() == sum(due) > 0


def test_drawn_starts_follow_the_set_up() -> None:
    """Starts weigh as much as the game's own set-up draws them, given the layout; 16 groups of runner's cells."""
    game = load("chase", obstacles=1)
    s = game.empty()[0]
    s.wall[4] = 1 << 4
    groups = np.arange(225, dtype=np.uint8) % 16
    marked = np.broadcast_to(groups[:, None, None], (3, 225, 225, 225))  # as if a group were the moves to capture
    weights = game.part("solve").capture_times(s, marked)[1].sum(axis=0)[:16]
    batch = Batch(game, 1_000_000, 3)
    rows = batch.states[batch.states["wall"][:, 4] == 1 << 4]
    seen = np.bincount(groups[rows["y"][:, 0] * 15 + rows["x"][:, 0]], minlength=16)
    due = weights / weights.sum() * len(rows)
    assert len(rows) > 4000
    assert ((seen - due) ** 2 / due).sum() < 40  # chi-square of 15 degrees: one in two thousand


def test_report() -> None:
    """Value, line and shares of a drawn start; the report survives JSON."""
    s = Table(CHASE, 3).s
    report = CHASE.part("solve").solve(s, Tools(CHASE))
    facts = dict(report.facts)
    assert (facts["moves to capture"], facts["capture in turn"]) == (75, "25")
    assert facts["won by the chasers"] == "100.00 %"
    assert len(report.line) == 25
    assert report.line[0].startswith("1. ")
    assert report.sheets[0].rows[-1][1:] == ("100.00 %", "100.00 %")
    assert abs(sum(value for _, value in report.charts[0].bars) - 100) < 0.5
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report


def test_report_of_special_positions() -> None:
    """Never caught, over, too late for the limit, begun in the middle of a turn."""
    solve = TINY.part("solve").solve

    def facts(drawing: str, **fields: int) -> tuple[dict[str, Any], Report]:
        s = TINY.parse(drawing)
        for name, value in fields.items():
            s[name] = value
        report = solve(s, Tools(TINY, "pure"))
        return dict(report.facts), report

    found, report = facts(POCKETS)
    assert found["value"] == "the runner is never caught"
    assert report.line == ()
    assert "over" in facts(DENSE, end=TINY.rules.WALLED_IN)[0]["value"]
    found, report = facts(DENSE, opt_max_turns=2)
    assert "after the limit of 2: the runner escapes" in found["capture in turn"]
    assert len(report.line) == 2
    found, report = facts(DENSE, seat=2, turn=6)
    assert report.line[0].startswith("7. … … ")


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """`ludus solve` prints the report, or as JSON; what it cannot solve is one line."""

    def ludus(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["ludus", "solve", *words])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0), *capsys.readouterr()

    code, shown, _ = ludus("chase", "--seed", "3")
    assert code == 0
    for text in ("moves to capture: 75", "capture in turn: 25", "25. ", "of all", "█"):
        assert text in shown
    assert dict(json.loads(ludus("chase", "--seed", "3", "--json")[1])["facts"])["moves to capture"] == 75
    position = tmp_path / "position.txt"
    position.write_text(POCKETS)
    assert "never caught" in ludus("chase", "-o", "size=5", "--from", str(position))[1]
    for words, sentence in ((("-o", "size=21"), "up to size 20"), (("-o", "size=5"), "no random set-up")):
        code, _, refusal = ludus("chase", *words)
        assert code == 2
        assert sentence in refusal
        assert len(refusal.splitlines()) == 1


def test_games_that_are_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "has", lambda self, file: file != "solve")
    with pytest.raises(LudusError, match="perfect play of Chase is not known"):
        print_solution("chase", 0, [], None, False)


@pytest.mark.slow
def test_65_layouts() -> None:
    """The layouts of the original's seeds 0 to 64: 221 million starts, all won by the chasers, in known times."""
    solve, total = CHASE.part("solve"), 0.0
    longest = []
    for seed in range(65):
        times = solve.capture_times(s := row_of(CHASE.part("original").original_layout(seed)), solved(CHASE, s.wall))
        longest.append(int(np.flatnonzero(times[0].sum(axis=0)[:-1])[-1]))
        total = total + times / np.array([1, times[1].sum()])[:, None, None]
    assert round(total[0].sum() / 1e6) == 221
    assert total[:, :, -1].sum() == 0
    assert (min(longest), sorted(longest)[32], max(longest)) == (88, 94, 106)
    assert [seed for seed in range(65) if longest[seed] == 106] == [24, 53, 60, 64]
    drawn = total[1, :, :-1]
    assert solve._mean_turn(drawn.sum(axis=0)) == 21.1
    assert [solve._mean_turn(row) for row in drawn] == [16.6, 20.5, 25.9]
    assert [int(np.flatnonzero(row)[-1]) for row in drawn] == [78, 90, 106]
