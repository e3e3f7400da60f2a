"""A game that exists for tests of the rooms around games: see rules.py."""
