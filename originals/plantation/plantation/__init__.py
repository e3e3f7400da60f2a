"""Plantation under the original's module names: thin files that call ludus, for programs that import them."""
