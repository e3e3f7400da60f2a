"""Records: written, read back, run again on every device; whatever else a file may hold is refused in a sentence."""

import gzip
import json
import os
import random
import subprocess
import sys
import tracemalloc
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fuzz_records import RecordFuzzer

from ludus.agents import make_agent
from ludus.arena import (
    Conditions,
    RecordFolder,
    Referee,
    Replay,
    open_any,
    open_replay,
    play_match,
    read_record,
    read_records,
    rerun,
    write_record,
)
from ludus.arena.formats import FORMAT, FORMATS, decode, encode
from ludus.arena.record import LARGEST
from ludus.core import Agent, BadRecord, LudusError, Record, Result, one_line, runs
from ludus.engine import Table
from ludus.games import Game, load, names, options_of

DATA = Path(__file__).parent / "data" / "records"
GAME = names()[0]


class Clumsy(Agent):
    """Plays the first legal action, and now and then what is none."""

    name, asked = "clumsy", 0

    def act(self, view: Any, legal: list[int]) -> Any:
        self.asked += 1
        return "nonsense" if self.asked % 4 == 2 else legal[0]


def played(table: Table, most: int = 10**9, on_fault: str | None = "replace") -> Record:
    """Let a clumsy agent and random bots play, for so many decisions at most."""
    agents = [Clumsy(), *(make_agent(table.game, "random") for _ in table.spec.seats[1:])]
    referee = Referee(table, agents, on_fault)
    for _ in zip(range(most), referee.play(), strict=False):
        pass
    return referee.record()


@cache
def whole_game(name: str = GAME) -> Record:
    return played(Table(name, 3))


def digests(record: Record, device: str) -> list[int]:
    return [table.digest() for table, _ in rerun(record, device)]


def untimed(record: Record) -> Record:
    return msgspec.structs.replace(record, times=())


@pytest.mark.parametrize("name", names())
def test_a_game_is_written_read_and_run_again_on_every_device(name: str, tmp_path: Path) -> None:
    record = whole_game(name)
    assert record.faults
    assert record.result.status != 0
    for file in ("game.json", "game.json.gz", "game"):
        write_record(record, tmp_path / file)
        again = read_record(tmp_path / file)
        assert (again, again.times) == (record, record.times)
        assert not msgspec.structs.replace(record, times=(1.0,) * len(runs(record.decisions))) != record  # noqa: SIM202
    assert len(digests(record, "cpu")) == len(record.decisions) + 1
    begun = played(Table(name, 3), 60)  # uncompiled, whole games take long
    assert digests(begun, "cpu") == digests(begun, "pure")
    assert len(record.times) in (0, len(runs(record.decisions)))


@pytest.mark.parametrize("name", names())
def test_games_from_positions_with_options_and_forfeits_are_run_again(name: str) -> None:
    default = load(name)
    own = {option.name for option in default.spec.options}
    small = load(name, **{option.name: option.low for option in options_of(default) if option.name not in own})
    game = default if small.spec.no_setup else small
    options = {option.name: min(option.default + 1, option.high) for option in game.spec.options}
    start = Table(load(name, **{**game.options, **options}), 9, "pure")
    while start.turn < 3 and not start.over:
        start.apply(start.legal()[0])
    position = start.game.text(start.s)
    stopped = played(Table(start.game, 4, "pure", position), 40)
    assert stopped.result.status == 0 or start.over or len(stopped.decisions) < 40
    assert stopped.options == dict(start.game.options)
    forfeited = played(Table(start.game, 4, "pure", position), on_fault="forfeit")
    assert forfeited.forfeit == 0
    assert forfeited.result.outcome[0] == -1
    for record in (stopped, forfeited):
        again = decode(encode(record))
        assert again == record
        assert len(digests(again, "pure")) == len(record.decisions) + 1


def test_a_replay_is_walked_forward_back_and_by_jumps() -> None:
    record = whole_game()
    replay = Replay(record)
    assert replay.turns == len(record.digests)
    seen = [replay.game.digest(replay.row(turn)) for turn in range(replay.turns + 1)]
    assert tuple(seen[1:]) == record.digests
    assert replay.decisions(0) == ()
    for turn in (replay.turns, 1, replay.turns // 2):
        table = replay.at(turn - 1)
        assert table.digest() == seen[turn - 1]
        for decision in replay.decisions(turn):
            assert table.seat == decision.seat
            table.apply(decision.action)  # with the chance that the game had
        assert table.digest() == seen[turn]
        assert table.over == (turn == replay.turns)
    told = [decision.fault for turn in range(replay.turns + 1) for decision in replay.decisions(turn) if decision.fault]
    assert tuple(told) == record.faults
    with pytest.raises(LudusError, match="turns of this game are 0 to"):
        replay.at(replay.turns + 1)


def test_a_game_that_stopped_within_a_turn_has_its_last_position(tiny: Game) -> None:
    record = played(Table(tiny, 3, "pure"), 3)  # two decisions are a turn
    replay = Replay(record, "pure")
    assert (len(record.digests), replay.turns) == (1, 2)
    assert len(replay.decisions(2)) == 1
    assert replay.row(2).left == 1


def changed(**values: Any) -> Record:
    return msgspec.structs.replace(untimed(whole_game()), **values)


def lies() -> dict[str, tuple[Record, str]]:
    """Records of what was not played, each with what is said of it."""
    record = whole_game()
    (seat, action), rest, last = record.decisions[0], record.decisions[1:], record.decisions[-1]
    seats, actions, version = len(record.agents), load(GAME).spec.actions, record.rules
    legal = Table(GAME, 3, "pure").legal()
    fault = record.faults[0]
    return {
        "unknown game": (changed(game="nim\x1b[31m"), r"unknown game 'nim\\x1b\[31m'; there is: "),
        "other rules": (changed(rules=version + 1), f"by version {version + 1} of .*, and this is version {version}"),
        "option": (changed(options={**record.options, "name": 1}), "unknown option 'name'"),
        "bounds": (changed(options=dict.fromkeys(record.options, 10**9)), "must be from"),
        "seed": (changed(seed=2**63), "seed must be"),
        "agents": (changed(agents=("a",) * (seats + 1)), f"{seats + 1} agents for {seats} seats"),
        "seats": (changed(seats=("a",) * seats), "has the seats"),
        "hashes": (changed(hashes=("a",)), f"1 hashes for {seats} seats"),
        "position": (changed(position="here and there"), "."),
        "seat": (changed(decisions=((seat + 1, action), *rest)), "turn 0, decision 0: it is the move of"),
        "no seat": (changed(decisions=((99, action), *rest)), "not of a seat 99"),
        "no action": (changed(decisions=((seat, actions), *rest)), "turn 0, decision 0: an action of"),
        "another": (changed(decisions=((seat, legal[-1]), *rest)), "turn 0"),
        "digest": (changed(digests=(*record.digests[:1], 7, *record.digests[2:])), "7.: this is not the game that was played"),
        "no digest": (changed(digests=record.digests[:-1]), "has no digest"),
        "more digests": (changed(digests=(*record.digests, 1, 2)), "2 digests of turns that were not played"),
        "too short": (changed(decisions=record.decisions[:-1], digests=record.digests[:-1]), "and the game goes on"),
        "too long": (changed(decisions=(*record.decisions, last)), "the game is over, and the record goes on"),
        "result": (changed(result=Result(1, (0.5,) * seats, (0.0,) * seats)), "the result is"),
        "running": (changed(result=Result(0, (0.0,) * seats, (0.0,) * seats)), "the result is"),
        "outcomes": (changed(result=Result(1, (), ())), f"0 outcomes for {seats} seats"),
        "forfeit": (changed(forfeit=0), "cannot be forfeited as well"),
        "forfeiter": (changed(forfeit=seats), "which forfeits"),
        "fault": (changed(faults=(msgspec.structs.replace(fault, seat=seats),)), "a fault is of seat"),
        "when": (changed(faults=(msgspec.structs.replace(fault, decision=10**9),)), "a fault is of seat"),
    }  # fmt: skip


@pytest.mark.parametrize("what", lies())
@pytest.mark.parametrize("device", ["pure", "cpu"])
def test_a_record_that_lies_is_refused_in_a_sentence(what: str, device: str, tmp_path: Path) -> None:
    record, complaint = lies()[what]
    write_record(record, tmp_path / "lie.json")
    with pytest.raises(BadRecord, match=complaint) as refused:
        open_replay(tmp_path / "lie.json", device)
    sentence = str(refused.value)
    assert sentence.isprintable()
    assert len(sentence) < 600
    assert "lie.json: " in sentence


def test_an_action_that_the_rules_refuse_is_named(tiny: Game) -> None:
    record = untimed(played(Table(tiny, 3, "pure")))
    (seat, action), (_, other), *rest = record.decisions
    assert other != action
    twice = msgspec.structs.replace(record, decisions=((seat, action), (seat, action), *rest))
    with pytest.raises(BadRecord, match=r"turn 0, decision 1: .* is refused"):
        list(rerun(twice, "pure"))


def as_json(**values: Any) -> bytes:
    """Return a record's JSON with some keys changed; None leaves one out."""
    data = {**json.loads(encode(whole_game())), **values}
    return json.dumps({key: value for key, value in data.items() if value is not None}).encode()


WHOLE = encode(whole_game())
PACKED = gzip.compress(WHOLE)
ZEROS = gzip.compress(b"\0" * (16 << 20)) * 64  # 1 GiB of them, as many gzip files in one
BAD = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n ", "is empty"),
    "cut": (WHOLE[: len(WHOLE) // 2], "is cut off or no JSON"),
    "cut gzip": (PACKED[: len(PACKED) // 2], "is cut off or damaged"),
    "no gzip": (b"\x1f\x8bnonsense", "is cut off or damaged"),
    "damaged gzip": (PACKED[:40] + b"\0\0\0\0" + PACKED[44:], "is cut off or damaged"),
    "binary": (bytes(range(256)) * 4, "is cut off or no JSON"),
    "text": (b"hello", "is cut off or no JSON"),
    "a list": (b"[1, 2]", "is no record of a game"),
    "other program's": (b'{"game": "go", "moves": []}', "is no record of a game.*result"),
    "a number": (b"5", "is no record of a game"),
    "deep": (b'{"game":"x","result":' + b"[" * 10**6 + b"]" * 10**6 + b"}", "is no record of a game"),
    "deep in a record": (as_json(deep=0)[:-2] + b"[" * 10**6 + b"]" * 10**6 + b"}", "is no"),
    "latin": (as_json(game="x").replace(b'"x"', b'"\xe9"'), "is"),
    "newer": (as_json(format=FORMAT + 5), f"is of format {FORMAT + 5}, and this Ludus reads 1 to {FORMAT}: get a newer one"),
    "format": (as_json(format="new"), "is no record of a game"),
    "no format": (as_json(format=-1), "is of format -1"),
    "key": (as_json(rules=None), "is no sound record: .*rules"),
    "seed": (as_json(seed=5), "is no sound record: .*seed"),
    "signs": (as_json(seed="-5"), "is no sound record: .*seed"),
    "action": (as_json(decisions=[[0, 10**400]]), "is no sound record: .*decisions"),
    "nan": (as_json(times=[float("nan")]), "is"),
    "less than nothing": (as_json(decisions=[[0, -1]]), "is no sound record: .*decisions"),
    "no action": (as_json(decisions=[[0]]), "is no sound record: .*decisions"),
    "runs": (as_json(decisions=[[0, 1], [0, 1]], times=None), "two runs of one seat"),
    "times": (as_json(decisions=[[0, 1]], times=[1, 2]), "2 times for 1 runs"),
    "half a digest": (as_json(digests="abc"), "is no sound record: .*digests"),
    "1 GiB of zeros": (ZEROS, "is too large for a record: it holds more than 16 MiB"),
    "too large": (b'{"game":"' + b"x" * LARGEST, "is too large for a record"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_files_are_refused_in_a_sentence(what: str, tmp_path: Path) -> None:
    content, complaint = BAD[what]
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    for read in (read_record, open_any) if not content.startswith(b"[") else (read_record,):
        tracemalloc.start()
        with pytest.raises(BadRecord, match=rf"bad\.json,? .*{complaint}") as refused:
            read(file)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 5 * LARGEST
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) < 400 + len(str(tmp_path))


def test_what_is_no_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    closed = tmp_path / "closed.json"
    closed.write_bytes(WHOLE)
    closed.chmod(0)
    cases = {"none.json": "there is no file", "": "is a folder", "pipe": "is no ordinary file", "x" * 999: "cannot be read"}
    if os.geteuid():
        cases["closed.json"] = "may not be read by you"
    for name, complaint in cases.items():
        with pytest.raises(BadRecord, match=complaint):
            read_record(tmp_path / name)
    with pytest.raises(BadRecord, match="cannot be read"):
        read_record("a\0b")


def test_files_that_somebody_changed_are_refused_or_safe(tiny: Game) -> None:
    fuzzer = RecordFuzzer(tiny, random.Random(1))
    assert [problem for problem in (fuzzer.problem() for _ in range(400)) if problem] == []
    assert fuzzer.taken


def test_texts_from_outside_are_single_lines() -> None:
    fault = {"seat": 0, "decision": 0, "kind": "\x1b[2J", "text": "a\nb" * 9999, "stderr": ["\a" * 9999, "\r"]}
    record = decode(as_json(agents=["\x1b[31m" * 99] * len(whole_game().agents), faults=[fault]))
    told = record.faults[0]
    for text in (*record.agents, told.kind, told.text, *told.stderr):
        assert text == one_line(text, 500)


def test_every_format_that_was_ever_written_is_read() -> None:
    """A file of each is kept; none of them may be changed."""
    for number in FORMATS:
        (file,) = DATA.glob(f"format{number}.*")
        record = open_replay(file, "pure").record
        assert len(record.decisions) == 37
        assert len(record.faults) == 3
        assert record.position
    assert record.hashes[0]
    assert record == msgspec.structs.replace(record, times=(1.5,))
    assert record != msgspec.structs.replace(record, seed=6)


def test_lines_hold_a_game_each(tmp_path: Path) -> None:
    record, file = whole_game(), tmp_path / "games.jsonl"
    lines = (WHOLE + b"\n") * 3 + b"\n"
    for data in (lines, gzip.compress(lines)):
        file.write_bytes(data)
        assert list(read_records(file)) == [record] * 3
        with pytest.raises(BadRecord, match="holds several games"):
            read_record(file)
    file.write_bytes(json.dumps(json.loads(WHOLE), indent=1).encode())  # as people format it
    assert read_record(file) == record
    file.write_bytes(lines + WHOLE[:50])
    with pytest.raises(BadRecord, match=r"games\.jsonl, line 5, is cut off"):
        list(read_records(file))


def test_records_are_written_as_a_whole_into_new_folders(tmp_path: Path) -> None:
    folder = RecordFolder(tmp_path / "new" / "games", 20_000)
    folder.add(whole_game())
    assert [file.name for file in folder.path.iterdir()] == ["00001.json.gz"]
    with pytest.raises(LudusError, match="is not empty"):
        RecordFolder(folder.path, 1)
    with pytest.raises(LudusError, match="cannot be written"):
        RecordFolder(folder.path / "00001.json.gz", 1)
    with pytest.raises(LudusError, match="cannot be written"):
        write_record(whole_game(), tmp_path / "nowhere" / "game.json")


def test_a_match_gives_the_same_records_whoever_plays_it(tiny: Game) -> None:
    bots, kept = ["random", "counting", "random"], list[Record]()
    match = play_match(tiny, bots, 7, seed=3, swap=True, keep=kept.append)
    assert match.games == play_match(tiny, bots, 7, seed=3, swap=True).games  # inside kernels
    assert [record.result for record in kept] == [game.result for game in match.games]
    for record in kept:
        assert len(digests(record, "cpu")) == len(record.decisions) + 1


def test_the_same_seed_gives_the_same_records_whatever_the_jobs_are(tmp_path: Path) -> None:
    game = load(GAME)
    (tmp_path / "mine.py").write_text("def act(view, legal):\n    return legal[-1]\n")
    others = ["random"] * (len(game.spec.seats) - 1)
    for agent, levels in (("random", ["in-process"]), (str(tmp_path / "mine.py"), ["in-process", "process"])):
        found = set()
        for jobs, level in [(1, level) for level in levels] + [(2, levels[-1])]:
            kept: list[Record] = []
            play_match(game, [agent, *others], 3, seed=1, conditions=Conditions(isolation=level), jobs=jobs, keep=kept.append)
            found.add(b"\n".join(encode(untimed(record)) for record in kept))
            assert all(bool(record.hashes) == (agent != "random") for record in kept)
        assert len(found) == 1


def ludus(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from ludus.cli import main; main()", *words]
    return subprocess.run(command, input="", capture_output=True, text=True, cwd=cwd, timeout=300)


def test_the_command_line_keeps_and_verifies_records(tmp_path: Path) -> None:
    seats = ["random"] * len(load(GAME).spec.seats)
    assert ludus("play", GAME, "--quiet", "--seed", "3", "--save", "one.json", cwd=tmp_path).returncode == 0
    stopped = ludus("play", GAME, "human", "--quiet", "--seed", "3", "--save", "stopped.json.gz", cwd=tmp_path)
    assert stopped.returncode == 0
    assert ludus("match", GAME, *seats, "--games", "3", "--seed", "3", "--save", "many", cwd=tmp_path).returncode == 0
    (tmp_path / "many.jsonl").write_bytes(b"\n".join(encode(record) for record in (read_record(tmp_path / "one.json"),) * 2))
    good = ludus("replay", "verify", "one.json", "stopped.json.gz", "many", "many.jsonl", cwd=tmp_path)
    assert good.returncode == 0, good.stderr
    assert "one.json: ok, " in good.stdout
    assert "many.jsonl: ok, 2 games, " in good.stdout
    assert good.stdout.endswith("7 games in 6 files are as they were recorded\n")
    assert read_record(tmp_path / "one.json") == read_record(tmp_path / "many" / "0001.json.gz")
    (tmp_path / "many" / "0002.json.gz").write_bytes(b"{}")
    bad = ludus("replay", "verify", "many", "none.json", "--json", "--device", "pure", cwd=tmp_path)
    assert bad.returncode == 1
    report = json.loads(bad.stdout)
    assert report["wrong"] == 2
    assert [file["games"] for file in report["files"]] == [1, 0, 1, 0]
    assert report["files"][1]["error"].startswith("is no record of a game")
    again = ludus("match", GAME, *seats, "--games", "3", "--save", "many", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr == "ludus: many is not empty; name a new folder for the records\n"
    nowhere = ludus("play", GAME, "--save", "no/where.json", cwd=tmp_path)
    assert (nowhere.returncode, nowhere.stdout) == (2, "")
    assert "cannot be written" in nowhere.stderr
