"""How a network learns Plantation best: taught by a tracker who scouts and attacks more, then against the tracker itself."""

from .lessons import forager

TEACHERS = {"forager": ("tracker", forager)}
LEARN = {
    "seat": "any", "bots": "tracker:3,past:1", "teacher": "forager", "lessons": 0.3, "against": "tracker", "heat": 1.0,
    "input": "planes", "kind": "cells", "channels": 64, "blocks": 3, "reward": "points", "scale": 0.02, "discount": 0.99,
    "spread": 250, "entropy": 0.003,
}  # fmt: skip
