"""How a network learns Plantation best: taught by `tracker`, then against it. `ludus learn plantation` takes these settings."""

LEARN = {
    "seat": "any", "bots": "tracker:4,scry_and_die:1,self:1", "teacher": "tracker", "lessons": 0.3, "against": "tracker",
    "reward": "points", "scale": 0.02, "discount": 0.995, "spread": 250, "channels": 512, "blocks": 2, "entropy": 0.003,
}  # fmt: skip
