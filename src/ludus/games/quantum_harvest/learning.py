"""How a network learns Quantum Harvest best: taught by a commander who heals; a game has thousands of decisions."""

from .fog import ASKED_PLANE
from .lessons import healer

CENTRE = (ASKED_PLANE, ASKED_PLANE + 1, ASKED_PLANE + 2)  # planes that mark the unit which is asked
TEACHERS = {"healer": ("commander", healer)}
LEARN = {
    "seat": "any", "bots": "commander", "teacher": "healer", "lessons": 2.0, "against": "commander",
    "input": "both", "kind": "centred", "channels": 288, "blocks": 3, "reward": "outcome", "discount": 0.9998,
    "trace": 0.99, "spread": 600, "rate": 0.002, "entropy": 0.0,
}  # fmt: skip
