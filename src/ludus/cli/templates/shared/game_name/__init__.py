"""Game Name, a game for Ludus."""
