"""Boards of numbered squares: what their painters share, and the plain one with text in squares."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from ..board import Mark, O, X
from ..games import Rules
from .picture import INK, PAPER, RULE, Line, Picture, Point, Rectangle, Text

SIDE = 120
"""The width of a square."""
EDGE: dict[Mark, str] = {X: "#1b5faa", O: "#b85600"}
FILL: dict[Mark, str] = {X: "#d3e5f8", O: "#ffe3c2"}
"""The documents' colours: X is blue, O is orange."""


def board(names: Sequence[str]) -> Picture:
    """Returns an empty board of squares with their names.

    Args:
        names: The names, row by row; a square number of them.
    """
    size = isqrt(len(names))
    whole = size * SIDE
    picture = Picture(whole, whole)
    picture.add(Rectangle(0, 0, whole, whole, PAPER))
    for i, name in enumerate(names):
        x, y = corner(i, size)
        picture.add(Text(x + 13, y + 9, name, size=11, colour=RULE))
    for i in range(size + 1):
        width = 1.5 if 0 < i < size else 0.5
        picture.add(Line((i * SIDE, 0), (i * SIDE, whole), width=width))
        picture.add(Line((0, i * SIDE), (whole, i * SIDE), width=width))
    return picture


def corner(index: int, size: int = 3) -> Point:
    """Returns the upper left corner of a square.

    Args:
        index: The place of the square in the order of the rows, the first one 0.
        size: Squares a side.
    """
    return index % size * SIDE, index // size * SIDE


def paint(rules: Rules[Any], table: Any) -> Picture:
    """Returns the board with the text that each square shows."""
    cells = rules.cells(table)
    picture, size = board(list(cells)), isqrt(len(cells))
    for i, shown in enumerate(cells.values()):
        x, y = corner(i, size)
        words = shown.split()
        rows = [" ".join(words[j : j + 2]) for j in range(0, len(words), 2)]
        for row, text in enumerate(rows):
            height = y + SIDE / 2 + 20 * (row - (len(rows) - 1) / 2)
            picture.add(Text(x + SIDE / 2, height, text, size=16, colour=INK))
    return picture


def notes(rules: Rules[Any], table: Any) -> list[str]:
    """Returns what is written below the board: nothing."""
    return []
