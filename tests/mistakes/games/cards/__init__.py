"""A small game, written as a newcomer would."""
