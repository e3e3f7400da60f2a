import sys

from good import run


def grow(message):
    sys.stdout.write('{"action": ' + "9" * 10_000_000 + "}\n")
    sys.stdout.flush()


run(grow)
