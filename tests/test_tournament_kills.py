"""Tournaments on the bad day: killed runners and workers, a full disk. The ledger is that of an undisturbed run."""

import os
import random
import re
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from ledgers import told

from ludus.arena import Ledger, verify_ledger
from ludus.engine import compiled_bots
from ludus.games import load, names

pytestmark = pytest.mark.slow
BOT = "import random\n\ndef act(view, legal):\n    return random.choice(legal)\n"
LOCAL_KILLS, CLUSTER_KILLS = 20, 5


def command(folder: Path, ledger: Path, *more: str, games: int = 60) -> list[str]:
    """Return a tournament of two built-in bots and one in a process of its own."""
    game = names()[0]
    (folder / "bot.py").write_text(BOT)
    bots = [*compiled_bots(load(game))[:2], str(folder / "bot.py")]
    head = [sys.executable, "-m", "ludus", "tournament", "run", game, *bots]
    return [*head, "--games", str(games), "--seed", "7", "--clock", "move=60", "--ledger", str(ledger), *more]


def run(words: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment})


def count(ledger: Path) -> int:
    try:
        file = sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)
        try:
            return int(file.execute("SELECT count(*) FROM games").fetchone()[0])
        finally:
            file.close()
    except sqlite3.Error:  # there is no ledger yet
        return 0


def children(pid: int) -> list[int]:
    """List all processes that a process has started, and those that they have started."""
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            own = [int(word) for word in file.read_text().split()]
        except OSError:
            continue
        found += [*own, *(other for child in own for other in children(child))]
    return found


def called(pid: int, sign: str) -> bool:
    try:
        return sign in Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return False


def torment(
    words: list[str], ledger: Path, kills: int, total: int, workers: Callable[[int], list[int]], **env: str
) -> list[str]:
    """Run a tournament to its end, and kill the runner or a worker so many times, at moments spread over all of it."""
    dice, done, runner = random.Random(4), [], None
    try:
        for k in range(kills):
            due = k * total // (kills + 1) + dice.randrange(max(1, total // (kills + 1)))
            if runner is None or runner.poll() is not None:
                runner = subprocess.Popen(
                    words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **env}
                )
            while count(ledger) < due and runner.poll() is None:
                time.sleep(0.002)
            time.sleep(dice.random() * 0.3)
            victims = workers(runner.pid)
            if dice.random() < 0.5 and victims:
                os.kill(dice.choice(victims), signal.SIGKILL)
                done.append("worker")
            else:
                runner.kill()
                runner.wait()
                done.append("runner")
    finally:
        if runner is not None and runner.poll() is None:
            runner.wait()
    last = run(words, **env)
    assert last.returncode == 0, last.stderr
    return done


def check_same(quiet: Path, killed: Path, total: int) -> None:
    """Compare the number of games, every game and table, and every record with its digests."""
    one, other = told(quiet), told(killed)
    assert len(one) == len(other) == total
    assert one == other
    assert all(kept is not None for _, kept in one)
    with Ledger.open(killed) as ledger:
        assert verify_ledger(ledger, 0.2).problems == []
    tables = [
        run([sys.executable, "-m", "ludus", "tournament", "status", str(place), "--json"]).stdout for place in (quiet, killed)
    ]
    assert re.sub(r'"anomalies".*', "", tables[0]) == re.sub(r'"anomalies".*', "", tables[1])


def test_runner_and_workers_are_killed_twenty_times(tmp_path: Path) -> None:
    total = 3 * 60
    assert run(command(tmp_path, tmp_path / "quiet.db")).returncode == 0
    words = command(tmp_path, tmp_path / "killed.db", "--jobs", "2")
    done = torment(
        words, tmp_path / "killed.db", LOCAL_KILLS, total,
        lambda runner: [pid for pid in children(runner) if called(pid, "spawn_main")],
    )  # fmt: skip
    print(f"killed: {', '.join(done)}")
    assert len(done) == LOCAL_KILLS
    assert {"runner", "worker"} == set(done)
    check_same(tmp_path / "quiet.db", tmp_path / "killed.db", total)


@pytest.fixture(scope="module")
def cluster() -> Iterator[tuple[dict[str, str], int]]:
    """A Ray cluster of our own on this machine: what joins it, and the process that started it."""
    pytest.importorskip("ray", reason="ray is not installed")
    for _ in range(3):  # on a busy machine Ray may give up on parts of its own that start slowly
        joined, head = start_cluster()
        try:
            if is_ready(joined, head):
                yield joined, head.pid
                return
        finally:
            head.terminate()
            head.wait()
    pytest.fail("no Ray cluster could be started")


def is_ready(joined: dict[str, str], head: subprocess.Popen[bytes]) -> bool:
    """Wait until the cluster has its cores; the port is open before that."""
    ready = "import ray; ray.init(logging_level='ERROR'); assert ray.cluster_resources()['CPU'] == 2"
    deadline = time.monotonic() + 240
    while head.poll() is None and time.monotonic() < deadline:
        if run([sys.executable, "-c", ready], **joined).returncode == 0:
            return True
        time.sleep(1)
    return False


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def start_cluster() -> tuple[dict[str, str], subprocess.Popen[bytes]]:
    """Start a cluster that nobody joins but who knows its token; from outside by another port, if ray's client is there."""
    port, outside = free_port(), free_port()
    ray = [sys.executable, "-c", "import sys; from ray.scripts.scripts import main; sys.exit(main())", "start", "--head"]
    about = [f"--port={port}", "--num-cpus=2", "--include-dashboard=false", "--disable-usage-stats", "--block"]
    about += [f"--ray-client-server-port={outside}"] if find_spec("grpc") else []
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    head = subprocess.Popen([*ray, *about], env={**os.environ, **token}, **quiet)
    deadline = time.monotonic() + 120
    while head.poll() is None and time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.2)
    return {"RAY_ADDRESS": f"127.0.0.1:{port}", "OUTSIDE": f"ray://127.0.0.1:{outside}", **token}, head


def test_runner_and_workers_are_killed_five_times_on_a_cluster(tmp_path: Path, cluster: tuple[dict[str, str], int]) -> None:
    total, (joined, head) = 3 * 60, cluster
    assert run(command(tmp_path, tmp_path / "quiet.db")).returncode == 0
    words = command(tmp_path, tmp_path / "killed.db", "--on", "ray")
    done = torment(
        words, tmp_path / "killed.db", CLUSTER_KILLS, total,
        lambda runner: [pid for pid in children(head) if called(pid, "ray::unit_of_work")], **joined,
    )  # fmt: skip
    print(f"killed: {', '.join(done)}")
    assert len(done) == CLUSTER_KILLS
    check_same(tmp_path / "quiet.db", tmp_path / "killed.db", total)


def test_one_job_two_jobs_and_a_cluster_give_the_same_games_and_table(
    tmp_path: Path, cluster: tuple[dict[str, str], int]
) -> None:
    more = {"one": (), "two": ("--jobs", "2"), "ray": ("--on", "ray")}
    if find_spec("grpc"):
        more["outside"] = ("--on", cluster[0]["OUTSIDE"])
    for name, words in more.items():
        came = run(command(tmp_path, tmp_path / f"{name}.db", *words, games=20), **cluster[0])
        assert came.returncode == 0, came.stderr
    for name in list(more)[1:]:
        check_same(tmp_path / "one.db", tmp_path / f"{name}.db", 60)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 3 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_full_disk_loses_nothing(tmp_path: Path, small_disk: Path, jobs: str) -> None:
    assert run(command(tmp_path, tmp_path / "quiet.db", games=40)).returncode == 0
    (small_disk / "filler").write_bytes(bytes(2_400_000))
    words = command(tmp_path, small_disk / "cup.db", "--jobs", jobs, games=40)
    full = run(words)
    assert full.returncode == 2
    assert re.fullmatch(r"ludus: the ledger .* cannot be written: .*; what it holds is whole, .*\n", full.stderr[-400:]), (
        full.stderr
    )
    there = count(small_disk / "cup.db")
    assert 0 < there < 120
    assert run(words).returncode == 2  # it is still full
    assert count(small_disk / "cup.db") >= there
    (small_disk / "filler").unlink()
    went_on = run(words)
    assert went_on.returncode == 0, went_on.stderr
    check_same(tmp_path / "quiet.db", small_disk / "cup.db", 120)
