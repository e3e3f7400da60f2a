"""The starter agent: every unit stays where it is."""

from quantum_harvest import _original

Agent = _original.StayAgent
