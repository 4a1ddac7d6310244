"""The dark squares of a checkerboard, and the moves on it.

Squares are named by column and row, ``a1`` at the bottom left being dark; rows are counted upwards.
"""

from __future__ import annotations

from functools import cache
from string import ascii_lowercase

LARGEST = len(ascii_lowercase)


class Checkerboard:
    """A checkerboard; use `checkerboard`, which makes one of each size.

    Args:
        size: Squares a side.

    Attributes:
        size: Squares a side.
        row: The row of each dark square, counted from 1.
        up: The dark squares diagonally above each.
        around: The dark squares diagonally next to each.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.row: dict[str, int] = {}
        self.up: dict[str, tuple[str, ...]] = {}
        self.around: dict[str, tuple[str, ...]] = {}
        places = [(c, r) for r in range(size) for c in range(size) if (c + r) % 2 == 0]
        names = {(c, r): f"{ascii_lowercase[c]}{r + 1}" for c, r in places}
        for (c, r), name in names.items():
            above = [names[p] for p in ((c - 1, r + 1), (c + 1, r + 1)) if p in names]
            below = [names[p] for p in ((c - 1, r - 1), (c + 1, r - 1)) if p in names]
            self.row[name], self.up[name] = r + 1, tuple(sorted(above))
            self.around[name] = tuple(sorted(above + below))

    def on_row(self, row: int) -> tuple[str, ...]:
        """Returns the dark squares of a row from the left."""
        return tuple(square for square, r in self.row.items() if r == row)

    def middle(self, row: int) -> str:
        """Returns the dark square of a row that is nearest the middle, the left one of two."""
        squares = self.on_row(row)
        columns = {square: ascii_lowercase.index(square[0]) for square in squares}
        return min(squares, key=lambda s: (abs(2 * columns[s] - self.size + 1), columns[s]))


@cache
def checkerboard(size: int) -> Checkerboard:
    """Returns the checkerboard of a size."""
    return Checkerboard(size)
