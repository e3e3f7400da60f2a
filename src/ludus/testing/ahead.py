"""A second process compiles while the first one plays uncompiled: what it leaves on disk need not be waited for later."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from types import TracebackType

from ludus import engine
from ludus.core import LudusError
from ludus.games import Game

# What the check runs on a CPU, in the order in which it does.
KERNELS = (
    "new", "step", "bot_choice", "sound", "own_legal", "observe", "digest", "encode", "features", "show_all", "show",
    "random_game", "bot_game", "random_steps",
)  # fmt: skip
PROGRAM = """
import json, sys
from pathlib import Path
from ludus.engine import compile_kernels
from ludus.games import add_folder, load, names
folder, name, options, *kernels = sys.argv[1:]
compile_kernels(load(name if name in names() else add_folder(Path(folder)), **json.loads(options)), kernels)
"""


class Ahead:
    """The kernels of a game that are still to be compiled, and the process that does it, if there is a core for it."""

    def __init__(self, game: Game, is_wanted: bool) -> None:
        self.game, self.is_wanted = game, is_wanted
        self.left: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def start(self) -> None:
        """Let another process begin."""
        if self.is_wanted and engine.threads() > 1 and (left := engine.kernels_to_compile(self.game, KERNELS)):
            self.left = left
            about = [str(self.game.folder), self.game.name, json.dumps(dict(self.game.given))]
            command = [sys.executable, "-c", PROGRAM, *about, *left]
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def join(self) -> None:
        """Compile from the other end until both have met; what cannot be compiled is told by whoever needs it."""
        with suppress(LudusError):
            engine.compile_kernels(self.game, reversed(self.left))
