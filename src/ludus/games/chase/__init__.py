"""Chase: one runner, two chasers, a walled grid."""
