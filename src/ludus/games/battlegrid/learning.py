"""How a network learns BattleGrid best: taught by `tactician`, then against it; `ludus learn battlegrid` takes this."""

LEARN = {
    "seat": "any", "bots": "tactician:4,hunter:1,self:1", "teacher": "tactician", "lessons": 0.3, "against": "tactician",
    "reward": "points", "scale": 0.1, "discount": 0.985, "spread": 150, "channels": 512, "blocks": 3, "entropy": 0.005,
}  # fmt: skip
