"""Sockets for other libraries: PettingZoo and Gymnasium environments, written once for all games."""

from __future__ import annotations

ENV_VERSION = 1  # of the environments; the rules have their own


def register() -> None:
    """Tell Gymnasium of every game: `gym.make("ludus/NAME-v1")`; no game is loaded yet.

    Gymnasium 1 looks for no plugins, so `import ludus` calls this if Gymnasium is there already, and so does
    `import ludus.adapters.gymnasium` in any case.
    """
    from gymnasium.envs import registration

    from ludus.games import names

    for name in names():
        env_id = f"ludus/{title(name)}-v{ENV_VERSION}"
        if env_id not in registration.registry:
            registration.register(
                env_id,
                entry_point="ludus.adapters.gymnasium:SeatEnv",
                vector_entry_point="ludus.adapters.vector:SeatVectorEnv",
                kwargs={"game": name},
            )


def title(name: str) -> str:
    """Return a game's name as ids of environments have it: big_game is BigGame."""
    return "".join(word.capitalize() for word in name.split("_"))
