"""Bots in processes: a zoo of bad ones (tests/bots). Each gets its verdict in time, and nothing of it stays behind."""

import shutil
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludus
from ludus.agents import Limits, Remote, make_agent, seat_agents, why_not_contained
from ludus.arena import Referee, Terms, Tournament
from ludus.core import BadValue, Fault, Record, UnknownName, time_control
from ludus.engine import Table
from ludus.games import Game

BOTS = Path(__file__).parent / "bots"
LIMIT_S, SLACK_S = 1.0, 0.5  # what bad bots are given, and how much later their verdict may come
LIMITS = Limits(memory=60_000_000, processes=20, start_s=5.0)
is_contained = pytest.mark.skipif(bool(why_not_contained()), reason=f"bots cannot be contained: {why_not_contained()}")


def left_behind() -> list[str]:
    """Return the processes that carry the mark of a bot."""
    found = []
    for folder in filter(lambda folder: folder.name.isdecimal(), Path("/proc").iterdir()):
        try:
            if b"LUDUS_BOT=zoo-" in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_text())
        except OSError:
            continue
    return found


_seated: list[Remote] = []


@pytest.fixture(autouse=True)
def nothing_stays_behind() -> Iterator[None]:
    yield
    while _seated:
        _seated.pop().close()
    deadline = time.monotonic() + 2
    while left_behind() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert left_behind() == []


def command(bot: str, *arguments: object, name: str = "zoo") -> str:
    return " ".join([f"name={name} cmd:{sys.executable} {BOTS / bot}.py", *map(str, arguments)])


def play(game: Game, bad: Remote, good: Remote, seed: int = 1) -> tuple[Record, Referee, float]:
    """Let a bad bot play against a good one and one of ours; return the record, the referee, and the seconds it took."""
    referee = Referee(Table(game, seed, "pure"), [bad, good, make_agent(game, "random")], None, time_control(f"move={LIMIT_S}"))
    begun = time.perf_counter()
    record = referee.finish()
    return record, referee, time.perf_counter() - begun


def seated(game: Game, word: str, limits: Limits = LIMITS, level: str = "process") -> Remote:
    agent = make_agent(game, word, level, limits)
    assert isinstance(agent, Remote)
    _seated.append(agent)
    return agent


ENDING = {  # those that cannot play on: kind and words of their verdict
    "sleeps": ("timeout", "no answer within"),
    "spins": ("timeout", "no answer within"),
    "half_a_line": ("timeout", '{"action": '),
    "forks": ("memory", "processes at once|too much"),
    "eats_memory": ("memory", "memory|too much"),
    "floods_stdout": ("output", "bytes to stdout"),
    "floods_stderr": ("output", "bytes to stderr"),
    "huge_number": ("output", "999"),
    "closes_stdin": ("crash", "closed its stdin"),
    "exits": ("crash", "exit code 3: I have had enough"),
    "bad_utf8": ("babble", "wrote text on stdout"),
    "talks": ("babble", "wrote text on stdout: 'let me think'"),
    "answers_twice": ("babble", "when nothing was asked"),
    "kills_its_parent": ("crash", ""),
    "stops_its_parent": ("timeout", ""),
}


@pytest.mark.parametrize("bot", ENDING)
def test_a_bad_bot_loses_at_its_limit_and_the_next_game_is_clean(tiny: Game, bot: str) -> None:
    kind, words = ENDING[bot]
    bad, good = seated(tiny, command(bot)), seated(tiny, command("good"))
    for seed in (1, 2):  # a process that was ended is started again
        record, referee, _ = play(tiny, bad, good, seed)
        check_loss(record.faults[0], kind, words)
        assert record.forfeit == 0
        assert record.result.outcome == (-1, 1, 1)
        assert referee.times(0)[-1] < LIMIT_S + SLACK_S
        assert max(referee.times(1), default=0.0) < LIMIT_S  # the other one's clock ran for its own turns alone
    other = seated(tiny, command("good"))
    assert play(tiny, other, good)[0].faults == ()


def check_loss(fault: Fault, kind: str, words: str) -> None:
    import re

    assert (fault.seat, fault.kind, fault.ends) == (0, kind, True), fault.text
    assert re.search(words.replace("{", r"\{"), fault.text), fault.text
    assert fault.advice
    assert fault.text.isprintable()
    assert len(fault.stderr) <= 20


def test_a_bots_last_words_stand_with_its_verdict(tiny: Game) -> None:
    for bot, line in (("exits", "I have had enough"), ("floods_stderr", "yyy")):
        record, _, _ = play(tiny, seated(tiny, command(bot)), seated(tiny, command("good")))
        assert line in record.faults[0].stderr[-1]
        assert record.faults[0].turn == 0


STAYING = {  # those whose answer alone is wrong: another action stands in
    "wrong_turn": ("rubbish", "when turn"),
    "says_nan": ("rubbish", "NaN"),
    "deep_json": ("rubbish", "no message"),
    "unknown_action": ("illegal", "fly to the moon"),
    "no_action": ("rubbish", "names no action"),
}


@pytest.mark.parametrize("bot", STAYING)
def test_a_wrong_answer_is_a_fault_and_the_game_goes_on(tiny: Game, bot: str) -> None:
    bad, good = seated(tiny, command(bot)), seated(tiny, command("good"))
    record, _, _ = play(tiny, bad, good)
    assert record.forfeit is None
    assert {(fault.seat, fault.kind) for fault in record.faults} == {(0, STAYING[bot][0])}
    assert STAYING[bot][1] in record.faults[0].text
    assert all(fault.advice and fault.text.isprintable() for fault in record.faults)
    assert [fault.turn for fault in record.faults] == sorted({fault.turn for fault in record.faults})


def test_a_machine_that_starts_no_process_makes_a_void_game(tiny: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*words: object, **settings: object) -> None:
        raise OSError("out of processes")

    bad, good = seated(tiny, command("good")), seated(tiny, command("good"))
    monkeypatch.setattr("subprocess.Popen", refuse)
    record, referee, _ = play(tiny, bad, good)
    assert (record.faults[0].kind, record.faults[0].turn, record.forfeit) == ("void", 0, None)
    assert referee.is_void
    assert "not the bot's fault" in record.faults[0].advice


def test_a_bot_that_ignores_the_handshake_loses_at_its_limit(tiny: Game) -> None:
    bad, good = seated(tiny, command("ignores_the_handshake"), Limits(start_s=LIMIT_S)), seated(tiny, command("good"))
    record, _, seconds = play(tiny, bad, good)
    check_loss(record.faults[0], "timeout", "no answer within")
    assert seconds < LIMIT_S + LIMITS.start_s + SLACK_S


def test_daemons_end_with_their_bot(tiny: Game) -> None:
    bad, good = seated(tiny, command("daemonises")), seated(tiny, command("good"))
    record, _, _ = play(tiny, bad, good)
    assert record.faults == ()
    assert len(left_behind()) > 2


def test_whoever_lets_go_of_a_bot_ends_it(tiny: Game) -> None:
    bot = make_agent(tiny, command("good"))
    Referee(Table(tiny, 1, "pure"), [bot, *(make_agent(tiny, "random") for _ in range(2))]).finish()
    assert left_behind()
    del bot


@pytest.mark.parametrize(("bot", "line", "ends"), [("raises_at_import", 3, True), ("raises", 5, False)])
def test_errors_in_python_name_the_authors_line(tiny: Game, bot: str, line: int, ends: bool) -> None:
    bad, good = seated(tiny, f"name=zoo {BOTS / bot}.py"), seated(tiny, command("good"))
    fault = play(tiny, bad, good)[0].faults[0]
    assert (fault.kind, fault.ends) == ("crash", ends)
    assert f"(line {line} of {bot}.py)" in fault.text
    assert "JSONDecodeError" in fault.text
    assert not any("run_file" in text or "json/" in text for text in fault.stderr)


@pytest.fixture
def other_bot(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """Another bot's folder with a secret, and a port that somebody listens on."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.txt").write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield tmp_path / "other", server.getsockname()[1]


@pytest.mark.parametrize("level", ["process", pytest.param("contained", marks=is_contained)])
def test_what_a_bot_reaches_is_what_its_level_says(tiny: Game, tmp_path: Path, other_bot: tuple[Path, int], level: str) -> None:
    own, (other, port) = tmp_path / "own", other_bot
    own.mkdir()
    for file in ("good.py", "reaches_out.py"):
        shutil.copy(BOTS / file, own)
    bad = seated(tiny, f"name=zoo cmd:{sys.executable} {own / 'reaches_out.py'} {other} {port}", level=level)
    good = seated(tiny, command("good"))
    record, _, _ = play(tiny, bad, good)
    assert record.faults == ()
    due = "own" if level == "contained" else "own read write connect signal"
    assert {line for _, line in bad.log} == {due}
    assert (own / "written_by_a_bot.txt").exists()
    assert (other / "planted.txt").exists() == (level == "process")


MAY = {"process": "writes", "contained": "reads"}  # what a bot may do with compiled code


@is_contained
@pytest.mark.parametrize("bot", ["sleeps", "forks", "daemonises", "eats_memory", "exits", "kills_its_parent"])
def test_contained_bots_are_judged_alike(tiny: Game, bot: str) -> None:
    bad, good = seated(tiny, command(bot), level="contained"), seated(tiny, command("good"))
    record, referee, _ = play(tiny, bad, good)
    due = {"daemonises": (), "kills_its_parent": ("crash",), "forks": ("crash", "memory")}.get(bot, ENDING.get(bot, ("",))[:1])
    assert (record.faults[0].kind if record.faults else "") in (due or ("",)), record.faults
    assert referee.times(0)[-1] < LIMIT_S + SLACK_S


@pytest.mark.parametrize("level", ["process", pytest.param("contained", marks=is_contained)])
def test_bots_share_compiled_code_and_run_the_ludus_that_asks(
    tiny: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    """What one bot compiles the next one loads, be it in another process; a contained one can change nothing of it."""
    root, own = tmp_path / "cache", tmp_path / "own"
    own.mkdir()
    shutil.copy(BOTS / "compiles.py", own)
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(root))
    seen = f"{root}, {Path(ludus.__file__).parent}"
    for way, said in [("process", f"compiled 42, writes {seen}"), (level, f"loaded 42, {MAY[level]} {seen}")]:
        (root / "planted").unlink(missing_ok=True)
        bot = seated(tiny, f"name=zoo {own / 'compiles.py'}", Limits(), way)
        record, _, _ = play(tiny, bot, seated(tiny, command("good")))
        assert record.faults == ()
        assert {line for _, line in bot.log} == {said}
    assert (root / "planted").exists() == (level == "process")
    assert (own / ".cache").exists() == (level == "contained")


@is_contained
def test_a_contained_bot_keeps_what_it_compiles_itself(tiny: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(BOTS / "compiles.py", tmp_path)
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path.parent / f"{tmp_path.name}-cache"))
    for did in ("compiled", "loaded"):
        bot = seated(tiny, f"name=zoo {tmp_path / 'compiles.py'}", Limits(), "contained")
        assert play(tiny, bot, seated(tiny, command("good")))[0].faults == ()
        assert {line.split()[0] for _, line in bot.log} == {did}


def test_words_that_name_no_agent_say_so(tiny: Game, tmp_path: Path) -> None:
    for word, error, text in [
        ("cmd:", BadValue, "written cmd:PROGRAM"),
        ("cmd:/no/such/program", BadValue, "no program"),
        ("name=x", BadValue, "a name comes before"),
        ("nobody", UnknownName, "a folder with a bot.toml"),
    ]:
        with pytest.raises(error, match=text):
            make_agent(tiny, word)
    (tmp_path / "bot.toml").write_text('comand = ["true"]')
    with pytest.raises(UnknownName, match="comand"):
        make_agent(tiny, str(tmp_path))


def test_a_folder_says_how_it_is_run_and_called(tiny: Game, tmp_path: Path) -> None:
    shutil.copy(BOTS / "good.py", tmp_path)
    (tmp_path / "bot.toml").write_text('command = ["python", "good.py"]\nname = "zoo"\n')
    bot = seated(tiny, str(tmp_path))
    assert (bot.name, bot.level) == ("zoo", "process")
    record, _, _ = play(tiny, bot, seated(tiny, command("good")))
    assert record.faults == ()


PEEKS = """import os, pathlib
own = pathlib.Path(__file__)
def act(view, legal):
    print(sorted(file.name for file in own.parent.iterdir() if file.name[0] != "."))
    own.with_name("other.py").write_text("raise SystemExit")
    own.unlink(missing_ok=True)
    own.symlink_to("nowhere")
    return legal[0]
"""


@is_contained
def test_contained_bots_have_their_folders_to_themselves(tiny: Game, tmp_path: Path) -> None:
    for folder in ("a", "b", "c"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(PEEKS)
    one, other, third = (str(tmp_path / folder / "bot.py") for folder in ("a", "b", "c"))
    (tmp_path / "a" / "other.py").write_text(PEEKS)
    (tmp_path / "outer.py").write_text(PEEKS)
    for neighbour in (tmp_path / "a" / "other.py", tmp_path / "outer.py"):
        with pytest.raises(BadValue, match=r"lie in one folder, .* give each contained bot a folder of its own"):
            seat_agents(tiny, [one, str(neighbour), other], "contained")
        assert len(seat_agents(tiny, [one, str(neighbour), other], "process")) == 3
    with pytest.raises(BadValue, match="which could read it; name another place"):
        seat_agents(tiny, [one, other, third], "contained", kept=[tmp_path / "b" / "records"])
    assert len(seat_agents(tiny, [one, one, other], "contained", kept=[tmp_path / "records"])) == 3


@is_contained
def test_contained_bots_of_a_tournament_reach_neither_each_other_nor_its_ledger(tiny: Game, tmp_path: Path) -> None:
    """What one does to its own files does not matter to its later games either, for which it is opened again."""
    for name in ("bot.py", "other.py"):
        (tmp_path / name).write_text(PEEKS)
    terms = Terms(game="tiny", bots=(str(tmp_path),), isolation="contained", games=2)
    with Tournament(terms, tmp_path / "cup.db") as tournament:
        assert len(list(tournament.play())) == 2
        records = [tournament.ledger.record(number) for number in (1, 2)]
    assert [record.faults for record in records if record] == [(), ()]
    assert (tmp_path / "other.py").read_text() == PEEKS
