"""The original's enums and constants by its names and in its units (A5)."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from .. import tables as t

VERSION = "1.1.0"  # of the original's interface as offered here; the original itself ended at 1.0.2

TileType = IntEnum(
    "TileType",
    "EMPTY ENERGY_NODE QUANTUM_BARRIER ENTANGLEMENT_ZONE DECOHERENCE_FIELD QUANTUM_GATE",
    start=0,
    module="quantum_harvest.utils",
)
UnitType = IntEnum("UnitType", "HARVESTER WARRIOR SCOUT", start=0, module="quantum_harvest.utils")
ActionType = IntEnum(
    "ActionType",
    "MOVE QUANTUM_MOVE HARVEST ENTANGLE MEASURE SHIELD BOOST ATTACK SPAWN_HARVESTER SPAWN_WARRIOR SPAWN_SCOUT "
    "CREATE_ENTANGLEMENT_ZONE QUANTUM_GATE_HEALTH_GAIN QUANTUM_GATE_TELEPORT BUILD_DECOHERENCE_FIELD "
    "BUILD_QUANTUM_BARRIER BUILD_QUANTUM_GATE",
    start=0,
    module="quantum_harvest.utils",
)
SETTINGS: dict[str, Any] = {  # the original's configuration module, in its units
    "DEFAULT_MAP_SIZE": 12,
    "DEFAULT_MAX_TURNS": 1000,
    "ENERGY_VICTORY_THRESHOLD": 100000.0,
    "TERRITORY_VICTORY_THRESHOLD": 0.7,
    "TERRITORY_VICTORY_TURNS": 10,
    "STARTING_ENERGY": 0.0,
    "UNIT_HEALTH": t.HEALTH / t.HALVES,
    "MAX_HEALTH": t.HEALTH_CAP / t.HALVES,
    "SPAWN_COSTS": {kind.name: t.SPAWN_COST[kind] / t.QUARTERS for kind in UnitType},
    "BUILD_COSTS": {"FIELD": 100.0, "BARRIER": 200.0, "GATE": 100.0, "ZONE": 100.0},
    "QUANTUM_MOVE_COST": t.QUANTUM_COST / t.QUARTERS,
    "GATE_HEALING_COST": t.HEAL_COST / t.QUARTERS,
    "GATE_HEALING": t.HEALING / t.HALVES,
    "TELEPORT_COST": t.TELEPORT_COST / t.QUARTERS,
    "ATTACK_COST": t.ATTACK_COST / t.QUARTERS,
    "ATTACK_RANGE": t.RANGE,
    "BOOSTED_ATTACK_RANGE": t.BOOSTED_RANGE,
    "ZONE_POWER": t.ZONE_POWER,
    "POWER_PER_BOOST": t.POWER_PER_BOOST,
    "ATTACKS_PER_BOOST": t.ATTACKS_PER_BOOST,
    "HARVEST_GAIN": {kind.name: t.YIELD[kind] / t.QUARTERS for kind in UnitType},
    "EXPLORATION_RANGE": {kind.name: t.SIGHT[kind] for kind in UnitType},
}
