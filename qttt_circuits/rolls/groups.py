"""The groups of entangled squares of a dice game, which are rolled independently."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from operator import index

from ..board import EMPTY
from ..errors import OptionError
from ..games.dice import DiceRules
from ..maps import LocalMap
from ..numbers import Surd
from ..position import Position

ELSEWHERE = "?"
"""Stands on a square of another group, which this roll does not decide."""


@dataclass(frozen=True)
class Group:
    """Squares that are entangled and left to chance.

    Attributes:
        squares: The squares, ascending.
        base: The board with the group's squares empty, those of other groups `ELSEWHERE`.
        distribution: The probability of each board, sorted.
        maps: The maps of the moves that made it, in order.
    """

    squares: tuple[int, ...]
    base: str
    distribution: dict[str, Surd]
    maps: tuple[LocalMap, ...]

    def board(self, square: int, symbol: str) -> str:
        """Returns the board with one piece on the group's squares."""
        return laid(self.base, (square,), symbol)


def laid(board: str, squares: tuple[int, ...], symbols: str) -> str:
    """Returns a board with symbols laid on squares."""
    letters = list(board)
    for square, symbol in zip(squares, symbols, strict=True):
        letters[square - 1] = symbol
    return "".join(letters)


def groups(position: Position) -> list[Group]:
    """Returns the groups of a position that are left to chance; none in other games."""
    rules, table = position.rules, position.table
    if not isinstance(rules, DiceRules):
        return []
    components = rules.exact_state(table).components
    board: str = table.marks
    for c in components:
        certain = len(c.terms) == 1
        symbols = next(iter(c.terms)) if certain else ELSEWHERE * len(c.squares)
        board = laid(board, c.squares, symbols)
    found = []
    for c in components:
        if len(c.terms) > 1:
            base = laid(board, c.squares, EMPTY * len(c.squares))
            boards = sorted((laid(base, c.squares, terms), terms) for terms in c.terms)
            found.append(
                Group(
                    tuple(sorted(c.squares)),
                    base,
                    {b: c.probabilities[terms] for b, terms in boards},
                    tuple(m for m in table.maps if set(m.squares) <= set(c.squares)),
                )
            )
    return sorted(found, key=lambda group: group.squares)


def group_of(position: Position, found: list[Group], square: object) -> Group:
    """Returns the group that holds a square.

    Args:
        position: The position.
        found: Its groups.
        square: The square.

    Raises:
        OptionError: If there is none.
    """
    if not isinstance(position.rules, DiceRules):
        name = position.rules.name
        raise OptionError(f"a square names a group in the dice games only, not in {name}")
    if not found:
        raise OptionError("nothing on the board is left to chance: leave the square out")
    known = " and ".join(",".join(map(str, group.squares)) for group in found)
    number = -1
    if not isinstance(square, bool):
        with suppress(TypeError):
            number = index(square)  # type: ignore[arg-type]
    for group in found:
        if number in group.squares:
            return group
    raise OptionError(f"square {square!r} is in no group that is left to chance; those are {known}")
