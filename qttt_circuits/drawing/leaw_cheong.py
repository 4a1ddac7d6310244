"""Leaw and Cheong's game drawn: discs whose areas are how much each player occupies a square.

The disc of X is solid and left, that of O is pale and right; the numbers stand below. As all moves
are orthogonal, the two discs of a square together are never wider than three that stand for 1: they
fit side by side, whatever is played.
"""

from __future__ import annotations

from math import sqrt

from ..board import O, X
from ..games.leaw_cheong import LeawCheong, Table, heaviest
from .picture import Circle, Picture, Text
from .squares import EDGE, FILL, SIDE, board, corner

RADIUS = 18
"""The radius of a disc that stands for 1."""
LEAST = 0.005
"""What is less is not shown, as it would be written 0.00."""
GAP = 5
COLUMN = 31
"""How far from the edges of the square the middles of its two columns are."""


def paint(rules: LeawCheong, table: Table) -> Picture:
    """Returns the board of a table."""
    held = {mark: table.occupations(mark) for mark in (X, O)}
    picture = board([str(square) for square in range(1, len(held[X]) + 1)])
    for i in range(len(held[X])):
        _square(picture, i, held[X][i], held[O][i])
    return picture


def notes(rules: LeawCheong, table: Table) -> list[str]:
    """Returns what the discs mean, and each player's heaviest line."""
    lines = ["area of a disc: how much the player occupies the square (X solid, O pale)"]
    for mark in X, O:
        weight, line = heaviest(table.occupations(mark))
        if weight >= LEAST:
            squares = " ".join(map(str, line))
            lines.append(f"heaviest line of {mark}: {squares}, weighs {weight:.2f} of 3")
    return lines if table.played else []


def _square(picture: Picture, index: int, x_held: float, o_held: float) -> None:
    left, top = corner(index)
    r_x, r_o = (RADIUS * sqrt(held) if held >= LEAST else 0 for held in (x_held, o_held))
    # in their columns, or at the edges of the square where they would touch
    columns = max(r_x, r_o) <= COLUMN - GAP
    x_middle = left + (COLUMN if columns else GAP + r_x)
    o_middle = left + SIDE - (COLUMN if columns else GAP + r_o)
    if r_x:
        picture.add(Circle(x_middle, top + SIDE * 0.49, r_x, EDGE[X], EDGE[X], width=2))
        picture.add(Text(left + COLUMN, top + SIDE - 14, f"X {x_held:.2f}", size=13))
    if r_o:
        picture.add(Circle(o_middle, top + SIDE * 0.49, r_o, FILL[O], EDGE[O], width=2))
        picture.add(Text(left + SIDE - COLUMN, top + SIDE - 14, f"O {o_held:.2f}", size=13))
