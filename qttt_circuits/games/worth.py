"""What boards of X and O are worth: a guess, for players that look ahead.

Classical boards are packed in one integer, X's squares in the lower half of the bits and O's in the
upper one, so that groups of entangled squares are put together by adding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import prod

from ..board import EMPTY, O, X, lines

HALF = 128
"""The bit of O's first square."""
NEAR, FAR = (0.6, 0.3), (0.1, 0.05)
"""What a line without opponent's marks is worth in which one square is missing, or two: to the side
to move and to the other."""


def pack(symbols: str, squares: Iterable[int] | None = None) -> int:
    """Returns symbols as an integer.

    Args:
        symbols: The symbols.
        squares: Their squares; by default from 1 on.
    """
    return sum(
        1 << square - 1 + HALF * (symbol != X)
        for square, symbol in zip(squares or range(1, len(symbols) + 1), symbols, strict=True)
        if symbol != EMPTY
    )


def _count(board: int, size: int, length: int, turn: int) -> tuple[int, int, float]:
    """Returns the lines of X, those of O, and what X's others are worth above O's.

    Args:
        board: The packed board.
        size: Squares a side.
        length: Squares a line.
        turn: 1 if X is to move, -1 if O is.
    """
    full, lead = [0, 0], 0.0
    for line in lines(size, length):
        mask = sum(1 << square - 1 for square in line)
        held = ((board & mask).bit_count(), (board >> HALF & mask).bit_count())
        if held[0] and held[1]:
            continue
        for i, sign in enumerate((1, -1)):
            full[i] += held[i] == len(line)
            waiting = sign != turn
            if 0 < held[i] < len(line):
                lead += sign * (FAR if held[i] < len(line) - 1 else NEAR)[waiting]
    return full[0], full[1], lead


def _filled(board: int, size: int) -> bool:
    return board.bit_count() == size**2


@cache
def lines_worth(board: int, size: int, length: int, turn: int) -> float:
    """Returns what a packed board is worth for X where a line ends the game; from -1 to 1."""
    x, o, lead = _count(board, size, length, turn)
    if x or o:
        return float((x > 0) - (o > 0))
    return 0.0 if _filled(board, size) else max(-1.0, min(1.0, lead))


@cache
def points_worth(board: int, size: int, length: int, turn: int) -> float:
    """Returns what a packed board is worth for X where every line counts a point."""
    x, o, lead = _count(board, size, length, turn)
    return float(x - o) if _filled(board, size) else x - o + lead


def line_chances(held: Sequence[Mapping[str, float]], size: int, length: int) -> float:
    """Returns a guess of X's score minus O's, from single squares.

    The chance that a side fills a line is taken for the product of its chances on the squares, as
    if these were independent; a tenth of a line is given for each line that is two thirds full.

    Args:
        held: For each square the probability that it holds each mark.
        size: Squares a side.
        length: Squares a line.
    """
    total = [0.0, 0.0]
    for line in lines(size, length):
        for i, (side, other) in enumerate(((X, O), (O, X))):
            chances = sorted(held[square - 1].get(side, 0.0) for square in line)
            blocked = max(held[square - 1].get(other, 0.0) for square in line)
            full = prod(chances)
            total[i] += full + (1 - blocked) * (prod(chances[1:]) - full) / 10
    lead = min(total[0], 1.0) - min(total[1], 1.0)
    return max(-1.0, min(1.0, lead))
