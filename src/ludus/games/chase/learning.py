"""How a network learns Chase best: against itself, on all three seats. `ludus learn chase` takes these settings.

Whoever learns some seats alone meets weak opponents as well: chasers that play at random never catch a greedy runner, and what
never happens teaches nothing.
"""

LEARN = {
    "seat": "all", "bots": "greedy:2,careful:1,random:1", "against": "greedy", "reward": "outcome", "discount": 0.99,
    "spread": 50,
}  # fmt: skip
