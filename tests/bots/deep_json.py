import sys

from good import run


def dig(message):
    sys.stdout.write('{"action": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    sys.stdout.flush()


run(dig)
