"""Quantum Harvest: many units, orders given at the same time, fog."""
