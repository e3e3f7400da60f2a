"""How a network learns Unit best: taught by `planner`, then against it. `ludus learn unit` takes these settings.

The planner thinks long, and a GPU is slow with what thinks long: games are played on the cores of the CPU, beside the GPU that
learns. A few of them are against others, so that it does not know one opponent alone.
"""

LEARN = {
    "seat": "any", "bots": "planner:4,aggressor:1,self:1", "teacher": "planner", "lessons": 0.5, "against": "planner",
    "reward": "outcome", "discount": 0.995, "spread": 150, "channels": 256, "blocks": 3, "entropy": 0.003,
}  # fmt: skip

ON_GPU = {
    "games_on": "cpu", "bots": "planner:8,aggressor:1,greedy:1,banker:0.3,self:1.5", "games": 4096, "channels": 512,
    "anchor": 0.01, "spread": 64, "evaluate_every": 40, "save_every": 80, "evaluated": 128,
}  # fmt: skip
