"""Solving the dice games between two observations: the groups of dice, and a search over them."""
