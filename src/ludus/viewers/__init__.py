"""Pictures of scenes: these modules know no game."""
