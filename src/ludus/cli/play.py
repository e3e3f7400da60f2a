"""`ludus play`: a game in the terminal, between bots, files and people."""

from __future__ import annotations

import secrets
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console

from ludus.agents import Agent, make_agent, seat_agents
from ludus.arena.match import Decision, Match, Played, Stop
from ludus.core.errors import BadValue, LudusError
from ludus.core.spec import parse_options
from ludus.engine import Result, Table
from ludus.games import Game, load


def play_in_terminal(
    name: str,
    seats: list[str],
    seed: int | None,
    options: list[str],
    delay: float,
    quiet: bool,
    position: str | None,
    ask: bool,
) -> None:
    """Set a game up, show it move by move, and say how it ended."""
    game = load(name, **parse_options(options))
    seed = secrets.randbelow(2**31) if seed is None else seed
    given: Any = None if position is None else read_position(position)
    if ask:
        if not game.has("setup"):
            raise LudusError(f"{game.spec.title} has no interactive set-up; use --option and --from")
        try:
            given, seats = game.part("setup").ask(input, print, list(game.bots), seed)
        except (EOFError, KeyboardInterrupt):
            print("\nend of input: no game")
            return
    table = Table(game, seed, position=given)
    agents = seat_agents(game, _seats(game, seats, table))
    if not quiet:
        print(f"{game.spec.title}, seed {seed}: {_who(game, agents)}")
    match = Match(table, agents, seed)
    show(match, delay, quiet)


def show(match: Match, delay: float, quiet: bool) -> None:
    """Play a match and draw it."""
    from ludus.viewers.terminal import draw

    console, game = Console(highlight=False), match.table.game
    people = {seat for seat, agent in enumerate(match.agents) if isinstance(agent, Human)}
    hides = match.table.game.hidden and bool(people)  # then a person sees its own side alone, when it is asked
    if not quiet and not hides:
        console.print(draw(game.scene(match.table.s)))
    try:
        for decision in match.play():
            if not quiet:
                _report(match, decision)
                is_hidden_turn = match.table.spec.simultaneous and match.table.seat >= decision.seat  # nothing has happened yet
                if is_hidden_turn and not match.table.over:
                    continue
                if hides and decision.seat in people and match.table.seat != decision.seat:
                    console.print(draw(game.scene(match.table.s, decision.seat)))
                elif match.table.over or (not hides and match.table.seat not in people):
                    console.print(draw(game.scene(match.table.s)))
                if decision.seat not in people and sys.stdout.isatty():
                    time.sleep(delay)
    except Stop:
        print("\nend of input: the game stops here")
        return
    except KeyboardInterrupt:
        print("\nthe game stops here")
        return
    played = match.played()
    for line in fault_lines(match.table, played):
        print(line)
    print(final_line(match.table, played))


def fault_lines(table: Table, played: Played) -> list[str]:
    """Say of each seat that did something wrong how often, and what came first."""
    lines = []
    for seat, name in enumerate(played.names):
        faults = [fault for fault in played.faults if fault.seat == seat]
        if faults:
            first = f"{faults[0].kind}: {faults[0].text}"
            times = "1 fault" if len(faults) == 1 else f"{len(faults)} faults, the first"
            ends = "forfeits the game, " if played.forfeit == seat else ""
            lines.append(f"{table.spec.seats[seat]} ({name}) {ends}{times}: {first}")
    return lines


def final_line(table: Table, played: Played) -> str:
    """Say in one line how a game ended; a game may have a line of its own."""
    own = table.game.says("scene", "final_line")
    if own is not None:
        return str(own(table.s, played.names, played.result))
    winners = [
        f"{table.spec.seats[seat]} ({played.names[seat]})" for seat, outcome in enumerate(played.result.outcome) if outcome > 0
    ]
    how = (
        f"{table.spec.seats[played.forfeit]} forfeits" if played.forfeit is not None else table.game.scene(table.s).status
    )
    return f"{how} after {played.decisions} moves; won: {', '.join(winners) or 'nobody'}"


class Human:
    """A person at the terminal: moves are typed, mistakes are explained, the end of input ends the game."""

    name = "human"

    def __init__(self, table: Table) -> None:
        self.table = table

    def start(self, start: Any) -> None:
        """Say how to move."""
        self.seat = start.seat

    def act(self, view: Any, legal: list[int]) -> list[int]:
        """Show what this seat may see, and ask until the answer is legal."""
        from ludus.viewers.terminal import draw

        game = self.table.game
        Console(highlight=False).print(draw(game.scene(self.table.s, self.seat)))
        prompt = game.says("actions", "prompt")
        shown = prompt(legal) if prompt else ", ".join(game.action_name(action) for action in legal[:40])
        while True:
            try:
                typed = input(f"{game.spec.seats[self.seat]}, your move [{shown}]: ")
            except EOFError:
                raise Stop from None
            try:
                return self._read(typed)
            except LudusError as error:
                print(error)

    def _read(self, typed: str) -> list[int]:
        """Read one decision, or several at once where a game's commands take more; the first must be legal now."""
        actions = self.table.game.parse_turn(typed, self.table.s)
        self.table.check(actions[0])
        return actions

    def end(self, result: Result) -> None:
        """The screen says it."""


def _seats(game: Game, words: list[str], table: Table) -> dict[str, Any]:
    """Read `seat=bot` words; bare ones fill the seats in order."""
    chosen: dict[str, Any] = {}
    for word in words:
        seat, sign, bot = word.partition("=")
        if not sign:
            free = [name for name in game.spec.seats if name not in chosen]
            if not free:
                raise BadValue(f"{word!r} finds no free seat; {game.spec.title} has {', '.join(game.spec.seats)}")
            seat, bot = free[0], word
        seat = game.spec.seats[game.spec.seat(seat)]
        if seat in chosen:
            raise BadValue(f"{seat} is given twice; each seat has one player")
        chosen[seat] = Human(table) if bot == "human" else make_agent(game, bot)
    return chosen


def _who(game: Game, agents: list[Agent]) -> str:
    return ", ".join(f"{seat} {agent.name}" for seat, agent in zip(game.spec.seats, agents, strict=True))


def _report(match: Match, decision: Decision) -> None:
    if decision.fault is not None:
        seat = match.table.spec.seats[decision.seat]
        print(f"warning: {seat} ({match.names[decision.seat]}): {decision.fault.text}; another move stands in")


def read_position(given: str) -> str:
    """Return a position's text, from a file if there is one of that name."""
    path = Path(given)
    if path.is_dir() or (given.strip() and not path.exists() and len(given.split()) == 1):
        raise BadValue(f"a position is a text or a file; {given} is neither")
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else given.replace("\\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadValue(f"cannot read a position from {given}: {error}") from None
