"""The command line: parse, print, nothing else. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any


def main() -> None:
    """Run `ludus`; a mistake of the user is one line and exit code 2."""
    from ludus.core import LudusError

    from .commands import Stopped, app
    from .output import prepare_output

    code: object = 0
    sys.unraisablehook = _hear_again
    try:
        prepare_output()
        try:
            app(prog_name="ludus")
        except SystemExit as ending:
            code = ending.code
        sys.stdout.flush()  # here, where a full disk can still be told
    except LudusError as error:
        code = _say(f"ludus: {error}", 2)
    except (KeyboardInterrupt, Stopped):
        code = _say("\nstopped", 130)
    except BrokenPipeError:  # `ludus … | head`
        code = 0
        _let_go()
    except OSError as error:  # a full disk, a closed output
        code = _say(f"ludus: the output cannot be written: {error.strerror or error}", 1)
        _let_go()
    sys.exit(code)  # type: ignore[arg-type]


def _hear_again(lost: Any) -> None:
    """Let a Ctrl-C come once more that fell into a call back from C, as when something is compiled: Python drops it there."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        # When that call is over, or it would be dropped again; as a signal, which wakes up who sleeps.
        again = threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT))
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(lost)


def _say(line: str, code: int) -> int:
    """Say how it ended; names of files, which may hold anything, do nothing to the terminal."""
    print("".join(sign if sign.isprintable() or sign == "\n" else " " for sign in line), file=sys.stderr)
    return code


def _let_go() -> None:
    """Keep Python from writing what is left once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
