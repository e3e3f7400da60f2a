"""Says on stderr when it was asked, and takes its time."""

import sys
import time

from good import answer, run, say


def wait(message):
    print(time.monotonic(), message["clock"] and message["clock"]["left"], message["last_ms"], file=sys.stderr, flush=True)
    time.sleep(float(sys.argv[1]))
    say(answer(message))


run(wait)
