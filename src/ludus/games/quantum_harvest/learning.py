"""How a network learns Quantum Harvest best: taught by `commander`, then against it, for the outcome alone."""

LEARN = {
    "seat": "any", "bots": "commander:4,raider:1,self:1", "teacher": "commander", "lessons": 0.4, "against": "commander",
    "reward": "outcome", "discount": 0.9998, "trace": 0.98, "spread": 2000, "channels": 512, "blocks": 3, "entropy": 0.003,
}  # fmt: skip
