"""What environments take: every argument stands here once, for all of them, with why some have no place for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ludus.core import LudusError
from ludus.games import Game, load, options_of

DOORS = ("gym.make", "gym.make_vec", "pettingzoo.env", "pettingzoo.parallel_env")
SINGLE, VECTOR, AEC, PARALLEL = DOORS
ALL_SEATS = "all seats are played from outside there; gym.make and gym.make_vec have one seat with opponents"
ONE_GAME = "it is one game at a time; gym.make_vec plays many"


class UnknownArgument(LudusError, TypeError):
    """An argument that an environment does not have: the kind of error, and Python's own words, that libraries look for."""


class Argument(NamedTuple):
    """What an argument means, and in which environments it has no place, and why."""

    about: str
    default: str
    cannot: Mapping[str, str] = {}


ARGUMENTS = {
    "num_envs": Argument("how many games", "1", dict.fromkeys((SINGLE, AEC, PARALLEL), ONE_GAME)),
    "seat": Argument(
        'which seat is yours: its name or number; `"any"` deals another one to every game; a list of seats, or `"all"`, is '
        "played in turn",
        "the first",
        dict.fromkeys((AEC, PARALLEL), ALL_SEATS),
    ),
    "opponents": Argument("who plays the other seats: see below", "`random`", dict.fromkeys((AEC, PARALLEL), ALL_SEATS)),
    "obs": Argument(
        '`"planes"`, `"features"` (few numbers), `"dict"` (what the original environment showed, where there was one), or '
        '`"masked"`, `"masked features"`, `"masked dict"`: `{"observation", "action_mask"}`',
        '`"planes"`',
    ),
    "dtype": Argument('`"f4"` gives planes as float32, the same numbers', "as the game paints them"),
    "reward": Argument('`"outcome"`, `"points"`, `"original"`, or a function: see below', "the game's own: see its page"),
    "seed": Argument("of the first game; later ones go on with its chance", "any"),
    "device": Argument('`"cpu"`, `"pure"` (uncompiled) or, for many games at once, `"cuda"` (torch arrays)', '`"cpu"`'),
    "render_mode": Argument('`"rgb_array"`, `"ansi"`, and, for one game, `"human"`', "none"),
    "copy": Argument(
        "False: arrays are the batch's own, overwritten by the next step",
        "True",
        dict.fromkeys((SINGLE, AEC, PARALLEL), "what one game shows is always the caller's to keep"),
    ),
    "autoreset_mode": Argument(
        "`SAME_STEP`, `NEXT_STEP` or `DISABLED`, as Gymnasium defines them",
        "`SAME_STEP`",
        dict.fromkeys((SINGLE, AEC, PARALLEL), "the next game begins with reset() there"),
    ),
    "decisions": Argument(
        "how many decisions of a turn an action holds; more of them take the game's default",
        "as many as the game asks for",
        dict.fromkeys((SINGLE, VECTOR, AEC), "every decision is a step of its own there"),
    ),
}


def game_of(door: str, game: Game | str, options: Mapping[str, Any]) -> Game:
    """Return the game of an environment with its options; what is neither an option nor an argument is refused."""
    known = [option.name for option in options_of(game if isinstance(game, Game) else load(game))]
    for name in options:
        if name in ARGUMENTS:
            raise UnknownArgument(f"{door} got an unexpected keyword argument {name!r}: {ARGUMENTS[name].cannot[door]}")
        if name not in known:
            taken = [argument for argument, about in ARGUMENTS.items() if door not in about.cannot]
            title = (game if isinstance(game, Game) else load(game)).spec.title
            raise UnknownArgument(
                f"{door} got an unexpected keyword argument {name!r}; there is: {', '.join(taken)}; "
                f"and as options of {title}: {', '.join(known)}"
            )
    if isinstance(game, Game):
        if options:
            raise UnknownArgument("options go with the game's name; a loaded game has its own")
        return game
    return load(game, **options)


def arguments_table() -> str:
    """Return the table of all arguments, for the page on environments."""
    lines = [
        f"| argument | means | default | {' | '.join(f'`{door}`' for door in DOORS)} |",
        f"|---|---|---|{'---|' * len(DOORS)}",
    ]
    for name, argument in ARGUMENTS.items():
        places = " | ".join("" if door in argument.cannot else "yes" for door in DOORS)
        lines.append(f"| `{name}` | {argument.about} | {argument.default} | {places} |")
    reasons: dict[str, list[str]] = {}
    for name, argument in ARGUMENTS.items():
        for why in dict.fromkeys(argument.cannot.values()):
            reasons.setdefault(why, []).append(f"`{name}`")
    lines += ["", "Where one has no place, a TypeError says so:", ""]
    lines += [f"- {', '.join(names)}: {why}." for why, names in reasons.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(arguments_table(), end="")
