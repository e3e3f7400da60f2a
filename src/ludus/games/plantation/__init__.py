"""Plantation: two growers on one hidden field."""
