"""Whether a ledger tells the truth: games are played again, and every turn, result and seed is compared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ludus.core import BadRecord, LudusError, Record, dealt_seed, one_line

from .entering import builtin_hash, candidates, own_name
from .replay import rerun
from .series import Conditions
from .units import Planned, Shared, close_players, play_one, play_unit, stamp

if TYPE_CHECKING:
    from .entries import Entrant, Entry
    from .ledger import Ledger

AT_ONCE = 256  # games


class Finding(NamedTuple):
    """What was looked at, and what is wrong."""

    games: int  # in the ledger
    checked: int  # played again
    problems: list[str]


def verify_ledger(
    ledger: Ledger, share: float = 1.0, commitment: str = "", progress: Callable[[int], None] = lambda done: None
) -> Finding:
    """Compare all that a ledger says of its pairs, and play a share of its games again."""
    problems = list(_wrong_pairs(ledger, commitment))
    games, checked = 0, 0
    known = {one.id: one for one in ledger.entrants()}
    replayer, entries = _Replayer(ledger, known), ledger.entries()
    while some := list(islice(entries, AT_ONCE)):
        games += len(some)
        chosen = [entry for entry in some if _is_chosen(entry.number, share)]
        checked += len(chosen)
        problems += [f"game {entry.number}: {problem}" for entry in chosen if (problem := _wrong_record(ledger, entry, known))]
        seeds_alone = [entry for entry in chosen if not ledger.has_record(entry.number)]
        problems += replayer.wrong(seeds_alone)
        progress(games)
    close_players()
    return Finding(games, checked, problems)


def played_again(ledger: Ledger, number: int) -> Record:
    """Return the record of a game of which the seed alone is kept: it is played again, and compared."""
    entry = next(ledger.entries(numbers=[number]), None)
    if entry is None:
        raise LudusError(f"there is no game {number} in {ledger.name}")
    shared = _Replayer(ledger, {one.id: one for one in ledger.entrants()}).shared
    try:
        record, referee = play_one(shared, _plan(entry))
    finally:
        close_players()
    if (record.result.outcome, f"{referee.table.digest():016x}") != (entry.outcome, entry.digest):
        raise BadRecord(f"game {number} cannot be played again as it was: it ends otherwise")
    return record


def _is_chosen(number: int, share: float) -> bool:
    """Whether a game is among the share that is looked at: always the same ones."""
    word = hashlib.blake2b(str(number).encode(), digest_size=8, person=b"ludus verify").digest()
    return int.from_bytes(word, "little") < share * 2**64


def _wrong_pairs(ledger: Ledger, commitment: str) -> Iterator[str]:
    """Say which seeds do not follow from the secret that was committed."""
    secret, terms = ledger.secret, ledger.terms
    if commitment and commitment.strip().lower() != ledger.commitment:
        yield f"the secret's hash is {ledger.commitment or 'none'}, but {commitment} was told before the first game"
    if secret and not terms.seeds:
        for pair in ledger.pairs():
            if pair.seed != dealt_seed(secret, pair.label):
                yield f"pair {pair.id} has the seed {pair.seed}; the secret deals {dealt_seed(secret, pair.label)}"


def _wrong_record(ledger: Ledger, entry: Entry, known: dict[int, Entrant]) -> str:
    """Say what is wrong with the record of a game, if one is kept: it is run again and held against the ledger."""
    try:
        record = ledger.kept(entry.number)
        if record is None:
            return ""
        last = 0
        for table, _ in rerun(record):
            last = table.digest()
    except BadRecord as error:
        return str(error)
    names = tuple(one_line(known[entrant].name, 60) for entrant in entry.entrants)
    told = (
        record.seed,
        record.result.outcome,
        record.result.points,
        record.result.status,
        len(record.decisions),
        record.forfeit,
    )
    due = (entry.seed, entry.outcome, entry.points, entry.status, entry.decisions, entry.forfeit)
    if record.agents != names:
        return f"its record is one of {', '.join(record.agents)}, not of {', '.join(names)}"
    if told != due:
        return f"the ledger says {due}, and its record {told}"
    for entrant, told_hash in zip(entry.entrants, record.hashes, strict=False):
        if told_hash and told_hash != known[entrant].hash:
            return f"its record was played by another version of {known[entrant].name}"
    return "" if entry.digest in ("", f"{last:016x}") else f"its last position has the digest {last:016x}, not {entry.digest}"


class _Replayer:
    """Play games of built-in bots again, of which the seeds alone are kept."""

    def __init__(self, ledger: Ledger, known: dict[int, Entrant]) -> None:
        game, terms = ledger.game, ledger.terms
        own = builtin_hash(game)
        self.known, current = known, {number: one for number, one in known.items() if one.hash == own}
        found = {one.word: one for one in candidates(game, [one.word for one in current.values()], "in-process")}
        compiled = {n: own_name(game, one.word) for n, one in current.items() if found[one.word].is_compiled}
        conditions = Conditions(None, terms.on_fault, "in-process")
        bots = {number: (one.name, one.word) for number, one in current.items()}
        hashes = {number: one.hash for number, one in current.items()}
        self.shared = Shared(f"verify {id(self)}", game, bots, hashes, compiled, conditions, 0.0, stamp())

    def wrong(self, entries: list[Entry]) -> Iterator[str]:
        """Say of which games the result is another one."""
        able = [entry for entry in entries if all(entrant in self.shared.bots for entrant in entry.entrants)]
        for entry in entries:
            if entry not in able:
                yield f"game {entry.number}: its record is not kept, and its bots are not those of this Ludus"
        for entry, one in zip(able, play_unit(self.shared, [_plan(entry) for entry in able]).outcomes, strict=True):
            due = (entry.outcome, entry.points, entry.status, entry.decisions, entry.digest)
            came = (one.result.outcome, one.result.points, one.result.status, one.decisions, one.digest)
            if came != due:
                yield f"game {entry.number}: played again from its seed it gives {came}, not {due}"


def _plan(entry: Entry) -> Planned:
    return Planned(entry.number, entry.round, entry.seed, entry.position, entry.entrants)
