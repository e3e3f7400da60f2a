import sys

from good import run


def leave(message):
    print("I have had enough", file=sys.stderr)
    sys.exit(3)


run(leave)
