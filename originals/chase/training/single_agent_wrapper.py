"""The original program's environment for training one agent: ludus's environment of one seat, with the original's arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.adapters.gymnasium import SeatEnv
from ludus.games import load


class SingleAgentWrapper(SeatEnv):
    """One agent learns; the others are bots by name, objects with `decide_move`, or agents of ludus."""

    def __init__(
        self,
        agent_to_train: str = "chaser1",
        opponent_policies: Mapping[str, Any] | None = None,
        board_size: int = 15,
        max_turns: int = 300,
        seed: int | None = None,
        **settings: Any,
    ) -> None:
        original = load("chase").part("original").OriginalAgent
        others = {
            name: original(policy, name) if hasattr(policy, "decide_move") else policy
            for name, policy in (opponent_policies or {}).items()
        }
        super().__init__("chase", agent_to_train, others, "dict", seed, size=board_size, max_turns=max_turns, **settings)


def make_training_env(agent: str, opponents: Mapping[str, Any] | None = None, **settings: Any) -> SingleAgentWrapper:
    """Return the environment that trains an agent against others, such as {"runner": "random"}."""
    return SingleAgentWrapper(agent, opponents, **settings)
