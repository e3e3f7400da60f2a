import os
import signal
import time

from good import run


def stop(message):
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(60)


run(stop)
