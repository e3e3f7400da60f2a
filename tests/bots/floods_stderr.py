import sys

from good import run


def flood(message):
    while True:
        sys.stderr.write("y" * 65535 + "\n")


run(flood)
