"""Distributions of many independent components, kept as a product and not as a table.

An outcome is a text of which each component decides some letters, such as a board of which each
group of entangled squares decides its own. There are as many outcomes as the product of what the
components can show, while the components themselves stay small.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import isclose, prod
from typing import Any

from .errors import TooManyBoardsError
from .state import MOST_BOARDS

ROUNDING = 1e-6
"""How far probabilities that were read may be off by rounding."""


@dataclass(frozen=True)
class JointTable:
    """Some squares and what they show together.

    Attributes:
        squares: The squares, numbered from 1, in the order of the letters of the configurations.
        probabilities: The probability of each configuration.
    """

    squares: tuple[int, ...]
    probabilities: Mapping[str, float]

    def shown(self, outcome: str) -> str:
        """Returns the configuration that an outcome shows."""
        return "".join([outcome[square - 1] for square in self.squares])

    def marginals(self) -> dict[int, dict[str, float]]:
        """Returns for each square the probability of each letter that can be there."""
        table: dict[int, dict[str, float]] = {square: {} for square in self.squares}
        for configuration, p in self.probabilities.items():
            for square, letter in zip(self.squares, configuration, strict=True):
                table[square][letter] = table[square].get(letter, 0.0) + p
        return table


@dataclass(frozen=True, eq=False)
class ProductDistribution(Mapping[str, float]):
    """The distribution of outcomes that independent components decide together.

    It is read like the table of its outcomes, in alphabetical order, but a probability is worked
    out when it is asked for, and a table only if it has at most `MOST_BOARDS` of them.

    Attributes:
        base: The letters that no component decides, in their places; the others do not matter.
        components: The components; no two share a square.
    """

    base: str
    components: tuple[JointTable, ...]

    @property
    def size(self) -> int:
        """How many outcomes there are, however many; `len` ends where a machine's integers do."""
        return prod(len(component.probabilities) for component in self.components)

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return self.size > 0

    def __getitem__(self, outcome: str) -> float:
        if not self._allows(outcome):
            raise KeyError(outcome)
        return prod([c.probabilities[c.shown(outcome)] for c in self.components], start=1.0)

    def __iter__(self) -> Iterator[str]:
        return iter(self._outcomes)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ProductDistribution):
            if (self.base, self.components) == (other.base, other.components):
                return True
            if self.size != other.size or self.size > MOST_BOARDS:
                return False
        elif isinstance(other, Mapping) and self.size != len(other):
            return False
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _allows(self, outcome: object) -> bool:
        """Whether a text has the right length, and the right letters where no component decides."""
        return (
            isinstance(outcome, str)
            and len(outcome) == len(self.base)
            and all(outcome[place] == self.base[place] for place in self._fixed)
        )

    @cached_property
    def _fixed(self) -> tuple[int, ...]:
        """The places, from 0, that no component decides."""
        decided = {square - 1 for component in self.components for square in component.squares}
        return tuple(place for place in range(len(self.base)) if place not in decided)

    @cached_property
    def _outcomes(self) -> tuple[str, ...]:
        if self.size > MOST_BOARDS:
            raise TooManyBoardsError(self.size, MOST_BOARDS)
        choices = product(*(component.probabilities for component in self.components))
        return tuple(sorted(self._outcome(choice) for choice in choices))

    def _outcome(self, configurations: Sequence[str]) -> str:
        letters = list(self.base)
        for component, configuration in zip(self.components, configurations, strict=True):
            for square, letter in zip(component.squares, configuration, strict=True):
                letters[square - 1] = letter
        return "".join(letters)

    def marginals(self) -> dict[int, dict[str, float]]:
        """Returns for each square, ascending, the probability of each letter that can be there."""
        table = {i: {letter: 1.0} for i, letter in enumerate(self.base, 1)}
        for component in self.components:
            table.update(component.marginals())
        return {square: dict(sorted(letters.items())) for square, letters in table.items()}

    def by_component(self, weights: Mapping[str, float]) -> list[dict[str, float]]:
        """Returns for each component how weights of outcomes add up by its configurations.

        Args:
            weights: Weights such as counts or frequencies. What is no outcome at all, such as a
                text of another length, stands for a configuration of its own in every component.
        """
        outside = [o for o in weights if not self._allows(o)]
        inside = [(o, weight) for o, weight in weights.items() if self._allows(o)]
        found = []
        for component in self.components:
            sums: dict[str, float] = {o: weights[o] for o in outside}
            for outcome, weight in inside:
                shown = component.shown(outcome)
                sums[shown] = sums.get(shown, 0) + weight
            found.append(sums)
        return found

    def to_json(self) -> dict[str, Any]:
        """Returns the distribution as JSON-able data."""
        components = [
            {"squares": [*c.squares], "probabilities": dict(c.probabilities)}
            for c in self.components
        ]
        return {"base": self.base, "components": components}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ProductDistribution:
        """Returns the distribution that JSON data describe.

        Raises:
            ValueError: If they describe none.
            KeyError: If a part is missing.
            TypeError: If a part is of the wrong kind.
        """
        base = data["base"]
        components = tuple(
            JointTable(tuple(c["squares"]), c["probabilities"]) for c in data["components"]
        )
        squares = [square for component in components for square in component.squares]
        if not all(type(s) is int and 1 <= s <= len(base) for s in squares):
            raise ValueError("a distribution of squares that are not on its board")
        if len({*squares}) < len(squares):
            raise ValueError("a distribution with a square in two components")
        for component in components:
            if not all(len(text) == len(component.squares) for text in component.probabilities):
                raise ValueError("a distribution with a configuration of other squares")
            require_probabilities(component.probabilities)
        return cls(str(base), components)


def distribution_to_json(distribution: Mapping[str, float]) -> dict[str, Any]:
    """Returns a distribution as JSON-able data: its components, or else its table."""
    if isinstance(distribution, ProductDistribution):
        return distribution.to_json()
    return dict(distribution)


def distribution_from_json(data: Mapping[str, Any]) -> Mapping[str, float]:
    """Returns the distribution that JSON data describe.

    Raises:
        AttributeError: If they are no mapping.
        ValueError: If they describe none.
        KeyError: If a part is missing.
        TypeError: If a part is of the wrong kind.
    """
    if isinstance(data.get("components"), list):
        return ProductDistribution.from_json(data)
    require_probabilities(data)
    return dict(data)


def require_probabilities(terms: Mapping[str, float]) -> None:
    """Raises an error if numbers that were read are no distribution, but for rounding.

    Raises:
        ValueError: Then.
    """
    if not all(0 <= p <= 1 + ROUNDING for p in terms.values()):
        raise ValueError("a probability that is none")
    if not isclose(sum(terms.values()), 1, abs_tol=ROUNDING):
        raise ValueError("probabilities that do not sum to 1")


def size_of(distribution: Mapping[str, float]) -> int:
    """Returns how many outcomes a distribution has, however many."""
    return distribution.size if isinstance(distribution, ProductDistribution) else len(distribution)
