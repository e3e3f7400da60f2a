import sys

from good import run


def flood(message):
    while True:
        sys.stdout.write("x" * 65536)


run(flood)
