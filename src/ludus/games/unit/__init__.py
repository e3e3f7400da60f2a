"""Unit: stacks of pieces and energy on five square layers."""
