"""Recorded games, drawings, dialogues and reports of Plantation; places are [row, column].

A recorded game is run by the original's engine as original/engine.py has it, with players and a clock that read the record: so
rules, answers, boards that players see, calls to them and clocks are all held to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ludus.core import BadRecord, Tape, Trace, plain, read_traces

from .original.engine import Engine
from .original.reports import series_report, series_seats, tournament_pairs, tournament_report
from .original.wire import WirePlayer
from .rules import COLS, NOWHERE, PLAYER1, PLAYER2, ROWS, SPEC, clear_last, count_totals, forget_everything, new
from .scene import draw_board

FILES = ("visible.jsonl.gz", "display.jsonl", "wire.jsonl", "many_games.jsonl", "tournament.jsonl")
WIRE_SECONDS = 1 / 128  # what each `get_move` of a recorded dialogue takes


def records(file: Path) -> Iterator[dict[str, Any]]:
    """Read a file; the lines of a dialogue are one record."""
    lines = list(read_traces(file))
    if lines and all(isinstance(line, dict) and line.keys() == {"bot", "dir", "line"} for line in lines):
        yield {"dialogue": lines}
    else:
        yield from lines


def options(data: dict[str, Any]) -> dict[str, int]:
    """Return the options that a record needs."""
    if "config" in data:
        config = data["config"]
        names = ("starting_tiles", "max_turns")
        return {"rows": config["num_rows"], "cols": config["num_cols"], **{name: config[name] for name in names}}
    if "dialogue" in data:
        asked = asked_moves(data["dialogue"])
        board = asked[0]["board"]
        tiles, turns = sum(value != 0 for row in board for value in row), max(request["turn"] for request in asked)
        return {"rows": len(board), "cols": len(board[0]), "max_turns": turns, "starting_tiles": tiles}
    return {}


def asked_moves(lines: list[dict[str, Any]], bot: int | None = None) -> list[dict[str, Any]]:
    """Return the requests for a command in a dialogue, of all bots or of one."""
    requests = [json.loads(line["line"]) for line in lines if line["dir"] == "to_bot" and bot in (None, line["bot"])]
    return [request for request in requests if request["function"] == "get_move"]


def play(record: Trace, border: Any) -> None:
    """Play or draw one record."""
    if record.has("config"):
        play_game(record, border)
    elif record.has("dialogue"):
        play_dialogue(record, border)
    elif record.has("text"):
        record.compare("text", draw_board(record.take("board")))
    else:
        compare_report(record)


class Recorded:
    """A player that answers what the record says, and notes how it is called."""

    def __init__(self, seat: int, engine: RecordedGame) -> None:
        self.name, self.number, self.engine = SPEC.seats[seat], seat + 1, engine

    def start_game(self, board_shape: tuple[int, int], sign: int) -> None:
        """Note the call."""
        self.engine.calls.append(["start_game", self.number, list(board_shape), sign])

    def get_move(self, board: Any, turn: int, moves_remaining: int, time_remaining: float) -> Any:
        """Compare what is seen, take the recorded time, give the recorded reply."""
        step = self.engine.record
        step.compare("player", self.number)
        if step.has("seen"):
            seen = {"board": board.tolist(), "turn": turn, "moves_remaining": moves_remaining}
            step.compare("seen", {**seen, "time_remaining": time_remaining})
        self.engine.seconds += step.take("draws")["seconds"]
        return step.take("actions")

    def handle_move_result(self, move: Any, turn: int, pos: Any, result: str) -> None:
        """Compare the answer."""
        self.engine.record.compare("result", result)

    def end_game(self, your_score: int, opponent_score: int) -> None:
        """Note the call."""
        self.engine.calls.append(["end_game", self.number, your_score, opponent_score])


class RecordedGame(Engine):
    """The engine on a table of the checked device, with a clock that the record moves."""

    output = None

    def __init__(self, record: Trace, table: Any, start: float, increment: float, turns: int) -> None:
        super().__init__(ROWS, COLS, int(table.s.opt_starting_tiles), start, increment, turns)
        self.record, self.given_table = record, table
        self.seconds, self.calls = 0.0, list[Any]()

    def open_table(self) -> Any:
        """Return the table with the recorded position."""
        return self.given_table

    def now(self) -> float:
        """Return the recorded seconds so far."""
        return self.seconds

    def state(self) -> dict[str, Any]:
        """Return the position as records have it."""
        s = self.table.s
        return {
            "board": self.board.tolist(),
            "turn": self.turn if self.over else int(s.turn),
            "player": None if self.over else int(s.seat) + 1,
            "moves_remaining": 0 if self.over else int(s.moves),
            "clocks": [clock.seconds for clock in self.clocks],
            "turn_seconds": self.turn_seconds,
            "over": self.over,
        }

    def _call(self, seat: int, name: str, *arguments: Any, **named: Any) -> Any:
        """Call a player; what goes wrong is a difference, not a forfeit."""
        return getattr(self.players[seat], name)(*arguments, **named)


def play_game(record: Trace, border: Any) -> None:
    """Run a recorded game and compare every step and the end."""
    config, initial = record.take("config"), record.take("initial")
    row: Any = plain(border.game.empty(1))
    set_up(row, initial, record.take("initial_draws", None))
    table = border.table(row.array)
    engine = RecordedGame(record, table, config["starting_seconds"], config["time_increment"], config["max_turns"])
    engine.players, engine._log = (Recorded(PLAYER1, engine), Recorded(PLAYER2, engine)), None
    engine.start()
    engine.clocks = [type(c)(seconds, c.increment) for c, seconds in zip(engine.clocks, initial["clocks"], strict=True)]
    engine.turn_seconds = initial["turn_seconds"]
    state = engine.state()
    record.compare("initial", state)
    for step in record.steps():
        engine.record = step
        engine.step()
        state = compare_delta(step, state, engine.state())
    compare_end(record.part("final"), engine, state)


def compare_delta(step: Trace, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Compare what a step changed; return the state after it."""
    delta = {key: after[key] for key in after if key != "board" and after[key] != before[key]}
    rows = range(len(after["board"]))
    cells = [
        [r, c, after["board"][r][c]]
        for r in rows
        for c in range(len(after["board"][r]))
        if after["board"][r][c] != before["board"][r][c]
    ]
    step.compare("delta", {**({"cells": cells} if cells else {}), **delta})
    return after


def compare_end(final: Trace, engine: RecordedGame, state: dict[str, Any]) -> None:
    """Compare how a game ended, and the calls at its start and end where they are recorded."""
    if not engine.over:
        raise BadRecord(f"{final.where}: the record stops before the game is over")
    final.compare("result", engine.finish())
    final.compare("winner", engine.winner)
    final.compare("reason", engine.reason)
    final.compare("scores", engine.scores)
    final.compare("state", state)
    if final.has("callbacks"):
        final.compare("callbacks", engine.calls)
    final.close()


def set_up(row: Any, state: dict[str, Any], draws: dict[str, list[int]] | None) -> None:
    """Set a game up from the rows that were drawn, or load a crafted board as it is."""
    if draws is not None:
        tape = Tape([number for rows in draws.values() for number in places_among_free(rows)])
        new(row, tape)
        if tape.left():
            raise BadRecord(f"{tape.left()} recorded draws were not asked for")
        return
    forget_everything(row)
    clear_last(row)
    row.board[:] = [value for values in state["board"] for value in values]
    count_totals(row)
    row.turn, row.seat, row.moves = state["turn"], state["player"] - 1, state["moves_remaining"]
    row.pending = NOWHERE


def places_among_free(rows: list[int]) -> list[int]:
    """Return what `draw` gave, one by one, when these rows were drawn without replacement."""
    return [row - sum(other < row for other in rows[:k]) for k, row in enumerate(rows)]


def play_dialogue(record: Trace, border: Any) -> None:
    """Run the games of a recorded dialogue, seats swapped after each; every line must come in its turn."""
    lines = record.take("dialogue")
    script = Script(lines, record)
    clock, increment = clock_of(lines)
    players = [WirePlayer(partial(script.exchange, bot), name) for bot, name in script.names()]
    game = 0
    while script.position < len(lines):
        row: Any = plain(border.game.empty(1))
        set_up(row, {}, script.starting_rows())
        engine = DialogueGame(record, border.table(row.array), clock, increment, int(row.opt_max_turns))
        engine.run_game(*(players if game % 2 == 0 else players[::-1]))
        game += 1


def clock_of(lines: list[dict[str, Any]]) -> tuple[float, float]:
    """Return the seconds at the start of a dialogue's games, and the increment that its second turn shows."""
    asked = asked_moves(lines, bot=lines[0]["bot"])
    first = [request for request in asked if request["turn"] == 1]
    commands = next((k for k, request in enumerate(asked) if request["turn"] == 2), 0)
    start = float(first[0]["time_remaining"])
    return start, asked[commands]["time_remaining"] - start + commands * WIRE_SECONDS


class DialogueGame(RecordedGame):
    """A game in which each reply takes the same time."""

    def _call(self, seat: int, name: str, *arguments: Any, **named: Any) -> Any:
        """Call a player and let the time pass."""
        self.seconds += WIRE_SECONDS if name == "get_move" else 0
        return super()._call(seat, name, *arguments, **named)


class Script:
    """The lines of a dialogue, in turn: those to a bot are compared, those from it are given."""

    def __init__(self, lines: list[dict[str, Any]], record: Trace) -> None:
        self.lines, self.record, self.position = lines, record, 0

    def names(self) -> list[tuple[int, str]]:
        """Return the bots and the names that they are called by at the beginning."""
        asked = [(line["bot"], json.loads(line["line"])) for line in self.lines if line["dir"] == "to_bot"]
        return [(bot, request["name"]) for bot, request in asked if request["function"] == "init"]

    def exchange(self, bot: int, line: str) -> str:
        """Compare a line that goes to a bot, and return the recorded answer."""
        request = json.loads(line)
        request.pop("board_size", None)  # added by D23
        due, reply = self.lines[self.position : self.position + 2]
        step = Trace(due, f"{self.record.where}, line {self.position + 1}", self.record.count)
        step.compare("bot", bot)
        step.compare("dir", "to_bot")
        step.compare("line", json.dumps(request) + "\n")
        self.position += 2
        self.record.count.steps += 1
        return str(reply["line"])

    def starting_rows(self) -> dict[str, list[int]]:
        """Return the rows of the starting tiles of the next game: those on the first board that each player sees."""
        boards: dict[int, Any] = {}
        for line in self.lines[self.position :]:
            request = json.loads(line["line"]) if line["dir"] == "to_bot" else {}
            if isinstance(request, dict) and request.get("function") == "get_move":
                boards.setdefault(line["bot"], request["board"])
            if len(boards) == 2:
                break
        sides = sorted(boards.values(), key=lambda board: -max(max(row) for row in board))
        rows = [[r for r, row in enumerate(board) if any(row)] for board in sides]
        return {"rows_player_1": rows[0], "rows_player_2": rows[1]}


def compare_report(record: Trace) -> None:
    """Compare who sat where, and the report of a series or of a tournament."""
    results, seats = record.take("results"), record.data["seats"]
    names = list(dict.fromkeys(name for pair in seats for name in pair))
    if record.has("games_per_pair"):
        per_pair = record.take("games_per_pair")
        pairs = list(tournament_pairs(len(names), per_pair))
        report = tournament_report(names, per_pair, results, 0.0)
    else:
        pairs = list(series_seats(len(results)))
        signs = [1 if first == 0 else -1 for first, _ in pairs]
        report = series_report(names, [sign * result for sign, result in zip(signs, results, strict=True)], 0.0)
    record.compare("seats", [[names[one], names[other]] for one, other in pairs])
    record.compare("stdout", report)
