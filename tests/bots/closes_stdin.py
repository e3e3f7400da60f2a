import os
import time

from good import answer, run, say


def close(message):
    say(answer(message))
    os.close(0)
    time.sleep(60)


run(close)
