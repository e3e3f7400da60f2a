import os
import time

from good import run


def fork(message):
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(60)
    time.sleep(60)


run(fork)
