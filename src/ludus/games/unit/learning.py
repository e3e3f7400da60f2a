"""How a network learns Unit best: taught by `planner`, then against it. `ludus learn unit` takes these settings."""

LEARN = {
    "seat": "any", "bots": "planner:4,aggressor:1,self:1", "teacher": "planner", "lessons": 0.5, "against": "planner",
    "reward": "outcome", "discount": 0.995, "spread": 150, "channels": 256, "blocks": 3, "entropy": 0.003,
}  # fmt: skip
