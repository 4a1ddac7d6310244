"""What matters of a group of entangled squares, found by playing the rules on a board of its own.

Between two observations squares that are entangled form groups of at most four, independent of each
other. All that can follow depends on a group's squares, on the probabilities of what they hold, and
on the dice that can still be met: whose they are, of which value and symbol. These are its *label*,
the squares in ascending order. Signs matter only through symbols, since branches never interfere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ...board import O, X
from ...games.dice import DiceRules
from ...moves import DiceMove

UNITS = 2.0**33
"""Probabilities are told apart in these units: multiples of powers of ½ are far from a tie."""
LARGEST = 4
"""The most squares of a group."""
Part = tuple[tuple[int, ...], int]
"""A group that a move leaves: the ranks of its squares among the squares touched, and its label."""
Made = tuple[tuple[str, tuple[Part, ...]], ...]
"""Kinds of moves and what they make of the squares touched, each different result once."""


@dataclass(frozen=True)
class Label:
    """What matters of a group but for where its squares are.

    Attributes:
        terms: What the squares hold, one letter each, and the probability in `UNITS`.
        meetable: For each square whose die can still be met its owner, value and symbol, else "".
        probabilities: The probabilities in full.
    """

    terms: tuple[tuple[str, int], ...]
    meetable: tuple[str, ...]
    probabilities: tuple[float, ...] = field(compare=False)

    @property
    def size(self) -> int:
        """How many squares the group has."""
        return len(self.meetable)


def parts(
    table: Any, distribution: Mapping[str, float], squares: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], Label]]:
    """Yields the groups into which squares fall: the ranks of their squares, and their labels.

    A square that holds the same in every branch is a group of its own.

    Args:
        table: The table.
        distribution: The probability of every board.
        squares: Squares that are not entangled with any other, in the order of ranks.
    """
    sums: dict[str, float] = {}
    for board, p in distribution.items():
        letters = "".join(board[s - 1] for s in squares)
        sums[letters] = sums.get(letters, 0.0) + p
    fixed = [len(set(held)) == 1 for held in zip(*sums, strict=True)]
    rest = tuple(rank for rank, constant in enumerate(fixed) if not constant)
    singles = [(rank,) for rank, constant in enumerate(fixed) if constant]
    for ranks in [*singles, *([rest] if rest else [])]:
        terms = sorted(("".join(held[r] for r in ranks), p) for held, p in sums.items())
        if len(ranks) == 1 and fixed[ranks[0]]:
            terms = [(terms[0][0], 1.0)]
        yield (
            ranks,
            Label(
                tuple((letters, round(p * UNITS)) for letters, p in terms),
                tuple(_meetable(table, squares[rank]) for rank in ranks),
                tuple(p for _, p in terms),
            ),
        )


def _meetable(table: Any, square: int) -> str:
    dice = table.dice[square - 1]
    return f"{dice[0].owner}{dice[0].value}{dice[0].symbol}" if len(dice) == 1 else ""


def decompose(rules: DiceRules, table: Any) -> Iterator[tuple[tuple[int, ...], Label]]:
    """Yields the groups of a table: their squares, ascending, and their labels."""
    together: list[set[int]] = []
    for local_map in table.maps:
        touched = set(local_map.squares)
        joined = [squares for squares in together if squares & touched]
        together = [squares for squares in together if not squares & touched]
        together.append(touched.union(*joined))
    distribution = rules.distribution(table)
    for found in together:
        squares = sorted(found)
        for ranks, label in parts(table, distribution, squares):
            yield tuple(squares[rank] for rank in ranks), label


class Labels:
    """All labels that can come up by some rules, numbered, and what moves make of them.

    Args:
        rules: The rules.

    Attributes:
        known: The labels.
        first: What a move on open squares alone makes: by player and number of squares.
        meeting: What meeting a group makes: by label, player, and the rank that the new square
            takes among the group's. Each move is told by its kind and the groups that it leaves.
    """

    def __init__(self, rules: DiceRules) -> None:
        self.known: list[Label] = []
        self.first: dict[tuple[str, int], Made] = {}
        self.meeting: dict[tuple[int, str, int], Made] = {}
        self._rules = rules
        self._number: dict[Label, int] = {}
        # a table for each label, and the group's squares there by rank; others are independent
        self._example: list[tuple[Any, tuple[int, ...]]] = []
        empty = rules.start()
        for player in (X, O):
            for squares in ((1,), (1, 2)):
                tables = [rules.play(empty, m) for m in self._legal(empty, squares, player)]
                made = {self._made(table, squares) for table in tables}
                self.first[player, len(squares)] = tuple(sorted(made))
        done = 0
        while done < len(self.known):  # meeting finds further labels
            self._meet(done)
            done += 1

    def number(self, label: Label) -> int:
        """Returns the number of a label.

        Raises:
            KeyError: If no game brings it up.
        """
        return self._number[label]

    def turned(self, number: int, order: Sequence[int]) -> int:
        """Returns the label of a group whose squares change their order.

        Args:
            number: The label before.
            order: For each rank afterwards the rank before.
        """
        label = self.known[number]
        terms = sorted(
            ("".join(letters[rank] for rank in order), rounded, p)
            for (letters, rounded), p in zip(label.terms, label.probabilities, strict=True)
        )
        return self._number[
            Label(
                tuple((letters, rounded) for letters, rounded, _ in terms),
                tuple(label.meetable[rank] for rank in order),
                (),
            )
        ]

    def _legal(self, table: Any, squares: tuple[int, ...], player: Any) -> Iterator[DiceMove]:
        for signs in product((1, -1), repeat=len(squares)):
            move = DiceMove(squares, signs, player)
            if self._rules.refusal(table, move) is None:
                yield move

    def _made(self, table: Any, squares: Sequence[int]) -> tuple[str, tuple[Part, ...]]:
        """Returns the kind of the last move, and the groups that it left."""
        found = []
        for ranks, label in parts(table, self._rules.distribution(table), squares):
            if label not in self._number:
                self._number[label] = len(self.known)
                self.known.append(label)
                self._example.append((table, tuple(squares[rank] for rank in ranks)))
            found.append((ranks, self._number[label]))
        return table.maps[-1].kind, tuple(found)

    def _meet(self, number: int) -> None:
        table, squares = self._example[number]
        new = next(s for s in range(1, LARGEST + 2) if not table.dice[s - 1])
        for player in (X, O):
            tables = [
                self._rules.play(table, move)
                for met in squares
                for move in self._legal(table, (met, new), player)
                if table.dice[met - 1]
            ]
            for rank in range(len(squares) + 1):
                order = (*squares[:rank], new, *squares[rank:])
                made = {self._made(after, order) for after in tables}
                if made:
                    self.meeting[number, player, rank] = tuple(sorted(made))
