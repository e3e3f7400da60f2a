"""A game that is played while one looks at it in a window, by bots and by people with the mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from ludus.agents import Agent, Stop
from ludus.arena import Draft, Referee, Watch
from ludus.engine import Table

from .choices import Choice, choices
from .reels import TableReel
from .window import Beside, Window

UNDO = Choice(-1, "take back", frozenset())
CLOSED = "the window was closed: the game stops here"


class WindowPerson(Agent):
    """A person before a window. Closing it ends the game."""

    name, is_person, is_timed = "human", True, False

    def __init__(self, table: Table) -> None:
        self.table, self.is_shared = table, False
        self.beside: Beside | None = None
        self.reel: TableReel | None = None

    def start(self, start: Any) -> None:
        """Take a seat."""
        self.seat = start.seat

    def act(self, view: Any, legal: list[int]) -> list[int]:
        """Let a turn be put together by clicks, until it is over or has shown something new."""
        if self.beside is None or self.reel is None:
            raise Stop("there is no window to play in")
        draft = Draft(self.table)
        while not draft.is_done:
            choice = self._chosen(draft, self.beside, self.reel)
            if choice is UNDO:
                draft.undo()
            else:
                draft.play(choice.action)
        return draft.actions

    def _chosen(self, draft: Draft, beside: Beside, reel: TableReel) -> Choice:
        table, seat = draft.table, self.seat
        row, has_decided = table.s.copy(), bool(draft.actions)
        offered = choices(table, seat, table.observe(seat).copy(), table.legal())

        def show() -> None:
            reel.draft(row if has_decided else None)
            if table.game.hidden:
                beside.window.stage.curtain = self._curtain(beside) if self.is_shared else ""
                reel.look_through(seat)

        beside.call(show)
        choice = beside.ask(seat, [*([UNDO] if has_decided else []), *offered])
        if choice is None:
            raise Stop(CLOSED)
        return choice

    def _curtain(self, beside: Beside) -> str:
        """Return what stands before the board until the others look away, when people change seats."""
        is_same = list(beside.window.stage.reel.eyes) == [self.seat]
        return "" if is_same else f"{self.table.spec.seats[self.seat]}: click when nobody else looks"


def show_live(referee: Referee, title: str, speed: float = 2.0, size: tuple[int, int] | None = None) -> None:
    """Let a referee play in a window, and come back when it was closed; closing it early is a Stop."""
    table = referee.table
    people = {seat: agent for seat, agent in enumerate(referee.agents) if isinstance(agent, WindowPerson)}
    watch, reel = Watch(table, people), TableReel(table, referee.names)
    eyes = watch.start()
    reel.look_through(min(people) if watch.is_secret else None)
    reel.add(table.s)
    window = Window(reel, title, size, speed, is_live=True)
    if eyes is None:
        window.stage.curtain = "click to begin"

    def rows(beside: Beside) -> Iterator[Any]:
        for agent in people.values():
            agent.beside, agent.reel, agent.is_shared = beside, reel, watch.is_shared
        for decision in referee.play():
            yield None if watch.after(decision.seat) is None else table.s

    _show(window, reel, rows)


def show_rows(table: Table, rows: Iterator[Any], title: str, names: Sequence[str] = (), speed: float = 2.0) -> None:
    """Show positions of a game in a window as they come, the first one first; closing it early is a Stop."""
    reel = TableReel(table, names)
    reel.add(next(rows))
    _show(Window(reel, title, None, speed, is_live=True), reel, lambda beside: rows)


def _show(window: Window, reel: TableReel, rows: Callable[[Beside], Iterator[Any]]) -> None:
    """Let rows come beside a window, each when the one before was seen; None is nothing to be seen."""

    def play(beside: Beside) -> None:
        for row in rows(beside):
            if beside.is_stopped:
                raise Stop(CLOSED)
            if row is not None:
                beside.call(partial(reel.add, row.copy()))
                beside.keep_pace()
        beside.call(reveal)

    def reveal() -> None:  # it is over: there is nothing to hide any more
        reel.look_through(None)
        reel.is_done = True

    Beside(window, play).run()
