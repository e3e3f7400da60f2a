"""A bot of the wire protocol that plays the first legal action; the bad ones change one thing."""

import json
import sys


def answer(message):
    return {"action": message["ids"][0], "turn": message["turn"]}


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


def run(act=lambda message: say(answer(message)), hello=lambda message: say({"type": "ready", "name": "zoo"})):
    for line in sys.stdin:
        message = json.loads(line)
        {"hello": hello, "act": act}.get(message["type"], lambda message: None)(message)


if __name__ == "__main__":
    run()
