"""Values of positions between two observations of one board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ...board import EMPTY, X
from ...games import rules as rules_named
from ...games.dice import DiceRules
from ..tables import SYMMETRIES
from . import kernel
from .groups import Numbering, fillings
from .jit import called
from .labels import Labels, decompose

DEEPEST = 12
MOST_MOVES = 600
MOST_BOARDS = 4096
"""Room for the moves of a position, and for the boards that groups can show together."""
MEMORY = ((1, 1009), (5, 100_003), (9, 1_000_003))
"""How many positions are remembered at most, by the number of free squares up to which."""
Lookup = Callable[[str], Sequence[float]]
"""What an observed board is worth for X: with X to move, and with O to move."""


@cache
def numbering(rules: str, squares: int) -> Numbering:
    """Returns the groups of a rule set on some number of free squares."""
    return Numbering(_labels(rules), squares)


@cache
def _labels(rules: str) -> Labels:
    found = rules_named(rules)
    assert isinstance(found, DiceRules)
    return Labels(found)


class PhaseSearch:
    """Values of all positions that can follow an observed board until the next observation.

    What was found is remembered. Two positions with the same groups have the same side to move, if
    the sides take turns: so a search serves the positions of one side to begin.

    Args:
        rules: The rule set's name.
        marks: The observed board.
        worth: What the boards that can be found are worth.
        endless: What it is to count if every piece leaves the board, so that nothing has changed;
            None for what the board is worth.
    """

    def __init__(self, rules: str, marks: str, worth: Lookup, endless: float | None = None) -> None:
        self._free = [i for i, letter in enumerate(marks) if letter == EMPTY]
        squares = len(self._free)
        self._numbering = numbering(rules, squares)
        first = worth(marks) if endless is None else (endless, endless)
        values = np.array([first, *(worth(board) for board in fillings(marks)[1:])]).T
        stabiliser = [
            [self._free.index(symmetry[square]) for square in self._free]
            for symmetry in SYMMETRIES
            if all(marks[symmetry[i]] == letter for i, letter in enumerate(marks))
        ]
        size = next(size for most, size in MEMORY if squares <= most)
        self._phase = kernel.Phase(
            squares,
            self._numbering.groups,
            np.array([self._numbering.keys(permutation) for permutation in stabiliser]),
            np.ascontiguousarray(values),
            _memory(size),
            _memory(size),
            np.zeros(4, np.int64),
        )
        self._scratch = _scratch(len(stabiliser))

    @property
    def positions(self) -> int:
        """How many positions were looked at, those with no open square left out."""
        return int(self._phase.found[:3].sum())

    def value(
        self,
        rules: DiceRules,
        table: Any,
        low: float = -kernel.INFINITY,
        high: float = kernel.INFINITY,
    ) -> float:
        """Returns what a position is worth for X.

        Args:
            rules: The rules.
            table: The table.
            low: Below this the value is an upper bound only.
            high: Above this it is a lower bound only.
        """
        groups = []
        free = (1 << len(self._free)) - 1
        for squares, label in decompose(rules, table):
            places = tuple(self._free.index(square - 1) for square in squares)
            number = self._numbering.labels.number(label)
            groups.append(self._numbering.number[places, number])
            free &= ~sum(1 << place for place in places)
        return self.value_of(groups, free, 0 if table.turn == X else 1, low, high)

    def value_of(
        self, groups: Sequence[int], free: int, player: int, low: float, high: float
    ) -> float:
        """Returns what a set of groups is worth for X.

        Args:
            groups: The numbers of the groups.
            free: The open squares as a mask.
            player: Who is to move, 0 for X.
            low: Below this the value is an upper bound only.
            high: Above this it is a lower bound only.
        """
        return called(lambda: self._value_of(groups, free, player, low, high))

    def _value_of(
        self, groups: Sequence[int], free: int, player: int, low: float, high: float
    ) -> float:
        phase, scratch, count = self._phase, self._scratch, len(groups)
        scratch.at[0, :count] = groups
        scratch.key[0] = phase.keys[:, list(groups)].sum(axis=1)
        if not free:
            number, base = kernel.spread(
                phase.groups, scratch.at[0], count, -1, scratch.offset, scratch.chance
            )
            boards = base + scratch.offset[:number]
            return float(scratch.chance[:number] @ phase.worth[player, boards])
        sign = 1 - 2 * player
        if sign < 0:
            low, high = -high, -low
        if free & free - 1:
            found = kernel.search(phase, scratch, 0, count, free, player, low, high)
        else:
            square = free.bit_length() - 1
            found = kernel.last(phase, scratch, scratch.at[0], count, square, player, high)
        return sign * float(found)


def _memory(size: int) -> kernel.Memory:
    return kernel.Memory(np.full(size, -1, np.int64), np.zeros(size), np.zeros(size))


def _scratch(symmetries: int) -> kernel.Scratch:
    return kernel.Scratch(
        at=np.zeros((DEEPEST, DEEPEST), np.int32),
        key=np.zeros((DEEPEST, symmetries), np.int64),
        slot=np.zeros((DEEPEST, MOST_MOVES), np.int32),
        made=np.zeros((DEEPEST, MOST_MOVES), np.int32),
        guess=np.zeros((DEEPEST, MOST_MOVES)),
        offset=np.zeros(MOST_BOARDS, np.int32),
        chance=np.zeros(MOST_BOARDS),
    )
