"""A game that is played while one looks at it in a web page, by agents of any kind and by people in the page."""

from __future__ import annotations

import base64
import queue
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ludus.agents import Agent, Stop
from ludus.arena import EVERYTHING, Draft, Referee, Watch, record_as_json
from ludus.core import LudusError, Record, one_line
from ludus.engine import Table, module_of

from .envelope import Shelf
from .page import invite
from .server import PageServer, Story

CLOSED = "the page was closed: the game stops here"
PATIENCE = 60.0  # seconds in which a move is judged


class PagePerson(Agent):
    """A person before a web page. Closing it ends the game."""

    name, is_person, is_timed = "human", True, False

    def __init__(self, table: Table) -> None:
        self.table, self.is_shared = table, False
        self.live: Live | None = None

    def start(self, start: Any) -> None:
        """Take a seat."""
        self.seat = start.seat

    def act(self, view: Any, legal: list[int]) -> list[int]:
        """Let a turn be put together in the page, until it is over or has shown something new."""
        if self.live is None:
            raise Stop("there is no page to play in")
        draft = Draft(self.table)
        while not draft.is_done:
            self.live.ask(draft, self.is_shared)
        return draft.actions


class Live:
    """One game and the page that shows it: what may be seen goes out, what a person decides comes in."""

    def __init__(self, table: Table, agents: Sequence[Agent], port: int = 0, server: PageServer | None = None) -> None:
        self.table = table
        self.people = {seat: agent for seat, agent in enumerate(agents) if isinstance(agent, PagePerson)}
        self.watch = Watch(self.table, self.people)
        self._moves: queue.Queue[tuple[dict[str, Any], queue.Queue[dict[str, Any]]]] = queue.Queue()
        self._question, self._shown, self._since = 0, 0, list[list[Any]]()
        if server is None:
            shelf = Shelf()
            shelf.place(module_of(self.table.game))
            server = PageServer(shelf, None, self.move, port)
        self.server = server
        for agent in self.people.values():
            agent.live, agent.is_shared = self, self.watch.is_shared

    @property
    def story(self) -> Story:
        """What the page is told."""
        return self.server.story

    def note(self, line: str) -> None:
        """Tell a line that a bot has printed."""
        self.story.tell({"kind": "print", "text": line})

    def play(self, referee: Referee, delay: float) -> None:
        """Let the referee play, and tell what may be seen."""
        spec = self.table.spec
        self.story.tell({
            "kind": "start", "game": 0, "options": dict(self.table.game.options), "seats": spec.seats, "names": referee.names,
            "people": sorted(self.people), "secret": self.watch.is_secret,
        })  # fmt: skip
        self._show(self.watch.start())
        before = self.table.copy()
        for decision in referee.play():
            if self.server.is_gone:
                raise Stop(CLOSED)
            name = self.table.game.action_name(decision.action, before.s)
            self._since.append([decision.seat, decision.action, name])
            before = self.table.copy()
            if decision.fault is not None:
                self.story.tell({"kind": "fault", "seat": decision.seat, "text": self.watch.fault(decision.fault)})
            eyes = self.watch.after(decision.seat)
            self._show(eyes)
            if eyes is not None and decision.seat not in self.people:
                time.sleep(delay)

    def end(self, record: Record, text: str) -> None:
        """Tell how it ended, and the whole game: there is nothing to hide any more."""
        start = self._start(record.position) if record.position else None
        told = {"kind": "end", "text": one_line(text), "record": msgspec.json.decode(record_as_json(record)), "start": start}
        self.story.tell(told)

    def ask(self, draft: Draft, is_shared: bool) -> None:
        """Ask the page for one decision of a turn in the making, until one can be played."""
        table = draft.table
        self._question += 1
        if draft.actions:
            self._tell(table, draft.seat if table.game.hidden else EVERYTHING, [], is_draft=True)
        elif is_shared:
            self._tell(table, draft.seat, [])
        view = table.observe(draft.seat)
        legal = table.legal()
        self.story.tell({
            "kind": "ask", "number": self._question, "seat": draft.seat, "legal": legal,
            "names": [table.game.action_name(action, view) for action in legal], "can_undo": bool(draft.actions),
            "curtain": is_shared and not draft.actions,
        })  # fmt: skip
        while True:
            told, answer = self._next_move()
            problem = self._judged(draft, told)
            answer.put({"error": problem} if problem else {"ok": True})
            if not problem:
                return

    def move(self, told: dict[str, Any]) -> dict[str, Any]:
        """Hand what came from the page to the game, and return what it says; called by the server."""
        answer: queue.Queue[dict[str, Any]] = queue.Queue()
        if told.get("number") != self._question:
            return {"error": "this is not what was asked"}
        self._moves.put((told, answer))
        try:
            return answer.get(timeout=PATIENCE)
        except queue.Empty:
            return {"error": "nobody is asked now"}

    def _next_move(self) -> tuple[dict[str, Any], queue.Queue[dict[str, Any]]]:
        while True:
            try:
                return self._moves.get(timeout=0.2)
            except queue.Empty:
                if self.server.is_gone:
                    raise Stop(CLOSED) from None

    def _judged(self, draft: Draft, told: dict[str, Any]) -> str:
        """Play what was decided; return what is wrong with it, or ""."""
        if told.get("number") != self._question:
            return "this is not what was asked"
        if told.get("undo") is True:
            return "" if draft.undo() else "there is nothing to take back"
        table, decided = draft.table, len(draft.actions)
        try:
            text = told.get("text")
            for action in table.game.parse_turn(text[:1000], table.s) if isinstance(text, str) else [told.get("action")]:
                draft.play(draft.table.check(action))
        except LudusError as error:
            while len(draft.actions) > decided:  # a command that takes several decisions is played as a whole or not at all
                draft.undo()
            return one_line(str(error), 400)
        return ""

    def _show(self, eyes: int | None) -> None:
        if eyes is not None:
            since, self._since = self._since, []
            self._tell(self.table, eyes, since if eyes == EVERYTHING else [])

    def _tell(self, table: Table, eyes: int, decisions: list[list[Any]], is_draft: bool = False) -> None:
        """Send a position: the row where all may be seen, else the view of a seat and nothing more."""
        row = table.s if eyes == EVERYTHING else table.observe(eyes)
        key = "row" if eyes == EVERYTHING else "view"
        told = {"kind": "position", "number": self._shown, "eyes": eyes, key: base64.b64encode(row.bytes).decode()}
        self.story.tell({**told, "decisions": decisions, "draft": is_draft, "turn": table.turn})
        self._shown += not is_draft

    def _start(self, position: str) -> str:
        return base64.b64encode(Table(self.table.game, self.table.seed, "pure", position).s.bytes).decode()


def play_in_page(live: Live, referee: Referee, delay: float, opens: bool, final: Callable[[], str]) -> None:
    """Let a referee play in a web page, which stays until somebody closes it; `final` says how the game ended."""
    try:
        invite(live.server, opens)
        live.server.wait_for_page()
        live.play(referee, delay)
        live.end(referee.record(), final())
        live.server.wait()
    finally:
        live.server.close()
