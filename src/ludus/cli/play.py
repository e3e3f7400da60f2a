"""`ludus play`: a game in the terminal, a window or the browser, between bots, files and people."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.agents import Agent, Builtin, Prepared, Stop, is_word, seat_agents
from ludus.arena import Conditions, PrintFiles, Referee, Replay, Watch, check_place, write_record
from ludus.core import BadValue, Decision, LudusError, Record, UnknownName, parse_options, shown
from ludus.engine import Table
from ludus.games import Game, load
from ludus.viewers import Screen

from .person import Human
from .pictures import NO_EXPORTS, VIEWS, Exports, write_pictures
from .prints import hearing

if TYPE_CHECKING:
    from ludus.viewers import Live


@dataclass(frozen=True)
class Wishes:
    """How a game is shown, and what is kept of it."""

    delay: float = 0.0
    is_quiet: bool = False
    is_plain: bool = False
    is_debugged: bool = False
    view: str = "terminal"
    save: Path | None = None
    pictures: Exports = NO_EXPORTS
    opens: bool = True  # the browser
    port: int = 0

    def check(self) -> None:
        """Refuse what cannot be fulfilled, before anything is played."""
        if self.save is not None:
            check_place(self.save)
        if self.view not in VIEWS:
            raise UnknownName("view", self.view, VIEWS)


def play_game(
    name: str,
    seats: list[str],
    seed: int | None,
    options: list[str],
    position: str | None,
    ask: bool,
    conditions: Conditions,
    wishes: Wishes,
) -> None:
    """Set a game up, show it move by move, say how it ended, and keep its record and pictures if they are wanted."""
    wishes.check()
    game = load(name, **parse_options(options))
    dealt = secrets.randbits(63) if seed is None else seed
    given: Any = None if position is None else read_position(position)
    if ask:
        asked = _asked(game, dealt)
        if asked is None:
            return
        given, seats = asked
    table, screen = Table(game, dealt, position=given), Screen(wishes.is_plain)
    players = _seats(game, seats, _maker(wishes.view, table, screen))
    agents = seat_agents(game, players, conditions.isolation, is_debugged=wishes.is_debugged, kept=conditions.kept)
    is_secret = game.hidden and seed is None and any(_is_person(agent) for agent in agents)  # the seed would give it away
    if not wishes.is_quiet:
        screen.head(f"{game.spec.title}{'' if is_secret else f', seed {dealt}'}: {_who(game, agents)}")
    referee = _played(table, agents, conditions, wishes, screen)
    if wishes.save is not None:
        write_record(referee.record(), wishes.save)
    if wishes.pictures:
        write_record_pictures(referee.record(), wishes.pictures, f"{game.name}-{dealt}")
    if not wishes.is_quiet and is_secret:
        print(f"the seed was {dealt}")


def _asked(game: Game, seed: int) -> tuple[Any, list[str]] | None:
    """Ask a person how the game is to be set up; None if the answer is the end of input."""
    ask_for_setup = game.says("original", "ask")
    if ask_for_setup is None:
        raise LudusError(f"{game.spec.title} has no interactive set-up; use --option and --from")
    try:
        given, seats = ask_for_setup(input, print, list(game.bots), seed)
    except (EOFError, KeyboardInterrupt):
        print("\nend of input: no game")
        return None
    return given, seats


def _played(table: Table, agents: list[Agent], conditions: Conditions, wishes: Wishes, screen: Screen) -> Referee:
    """Let a referee play and show it; what somebody stops is left as it stands."""
    seats, log = table.spec.seats, conditions.log
    files = PrintFiles(log, 1, seats, [agent.name for agent in agents]) if log else None
    may_see = not (table.game.hidden and any(_is_person(agent) for agent in agents))
    live = _live(table, agents, wishes)
    note = screen.note if live is None else live.note
    hears = hearing(seats, files, note if not wishes.is_quiet and may_see else None)
    referee = Referee(table, agents, conditions.on_fault, conditions.control, hears)
    try:
        if wishes.view == "window":
            show_in_window(referee, wishes.delay)
        elif live is not None:
            show_in_browser(live, referee, wishes)
        elif wishes.is_quiet:
            referee.finish()
        else:
            show(referee, screen, wishes.delay)
        tell_end(referee)
    except Stop as stop:
        print(f"\n{stop}" if str(stop) else "\nthe game stops here")
    except KeyboardInterrupt:
        print("\nthe game stops here")
    finally:
        if files:
            files.judge(referee.faults)
        for agent in agents:
            agent.close()
    return referee


def show_in_window(referee: Referee, delay: float) -> None:
    """Let a referee play in a window, which stays open until somebody closes it."""
    from ludus.viewers import show_live

    show_live(referee, f"{referee.table.spec.title}: {_who(referee.table.game, referee.agents)}", 1 / max(delay, 0.05))


def _live(table: Table, agents: list[Agent], wishes: Wishes) -> Live | None:
    """Return the page in which the game is to be shown, if it is."""
    if wishes.view != "browser":
        return None
    from ludus.viewers import Live

    return Live(table, agents, wishes.port)


def show_in_browser(live: Live, referee: Referee, wishes: Wishes) -> None:
    """Let a referee play in a web page, which stays open until somebody closes it."""
    from ludus.viewers import play_in_page

    play_in_page(live, referee, wishes.delay, wishes.opens, lambda: final_line(referee.table, referee.record()))


def write_record_pictures(record: Record, wanted: Exports, stem: str) -> None:
    """Write the pictures of a game that was just played."""
    from ludus.viewers import reel_of

    write_pictures(reel_of(Replay(record)), wanted, stem)


def show(referee: Referee, screen: Screen, delay: float) -> None:
    """Let a referee play, and show it as far as whoever looks may see; uncompiled pictures come fast enough, and at once."""
    table = referee.table
    people = {seat for seat, agent in enumerate(referee.agents) if _is_person(agent)}
    watch = Watch(table, people)
    if (eyes := watch.start()) is not None and table.seat not in people:  # a person is shown what to decide on
        screen.show(table.game.scene(table.s, eyes))
    for decision in referee.play():
        _report(referee, watch, screen, decision)
        eyes = watch.after(decision.seat)
        if eyes is not None and (table.over or table.seat not in people):
            screen.show(table.game.scene(table.s, eyes))
            if screen.is_live and decision.seat not in people:
                time.sleep(delay)


def tell_end(referee: Referee) -> None:
    """Say what went wrong, and how the game ended."""
    record = referee.record()
    for line in (*fault_lines(referee.table, record), final_line(referee.table, record)):
        print(line)


def fault_lines(table: Table, played: Record) -> list[str]:
    """Say of each seat that did something wrong how often, and what came first."""
    lines = []
    for seat, name in enumerate(played.agents):
        faults = [fault for fault in played.faults if fault.seat == seat]
        if faults:
            first = f"turn {faults[0].turn}, {faults[0].kind}: {faults[0].text}"
            times = "1 fault" if len(faults) == 1 else f"{len(faults)} faults, the first"
            ends = "forfeits the game, " if played.forfeit == seat else ""
            lines.append(f"{table.spec.seats[seat]} ({name}) {ends}{times}: {first}")
            lines += [f"  stderr: {line}" for line in faults[0].stderr]
            lines.append(f"  what to try: {faults[0].advice}")
    return lines


def final_line(table: Table, played: Record) -> str:
    """Say in one line how a game ended; a game may have a line of its own."""
    own = table.game.says("scene", "final_line")
    if own is not None:
        return str(own(table.s, played.agents, played.result))
    winners = [
        f"{table.spec.seats[seat]} ({played.agents[seat]})" for seat, outcome in enumerate(played.result.outcome) if outcome > 0
    ]
    how = f"{table.spec.seats[played.forfeit]} forfeits" if played.forfeit is not None else table.game.status(table.s)
    return f"{how} after {len(played.decisions)} moves; won: {', '.join(winners) or 'nobody'}"


def _maker(view: str, table: Table, screen: Screen) -> Callable[[bool], Agent]:
    """Return what makes a person's agent for a view; whether people share it who must not see the same is to be told."""
    if view == "window":
        from ludus.viewers import WindowPerson

        return lambda is_shared: WindowPerson(table)
    if view == "browser":
        from ludus.viewers import PagePerson

        return lambda is_shared: PagePerson(table)
    return lambda is_shared: Human(table, screen, is_shared)


def _is_person(agent: Agent) -> bool:
    """Whether somebody plays by hand; whoever debugs a bot looks into its own side alone."""
    return agent.name == "human" and bool(getattr(agent, "is_person", False))


def _seats(game: Game, words: list[str], person: Callable[[bool], Agent]) -> dict[str, Any]:
    """Read `seat=bot` words; bare ones fill the seats in order."""
    is_shared = game.hidden and sum(word.endswith("human") for word in words) > 1
    chosen: dict[str, Any] = {}
    for word in words:
        seat, sign, bot = word.partition("=")
        if not sign or is_word(word):
            free = [name for name in game.spec.seats if name not in chosen]
            if not free:
                raise BadValue(f"{word!r} finds no free seat; {game.spec.title} has {', '.join(game.spec.seats)}")
            seat, bot = free[0], word
        seat = game.spec.seats[game.spec.seat(seat)]
        if seat in chosen:
            raise BadValue(f"{seat} is given twice; each seat has one player")
        chosen[seat] = person(is_shared) if bot == "human" else bot
    return chosen


def _who(game: Game, agents: list[Agent]) -> str:
    """Say who sits where, and of agents from outside what keeps them apart from us."""
    outside = (Builtin, Prepared)
    return ", ".join(
        f"{seat} {agent.name}" + ("" if isinstance(agent, outside) or _is_person(agent) else f" ({agent.level})")
        for seat, agent in zip(game.spec.seats, agents, strict=True)
    )


def _report(referee: Referee, watch: Watch, screen: Screen, decision: Decision) -> None:
    if decision.fault is not None:
        seat = referee.table.spec.seats[decision.seat]
        screen.note(f"warning: {seat} ({referee.names[decision.seat]}): {watch.fault(decision.fault)}; another move stands in")


def read_position(given: str) -> str:
    """Return a position's text, from a file if there is one of that name."""
    written = given.replace("\\n", "\n")
    try:
        path = Path(given)
        if "\n" not in written and path.is_file():
            return path.read_text(encoding="utf-8")
        is_name = path.is_dir() or (bool(given.strip()) and len(given.split()) == 1)
    except (OSError, UnicodeDecodeError, ValueError) as error:  # too long for a name, not to be read, or no text
        if "\n" in written or " " in written.strip():
            return written
        raise BadValue(f"cannot read a position from {shown(given)}: {error}") from None
    if is_name and "\n" not in written:
        raise BadValue(f"a position is a text or a file; {shown(given)} is neither")
    return written
