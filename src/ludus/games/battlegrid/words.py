"""What the numbers of a BattleGrid frame are called, and where in it they stand."""

from __future__ import annotations

from ludus.core import FACINGS, Board, EventWord, NumberWord, PieceWord, Words, frame_type

from .actions import DIRECTION_NAMES
from .reading import TANK_LETTERS
from .rules import CAPACITY, KINDS, SEATS, SET_SIZE, SIZE, SPEC

LABELS = tuple(str(k) for k in range(SIZE))
ARROWS = ("", "↑", "↓", "←", "→")  # by facing of a piece; an enemy's is not known
ITEMS = (
    ("double shot", "+", "shell", "resource", "the next shot needs no reload"),
    ("double damage", "2X", "double", "resource", "the next hit counts twice"),
    ("minus one", "-1", "minus", "danger", "costs a point"),
    ("double cooldown", "+2", "reload", "danger", "the next reload takes twice as long"),
)  # by kind: name, what its picture says, icon, role, meaning
ENDS = ("", "blue wins", "red wins", "a draw", "the game is over")  # by status; a seat does not know the enemy's score
TO_ACT, BLUE_WINS, RED_WINS, DRAW, OVER = range(len(ENDS))
# Places in WORDS: pieces are tanks by seat and facing, then items by kind, then hints of items by kind.
FACES = len(FACINGS)
ITEM = SEATS * FACES
HINT = ITEM + KINDS
TURN, SHRINK, FIRST_OWN = range(3)  # numbers; those of each seat follow
SCORE, RELOADS, POWERS, STILL = range(4)  # numbers of a seat, from FIRST_OWN + OWN * seat on
OWN = 4
MOVED, ESCAPED, TURNED, BLOCKED, STAYED, PICKED, HIT, MISSED, PUNISHED, SHRUNK, SUPPLIED, ENDED = range(12)

Frame = frame_type(
    SIZE,
    SIZE,
    pieces=SEATS + CAPACITY,
    bars=1,
    marks=4 * SIZE + 16,
    numbers=FIRST_OWN + OWN * SEATS,
    events=SET_SIZE + 7,
)
BOARD = Board(SIZE, SIZE, columns=LABELS, rows=LABELS)
WORDS = Words(
    status=("{seat} to act", *(f"{end}: blue {{a}}, red {{b}}" for end in ENDS[BLUE_WINS:OVER]), ENDS[OVER]),
    pieces=(
        *(
            PieceWord("tank", letter + arrow, "tank", "{seat} tank on {at}" + (", facing {facing}" if arrow else ""))
            for letter in TANK_LETTERS
            for arrow in ARROWS
        ),
        *(PieceWord(name, sign, icon, f"{{name}} on {{at}}: {what}", role) for name, sign, icon, role, what in ITEMS),
        *(
            PieceWord(name, f"{sign}?", icon, f"{{name}} in the 2×2 box from {{at}}: {what}", role)
            for name, sign, icon, role, what in ITEMS
        ),
    ),
    bars=("loaded",),
    numbers=(
        NumberWord("turn", is_curve=False),
        NumberWord("turns to next shrink", is_curve=False),
        *(
            word
            for seat, name in enumerate(SPEC.seats)
            for word in (
                NumberWord(f"{name} score", seat),
                NumberWord(f"{name} reload", seat, is_curve=False),
                NumberWord(f"{name} powers", seat, "powers", is_curve=False),
                NumberWord(f"{name} turns still", seat, is_curve=False),
            )
        ),
    ),
    events=(
        EventWord("move", "{seat} drives {a:directions} to {to}"),
        EventWord("escape", "{seat} is stuck and breaks out {a:directions} to {to}"),
        EventWord("turn", "{seat} turns {a:directions} on {at}"),
        EventWord("blocked", "{seat} cannot drive {a:directions} from {at}"),
        EventWord("stay", "{seat} stays on {at}, facing {a:directions}"),
        EventWord("pick", "{seat} takes {a:items}"),
        EventWord("shot", "{seat} hits for {amount}"),
        EventWord("shot", "{seat} shoots and misses"),
        EventWord("penalty", "{seat} is outside the zone: {amount:+}"),
        EventWord("shrink", "the safe zone has shrunk"),
        EventWord("items", "new items lie on the board"),
        EventWord("end", "{a:ends}"),
    ),
    lists={
        "directions": DIRECTION_NAMES,
        "items": tuple(name for name, *_ in ITEMS),
        "powers": tuple(sign for name, sign, *_ in ITEMS if name != "minus one"),
        "ends": ENDS,
    },
    flags=("powers",),
    legend=(
        ("wall", "wall"),
        ("fog", "out of view"),
        ("safe", "edge of the safe zone: whoever is outside after a turn of red loses a point"),
        ("danger", "the enemy is somewhere in this area"),
        *((sign, f"{name}: {what}") for name, sign, _, _, what in ITEMS),
        ("?", "somewhere in the 2×2 box from here"),
    ),
)
