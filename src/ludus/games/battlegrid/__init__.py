"""BattleGrid: two tanks duel on a shrinking board."""
