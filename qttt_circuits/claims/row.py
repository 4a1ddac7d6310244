"""One number that a document claims, and what was found; how the two are compared."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import sympy

from ..numbers import Surd

STANDARD_ERRORS = 4.5
"""How many standard errors a frequency may be off; 1 in 147,000 normal deviates is further."""
NUMERICAL = 1e-9
"""How far a number computed from a state vector may be off."""


@dataclass(frozen=True)
class Row:
    """One number that a document claims, and what was found.

    Attributes:
        id: The claim and what of it this is.
        source: Document and section.
        claim: The claim in words.
        encoding: The encoding or kind of circuit, empty for the exact engine.
        method: How it was checked.
        expected: The number claimed.
        expected_exact: The same as an expression.
        measured: What was found.
        standard_error: Of a frequency, from the number claimed; None for other methods.
        shots: How many shots the frequency is of; 0 for other methods.
        tolerance: How far apart the two may be.
        holds: Whether they are as close as that.
    """

    id: str
    source: str
    claim: str
    encoding: str
    method: str
    expected: float
    expected_exact: str
    measured: float
    standard_error: float | None
    shots: int
    tolerance: float
    holds: bool


@dataclass(frozen=True)
class Rows:
    """Makes the rows of one claim.

    Attributes:
        id: The claim.
        source: Document and section.
        words: What the claim is about, in words.
        encoding: The encoding or kind of circuit, empty for the exact engine.
    """

    id: str
    source: str
    words: str
    encoding: str = ""

    def exact(self, what: str, expected: str, found: Any) -> Row:
        """Returns the row of a number that must be equal symbolically.

        Args:
            what: What of the claim this is.
            expected: The number claimed, in sympy's notation.
            found: A `Surd`, an integer, a fraction or a sympy expression.
        """
        holds = equal(expected, found)
        return self._row(what, "exact", expected, float(found), None, 0, 0.0, holds)

    def numerical(self, what: str, expected: str, found: float) -> Row:
        """Returns the row of a number that was computed from a state vector."""
        return self._row(what, "statevector", expected, found, None, 0, NUMERICAL)

    def frequency(self, what: str, expected: str, n: int, shots: int, method: str = "shots") -> Row:
        """Returns the row of a frequency.

        Args:
            what: What of the claim this is.
            expected: The probability claimed.
            n: How often it was seen.
            shots: In how many shots.
            method: How it was checked.
        """
        p = float(number(expected))
        error = sqrt(p * (1 - p) / shots) if shots else 0.0
        frequency = n / shots if shots else 0.0
        return self._row(what, method, expected, frequency, error, shots, STANDARD_ERRORS * error)

    def _row(
        self,
        what: str,
        method: str,
        expected: str,
        found: float,
        error: float | None,
        shots: int,
        tolerance: float,
        holds: bool | None = None,
    ) -> Row:
        claimed = float(number(expected))
        near = abs(found - claimed) <= tolerance and (error is None or shots > 0)
        return Row(
            id=f"{self.id}/{what}",
            source=self.source,
            claim=f"{self.words}: {what}",
            encoding=self.encoding,
            method=method,
            expected=claimed,
            expected_exact=expected,
            measured=found,
            standard_error=error,
            shots=shots,
            tolerance=tolerance,
            holds=near if holds is None else holds,
        )


@cache
def number(text: str) -> sympy.Expr:
    """Returns a number written in sympy's notation, which stands in this package's own files."""
    return sympy.sympify(text)


@cache
def surd(text: str) -> Surd:
    """Returns a number a + b√2 written in sympy's notation."""
    expression = sympy.expand(sympy.radsimp(number(text)))
    root = expression.coeff(sympy.sqrt(2))
    return Surd(str(expression - root * sympy.sqrt(2)), str(root))


def equal(expected: str, found: Any) -> bool:
    """Whether a number is exactly the one that is written in sympy's notation."""
    if isinstance(found, Surd | int | Fraction):
        return surd(expected) == found
    return bool(sympy.simplify(number(expected) - found) == 0)
