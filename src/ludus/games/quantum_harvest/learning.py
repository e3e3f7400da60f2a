"""How a network learns Quantum Harvest best: taught by a commander who heals; a game has thousands of decisions."""

from .lessons import healer

TEACHERS = {"healer": ("commander", healer)}
LEARN = {
    "seat": "any", "bots": "commander", "teacher": "healer", "lessons": 2.0, "against": "commander",
    "input": "both", "channels": 384, "blocks": 3, "reward": "outcome", "discount": 0.9998, "trace": 0.99, "spread": 600,
    "rate": 0.0007, "entropy": 0.0,
}  # fmt: skip
