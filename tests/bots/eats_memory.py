from good import run

held = []


def eat(message):
    while True:
        held.append(bytearray(1 << 24))
        held[-1][::4096] = b"x" * (1 << 12)


run(eat)
