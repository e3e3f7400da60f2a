"""What a frame of Quantum Harvest is made of, in words: signs, sentences, and the places where rules find them."""

from __future__ import annotations

from ludus.core import EventWord, NumberWord, PieceWord, Words

from . import tables as t
from .actions import NAMES, UNITS
from .rules import SPEC

LABELS = tuple(str(k) for k in range(t.SIZE))
FULL_NODE = 2000
TENTHS = 10  # of a percent of the map, of a full node

# Sentences of the status; those of the end follow one another as the ends of the rules do, and so do their events.
ORDERS, ASKED = 0, 1  # ASKED + type of the unit
ENDED = ASKED + len(UNITS) - 1  # + end
NOBODY_LEFT = ENDED + t.LIMIT_DRAW + 1
BETWEEN_TURNS = NOBODY_LEFT + 1  # of replays, which ask nobody
ENDS = (
    "{a:seats} wins: no enemy is left",
    "{a:seats} wins by energy",
    "{a:seats} wins by territory",
    "last turn: {a:seats} wins by more energy",
    "last turn: {a:seats} wins by more territory",
    "last turn: a draw",
    "nobody is left: a draw",
)

# Kinds of pieces: the types of units, and the boosted warrior.
BOOSTED = len(UNITS)
HEALTH_BAR, BOOST_BAR = 0, 1

# Signs of tiles: how full a node is, how many boosts a zone has left.
UNKNOWN_SIGN, NODE_TENTHS, ZONE_BOOSTS = 1, 2, 2 + TENTHS
BOOSTS_A_ZONE = t.ZONE_POWER // t.POWER_PER_BOOST
FIELD_SIGN = ZONE_BOOSTS + BOOSTS_A_ZONE + 1
GATE_SIGN = FIELD_SIGN + 1
TEXTS = ("", "?", *map(str, range(TENTHS)), *(f"Z{boosts}" for boosts in range(BOOSTS_A_ZONE + 1)), "F", "G")

# Numbers: the turn, then five of each side.
TURN, FIRST_OF_SEAT = 0, 1
ENERGY_NUMBER, TERRITORY_NUMBER, EXPLORED_NUMBER, UNITS_NUMBER, STREAK_NUMBER = range(5)
NUMBERS_A_SEAT = 5

# Kinds of events: attacks by what was special about them (1 = boosted, 2 = halved, 4 = from the dark), then the others.
BOOSTED_SHOT, HALVED_SHOT, UNSEEN_SHOT = 1, 2, 4
KILLED, APPEARED, MOVED, QUANTUM_MOVED, TELEPORTED, HEALED, BUILT, FAILED, GAME_ENDED = range(8, 17)


def _attack(special: int) -> EventWord:
    extras = [word for bit, word in ((BOOSTED_SHOT, "boosted"), (HALVED_SHOT, "halved by a field")) if special & bit]
    who = "an unseen warrior of {seat}" if special & UNSEEN_SHOT else "{seat}'s warrior on {at}"
    told = f"{who} hits the enemy on {{to}} for {{a:health}} of {{b:health}}" + (f" ({', '.join(extras)})" if extras else "")
    return EventWord("hit" if special & UNSEEN_SHOT else "shot", told)


WORDS = Words(
    status=(
        "turn {turn} of {a}, {seat} gives orders",
        *(f"turn {{turn}}, {{seat}} gives orders: {name} {{a}} at {{b:places}} (slot {{c}})" for name in UNITS),
        *ENDS,
        "turn {turn} of {a}",
    ),
    pieces=(
        *(PieceWord(name, name[0].upper(), name) for name in UNITS),
        PieceWord("boosted warrior", "W*", UNITS[t.WARRIOR]),
    ),
    bars=("health", "boosted attacks"),
    bar_scales=(t.HALVES, 1),
    numbers=(
        NumberWord("turn", is_curve=False),
        *(
            word
            for seat in range(t.SEATS)
            for word in (
                NumberWord("energy", seat, "energy"),
                NumberWord("territory", seat, "percent", " %"),
                NumberWord("explored", seat, "percent", " %"),
                NumberWord("units", seat),
                NumberWord("streak", seat, is_curve=False),
            )
        ),
    ),
    events=(
        *(_attack(special) for special in range(KILLED)),
        EventWord("kill", "{seat} destroys the enemy on {to}"),
        EventWord("spawn", "{who} {a} appears on {to}"),
        EventWord("move", "{who} {a} moves to {to}"),
        EventWord("move", "{who} {a} makes a quantum move to {to}"),
        EventWord("move", "{who} {a} teleports to {to}"),
        EventWord("heal", "{who} {a} is healed on {at}"),
        EventWord("build", "{who} {a} builds a {b:tiles} on {to}"),
        EventWord("fail", "{who} {a} could not do its order: {b:orders}"),
        *(EventWord("end", told) for told in ENDS),
    ),
    texts=TEXTS,
    lists={
        "seats": SPEC.seats,
        "places": tuple(f"{x},{y}" for y in range(t.SIZE) for x in range(t.SIZE)),
        "tiles": ("", "node", "barrier", "zone", "field", "gate"),
        "orders": NAMES,
    },
    scales={"energy": t.QUARTERS, "health": t.HALVES, "percent": TENTHS},
    legend=(
        ("resource", f"energy node; the sign is how many tenths of {FULL_NODE} are left"),
        ("path", "zone; the sign is how many boosts for warriors are left"),
        ("danger", "field: halves damage and ends boosts"),
        ("goal", "gate: heals and teleports, open to both sides"),
        ("wall", "barrier"),
        ("?", "what is left there is not explored"),
        ("fog", "not explored: nobody is seen there"),
        ("safe", "the unit that is asked for an order"),
        *((f"seat{seat}", f"explored by {name} alone") for seat, name in enumerate(SPEC.seats)),
    ),
)
