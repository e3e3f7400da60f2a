"""Run a Python agent file as a bot of the wire protocol: `python -P run_file.py FILE[:CLASS] GAME`.

It is run as a script and imports little: a file with a plain `act(view, legal)` needs nothing of Ludus. What the file
prints goes to stderr. An error is an answer, with the author's own line; the process stays for the next question.
"""

import ast
import json
import os
import sys
import traceback
from pathlib import Path

SOURCES = str(Path(__file__).parents[2])  # of the Ludus that asks, whichever may be installed


def main():
    """Answer until stdin closes."""
    answers, word = os.fdopen(os.dup(1), "wb", buffering=0), sys.argv[1]
    os.dup2(2, 1)  # also for what C code prints
    sys.stdout = sys.stderr
    sys.breakpointhook = no_debugger
    questions = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    path, _, chosen = word.partition(".py:")
    path = Path(path if not chosen else f"{path}.py")
    bot = Plain(path) if not chosen and is_plain(path) else Full(path, chosen)
    for line in questions:
        message = json.loads(line)
        answer = bot.answer(message["type"], message)
        if answer is not None:
            answers.write(json.dumps(answer).encode() + b"\n")


def no_debugger(*_, **__):
    """Say where breakpoint() works: here nobody can type."""
    raise RuntimeError("breakpoint() works in `ludus play … --debug`, where the terminal is the bot's")


def is_plain(path):
    """Whether a file has a function `act` and nothing that looks like an agent of an original program."""
    try:
        body = ast.parse(path.read_bytes()).body
    except (SyntaxError, ValueError):
        return False
    is_function = any(isinstance(node, ast.FunctionDef) and node.name == "act" for node in body)
    return is_function and not any(isinstance(node, ast.ClassDef) for node in body)


class Bot:
    """What both kinds share."""

    def __init__(self, path):
        self.path = path

    def answer(self, kind, message):
        """Return the answer to a message, if there is one."""
        try:
            call = getattr(self, kind, None)
            return call(message) if call else None
        except (Exception, SystemExit, KeyboardInterrupt, GeneratorExit) as raised:
            error = raised
            self.report(error)
            if kind == "hello":
                sys.exit(1)
        return {"error": self.said(error)} if kind == "act" else None

    def report(self, error):
        """Write the traceback, cut to the author's own lines."""
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if self.is_own(frame)]
        print("Traceback (most recent call last):", *traceback.format_list(frames), sep="\n", file=sys.stderr)
        print(*traceback.format_exception_only(error), file=sys.stderr)

    def said(self, error):
        """Return an error as one line, with the author's own line."""
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if self.is_own(frame)]
        place = f" (line {frames[-1].lineno} of {Path(frames[-1].filename).name})" if frames else ""
        try:
            return f"{type(error).__name__}: {error}"[:400] + place
        except BaseException:
            return f"{type(error).__name__}{place}"

    def is_own(self, frame):
        """Whether a line is one of the author's."""
        file = frame.filename
        return Path(file).is_relative_to(self.path.parent) and "site-packages" not in file and file != __file__


class Plain(Bot):
    """A file with `act(view, legal)`, run as it is."""

    def __init__(self, path):
        super().__init__(path)
        import random

        self.chance = random
        self.function = None

    def hello(self, message):
        """Run the file when the first game begins; its chance is seeded for every game."""
        if self.function is None:
            import importlib.util

            sys.path[:0] = [str(self.path.parent), SOURCES]
            spec = importlib.util.spec_from_file_location(f"ludus_agent_{self.path.stem}", self.path)
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
            self.function = module.act
        self.chance.seed(message["seed"])
        return {"type": "ready", "name": self.path.stem}

    def act(self, message):
        """Ask the function."""
        answer = self.function(message["view"], message["legal"])
        if isinstance(answer, (list, tuple)):
            return {"actions": [self.plain(part) for part in answer]}
        return {"action": self.plain(answer)}

    def plain(self, answer):
        """Return an action as JSON can say it."""
        if isinstance(answer, str):
            return str(answer)
        try:
            if isinstance(answer, bool):
                raise TypeError
            return int(answer.__index__())
        except (AttributeError, TypeError):
            raise TypeError(f"act() must return the name or the number of an action, not {repr(answer)[:80]}") from None


class Full(Bot):
    """Any agent file: of the original's kind, or one class of it. Ludus is at hand, and views come as rows."""

    def __init__(self, path, chosen):
        super().__init__(path)
        sys.path.insert(0, SOURCES)
        self.chosen, self.agent = chosen, None

    def hello(self, message):
        """Load the game and the file."""
        from ludus.agents import agent_from_file
        from ludus.core import Result, Start, TimeControl, listens
        from ludus.games import load

        self.game, self.result, self.seats = load(message["game"], **message["options"]), Result, message["seats"]
        if self.agent is None:
            self.agent = agent_from_file(self.game, self.path, self.chosen, is_free=True)
        clock = message["clock"]
        control = clock and TimeControl(clock["kind"], clock["start"], clock["increment"])
        seat = self.seats.index(message["seat"])
        self.agent.start(Start(self.game, seat, tuple(self.seats), message["seed"], "pure", None, control))
        return {"type": "ready", "name": self.agent.name, "after": listens(self.agent), "rows": True}

    def act(self, message):
        """Ask the agent."""
        from ludus.core import Answer

        self.agent.left = message["clock"] and message["clock"]["left"]
        answer = self.agent.act(self.row(message), message["ids"])
        actions, remarks = answer if isinstance(answer, Answer) else (answer, ())
        actions = actions.tolist() if hasattr(actions, "tolist") else actions
        parts = actions if isinstance(actions, (list, tuple)) else [actions]
        reply = {"actions": [part if isinstance(part, str) else int(part.__index__()) for part in parts]}
        return {**reply, "remarks": [str(text)[:400] for text in list(remarks)[:100]]} if remarks else reply

    def after(self, message):
        """Tell the agent."""
        self.agent.after(self.row(message))

    def end(self, message):
        """Tell the agent."""
        self.agent.end(self.result(1, tuple(message["outcomes"]), tuple(message["points"])))

    def row(self, message):
        """Return a view as the engine has it."""
        import base64

        import numpy as np

        from ludus.core import plain

        return plain(np.frombuffer(bytearray(base64.b64decode(message["row"])), self.game.view_type))


if __name__ == "__main__":
    main()
