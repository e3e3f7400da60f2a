import sys

from good import run


def garble(message):
    sys.stdout.buffer.write(b'\xff\xfe{"action": 0}\n')
    sys.stdout.flush()


run(garble)
