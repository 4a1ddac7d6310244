"""Sparse exact states of the dice games.

A state is a product of components: groups of squares that are entangled with each other at most,
each a table from the configuration of its squares (one letter a square) to an amplitude. No group
ever spans more than four squares, so the cost of a move does not grow with the board.

Amplitudes are not normalised; the norm is kept beside them, since its square root is in general no
number a + b√2. The same code runs on floats and on `Surd` numbers, so the two cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, product
from operator import attrgetter
from typing import Generic, Protocol, TypeVar

from .board import EMPTY, SYMBOLS, Board
from .maps import LocalMap
from .numbers import ONE, Surd

N = TypeVar("N", float, Surd)


@dataclass(frozen=True)
class Field(Generic[N]):
    """The numbers that a state is computed in: `FLOATS` or `SURDS`.

    Attributes:
        name: Its name, by which two are told apart.
        one: The number 1.
        columns: The columns of a map in these numbers.
        number: An exact number as one of these.
    """

    name: str
    one: N = field(compare=False)
    columns: Callable[[LocalMap], Mapping[str, Mapping[str, N]]] = field(compare=False)
    number: Callable[[Surd], N] = field(compare=False)


# attrgetter and a type rather than lambdas, so that states can be sent to other processes
FLOATS: Field[float] = Field("floats", 1.0, attrgetter("floats"), float)
SURDS: Field[Surd] = Field("surds", ONE, attrgetter("columns"), Surd.of)


class Uniform(Protocol):
    """A source of randomness: `random.Random` and `numpy.random.Generator` are such."""

    def random(self) -> float:
        """Returns a uniform number in [0, 1)."""
        ...


@dataclass(frozen=True)
class Component(Generic[N]):
    """Squares that may be entangled with each other, and their joint amplitudes.

    Attributes:
        squares: The squares, in the order of the letters of the configurations.
        terms: Configuration to amplitude; not normalised, none of them zero.
        norm: The sum of the squared amplitudes.
    """

    squares: tuple[int, ...]
    terms: Mapping[str, N]
    norm: N

    @classmethod
    def of(cls, squares: tuple[int, ...], terms: Mapping[str, N], field: Field[N]) -> Component[N]:
        """Returns a component of the terms that are not zero, with its norm."""
        kept = {configuration: a for configuration, a in terms.items() if a}
        return cls(squares, kept, sum((a * a for a in kept.values()), start=field.one * 0))

    def probability(self, configuration: str) -> N:
        """Returns the probability of a configuration that is among the terms."""
        amplitude = self.terms[configuration]
        return amplitude * amplitude / self.norm


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
        squares = tuple(s for component in touched for s in component.squares)
        fresh = tuple(s for s in local_map.squares if s not in squares)
        squares += fresh
        places = [squares.index(s) for s in local_map.squares]
        columns = self.field.columns(local_map)
        terms: dict[str, N] = {}
        for configuration, amplitude in self._joint(touched):
            letters = list(configuration + EMPTY * len(fresh))
            source = "".join(letters[place] for place in places)
            column = columns.get(source)
            if column is None:
                raise ValueError(
                    f"{local_map.kind} says nothing of {source!r} on squares {local_map.squares}"
                )
            for target, factor in column.items():
                for place, symbol in zip(places, target, strict=True):
                    letters[place] = symbol
                image = "".join(letters)
                term = amplitude * factor
                terms[image] = terms[image] + term if image in terms else term
        untouched.append(Component.of(squares, terms, self.field))
        scale = self.scale * self.field.number(local_map.sigma_squared)
        return State(self.field, tuple(untouched), scale)

    def _joint(self, components: Iterable[Component[N]]) -> Iterator[tuple[str, N]]:
        for choice in product(*(component.terms.items() for component in components)):
            amplitude = self.field.one
            for _, factor in choice:
                amplitude = amplitude * factor
            yield "".join(configuration for configuration, _ in choice), amplitude

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

    def terms(self, marks: str) -> Iterator[tuple[Board, N]]:
        """Yields every board with its amplitude, not normalised.

        Args:
            marks: The observed board that the components are laid over.
        """
        squares = [s for component in self.components for s in component.squares]
        for configuration, amplitude in self._joint(self.components):
            letters = list(marks)
            for square, symbol in zip(squares, configuration, strict=True):
                letters[square - 1] = symbol
            yield Board("".join(letters)), amplitude

    def distribution(self, marks: str) -> dict[str, N]:
        """Returns the probability of every board that an observation could show, sorted by board.

        Args:
            marks: The observed board that the components are laid over.
        """
        norm = self.norm
        terms = sorted(self.terms(marks), key=lambda term: term[0])
        return {board: a * a / norm for board, a in terms}

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
            probability = probability * component.probability(configuration)
            for square in component.squares:
                letters[square - 1] = board[square - 1]
        return probability if "".join(letters) == board else self.field.one * 0

    def marginals(self) -> dict[int, dict[str, N]]:
        """Returns the probability of each symbol on each square that a component holds."""
        table: dict[int, dict[str, N]] = {}
        for component in self.components:
            for square in component.squares:
                table[square] = dict.fromkeys(SYMBOLS, self.field.one * 0)
            for configuration in component.terms:
                p = component.probability(configuration)
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
                component = Component.of(component.squares, kept, self.field)
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
            threshold = rng.random() * float(component.norm)
            reached = accumulate(float(a * a) for a in component.terms.values())
            # rounding may leave the sum below the threshold: the last term takes the rest
            inside = (c for c, r in zip(component.terms, reached, strict=True) if r > threshold)
            drawn = next(inside, list(component.terms)[-1])
            for square, symbol in zip(component.squares, drawn, strict=True):
                letters[square - 1] = symbol
        return Board("".join(letters))
