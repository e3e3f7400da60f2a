from good import answer, run, say


def talk(message):
    print("let me think", flush=True)
    say(answer(message))


run(talk)
