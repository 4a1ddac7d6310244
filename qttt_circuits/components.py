"""Groups of entangled squares: sparse joint amplitudes, in floats or exact numbers.

What a move makes of a group depends on which of its squares it meets, not on where these lie on the
board. A `Shape` is a group without its squares; it remembers what became of it, so that the same
thing happening elsewhere on the board, or in another game, costs next to nothing.

Amplitudes are not normalised; the norm is kept beside them, since its square root is in general no
number a + b√2. The same code runs on floats and on `Surd` numbers, so the two cannot drift apart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import Generic, TypeVar

from .board import EMPTY, board_code
from .maps import Effect
from .numbers import ONE, Surd

N = TypeVar("N", float, Surd)


@dataclass(frozen=True)
class Field(Generic[N]):
    """The numbers that a state is computed in: `FLOATS` or `SURDS`.

    Attributes:
        name: Its name, by which two are told apart.
        one: The number 1.
        columns: The columns of an effect in these numbers.
        scale: The σ²max of an effect as one of these.
    """

    name: str
    one: N = field(compare=False)
    columns: Callable[[Effect], Mapping[str, Mapping[str, N]]] = field(compare=False)
    scale: Callable[[Effect], N] = field(compare=False)

    @cached_property
    def nothing(self) -> Shape[N]:
        """The group of no squares, from which all others are made."""
        return Shape(self, {"": self.one}, self.one)


# attrgetter rather than lambdas, so that states can be sent to other processes
FLOATS: Field[float] = Field("floats", 1.0, attrgetter("floats"), attrgetter("sigma_squared_float"))
SURDS: Field[Surd] = Field("surds", ONE, attrgetter("columns"), attrgetter("sigma_squared"))


@dataclass(frozen=True)
class Shape(Generic[N]):
    """The joint amplitudes of a group of squares, wherever these lie.

    Attributes:
        field: The numbers they are.
        terms: Configuration (one letter a square) to amplitude; not normalised, none of them zero.
        norm: The sum of the squared amplitudes.
    """

    field: Field[N] = field(repr=False)
    terms: Mapping[str, N]
    norm: N

    @classmethod
    def of(cls, terms: Mapping[str, N], field: Field[N]) -> Shape[N]:
        """Returns a shape of the terms that are not zero, with its norm."""
        kept = {configuration: a for configuration, a in terms.items() if a}
        return cls(field, kept, sum((a * a for a in kept.values()), start=field.one * 0))

    def __getstate__(self) -> dict[str, object]:
        return {"field": self.field, "terms": self.terms, "norm": self.norm}

    @cached_property
    def _after(self) -> dict[tuple[Effect, tuple[int, ...], int], Shape[N]]:
        return {}

    def after(self, effect: Effect, places: tuple[int, ...], fresh: int) -> Shape[N]:
        """Returns what an effect makes of the group, joined by further squares that are empty.

        Args:
            effect: The effect.
            places: For each of its squares the place in the configurations, counted from 0; the
                further squares come last.
            fresh: How many further squares there are.

        Raises:
            ValueError: If a branch has a configuration for which the effect says nothing.
        """
        key = effect, places, fresh
        found = self._after.get(key)
        if found is None:
            found = self._after[key] = self._applied(effect, places, fresh)
        return found

    def _applied(self, effect: Effect, places: tuple[int, ...], fresh: int) -> Shape[N]:
        columns = self.field.columns(effect)
        terms: dict[str, N] = {}
        for configuration, amplitude in self.terms.items():
            letters = list(configuration + EMPTY * fresh)
            source = "".join(letters[place] for place in places)
            column = columns.get(source)
            if column is None:
                raise ValueError(f"{effect.kind} says nothing of {source!r} on its squares")
            for target, factor in column.items():
                for place, symbol in zip(places, target, strict=True):
                    letters[place] = symbol
                image = "".join(letters)
                term = amplitude * factor
                terms[image] = terms[image] + term if image in terms else term
        return Shape.of(terms, self.field)

    @cached_property
    def probabilities(self) -> dict[str, N]:
        """The probability of each configuration."""
        return {c: a * a / self.norm for c, a in self.terms.items()}

    @cached_property
    def _reached(self) -> list[float]:
        return list(accumulate(float(a * a) for a in self.terms.values()))

    @cached_property
    def _configurations(self) -> tuple[str, ...]:
        return tuple(self.terms)

    def draw(self, uniform: float) -> str:
        """Returns a configuration, drawn by its probability.

        Args:
            uniform: A uniform random number in [0, 1).
        """
        reached = self._reached
        # rounding may leave the sum below the number: the last term takes the rest
        place = bisect_right(reached, uniform * float(self.norm))
        return self._configurations[min(place, len(reached) - 1)]


@dataclass(frozen=True)
class Component(Generic[N]):
    """Squares that may be entangled with each other, and their joint amplitudes.

    Attributes:
        squares: The squares, in the order of the letters of the configurations.
        shape: The amplitudes.
    """

    squares: tuple[int, ...]
    shape: Shape[N]

    @property
    def terms(self) -> Mapping[str, N]:
        """Configuration to amplitude; not normalised, none of them zero."""
        return self.shape.terms

    @property
    def norm(self) -> N:
        """The sum of the squared amplitudes."""
        return self.shape.norm

    @property
    def probabilities(self) -> Mapping[str, N]:
        """The probability of each configuration."""
        return self.shape.probabilities

    @cached_property
    def _codes(self) -> dict[int, list[int]]:
        return {}

    def codes(self, size: int) -> list[int]:
        """Returns the code of each configuration on a board that is empty elsewhere.

        Args:
            size: How many squares the board has.
        """
        if size not in self._codes:
            self._codes[size] = [board_code(c, self.squares, size) for c in self.terms]
        return self._codes[size]


def joined(components: Sequence[Component[N]], field: Field[N]) -> Component[N]:
    """Returns components as one; none make the group of no squares.

    Args:
        components: The components.
        field: The numbers that they are in.
    """
    if len(components) == 1:
        return components[0]
    whole = Component((), field.nothing)
    for other in components:
        terms = {
            first + second: a * b
            for first, a in whole.terms.items()
            for second, b in other.terms.items()
        }
        whole = Component(whole.squares + other.squares, Shape.of(terms, field))
    return whole
