"""How sure a share or a mean of independent games is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any

DEVIATES = 1.96
"""How many standard deviations a 95 % interval reaches to each side."""


def wilson(share: float, games: int) -> tuple[float, float]:
    """Returns Wilson's 95 % interval of a share of so many games (J. Am. Stat. Assoc. 22, 209)."""
    square = DEVIATES**2 / games
    middle = (share + square / 2) / (1 + square)
    reach = DEVIATES * sqrt(share * (1 - share) / games + square / games / 4) / (1 + square)
    # at 0 and at 1 rounding could put the share outside
    return max(0.0, min(share, middle - reach)), min(1.0, max(share, middle + reach))


@dataclass(frozen=True)
class Share:
    """How many of some games something is true of.

    Attributes:
        count: How many.
        games: Of how many.
    """

    count: int
    games: int

    @property
    def value(self) -> float:
        """The share; 0 of no games."""
        return self.count / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval; anything is possible before the first game."""
        return wilson(self.value, self.games) if self.games else (0.0, 1.0)

    def to_json(self) -> dict[str, Any]:
        """Returns the share as JSON-able data."""
        low, high = self.interval
        return {"count": self.count, "share": self.value, "low": low, "high": high}


@dataclass(frozen=True)
class Mean:
    """A mean of games.

    Attributes:
        value: The mean.
        standard_error: Its standard error; None for less than two games.
    """

    value: float
    standard_error: float | None

    @classmethod
    def of(cls, counts: Mapping[float, int] | Mapping[int, int]) -> Mean:
        """Returns the mean of values that were found so many times; the order does not matter."""
        games = sum(counts.values())
        if not games:
            return cls(0.0, None)
        mean = fsum(value * n for value, n in counts.items()) / games
        if games == 1:
            return cls(mean, None)
        square = fsum(n * (value - mean) ** 2 for value, n in counts.items()) / (games - 1)
        return cls(mean, sqrt(square / games))

    def __neg__(self) -> Mean:
        return Mean(-self.value or 0.0, self.standard_error)

    def to_json(self) -> dict[str, Any]:
        """Returns the mean as JSON-able data."""
        return {"mean": self.value, "standard_error": self.standard_error}
