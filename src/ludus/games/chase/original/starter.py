"""A starter for Chase of the original's kind: a class with `decide_move`.

Cells are (row, column), moves 0 to 4: up, down, left, right, stay.
"""
# mypy: ignore-errors

from agent_policies import BaseAgent

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))


class Starter(BaseAgent):
    """Chase the runner: at a chaser's seat it comes near, at the runner's it is a poor choice."""

    def decide_move(self, observation, legal_moves):
        """Return one of the legal moves."""
        row, column = observation["runner_pos"]
        a, b = min((observation[f"chaser{k}_pos"] for k in (1, 2)), key=lambda cell: abs(cell[0] - row) + abs(cell[1] - column))
        return min(legal_moves, key=lambda move: abs(a + STEPS[move][0] - row) + abs(b + STEPS[move][1] - column))
