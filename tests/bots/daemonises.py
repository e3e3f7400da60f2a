import os
import time

from good import answer, run, say


def become_daemon(message):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(3):
                os.close(fd)
            time.sleep(60)
        os._exit(0)
    say(answer(message))


run(become_daemon)
