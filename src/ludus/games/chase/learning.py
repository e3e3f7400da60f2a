"""How a network learns Chase best: against itself, on all three seats. `ludus learn chase` takes these settings."""

LEARN = {"seat": "all", "reward": "outcome", "discount": 0.99, "spread": 50}
