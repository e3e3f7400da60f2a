import os
import signal
import time

from good import run


def kill(message):
    if os.fork() == 0:  # and leaves somebody behind
        os.setsid()
        time.sleep(60)
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)


run(kill)
