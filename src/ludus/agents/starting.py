"""How a bot's warden is started, and how what is left of both is cleared away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from .guard import Complaint

WARDEN = Path(__file__).with_name("warden.py")
CLOSING_S = 6.0  # within which a warden must have cleared away


@dataclass(frozen=True)
class Started:
    """A warden with its bot: the bot's pipes, and our ends of the warden's own."""

    warden: subprocess.Popen[bytes]
    pipes: tuple[IO[bytes], ...]  # stdin, stdout, stderr
    control: int  # closing it ends the bot
    status: int  # tells how the bot ended
    mark: str  # in the environment of all that the bot starts


def start_warden(about: dict[str, Any], folder: Path) -> Started:
    """Start a warden, which starts the bot; a machine that cannot is a void game."""
    control_read, control = os.pipe()
    status, status_write = os.pipe()
    about |= {"control": control_read, "status": status_write}
    try:
        warden = subprocess.Popen(
            [sys.executable, "-I", "-S", str(WARDEN), json.dumps(about)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, pass_fds=(control_read, status_write), cwd=folder, start_new_session=True, env={},
            bufsize=0,
        )  # fmt: skip
    except OSError as error:
        os.close(control)
        os.close(status)
        raise Complaint("void", f"no process could be started: {error}", ends=True) from None
    finally:
        os.close(control_read)
        os.close(status_write)
    pipes = tuple(pipe for pipe in (warden.stdin, warden.stdout, warden.stderr) if pipe is not None)
    return Started(warden, pipes, control, status, about["environment"]["LUDUS_BOT"])


def clear_away(started: Started) -> None:
    """Let the warden end its bot; where something happened to the warden, do its work."""
    warden = started.warden
    os.close(started.control)
    for pipe in started.pipes:
        with suppress(OSError):
            pipe.close()
    with suppress(OSError):
        warden.send_signal(signal.SIGCONT)  # a bot may have stopped it
    try:
        warden.wait(CLOSING_S)
    except subprocess.TimeoutExpired:
        warden.kill()
        warden.wait()
    if warden.returncode != 0:
        _kill_marked(started.mark)
    os.close(started.status)


def _kill_marked(mark: str) -> None:
    """Kill every process that carries a bot's mark in its environment."""
    sign = f"LUDUS_BOT={mark}".encode()
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):
            if sign in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                os.kill(int(pid), signal.SIGKILL)
