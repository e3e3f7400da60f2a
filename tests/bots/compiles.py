"""A file that compiles something as it is loaded, and says what it sees of Ludus and of the compiled code that is kept."""

import os
from pathlib import Path

import ludus
from ludus.engine import cache_root
from ludus.engine.compiled import machine_code


def plus(a, b):
    return a + b


def writes(folder):
    try:
        (folder / "planted").touch()
    except OSError:
        return False
    return True


code = machine_code(None, plus, "int64(int64, int64)")
did = "loaded" if code.stats.cache_hits else "compiled"
may = "writes" if writes(cache_root()) else "reads"
line = f"{did} {code(40, 2)}, {may} {os.environ['LUDUS_CACHE_DIR']}, {Path(ludus.__file__).parent}"


def act(view, legal):
    print(line)
    return legal[0]
