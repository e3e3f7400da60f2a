"""The starter agent: every unit stays where it is."""

from quantum_harvest import _compat

Agent = _compat.StayAgent
