"""The legal moves of the dice games, made from two sets of squares rather than by trying all.

Sets of squares are integers: bit s - 1 stands for square s.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from ..moves import DiceMove

REMEMBERED = 2048
"""How many pairs of sets the moves are kept of; a board of 36 squares can have 2,000 moves."""


class Ways(NamedTuple):
    """How the dice of a move may lie: tuples of signs, 1 upright and -1 upside-down.

    Attributes:
        single: A single die.
        double: Two dice on open-empty squares.
        meeting: Two dice of which one meets a die.
    """

    single: tuple[tuple[int, ...], ...]
    double: tuple[tuple[int, ...], ...]
    meeting: tuple[tuple[int, ...], ...]


def members(squares: int) -> list[int]:
    """Returns the squares of a set, ascending."""
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length())
        squares ^= lowest
    return found


@lru_cache(maxsize=REMEMBERED)
def placements(open_empty: int, meetable: int, ways: Ways) -> tuple[DiceMove, ...]:
    """Returns the legal moves: single dice, then pairs, squares ascending, upright dice first.

    A pair has at least one open-empty square; on the other one it may meet a die.

    Args:
        open_empty: The open-empty squares.
        meetable: The squares with a die that the side to move can meet.
        ways: How dice may lie.
    """
    single, double, meeting = ways
    found: list[DiceMove] = []
    for square in members(open_empty):
        found += _placed((square,), single)
    candidates = members(open_empty | meetable)
    for i, first in enumerate(candidates, 1):
        meets = meetable >> first - 1 & 1
        for second in candidates[i:]:
            if not meetable >> second - 1 & 1:
                found += _placed((first, second), meeting if meets else double)
            elif not meets:
                found += _placed((first, second), meeting)
    return tuple(found)


@cache
def _placed(squares: tuple[int, ...], ways: tuple[tuple[int, ...], ...]) -> tuple[DiceMove, ...]:
    """Returns the moves on some squares; one object serves all tables."""
    return tuple(DiceMove(squares, signs) for signs in ways)
