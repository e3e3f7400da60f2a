"""A starter agent for Quantum Harvest: copy this file and improve `get_action`. It runs as it is.

    ludus play quantum_harvest starter.py raider
    quantum-harvest play --agent1 starter.py --agent2 other.py

An action is four numbers: [type, direction_x, direction_y, energy_boost].
  types       0 move, 1 quantum move (100 energy), 2 harvest, 3-6 nothing, 7 attack (15 energy + boost),
              8 spawn harvester (10), 9 spawn warrior (100), 10 spawn scout (10), 11 build zone (100), 12 heal at a gate (50),
              13 teleport to the gate at (direction_x, direction_y) (25), 14 build field (100), 15 build barrier (200),
              16 build gate (100)
  directions  x: 0 left, 1 none, 2 right; y: 0 up, 1 none, 2 down
  boost       0 to 4, for attacks: damage 30 to 54, half as much again with a boost from a zone
Units are 0 harvester, 1 warrior, 2 scout. Tiles are 0 empty, 1 node, 2 barrier, 3 zone, 4 field, 5 gate; -1 is unexplored
in the fog map. Maps are indexed [x, y]; (0, 0) is the top left corner.
"""
# mypy: ignore-errors

from quantum_harvest.agents import BaseAgent

STAY = [0, 1, 1, 0]


class Agent(BaseAgent):
    """Stay, with every unit."""

    def __init__(self, player_id):
        super().__init__(player_id)

    def get_action(self, observation, player_id=0):
        """Return {unit id: four numbers}; units left out do nothing."""
        units = observation["units"]  # columns: id, player, type, x, y, health, energy (0), boosted, boosted attacks left
        own = [self.describe(row) for row in units[units[:, 1] == player_id]]
        enemies = [self.describe(row) for row in units[units[:, 1] != player_id]]
        actions = {}
        for unit_id, unit_type, health, (x, y) in own:
            actions[unit_id] = self.decide(unit_id, unit_type, health, (x, y), enemies, observation)
        return actions

    def describe(self, row):
        """Return a unit as (id, type, health, (x, y))."""
        unit_id, _, unit_type, x, y, health, _, _, _ = (int(value) for value in row)
        return unit_id, unit_type, health, (x, y)

    def decide(self, unit_id, unit_type, health, position, enemies, observation):
        """Choose the action of one unit: here is where your ideas go."""
        return STAY

    def reset(self):
        """Forget the last game."""
        super().reset()
