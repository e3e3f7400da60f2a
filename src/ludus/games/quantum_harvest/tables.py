"""Quantum Harvest's constants: sizes, codes, prices and the ids of actions. The truth is README.md, sections 2 and 6.

Energy and rewards are counted in quarters and health in halves, so that everything is a whole number.
"""

import numpy as np

from ludus.core import structural

SIZE = structural("size", 12, low=6, high=48, about="rows and columns of the map")

SEATS = 2
UNITS = 64  # a player's units, and the orders it gives in a turn (D37)
EVENTS = 64  # attacks of one turn that are kept for the record (D38)
FULL_ROW = (1 << SIZE) - 1  # bits of a row of the map

EMPTY, NODE, BARRIER, ZONE, FIELD, GATE = range(6)
HARVESTER, WARRIOR, SCOUT = range(3)
RUNNING, ELIMINATION, ENERGY, TERRITORY, LIMIT_ENERGY, LIMIT_TERRITORY, LIMIT_DRAW = range(7)
NOBODY = -1

QUARTERS, HALVES = 4, 2  # of one energy, of one health
HIGHEST_GOAL = 2_000_000_000  # quarters of energy that nobody can have
HEALTH, HEALTH_CAP, HEALING = 45 * HALVES, 300 * HALVES, 50 * HALVES
ZONE_POWER, POWER_PER_BOOST, ATTACKS_PER_BOOST = 200, 50, 2
RANGE, BOOSTED_RANGE = 1, 4
BOOSTS = 5  # an attack may be strengthened by 0 to 4 energy
SIGHT = (1, 1, 3)  # Manhattan, by type of unit
YIELD = (QUARTERS, 0, 1)  # quarters a harvest gives, by type of unit
TARGET_PRIORITY = (3, 1, 2)  # by type of unit: harvesters draw fire first

# Directions in reading order: up-left, up, up-right, left, here, right, down-left, down, down-right.
DIRECTIONS, HERE = 9, 4
DX, DY = (-1, 0, 1, -1, 0, 1, -1, 0, 1), (-1, -1, -1, 0, 0, 0, 1, 1, 1)

# Action ids. Blocks of nine run over the directions; attacks over direction, then boost; spawns over the types of
# units. Teleports come last: a search for a marked action seldom has to pass them.
MOVE, QUANTUM_MOVE, HARVEST, NOTHING, DONE, SPAWN, HEAL = 0, 9, 18, 19, 20, 21, 24
BUILD_ZONE, BUILD_FIELD, BUILD_BARRIER, BUILD_GATE, ATTACK, PICK, TELEPORT = 25, 34, 43, 52, 61, 106, 170
ACTIONS = TELEPORT + SIZE * SIZE

ATTACK_COST, TELEPORT_COST = 15 * QUARTERS, 25 * QUARTERS
QUANTUM_COST, HEAL_COST = 100 * QUARTERS, 50 * QUARTERS
BUILD_COST, BARRIER_COST = 100 * QUARTERS, 200 * QUARTERS
SPAWN_COST = (10 * QUARTERS, 100 * QUARTERS, 10 * QUARTERS)  # by type of unit

# What a successful order pays, in quarters.
MOVE_REWARD, QUANTUM_REWARD, KILL_REWARD = 1 * QUARTERS, 2 * QUARTERS, 50 * QUARTERS
HEAL_REWARD, TELEPORT_REWARD = 10 * QUARTERS, 15 * QUARTERS
SPAWN_REWARD = (20 * QUARTERS, 30 * QUARTERS, 25 * QUARTERS)  # by type of unit
ZONE_REWARD, FIELD_REWARD, BARRIER_REWARD, GATE_REWARD = 30 * QUARTERS, 10 * QUARTERS, 10 * QUARTERS, 25 * QUARTERS
SKIPPED = -1  # in place of a reward: the unit was not there when its order came to run


def _costs() -> np.ndarray:
    """List what each action costs in quarters, teleports left out."""
    costs = np.zeros(TELEPORT, np.int32)
    costs[QUANTUM_MOVE : QUANTUM_MOVE + DIRECTIONS] = QUANTUM_COST
    costs[SPAWN : SPAWN + 3] = SPAWN_COST
    costs[HEAL] = HEAL_COST
    costs[BUILD_ZONE : BUILD_GATE + DIRECTIONS] = BUILD_COST
    costs[BUILD_BARRIER : BUILD_BARRIER + DIRECTIONS] = BARRIER_COST
    costs[ATTACK:PICK] = [ATTACK_COST + k % BOOSTS * QUARTERS for k in range(DIRECTIONS * BOOSTS)]
    return costs


COST = _costs()
