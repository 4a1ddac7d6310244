"""Dice on a board: what lies on the table between two moves of a dice game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ..board import EMPTY, Board, Mark, X, opponent
from ..maps import LocalMap
from ..state import FLOATS, State

FULL = 4
HALF = 2
UP, DOWN = "△", "▽"
_NO_DICE: State[float] = State.of((), FLOATS)


@dataclass(frozen=True)
class Die:
    """A die on a square; its amplitude is √(value/4).

    Attributes:
        owner: Whose colour it has.
        sign: 1 upright (△), -1 upside-down (▽).
        value: 4, 2 or 1.
    """

    owner: Mark
    sign: int
    value: int

    @property
    def symbol(self) -> Mark:
        """The mark it stands for: the owner's if upright, else the opponent's."""
        return self.owner if self.sign > 0 else opponent(self.owner)

    @property
    def halved(self) -> Die:
        """The die with half its value, as it is once it has been met."""
        return die(self.owner, self.sign, self.value // 2)

    def __str__(self) -> str:
        return f"{self.owner}{self.value}{UP if self.sign > 0 else DOWN}"


@cache
def die(owner: Mark, sign: int, value: int) -> Die:
    """Returns a die; one object serves all tables."""
    return Die(owner, sign, value)


@dataclass(frozen=True)
class Table:
    """What lies on the board between two moves.

    Attributes:
        marks: The observed marks.
        dice: The dice of each square, in order of placing; at most two.
        turn: The side to move, or to move after the observation that is due.
        open: The open-empty squares, those with neither a die nor an observed mark: bit s - 1 of
            the integer stands for square s.
        singles: The squares with one die, X's and O's, as such integers.
        maps: The maps applied since the last observation.
        state: The quantum state they make, in floating point.
        observed: Whether the board has been observed since the last move.
    """

    marks: Board
    dice: tuple[tuple[Die, ...], ...]
    turn: Mark
    open: int
    singles: tuple[int, int] = (0, 0)
    maps: tuple[LocalMap, ...] = ()
    state: State[float] = _NO_DICE
    observed: bool = False

    @classmethod
    def without_dice(cls, marks: Board, turn: Mark, *, observed: bool) -> Table:
        """Returns a table on which no die lies."""
        empty = sum(1 << square - 1 for square in marks.squares(EMPTY))
        return cls(marks, ((),) * len(marks), turn, empty, observed=observed)

    def put(self, squares: tuple[int, ...], new: Sequence[Die], local_map: LocalMap) -> Table:
        """Returns the table after a move.

        Half of a met die stays, half moves to the open-empty square.

        Args:
            squares: The squares of the new dice.
            new: The new dice.
            local_map: What the move does.
        """
        player = new[0].owner
        dice, touched = list(self.dice), 0
        met = next((dice[square - 1][0] for square in squares if dice[square - 1]), None)
        old = () if met is None else (met.halved,)
        for square, placed in zip(squares, new, strict=True):
            dice[square - 1] = (*old, placed)
            touched |= 1 << square - 1
        of_x, of_o = self.singles
        if met is not None:
            of_x, of_o = of_x & ~touched, of_o & ~touched
        elif player == X:
            of_x |= touched
        else:
            of_o |= touched
        return Table(
            self.marks,
            tuple(dice),
            opponent(player),
            self.open & ~touched,
            (of_x, of_o),
            (*self.maps, local_map),
            self.state.apply(local_map),
        )

    @property
    def meetable(self) -> int:
        """The squares with a die that the side to move can meet, as an integer like `open`."""
        of_x, of_o = self.singles
        return of_o if self.turn == X else of_x

    def open_empty(self, square: int) -> bool:
        """Whether a square has neither a die nor an observed mark."""
        return bool(self.open >> square - 1 & 1)

    @property
    def pieces(self) -> int:
        """How many pieces the dice stand for: the same number in every branch."""
        return sum(local_map.pieces for local_map in self.maps)
