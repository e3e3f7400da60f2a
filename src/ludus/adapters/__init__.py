"""Sockets for other libraries: PettingZoo and Gymnasium environments, written once for all games."""

from __future__ import annotations

import re

ENV_VERSION = 1  # of the environments; the rules have their own


def register() -> None:
    """Tell Gymnasium of every game: `gym.make("ludus/BigGame-v1")`; no game is run yet.

    Gymnasium 1 looks for no plugins, so `import ludus` calls this if Gymnasium is there already, and so does
    `import ludus.adapters.gymnasium` in any case; `gym.make("ludus.adapters.gymnasium:ludus/BigGame-v1")` needs no import.
    """
    from gymnasium.envs import registration

    from ludus.games import names

    for name in names():
        for env_id in env_ids(name):
            if env_id not in registration.registry:
                registration.register(
                    env_id,
                    entry_point="ludus.adapters.gymnasium:SeatEnv",
                    vector_entry_point="ludus.adapters.vector:SeatVectorEnv",
                    kwargs={"game": name},
                )


def env_ids(name: str) -> list[str]:
    """Return the ids of a game's environments: as its title is written, then as earlier versions wrote its name."""
    written = "".join(word[0].upper() + word[1:] for word in re.findall(r"\w+", title_of(name)))
    plain = "".join(word.capitalize() for word in name.split("_"))
    return [f"ludus/{word}-v{ENV_VERSION}" for word in dict.fromkeys((written, plain))]


def title_of(name: str) -> str:
    """Return a game's title as its rules.py writes it, without running them: ids are told when nothing is loaded yet."""
    from ludus.games import folder_of

    source = (folder_of(name) / "rules.py").read_text(encoding="utf-8")
    found = re.search(r"^\s*title=(['\"])(.+?)\1", source, re.MULTILINE)
    return found[2] if found else name.replace("_", " ")
