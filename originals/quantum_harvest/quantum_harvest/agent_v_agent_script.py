"""Play one game between two agent files, with the original's flags: python -m quantum_harvest.agent_v_agent_script."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

from ludus.agents import Stop, agent_from_file
from ludus.arena import Referee
from ludus.core import LudusError
from ludus.engine import Table
from ludus.games import load

PROGRESS = 10  # turns between two lines


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of a game."""
    parser.add_argument("--agent1", required=True, metavar="FILE", help="agent file of player 1")
    parser.add_argument("--agent2", required=True, metavar="FILE", help="agent file of player 2")
    parser.add_argument("--map-size", type=int, default=12)
    parser.add_argument("--max-turns", type=int, default=1000)
    parser.add_argument("--no-visualization", action="store_true", help="do not show the turns")
    parser.add_argument("--no-logging", action="store_true", help="write no replay file")
    parser.add_argument("--turn-delay", type=float, default=0.1, help="seconds between turns")
    parser.add_argument("--seed", type=int, help="play the same map again")
    parser.add_argument("--unit-columns", type=int, choices=(8, 9), help="of the rows of units that agents get")
    parser.add_argument("--no-help", action="store_true", help="no banner")


def play(words: argparse.Namespace) -> int:
    """Play a game and tell about it; return the exit code."""
    try:
        game = load("quantum_harvest", size=words.map_size, max_turns=words.max_turns)
        agents = [_load(game, file, words.unit_columns) for file in (words.agent1, words.agent2)]
    except LudusError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    seed = secrets.randbelow(2**31) if words.seed is None else words.seed
    if not words.no_help:
        print("Quantum Harvest: agent against agent (quantum-harvest --help tells the flags)")
    print(f"player 1: {words.agent1}\nplayer 2: {words.agent2}")
    print(f"map {words.map_size}x{words.map_size}, {words.max_turns} turns, seed {seed}")
    referee = Referee(Table(game, seed), agents)
    log = None if words.no_logging else _open_log(referee, words, seed)
    try:
        _run(referee, log, words)
    except Stop as stop:
        print(stop)
        return 0
    _tell_end(referee, words)
    if log is not None:
        print(f"replay saved; look at it with: quantum-harvest replay {log.save()}")
    return 0


def _load(game: Any, file: str, unit_columns: int | None) -> Any:
    """Return the agent of a file; files written for version 1.0.2 may need rows of units with eight columns."""
    return agent_from_file(game, Path(file), unit_columns=unit_columns)


def _open_log(referee: Referee, words: argparse.Namespace, seed: int) -> Any:
    game, s = referee.table.game, referee.table.s
    config = {
        "map_size": words.map_size, "max_turns": words.max_turns, "energy_victory_threshold": 100000.0,
        "territory_victory_threshold": 0.7, "territory_victory_turns": 10, "max_units": "unlimited", "seed": seed,
        "player1_username": referee.names[0], "player2_username": referee.names[1],
    }  # fmt: skip
    original = game.part("original")
    log = original.Log(config)
    log.begin(config, original.env_observation(s), original.info(s))
    print(f"log: {log.path()}")
    return log


def _run(referee: Referee, log: Any, words: argparse.Namespace) -> None:
    """Play in a window, in the terminal where there is none, or unseen."""
    from ludus.viewers import Screen, show_rows

    turns, names = _turns(referee, log, words), referee.names
    if words.no_visualization:
        for _ in turns:
            _wait(referee.table, words.turn_delay)
        return
    try:
        show_rows(referee.table, turns, "Quantum Harvest", names, 1 / max(words.turn_delay, 0.05))
    except LudusError as error:
        print(f"{error}: turns are shown here")
        screen = Screen()
        for _ in turns:
            screen.show(referee.table.scene())
            _wait(referee.table, words.turn_delay)


def _wait(table: Table, seconds: float) -> None:
    if seconds > 0 and not table.over:
        time.sleep(seconds)


def _turns(referee: Referee, log: Any, words: argparse.Namespace) -> Generator[Any]:
    """Play turn by turn, log and report, and give every position."""
    table, turn = referee.table, 0
    yield table.s
    for _ in referee.play():
        if table.s.turn == turn:
            continue
        turn = int(table.s.turn)
        if log is not None:
            _log_turn(referee, log)
        if turn % PROGRESS == 0:
            first, second = (table.s.energy / 4).tolist()
            print(f"turn {turn}: energy {first:g} and {second:g}")
        yield table.s


def _log_turn(referee: Referee, log: Any) -> None:
    """Write one turn with the orders that ran."""
    s, original = referee.table.s, referee.table.game.part("original")
    info = original.info(s)
    ended, limit = bool(1 <= s.end <= 3), bool(s.turn >= s.opt_max_turns)
    log.add(original.env_observation(s), info, original.ran_orders(s), sum(info["rewards"]), ended, limit)


def _tell_end(referee: Referee, words: argparse.Namespace) -> None:
    """Tell how it ended, and what the agents did wrong."""
    s = referee.table.s
    print(f"game over after {s.turn} turns: {referee.table.game.status(s)}")
    winner = int(s.winner)
    print("it is a tie" if winner < 0 else f"winner: player {winner + 1} ({(words.agent1, words.agent2)[winner]})")
    if s.turn >= s.opt_max_turns:
        print(f"final energy: {s.energy[0] / 4:g} and {s.energy[1] / 4:g}")
    for seat in (0, 1):
        faults = [fault for fault in referee.faults if fault.seat == seat]
        if faults:
            print(f"player {seat + 1}: {len(faults)} bad orders or errors, the first: {faults[0].text}")


def main(arguments: list[str] | None = None) -> int:
    """Read the flags and play."""
    parser = argparse.ArgumentParser(prog="agent_v_agent_script", description=__doc__)
    add_flags(parser)
    return play(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
