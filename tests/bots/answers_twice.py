from good import answer, run, say


def repeat(message):
    say(answer(message))
    say(answer(message))


run(repeat)
