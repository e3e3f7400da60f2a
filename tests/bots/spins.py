from good import run


def spin(message):
    while True:
        pass


run(spin)
