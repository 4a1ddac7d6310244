"""When is a kind of move better than others? Counted over all positions of a phase."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ...board import EMPTY, O, X
from ...games import rules as rules_named
from ...games.dice import DiceRules
from ...moves import Observation
from ...randomness import Seed, as_generator
from ..base import NEAR
from ..tables import SYMMETRIES, result, values
from .graph import Graph, Moves
from .search import PhaseSearch, numbering

CHUNK = 2_000_000
"""How many values of moves are worked on at once."""


class Example(NamedTuple):
    """A position in which a kind of move is better than others.

    Attributes:
        board: The observed board, on which X begins.
        position: The position's number in the graph.
        open: How many squares are open.
        moves: How many moves were made since the observation.
        advantage: By how much the kind is better.
    """

    board: str
    position: int
    open: int
    moves: int
    advantage: float

    @property
    def size(self) -> tuple[int, int, int, float]:
        """What examples are sorted by: the smallest first, of several that with most at stake."""
        return self.open, self.moves, self.board.count(EMPTY), -round(self.advantage / NEAR)


@dataclass
class Count:
    """Positions in which a kind of move is legal, all boards taken together.

    Attributes:
        legal: How many there are.
        better: In how many it is strictly better than every move of the rival kinds.
        best: In how many no move is better.
        alone: In how many it is strictly better than every move of another kind.
        reached: To how many best play of both sides leads from the observed board.
        needed: In how many of these it is strictly better than every move of another kind.
    """

    legal: int = 0
    better: int = 0
    best: int = 0
    alone: int = 0
    reached: int = 0
    needed: int = 0


@dataclass
class Comparison:
    """A kind of move against others, on all boards with some number of empty squares.

    Attributes:
        boards: How many boards were looked at.
        positions: How many positions there are on each.
        counts: By number of open squares.
        better: The smallest position in which it is strictly better than its rivals, if any.
        alone: The smallest one in which it is strictly better than every other kind, if any.
        needed: The smallest of these to which best play leads from the observed board, if any.
    """

    boards: int
    positions: int
    counts: dict[int, Count]
    better: Example | None = None
    alone: Example | None = None
    needed: Example | None = None

    @property
    def total(self) -> Count:
        """All positions taken together."""
        found = self.counts.values()
        return Count(*(sum(numbers) for numbers in zip(*map(astuple, found), strict=True)))


def undecided(empty: int) -> Iterator[str]:
    """Yields one board of each set that turns and reflections make, if the game goes on there."""
    for letters in product("EOX", repeat=9):
        if letters.count(EMPTY) == empty:
            board = "".join(letters)
            turned = ("".join(board[i] for i in symmetry) for symmetry in SYMMETRIES)
            if result(board) is None and board == min(turned):
                yield board


def compare(
    rules: str,
    kind: str,
    rivals: Collection[str],
    empty: int,
    boards: Sequence[str] | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Comparison:
    """Compares a kind of move with others in all positions that can follow observed boards.

    X begins on every board: exchanging X and O gives the others.

    Args:
        rules: The rule set's name.
        kind: The kind of move.
        rivals: The kinds that it is compared with.
        empty: How many squares are empty on the observed board.
        boards: The boards; by default `undecided` ones.
        progress: Is told how many boards are done, and of how many.
    """
    graph = Graph(numbering(rules, empty))
    chosen = list(undecided(empty)) if boards is None else list(boards)
    found = Comparison(len(chosen), len(graph.positions), {})
    largest = max(len(level.children) for level in graph.levels)
    step = max(1, CHUNK // largest)
    for start in range(0, len(chosen), step):
        part = chosen[start : start + step]
        worth = graph.worth(part, values(rules))
        reached = graph.best_play(worth)
        for number, level in enumerate(graph.levels, 1):
            _count(found, graph, level, number, worth, reached, part, kind, rivals)
        progress(min(start + step, len(chosen)), len(chosen))
    return found


def sample(
    rules: str, kind: str, rivals: Collection[str], empty: int, number: int, seed: Seed
) -> Count:
    """Compares a kind of move with others in random positions.

    A board is drawn from all on which the game goes on, then a number of moves, then the moves,
    each of all legal ones; positions in which the kind of move is not legal are drawn anew.

    Args:
        rules: The rule set's name.
        kind: The kind of move.
        rivals: The kinds that it is compared with.
        empty: How many squares are empty on the observed board.
        number: How many positions to draw.
        seed: A seed or generator.
    """
    rng, played, found = as_generator(seed), rules_named(rules), Count()
    assert isinstance(played, DiceRules)
    known = values(rules).worth.__getitem__
    searched = ""
    while found.legal < number:
        letters = [EMPTY] * empty + [rng.choice((X, O)) for _ in range(9 - empty)]
        rng.shuffle(letters)
        board = "".join(letters)
        if result(board) is not None:
            continue
        table = played.play(played.start(), Observation(board))
        for _ in range(rng.randrange(1, empty)):
            moves = list(played.legal_moves(table))
            table = played.play(table, rng.choice(moves)) if moves else table
        afters = [played.play(table, move) for move in played.legal_moves(table)]
        kinds = [after.maps[-1].kind for after in afters]
        if kind not in kinds:
            continue
        if searched != board:
            search, searched = PhaseSearch(rules, board, known), board
        sign = played.sign(table)
        worth = [sign * search.value(played, after) for after in afters]
        mine = max(w for w, k in zip(worth, kinds, strict=True) if k == kind)
        rival = max(w for w, k in zip(worth, kinds, strict=True) if k in rivals)
        other = max(w for w, k in zip(worth, kinds, strict=True) if k != kind)
        found.legal += 1
        found.better += mine > rival + NEAR
        found.best += mine >= other - NEAR
        found.alone += mine > other + NEAR
    return found


def _count(
    found: Comparison,
    graph: Graph,
    level: Moves,
    number: int,
    worth: Any,
    reached: Any,
    boards: Sequence[str],
    kind: str,
    rivals: Collection[str],
) -> None:
    """Counts the positions of a level on some boards."""
    best, position = graph.by_kind(level, worth)
    names = np.array(graph.names)[level.kinds]
    own = names == kind
    where = position[own]
    if not len(where):
        return
    row = np.searchsorted(level.positions, position)
    best_rival = np.full((len(level.positions), len(boards)), -np.inf)
    best_other = best_rival.copy()
    for mask, into in ((np.isin(names, list(rivals)), best_rival), (~own, best_other)):
        np.maximum.at(into, row[mask], best[mask])
    mine, rows = best[own], row[own]
    better, alone = mine - best_rival[rows], mine - best_other[rows]
    count = found.counts.setdefault(number, Count())
    count.legal += mine.size
    count.better += int((better > NEAR).sum())
    count.best += int((alone >= -NEAR).sum())
    count.alone += int((alone > NEAR).sum())
    count.reached += int(reached[where].sum())
    needed = np.where(reached[where], alone, 0.0)
    count.needed += int((needed > NEAR).sum())
    moves = np.array(graph.moves)[where]
    found.better = _smallest(found.better, better, where, moves, number, boards)
    found.alone = _smallest(found.alone, alone, where, moves, number, boards)
    found.needed = _smallest(found.needed, needed, where, moves, number, boards)


def _smallest(
    known: Example | None,
    advantage: Any,
    where: Any,
    moves: Any,
    number: int,
    boards: Sequence[str],
) -> Example | None:
    """Returns the smaller of an example and the smallest one here."""
    rows, columns = np.nonzero(advantage > NEAR)
    if not len(rows):
        return known
    few = moves[rows] == moves[rows].min()
    rows, columns = rows[few], columns[few]
    i = int(np.argmax(advantage[rows, columns]))
    row, column = rows[i], columns[i]
    new = Example(
        boards[column],
        int(where[row]),
        number,
        int(moves[row]),
        float(advantage[row, column]),
    )
    return new if known is None or new.size < known.size else known
