"""All groups that dice can make on some number of free squares, numbered, in arrays.

A position between two observations is a set of groups on different squares; a square in none of
them is open. Its key has 7 bits a square, which tell the groups apart without fail: a group of one
square has a digit of its own; in a larger one a square's digit says how far it is to the group's
next square, in a circle, and has a digit of the label's number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ...board import EMPTY, O, X
from .labels import LARGEST, Labels, Made

BITS = 7
"""Bits of a square in a key."""
PLAYERS = (X, O)
DIGIT = {EMPTY: 0, X: 1, O: 2}
"""Boards of free squares are numbered in base 3, the first square last."""
Group = tuple[tuple[int, ...], int]
"""Squares, from 0 on and ascending, and a label."""


def fillings(board: str) -> list[str]:
    """Returns the boards that can be found on the empty squares of one, in order of their numbers.

    The first is the board itself.
    """
    found = [board]
    for square, letter in enumerate(board):
        if letter == EMPTY:
            found = [b[:square] + x + b[square + 1 :] for x in DIGIT for b in found]
    return found


class Groups(NamedTuple):
    """Groups, what they hold and what moves make of them; players are 0 for X and 1 for O.

    Attributes:
        mask: A group's squares.
        term_start: Where a group's terms begin; they end where the next group's begin.
        offset: By term what it adds to the number of the board.
        chance: By term its probability.
        move_start: By group, new square and player, flattened, where the moves begin that meet it.
        made: By move the groups it leaves, -1 for none; the moves on open squares are included.
        single_start: By square and player, flattened, where the moves of a single die begin.
        pair_start: By two squares and player, flattened, where superpositions begin.
    """

    mask: Any
    term_start: Any
    offset: Any
    chance: Any
    move_start: Any
    made: Any
    single_start: Any
    pair_start: Any


class Numbering:
    """The groups on some number of free squares.

    Args:
        labels: The labels of the rules.
        squares: How many free squares there are.

    Attributes:
        groups: The groups.
        number: The number of each group.
        names: The groups by number.
        kinds: The kinds of the moves, in the order of `Groups.made`.
    """

    def __init__(self, labels: Labels, squares: int) -> None:
        self.labels, self.squares = labels, squares
        self._index = _index_by_size(labels)
        self.names: list[Group] = [
            (chosen, label)
            for size in range(1, min(LARGEST, squares) + 1)
            for chosen in combinations(range(squares), size)
            for label, known in enumerate(labels.known)
            if known.size == size
        ]
        self.number = {group: i for i, group in enumerate(self.names)}
        self.kinds: list[str] = []
        self.groups = self._arrays()

    def key(self, group: Group) -> int:
        """Returns what a group adds to a position's key."""
        squares, label = group
        index, singles, base = self._index[label]
        if len(squares) == 1:
            return 1 + index << BITS * squares[0]
        key = 0
        for place, square in enumerate(squares):
            far = (squares[(place + 1) % len(squares)] - square) % 9
            index, digit = divmod(index, base)
            key |= 1 + singles + (far - 1) * base + digit << BITS * square
        return key

    def keys(self, permutation: Sequence[int]) -> Any:
        """Returns what each group adds to the key if square i is moved to ``permutation[i]``."""
        moved = self.moved(permutation)
        keys = np.array([self.key(group) for group in self.names], dtype=np.int64)
        return keys[moved]

    def moved(self, permutation: Sequence[int]) -> Any:
        """Returns the number of each group after square i is moved to ``permutation[i]``."""
        turned: dict[tuple[int, tuple[int, ...]], int] = {}
        found = []
        for squares, label in self.names:
            places = [permutation[s] for s in squares]
            order = tuple(sorted(range(len(places)), key=places.__getitem__))
            if (label, order) not in turned:
                turned[label, order] = self.labels.turned(label, order)
            found.append(self.number[tuple(sorted(places)), turned[label, order]])
        return np.array(found, dtype=np.int32)

    def _arrays(self) -> Groups:
        mask, term_start, offset, chance = [], [0], [], []
        for squares, label in self.names:
            known = self.labels.known[label]
            mask.append(sum(1 << s for s in squares))
            for (letters, _), p in zip(known.terms, known.probabilities, strict=True):
                letters_on = zip(letters, squares, strict=True)
                offset.append(sum(DIGIT[letter] * 3**s for letter, s in letters_on))
                chance.append(p)
            term_start.append(len(offset))
        made: list[tuple[int, int]] = []

        def starts(moves: Iterable[tuple[Made, Sequence[int]]]) -> list[int]:
            found = []
            for results, squares in moves:
                found.append(len(made))
                for kind, result in results:
                    self.kinds.append(kind)
                    numbers = [
                        self.number[tuple(squares[rank] for rank in ranks), label]
                        for ranks, label in result
                    ]
                    made.append((numbers[0], numbers[1] if len(numbers) > 1 else -1))
            return [*found, len(made)]

        meeting = starts(
            self._meeting(group, new, player)
            for group in self.names
            for new in range(self.squares)
            for player in PLAYERS
        )
        all_squares = range(self.squares)
        single = starts(
            (self.labels.first[p, 1], (square,)) for square in all_squares for p in PLAYERS
        )
        pair = starts(
            (self.labels.first[p, 2] if a < b else (), (a, b))
            for a in all_squares
            for b in all_squares
            for p in PLAYERS
        )
        return Groups(
            np.array(mask, dtype=np.int32),
            np.array(term_start, dtype=np.int32),
            np.array(offset, dtype=np.int32),
            np.array(chance),
            np.array(meeting, dtype=np.int32),
            np.array(made, dtype=np.int32).reshape(-1, 2),
            np.array(single, dtype=np.int32),
            np.array(pair, dtype=np.int32),
        )

    def _meeting(self, group: Group, new: int, player: str) -> tuple[Made, Sequence[int]]:
        squares, label = group
        if new in squares:
            return (), ()
        rank = sum(s < new for s in squares)
        results = self.labels.meeting.get((label, player, rank), ())
        return results, (*squares[:rank], new, *squares[rank:])


def _index_by_size(labels: Labels) -> list[tuple[int, int, int]]:
    """Returns for each label its index among those of its size, the singles, and the base."""
    count = [0] * (LARGEST + 1)
    found = []
    for label in labels.known:
        found.append(count[label.size])
        count[label.size] += 1
    base = ((1 << BITS) - 1 - count[1]) // 8
    assert all(count[size] <= base**size for size in range(2, LARGEST + 1))
    return [(index, count[1], base) for index in found]
