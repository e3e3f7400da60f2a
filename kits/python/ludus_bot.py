"""Speak the wire protocol of Ludus: one JSON object a line, questions on stdin, answers on stdout."""

import json
import sys


def run(name, choose, start=None):
    """Play until stdin closes.

    `choose(game, view, legal)` returns one of the legal actions (its text), or a list of them for a whole turn. `game` is the
    hello message of this game; game["act"] is the message that asks, with the clock. `start(game)` is called at each hello.
    """
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # what a bot prints must not get between the answers

    def send(message):
        out.write(json.dumps(message).encode() + b"\n")
        out.flush()

    game = {}
    for line in sys.stdin.buffer:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "hello":
            game = message
            if start:
                start(game)
            send({"type": "ready", "name": name, "version": "1"})
        elif kind == "act":
            game["act"] = message
            chosen = choose(game, message["view"], message["legal"])
            send({"actions" if isinstance(chosen, list) else "action": chosen})
        # Every other message, end among them, is news that needs no answer.
