"""A person at the terminal: moves are typed, mistakes are explained, and decisions of one's own turn can be taken back."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ludus.agents import Agent, Stop
from ludus.arena import Draft
from ludus.core import LudusError
from ludus.engine import Table
from ludus.viewers import Screen

ARROWS = {"up": "A", "down": "B", "right": "C", "left": "D"}  # the letter that ends an arrow key's escape code
MOST_NEWS = 6  # events that are told again
MOST_NAMED = 12  # actions that a prompt lists; of more, one of each kind
COMMANDS = "? explains, legal lists all, undo takes back, quit ends"
EXPLAINED = (
    "Type one of the actions, in any of its forms; legal lists all that make sense now.",
    "undo (or cancel) takes back your last decision of this turn, also half a command, as long as it has shown you nothing new",
    "and nobody else has decided. quit ends the game. The arrow keys type a direction where the game has such actions.",
)


class Human(Agent):
    """A person. The end of input ends the game."""

    name, is_person, is_timed = "human", True, False

    def __init__(self, table: Table, screen: Screen | None = None, is_shared: bool = False) -> None:
        self.table, self.screen = table, screen or Screen()
        self.is_shared = is_shared  # the screen, with people who must not see the same
        self._warned = ""  # what was typed and would fail: typed again, it is played

    def start(self, start: Any) -> None:
        """Take a seat."""
        self.seat = start.seat

    def act(self, view: Any, legal: list[int]) -> list[int]:
        """Show what this seat may see, and ask until its turn is over or has shown something new."""
        draft, said = Draft(self.table), self._news()
        if self.is_shared:
            self._hand_over()
        while not draft.is_done:
            self.screen.show(draft.table.game.scene(draft.table.s, self.seat), [*said, *self._invitation(draft)])
            said = self._obey(draft, self._read(draft))
        self._warned = ""
        self.screen.heard.clear()
        return draft.actions

    def _news(self) -> list[str]:
        """Say what went by since the last turn, where pictures take each other's place; not what others have seen."""
        heard = self.screen.heard[-MOST_NEWS:]
        return [f"since your last turn: {'; '.join(heard)}"] if heard and self.screen.is_live and not self.is_shared else []

    def _hand_over(self) -> None:
        """Wait until the others look away."""
        if self.screen.is_live:
            self.screen.clear()
            self._input(f"{self.table.spec.seats[self.seat]}, press return when nobody else looks: ")

    def _invitation(self, draft: Draft) -> list[str]:
        """Say what can be typed."""
        game, legal = draft.table.game, draft.table.legal()
        own = game.says("actions", "prompt")
        shown = own(legal) if own else _some(game.action_name(action, draft.table.s) for action in legal)
        return [f"your move: {shown}", f"({COMMANDS})"]

    def _read(self, draft: Draft) -> str:
        arrows = _arrow_words(draft.table)
        _bind(arrows)
        typed = self._input(f"{draft.table.spec.seats[self.seat]}> ")
        for word, action in arrows.items():  # as they come where nobody edits lines
            for code in (f"\x1b[{ARROWS[word]}", f"\x1bO{ARROWS[word]}"):
                typed = typed.replace(code, f"{action} ")
        return " ".join(typed.split())

    def _input(self, prompt: str) -> str:
        try:
            return input(prompt)
        except EOFError:
            raise Stop("end of input: the game stops here") from None

    def _obey(self, draft: Draft, typed: str) -> list[str]:
        """Do what was typed, and return what there is to say."""
        match typed.lower():
            case "":
                return []
            case "quit" | "exit":
                raise Stop(f"{draft.table.spec.seats[self.seat]} leaves: the game stops here")
            case "?" | "help":
                return self._explanation(draft)
            case "legal":
                return _all(draft.table.game.action_name(action, draft.table.s) for action in draft.table.legal())
            case "undo" | "cancel":
                return self._undo(draft)
        try:
            return self._play(draft, typed)
        except LudusError as error:
            return [str(error)]

    def _undo(self, draft: Draft) -> list[str]:
        if draft.actions:
            name = draft.table.game.action_name(draft.actions[-1], draft.table.s)
            draft.undo()
            return [f"taken back: {name}"]
        return ["there is nothing to take back: in this turn you have decided nothing, or it has shown you something new"]

    def _explanation(self, draft: Draft) -> list[str]:
        game = draft.table.game
        how = game.says("actions", "HELP")
        names = [game.action_name(action, draft.table.s) for action in draft.table.legal()]
        return [*([how] if how else []), f"Now, for example: {_some(names)}", *EXPLAINED]

    def _play(self, draft: Draft, typed: str) -> list[str]:
        """Play a decision, or the several that one command takes: all of them, or none where one is refused."""
        table, before = draft.table, len(draft.actions)
        actions = table.game.parse_turn(typed, table.s)
        for action in actions:
            if draft.is_done:
                return []
            try:
                warning = self._warning(draft.table, draft.table.check(action), typed)
            except LudusError:
                self._back_to(draft, before)
                raise
            if warning:
                self._back_to(draft, before)
                self._warned = typed
                return [warning]
            draft.play(action)
        self._warned = ""
        return []

    def _warning(self, table: Table, action: int, typed: str) -> str:
        """Say that an action will fail, where the rules take it all the same; who insists may play it."""
        if action in table.legal() or typed == self._warned:
            return ""
        name, own = table.game.action_name(action, table.s), table.game.says("actions", "why_vain")
        reason = own(table.observe(self.seat), action) if own else ""
        return f"{name} would fail or do nothing here{f' ({reason})' if reason else ''}; type it again to play it all the same"

    def _back_to(self, draft: Draft, count: int) -> None:
        while len(draft.actions) > count:
            draft.undo()


def _some(names: Iterable[str]) -> str:
    """List names, or if they are many one of each kind, which the first word tells."""
    kinds = _kinds(names)
    every = [f"{kind} {rest}".strip() for kind, rests in kinds.items() for rest in rests]
    if len(every) <= MOST_NAMED:
        return ", ".join(every)
    shown = [
        f"{kind} {rests[0]}".strip() + (f" (or {len(rests) - 1} like it)" if rests[1:] else "") for kind, rests in kinds.items()
    ]
    return ", ".join([*shown[:MOST_NAMED], *(["…"] if shown[MOST_NAMED:] else [])])


def _all(names: Iterable[str]) -> list[str]:
    """List all names, those that begin alike in one line."""
    kinds = _kinds(names)
    alone = ", ".join(f"{kind} {rests[0]}".strip() for kind, rests in kinds.items() if len(rests) == 1)
    return [*([alone] if alone else []), *(f"{kind}: {', '.join(rests)}" for kind, rests in kinds.items() if len(rests) > 1)]


def _kinds(names: Iterable[str]) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for name in names:
        kind, _, rest = name.partition(" ")
        kinds.setdefault(kind, []).append(rest)
    return kinds


def _arrow_words(table: Table) -> dict[str, str]:
    """Return what each arrow key types: a direction, or a move into it, if the game reads that."""
    found = {}
    for word in ARROWS:
        for typed in (word, f"move {word}"):
            try:
                table.game.parse_turn(typed, table.s)
            except LudusError:
                continue
            found[word] = typed
            break
    return found


def _bind(arrows: dict[str, str]) -> None:
    """Let arrow keys type their words where lines are edited."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    try:
        import readline
    except ImportError:
        return
    if "libedit" in (readline.__doc__ or ""):  # it has no such macros
        return
    for word, typed in arrows.items():
        for before in ("[", "O"):
            readline.parse_and_bind(f'"\\e{before}{ARROWS[word]}": "{typed}\\C-m"')
