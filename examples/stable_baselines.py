"""A chaser learns Chase by MaskablePPO of sb3-contrib, over many games at once: `python examples/stable_baselines.py [STEPS]`.

pip install 'ludus[learn]' brings the library.
"""

from __future__ import annotations

import sys

from sb3_contrib import MaskablePPO
from scoring import GAME, OPPONENTS, OPTIONS, SEAT, score

from ludus.adapters.stable_baselines import SeatVecEnv


def train(steps: int, games: int = 256, seed: int = 1) -> float:
    """Learn for so many steps of all games together; return the share of games that are won then."""
    env = SeatVecEnv(GAME, games, seat=SEAT, opponents=OPPONENTS, obs="features", seed=seed, **OPTIONS)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=32, batch_size=2048, n_epochs=3, learning_rate=1e-3, gamma=0.99, ent_coef=0.01, seed=seed,
        policy_kwargs={"net_arch": [128, 128]}, device="cpu",
    )  # fmt: skip
    model.learn(steps)
    return score(lambda features, masks: model.predict(features, action_masks=masks != 0, deterministic=True)[0])


if __name__ == "__main__":
    print(f"wins {train(int(sys.argv[1]) if len(sys.argv) > 1 else 500_000):.1%} of 256 games")
