"""How a network learns Quantum Harvest best: taught by `commander` and anchored to it; a game has thousands of decisions."""

LEARN = {
    "seat": "any", "bots": "commander:3,self:1", "teacher": "commander", "lessons": 0.6, "anchor": 0.05, "against": "commander",
    "input": "both", "channels": 384, "blocks": 3, "reward": "outcome", "discount": 0.9998, "trace": 0.99, "spread": 600,
    "rate": 0.0007, "entropy": 0.0,
}  # fmt: skip
