"""Sparse exact states of the dice games.

A state is a product of components: groups of squares that are entangled with each other at most. No
group ever spans more than four squares, so the cost of a move does not grow with the board. What
does grow, with the number of groups, is the number of boards that an observation could show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Generic, Protocol

from .board import EMPTY, SYMBOLS, Board, board_of, code_of
from .components import FLOATS, SURDS, Component, Field, N, Shape, joined
from .errors import TooManyBoardsError
from .maps import LocalMap

__all__ = ["FLOATS", "MOST_BOARDS", "SURDS", "Component", "State", "Uniform"]

MOST_BOARDS = 100_000
"""The most boards that are written down in one table."""


class Uniform(Protocol):
    """A source of randomness: `random.Random` and `numpy.random.Generator` are such."""

    def random(self) -> float:
        """Returns a uniform number in [0, 1)."""
        ...


@dataclass(frozen=True)
class State(Generic[N]):
    """What the dice on the board mean together, since the last observation.

    Attributes:
        field: The numbers it is computed in.
        components: The components; a square in none of them is empty in every branch.
        scale: The product of σ²max over the maps applied.
    """

    field: Field[N]
    components: tuple[Component[N], ...]
    scale: N

    @classmethod
    def of(cls, maps: Iterable[LocalMap], field: Field[N]) -> State[N]:
        """Returns the state that maps make of the empty board.

        Args:
            maps: The maps, in order.
            field: The numbers to compute in.
        """
        state = cls(field, (), field.one)
        for local_map in maps:
            state = state.apply(local_map)
        return state

    def apply(self, local_map: LocalMap) -> State[N]:
        """Returns the state after a map, joining the components that it touches.

        Raises:
            ValueError: If a branch has a configuration for which the map says nothing.
        """
        touched: list[Component[N]] = []
        untouched: list[Component[N]] = []
        for component in self.components:
            meets = any(square in component.squares for square in local_map.squares)
            (touched if meets else untouched).append(component)
        whole = joined(touched, self.field)
        fresh = tuple(s for s in local_map.squares if s not in whole.squares)
        squares = whole.squares + fresh
        places = tuple(map(squares.index, local_map.squares))
        effect = local_map.effect
        untouched.append(Component(squares, whole.shape.after(effect, places, len(fresh))))
        return State(self.field, tuple(untouched), self.scale * self.field.scale(effect))

    @property
    def norm(self) -> N:
        """The squared norm of the state as the documents' sums leave it, not renormalised."""
        norm = self.field.one
        for component in self.components:
            norm = norm * component.norm
        return norm

    @property
    def success(self) -> N:
        """The probability that every post-selection since the last observation succeeds."""
        return self.norm / self.scale

    @property
    def boards(self) -> int:
        """How many boards an observation could show."""
        return prod(len(component.terms) for component in self.components)

    def terms(self, marks: str) -> Iterator[tuple[Board, N]]:
        """Yields every board with its amplitude, not normalised, sorted by board.

        Args:
            marks: The observed board that the components are laid over.

        Raises:
            TooManyBoardsError: If there are more than `MOST_BOARDS`.
        """
        yield from self._laid(marks, [component.terms for component in self.components])

    def distribution(self, marks: str) -> dict[str, N]:
        """Returns the probability of every board that an observation could show, sorted by board.

        Args:
            marks: The observed board that the components are laid over.

        Raises:
            TooManyBoardsError: If there are more than `MOST_BOARDS`.
        """
        return dict(self._laid(marks, [c.probabilities for c in self.components]))

    def _laid(self, marks: str, tables: Iterable[Mapping[str, N]]) -> Iterator[tuple[Board, N]]:
        """Yields every board with the product of what a table says of each component."""
        if self.boards > MOST_BOARDS:
            raise TooManyBoardsError(self.boards, MOST_BOARDS)
        size = len(marks)
        found = [(code_of(marks), self.field.one)]
        for component, table in zip(self.components, tables, strict=True):
            codes = list(zip(component.codes(size), table.values(), strict=True))
            found = [(code + more, n * m) for code, n in found for more, m in codes]
        found.sort()  # codes differ, so numbers are never compared
        for code, number in found:
            yield board_of(code, size), number

    def probability(self, board: str, marks: str) -> N:
        """Returns the probability of observing a board.

        Args:
            board: The board.
            marks: The observed board that the components are laid over.
        """
        letters = list(marks)
        probability = self.field.one
        for component in self.components:
            configuration = "".join(board[s - 1] for s in component.squares)
            if configuration not in component.terms:
                return self.field.one * 0
            probability = probability * component.probabilities[configuration]
            for square in component.squares:
                letters[square - 1] = board[square - 1]
        return probability if "".join(letters) == board else self.field.one * 0

    def marginals(self) -> dict[int, dict[str, N]]:
        """Returns the probability of each symbol on each square that a component holds."""
        table: dict[int, dict[str, N]] = {}
        for component in self.components:
            for square in component.squares:
                table[square] = dict.fromkeys(SYMBOLS, self.field.one * 0)
            for configuration, p in component.probabilities.items():
                for square, symbol in zip(component.squares, configuration, strict=True):
                    table[square][symbol] = table[square][symbol] + p
        return table

    def given(self, square: int, symbols: str) -> State[N]:
        """Returns the state conditioned on a square holding one of some symbols.

        Args:
            square: The square that is looked at.
            symbols: The symbols it may hold.

        Raises:
            ValueError: If that has probability zero.
        """
        components = []
        held = EMPTY in symbols
        for component in self.components:
            if square in component.squares:
                place = component.squares.index(square)
                kept = {c: a for c, a in component.terms.items() if c[place] in symbols}
                held = bool(kept)
                component = Component(component.squares, Shape.of(kept, self.field))
            components.append(component)
        if not held:
            raise ValueError(f"square {square} never holds any of {symbols!r}")
        return State(self.field, tuple(components), self.scale)

    def sample(self, marks: str, rng: Uniform) -> Board:
        """Returns one board drawn from the state, component by component.

        Args:
            marks: The observed board that the components are laid over.
            rng: Where randomness comes from; one number is drawn a component.
        """
        letters = list(marks)
        for component in self.components:
            drawn = component.shape.draw(rng.random())
            for square, symbol in zip(component.squares, drawn, strict=True):
                letters[square - 1] = symbol
        return Board("".join(letters))
