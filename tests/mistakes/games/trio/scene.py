"""How Trio looks."""

from ludus.core import Event, Piece, Scene

from .actions import NAMES
from .rules import CELLS, HEIGHT, NOBODY, SPEC, WIDTH, is_over


def scene(view):
    owners = view.owner.reshape(-1).tolist()
    return Scene(
        title=SPEC.title,
        width=WIDTH,
        height=HEIGHT,
        status=_status(view),
        columns=tuple("abcde"),
        rows=tuple("1234"),
        pieces=tuple(
            Piece(NAMES[cell], cell % WIDTH, cell // WIDTH, f"seat{owners[cell]}", "XO"[owners[cell]])
            for cell in range(CELLS)
            if owners[cell] != NOBODY
        ),
        numbers=(("move", str(view.turn)),),
        events=_events(view),
    )


def _status(view):
    if view.winner != NOBODY:
        return f"{SPEC.seats[view.winner]} has a row"
    return "a draw" if is_over(view) else f"{SPEC.seats[view.seat]} to move"


def _events(view):
    if view.last_action < 0 or view.owner.reshape(-1)[view.last_action] == NOBODY:
        return ()
    return (Event("claim", f"{NAMES[view.last_action]} was claimed", NAMES[view.last_action]),)
