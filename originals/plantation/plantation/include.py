"""What agents and scripts share."""

from ludus.games.plantation.original import draw_board as display_board_text
from ludus.games.plantation.original import restricted as get_player_restricted_board

__all__ = ["display_board_text", "get_player_restricted_board"]
