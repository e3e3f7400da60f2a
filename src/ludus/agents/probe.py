"""Whether this machine contains bots: one is let loose that tries to reach what it must not."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from ludus.core import one_line

from .containment import Limits
from .guard import Complaint

SECONDS = 30.0
# Its own folder may be written; a file beside it, the network and its parent are out of reach.
ATTEMPT = """
import os, socket, sys
def reaches(call):
    try:
        call()
    except OSError:
        return False
    return True
open("own", "w").close()
listening = int(sys.argv[2])
print([name for name, call in {
    "reads files of others": lambda: open(sys.argv[1]).close(),
    "writes files of others": lambda: open(sys.argv[1], "a").close(),
    "reaches the network": lambda: socket.create_connection(("127.0.0.1", listening), 2).close(),
    "signals its parent": lambda: os.kill(os.getppid(), 0),
}.items() if reaches(call)], flush=True)
"""


def probe() -> str:
    """Return what a contained bot reaches all the same, or why none can be started; "" is a machine that contains."""
    import socket

    from .process import Process

    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        own, secret = Path(folder, "own"), Path(folder, "secret")
        own.mkdir()
        secret.write_text("secret")
        command = [sys.executable, "-c", ATTEMPT, str(secret), str(server.getsockname()[1])]
        try:
            process = Process(command, "probe", own, Limits(), "contained")
            process.send(b"", SECONDS)
            reached = process.receive().decode()
            process.close()
        except (Complaint, subprocess.SubprocessError) as error:
            return one_line(str(error))
    return "" if reached == "[]\n" else f"a contained bot {one_line(reached)}"
