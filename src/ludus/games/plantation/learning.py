"""How a network learns Plantation best: taught by a tracker who scouts and attacks more, then against the tracker itself."""

from .lessons import forager

TEACHERS = {"forager": ("tracker", forager)}
LEARN = {
    "seat": "any", "bots": "tracker:3,past:1", "teacher": "forager", "lessons": 0.6, "anchor": 0.02, "against": "tracker",
    "input": "planes", "kind": "cells", "channels": 96, "blocks": 4, "reward": "points", "scale": 0.02, "discount": 0.99,
    "spread": 250, "rate": 0.0007, "entropy": 0.003, "heat": 0.5,
}  # fmt: skip
