"""People at the games: half-given commands, orders that will fail, and what may be taken back in each."""

import io
from typing import Any

import pytest

from ludus.arena import Draft
from ludus.arena.draft import teaches
from ludus.cli.person import Human
from ludus.engine import Table
from ludus.viewers import Screen


def asked(monkeypatch: pytest.MonkeyPatch, table: Table, *typed: str) -> tuple[list[int], str]:
    """Type for the seat to move, and return its decisions and what was shown."""
    out, lines = io.StringIO(), iter(typed)
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    person = Human(table, Screen(out=out))
    person.seat = table.seat
    return list(person.act(table.observe(), table.legal())), out.getvalue()


def plantation(*commands: str, **options: int) -> Table:
    table = Table("plantation", 4, "pure", **options)
    for command in commands:
        for action in table.game.parse_turn(command, table.s):
            table.apply(action)
    return table


def named(table: Table, actions: list[int]) -> list[str]:
    return [table.game.action_name(action, table.s) for action in actions]


def test_a_colonise_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that was given whole, and half a command that is refused leaves nothing behind."""
    table = plantation("f 1 0", "f 1 0", "f 1 0", "f 0 10", "f 0 10", "f 0 10")
    typed = ("colonise 5 5", "cancel", "f 1 0", "undo", "undo", "c 5 5 from 9 9", "f 2 0", "f 2 0", "f 2 0")
    decisions, shown = asked(monkeypatch, table, *typed)
    assert named(table, decisions) == ["fertilise x0 y2"] * 3
    assert "taken back: colonise x5 y5" in shown
    assert "taken back: fertilise x0 y1" in shown
    assert "there is nothing to take back" in shown
    assert "from x9 y9 would fail or do nothing here (the source is not a tile of yours" in shown


def test_what_was_seen_cannot_be_taken_back() -> None:
    """A scout shows what is hidden, as soon as the other side has had a turn; work on own tiles shows nothing."""
    table = plantation("f 1 0", "f 1 0", "f 1 0", "p 5 10", "s 0 0", "s 0 0")
    for command, is_news in (("scout 5 9", True), ("fertilise 1 0", False), ("spray 5 9", True), ("plant 0 0", False)):
        after, action = table.copy(), table.game.parse_action(command)
        after.apply(action)
        assert teaches(table, action, after) == is_news, command


def test_a_command_that_errs_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    table = plantation(max_turns=5)
    decisions, shown = asked(monkeypatch, table, "f 9 9", "p 9 9", "p 9 9", "f 1 0", "f 1 0")
    assert "fertilise x9 y9 would fail or do nothing here (the tile is not yours)" in shown
    assert "plant x9 y9 would fail or do nothing here (the tile is beside none of yours)" in shown
    assert named(table, decisions) == ["plant x9 y9", "fertilise x0 y1", "fertilise x0 y1"]


def test_an_order_into_a_wall_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("quantum_harvest", 4, "pure")
    typed = ("move up", "spawn scout", "attack up", "pick 7", "harvest", "teleport 3,4", "\x1b[B")
    decisions, shown = asked(monkeypatch, table, *typed)
    for reason in (
        "the board ends there",
        "it costs 10 energy, and 0 are left",
        "no such unit waits",
        "its tile does not offer",
    ):
        assert reason in shown
    assert named(table, decisions) == ["move down"]


def test_an_open_turn_can_be_taken_back_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("unit", 1, "pure")
    decisions, shown = asked(
        monkeypatch, table, "place 108", "undo", "place 0", "move 0 -> 1", "infuse 0", "undo", "infuse 0", "move 0 -> 1", "end"
    )
    assert named(table, decisions) == ["place 0", "infuse 0", "move 0 -> 1", "end_turn"]
    assert "refused (requirement_not_met)" in shown


@pytest.mark.parametrize("name", ["plantation", "quantum_harvest", "unit"])
def test_a_draft_falls_as_the_table_does(name: str) -> None:
    """Chance and hidden things are the same in a draft as at the table for which it is made."""
    table = Table(name, 3, "pure")
    for _ in range(30):
        draft: Any = Draft(table)
        while not draft.is_done:
            draft.play(draft.table.legal()[len(draft.table.legal()) // 2])
        for action in draft.actions:
            table.apply(action)
        assert table.digest() == draft.table.digest()
        if table.over:
            break
