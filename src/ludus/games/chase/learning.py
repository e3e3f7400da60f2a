"""How a network learns Chase best. `ludus learn chase` takes these settings.

By play: against itself, on all three seats. Whoever learns some seats alone meets weak opponents as well: chasers that play at
random never catch a greedy runner, and what never happens teaches nothing.

On a GPU layouts are solved by the hundred, and a network that sees all walls learns from their solutions. It plays with some
heat: chasers that always do the same can be led around in circles.
"""

from .perfect import LARGEST
from .rules import SIZE

LEARN = {
    "seat": "all", "bots": "greedy:2,careful:1,random:1", "against": "greedy", "reward": "outcome", "discount": 0.99,
    "spread": 50,
}  # fmt: skip

ON_GPU = {
    "teacher": "solution", "input": "planes", "kind": "places", "channels": 64, "blocks": 4, "games": 8192, "steps": 8,
    "epochs": 1, "minibatches": 8, "last_rate": 0.02, "largest_gradient": 1.0, "heat": 0.3, "save_every": 400,
    "evaluate_every": 25,
} if SIZE <= LARGEST else {}  # fmt: skip
