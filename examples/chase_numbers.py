"""Chase: as the runner keep away from the chasers and from the rim; as a chaser close in, now and then straight."""

import random

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0), "stay": (0, 0)}
straight = 0.3  # how often a chaser takes the shortest way
rim = 0.5  # how much a runner wants to be near the rim


def act(view, legal):
    cells, me, size = view["cells"], view["me"], view["size"]
    x, y = cells[me]

    def worth(step):
        nx, ny = x + STEPS[step][0], y + STEPS[step][1]
        if me != "runner":
            rx, ry = cells["runner"]
            return -abs(nx - rx) - abs(ny - ry)
        near = min(abs(nx - cx) + abs(ny - cy) for cx, cy in (cells["chaser1"], cells["chaser2"]))
        return near + rim * (abs(nx - (size - 1) / 2) + abs(ny - (size - 1) / 2))

    if me != "runner" and random.random() > straight:
        return random.choice(legal)
    return max(legal, key=worth)
