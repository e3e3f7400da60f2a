"""Unit's self-play and training under the original's names, over ludus."""
