import sys
import time

from good import run


def stop_short(message):
    sys.stdout.write('{"action": ')
    sys.stdout.flush()
    time.sleep(60)


run(stop_short)
