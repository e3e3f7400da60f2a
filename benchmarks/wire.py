"""How many act messages a second a Python bot answers over the wire in Chase, beside the bare round trip of such a message
through pipes, and how many decisions a bot in our own process makes: `python benchmarks/wire.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ludus.agents import make_agent, wire
from ludus.agents.remote import act_message
from ludus.arena import Referee
from ludus.core import time_control
from ludus.engine import Table
from ludus.games import load

BOT = "def act(view, legal):\n    return legal[0]\n"
# A program that answers each line with the shortest answer, and looks at nothing.
ECHO = "import os, sys\nfor line in sys.stdin.buffer:\n    os.write(1, b'{\"action\":0}\\n')\n"
SECONDS, ROUNDS = 2.0, 3


def bare_pipe() -> float:
    """Return the round trips a second of an act message through pipes, with nothing done on either side."""
    table = Table("chase", 1)
    line = wire.encode(act_message(table.game, table.observe(), table.legal(), 1.0, 0.1))
    process = subprocess.Popen([sys.executable, "-c", ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdin
    assert process.stdout
    into, out = process.stdin.fileno(), process.stdout.fileno()
    os.write(into, line)
    os.read(out, 100)
    count, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        for _ in range(100):
            os.write(into, line)
            os.read(out, 100)
        count += 100
    rate = count / (time.perf_counter() - begun)
    process.stdin.close()
    process.wait()
    return rate


def decisions(folder: str, isolation: str) -> tuple[float, float, float]:
    """Return the decisions a second of a bot's seat, and the referee's own median and 99th of a hundred in ms.

    The bot sits at all seats, so that every decision is one of a file's.
    """
    game = load("chase")
    path = str(Path(folder, "bot.py"))
    agents = [make_agent(game, path, isolation) for _ in game.spec.seats]
    count, overheads, seconds, seed = 0, [], 0.0, 0
    while seconds < SECONDS:
        referee = Referee(Table(game, seed), agents, None, time_control("move=10"))
        begun = time.perf_counter()
        count += len(referee.finish().decisions)
        seconds += time.perf_counter() - begun if seed else 0.0  # the first game starts processes
        count, seed = count if seed else 0, seed + 1
        overheads += referee.overheads
    for agent in agents:
        agent.close()
    overheads.sort()
    return count / seconds, 1000 * overheads[len(overheads) // 2], 1000 * overheads[len(overheads) * 99 // 100]


def main() -> None:
    """Measure by turns and print the best of several rounds."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bot.py").write_text(BOT)
        bare, wired, inside = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for _ in range(ROUNDS):
            bare = max(bare, bare_pipe())
            wired = max(wired, decisions(folder, "process"))
            inside = max(inside, decisions(folder, "in-process"))
    about = {
        "bare_pipe_round_trips_per_s": round(bare),
        "wire_decisions_per_s": round(wired[0]),
        "ratio": round(wired[0] / bare, 3),
        "referee_p50_ms": round(wired[1], 4),
        "referee_p99_ms": round(wired[2], 4),
        "in_process_decisions_per_s": round(inside[0]),
    }
    print(json.dumps(about, indent=1))


if __name__ == "__main__":
    main()
