"""Game Name: two players, one board, a row of cells to claim."""
