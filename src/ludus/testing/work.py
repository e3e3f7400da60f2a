"""How much a check does: counted in cells that rules touch, so that a slow or busy machine looks at the same as any other."""

from __future__ import annotations

import time

CALL = 40  # what a call of a rule costs beside the cells that it touches
USUAL = 700_000  # cells a second, about
TOO_LONG = 4  # times the usual time: rules that touch few cells and think long about them have an end, too


class Work:
    """What has been done so far, by all checks of this process."""

    done = 0


work = Work()


class Budget:
    """An amount of work, from now on."""

    def __init__(self, amount: float) -> None:
        self.amount, self.start = amount, work.done
        self._latest = time.process_time() + TOO_LONG * amount / USUAL

    def share(self, part: float) -> Budget:
        """Return a part of what is left of it as a budget."""
        return Budget(part * max(0, self.start + self.amount - work.done))

    def is_spent(self, part: float = 1.0) -> bool:
        """Say whether a part of it, or all, has been done."""
        return work.done - self.start > part * self.amount or time.process_time() > self._latest
