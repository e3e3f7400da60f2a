"""Tries what a contained bot must not do, and says in a remark what it could."""

import os
import socket
import sys

from good import answer, run, say


def reaches(call):
    try:
        call()
    except OSError:
        return False
    return True


def attempt(message):
    other, port = sys.argv[1], int(sys.argv[2])
    done = {
        "own": lambda: open("written_by_a_bot.txt", "w").close(),
        "read": lambda: open(os.path.join(other, "secret.txt")).close(),
        "write": lambda: open(os.path.join(other, "planted.txt"), "w").close(),
        "connect": lambda: socket.create_connection(("127.0.0.1", port), 1).close(),
        "signal": lambda: os.kill(os.getppid(), 0),
    }
    say({**answer(message), "remark": " ".join(name for name, call in done.items() if reaches(call))})


run(attempt)
