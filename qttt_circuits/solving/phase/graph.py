"""All positions of a phase at once, with their values on many observed boards.

Which positions can follow an observed board depends only on how many squares are free; the marks on
the others decide what the boards are worth that are found in the end. So the positions are listed
once, and their values are columns, one an observed board, with X to begin.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base import NEAR
from ..tables import Values
from .groups import Numbering, fillings

Node = tuple[tuple[int, ...], int]
"""The numbers of the groups, ascending, and the player to move, 0 for X."""


class Moves(NamedTuple):
    """The moves of the positions with some number of open squares, sorted by position and kind.

    Attributes:
        positions: The positions.
        children: The positions that the moves lead to.
        kinds: By position and kind of move that is legal there, the kind.
        kind_start: Where the moves of each of these begin.
        start: By position where its kinds begin.
    """

    positions: Any
    children: Any
    kinds: Any
    kind_start: Any
    start: Any


class Graph:
    """The positions of a phase that X begins.

    Args:
        numbering: The groups on the free squares.

    Attributes:
        names: The kinds of moves.
        positions: The positions; the first has nothing but open squares.
        moves: How many moves were made up to each.
        open: How many squares are open in each.
        levels: The moves, by number of open squares, from one on.
    """

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._groups = numbering.groups
        self.names = sorted(set(numbering.kinds))
        number = {name: i for i, name in enumerate(self.names)}
        self._kind = [number[kind] for kind in numbering.kinds]
        self.positions: list[Node] = [((), 0)]
        self.moves, self.open = [0], [numbering.squares]
        found: dict[Node, int] = {self.positions[0]: 0}
        listed = [array("q") for _ in range(numbering.squares + 1)]
        done = 0
        while done < len(self.positions):
            for kind, position, left in self._children(self.positions[done]):
                if position not in found:
                    found[position] = len(self.positions)
                    self.positions.append(position)
                    self.moves.append(self.moves[done] + 1)
                    self.open.append(left)
                listed[self.open[done]].extend((done, kind, found[position]))
            done += 1
        self.levels = [_moves(level) for level in listed[1:]]
        self._leaves = np.array([i for i, left in enumerate(self.open) if not left])
        self._leaf_start, self._number, self._chance = self._boards()

    def _children(self, position: Node) -> Iterator[tuple[int, Node, int]]:
        """Yields kinds of moves, the positions after them, and how many squares are open there."""
        groups, (held, player), squares = self._groups, position, self._numbering.squares
        taken = sum(int(groups.mask[group]) for group in held)
        free = [s for s in range(squares) if not taken >> s & 1]
        moves: list[tuple[int, range]] = []
        for s in free:
            i = s * 2 + player
            moves.append((-1, range(groups.single_start[i], groups.single_start[i + 1])))
            for other in free:
                i = (s * squares + other) * 2 + player
                moves.append((-1, range(groups.pair_start[i], groups.pair_start[i + 1])))
            for group in held:
                i = (group * squares + s) * 2 + player
                moves.append((group, range(groups.move_start[i], groups.move_start[i + 1])))
        for met, several in moves:
            rest = [group for group in held if group != met]
            for move in several:
                made = [int(group) for group in groups.made[move] if group >= 0]
                gone = taken | sum(int(groups.mask[group]) for group in made)
                left = squares - gone.bit_count()
                yield self._kind[move], (tuple(sorted(rest + made)), 1 - player), left

    def worth(self, boards: Sequence[str], known: Values) -> Any:
        """Returns what every position is worth for X: a row a position, a column a board.

        Args:
            boards: Observed boards with as many empty squares as there are free ones.
            known: The values of boards.
        """
        values = np.empty((len(self.positions), len(boards)))
        for column, board in enumerate(boards):
            means = self._chance * _tensor(board, known)[self._number]
            values[self._leaves, column] = np.add.reduceat(means, self._leaf_start)
        for level in self.levels:
            values[level.positions] = self._best(level, values[level.children])[0]
        return values

    def by_kind(self, level: Moves, values: Any) -> tuple[Any, Any]:
        """Returns the best value of each kind of move in each position of a level.

        Args:
            level: One of `levels`.
            values: What `worth` returned.

        Returns:
            The values for the player to move, a row a position and kind; and the position of each.
        """
        best = self._best(level, values[level.children])[1]
        counts = np.diff(np.append(level.start, len(level.kinds)))
        return best, np.repeat(level.positions, counts)

    def best_play(self, values: Any) -> Any:
        """Returns whether best play of both sides can lead to a position, for all that have values.

        Args:
            values: What `worth` returned.
        """
        reached = np.zeros(values.shape, bool)
        reached[0] = True
        for level in reversed(self.levels):
            counts = np.diff(np.append(level.kind_start[level.start], len(level.children)))
            parents = np.repeat(level.positions, counts)
            loss = np.abs(values[level.children] - values[parents])
            moves, columns = np.nonzero(reached[parents] & (loss < NEAR))
            reached[level.children[moves], columns] = True
        return reached

    def _best(self, level: Moves, values: Any) -> tuple[Any, Any]:
        """Returns the best values by position, for X, and by position and kind, for the mover."""
        sign = np.array([1 - 2 * self.positions[i][1] for i in level.positions])[:, None]
        counts = np.diff(np.append(level.start, len(level.kinds)))
        kind_counts = np.diff(np.append(level.kind_start, len(level.children)))
        signs = np.repeat(np.repeat(sign, counts, axis=0), kind_counts, axis=0)
        by_kind = np.maximum.reduceat(signs * values, level.kind_start)
        return sign * np.maximum.reduceat(by_kind, level.start), by_kind

    def _boards(self) -> tuple[Any, Any, Any]:
        """Returns the boards that an observation can show, for all positions with no open square.

        Returns:
            Where those of each position begin, their numbers, those with O to move after those with
            X to move, and their probabilities.
        """
        groups, starts = self._groups, [0]
        all_numbers, all_chances = [], []
        for leaf in self._leaves:
            held, player = self.positions[leaf]
            numbers, chances = np.array([player * 3**self._numbering.squares]), np.ones(1)
            for group in held:
                terms = slice(groups.term_start[group], groups.term_start[group + 1])
                numbers = np.add.outer(numbers, groups.offset[terms]).ravel()
                chances = np.multiply.outer(chances, groups.chance[terms]).ravel()
            all_numbers.append(numbers)
            all_chances.append(chances)
            starts.append(starts[-1] + len(numbers))
        return np.array(starts[:-1]), np.concatenate(all_numbers), np.concatenate(all_chances)


def _moves(rows: array[int]) -> Moves:
    """Returns moves given as position, kind and child, one after another."""
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    pairs, kind_start = np.unique(table[:, :2], axis=0, return_index=True)
    positions, start = np.unique(pairs[:, 0], return_index=True)
    return Moves(positions, table[:, 2], pairs[:, 1], kind_start, start)


def _tensor(board: str, known: Values) -> Any:
    """Returns what boards are worth for X by number of the free squares, with X to move, then O."""
    return np.array([known.worth[b] for b in fillings(board)]).T.ravel()
