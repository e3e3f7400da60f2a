"""Plantation's own tournament as a preset, told as its original program did and with shares of own games (D19)."""

from pathlib import Path

from typer.testing import CliRunner

from ludus.arena import Ledger, make_terms
from ludus.cli.commands import app
from ludus.games import load


def test_the_preset_has_the_originals_structure() -> None:
    terms = make_terms({"game": "plantation", "preset": "original"})
    assert (terms.format, terms.games, terms.clock, len(terms.bots)) == ("round-robin", 20, "2000+2000", 5)
    assert set(terms.bots) <= set(load("plantation").bots)
    assert make_terms({"game": "plantation", "preset": "original", "games": 2}).games == 2  # what is said counts


def test_it_is_told_as_the_original_told_it(tmp_path: Path) -> None:
    place, run = str(tmp_path / "cup.db"), CliRunner()
    words = ["plantation", "random", "random_player_dumb", "name=Other random", "--preset", "original", "--games", "2"]
    played = run.invoke(
        app, ["tournament", "run", *words, "--option", "max_turns=5", "--ledger", place], catch_exceptions=False
    )
    assert played.exit_code == 0
    with Ledger.open(place) as ledger:
        entries = list(ledger.entries())
    assert len(entries) == 6
    assert {tuple(entry.entrants) for entry in entries} == {(1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2)}
    told = run.invoke(app, ["tournament", "status", place, "--original"], catch_exceptions=False).output.splitlines()
    assert told[0] == "Running 6 games, being 2 for each pair, between 3 players, 4 games for each player"
    wins = [
        sum(entry.outcome[seat] > 0 for entry in entries for seat in (0, 1) if entry.entrants[seat] == k) for k in (1, 2, 3)
    ]
    assert told[3] == f"random wins: {wins[0]} ({float(round(100 * wins[0] / 6))} %)"
    of_own = next(line for line in told if line.startswith("random ") and "wins:" not in line)
    assert of_own.endswith(f"{100 * wins[0] / 4:.1f} %")
