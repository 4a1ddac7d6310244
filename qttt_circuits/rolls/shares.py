"""Exact probabilities, and how many faces of the dice each outcome gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor, lcm
from typing import Any

from ..errors import OptionError
from ..games.base import Exact
from ..numbers import Surd


def exact_numbers(distribution: Mapping[str, Exact]) -> dict[str, Exact]:
    """Returns probabilities as `Surd`, or all as sympy expressions if one is no a + b√2.

    Args:
        distribution: The exact probability of each outcome.

    Raises:
        OptionError: If they do not sum to 1 exactly; nothing is renormalised.
    """
    found = {outcome: _number(p) for outcome, p in distribution.items()}
    if not all(isinstance(p, Surd) for p in found.values()):
        import sympy

        found = {outcome: sympy.sympify(p) for outcome, p in found.items()}
    total = _number(sum(found.values()))
    if total != 1:
        raise OptionError(f"the probabilities sum to {total}, not to 1: type exact unit vectors")
    return found


def _number(value: Exact) -> Exact:
    """Returns an exact number as a `Surd` if it is a + b√2, else as an expanded expression."""
    if isinstance(value, int | Fraction | Surd):
        return Surd.of(value)
    import sympy

    # expanded, roots of whole numbers are independent, so that equal numbers look equal
    expression = sympy.expand(value)
    parts: dict[Any, Any] = expression.as_coefficients_dict()
    if set(parts) <= {sympy.Integer(1), sympy.sqrt(2)}:
        rational, root = parts.get(sympy.Integer(1), 0), parts.get(sympy.sqrt(2), 0)
        return Surd(str(rational), str(root))
    return expression


def distance(table: Mapping[str, Fraction], exact: Mapping[str, Exact]) -> Exact:
    """Returns the total variation distance of a table from exact probabilities, exactly.

    Args:
        table: The probability of each outcome by the table; all of them are in the other.
        exact: The exact probability of each outcome.
    """
    return _number(sum(abs(p - table.get(o, Fraction(0))) for o, p in exact.items()) / 2)


def common_denominator(probabilities: Sequence[Exact]) -> int | None:
    """Returns the least common denominator, or None if a probability is irrational."""
    found = 1
    for p in probabilities:
        if not isinstance(p, Surd) or p.root:
            return None
        found = lcm(found, p.rational.denominator)
    return found


def largest_remainder(probabilities: Sequence[Exact], faces: int) -> list[int]:
    """Returns how many faces each outcome gets: none could be nearer with so many.

    Each gets the whole part of its share; what is left goes one by one to the largest remainders,
    of equal ones to the first.

    Args:
        probabilities: Exact probabilities that sum to 1.
        faces: How many faces there are.
    """
    shares = [p * faces for p in probabilities]
    counts = [whole_part(share) for share in shares]
    remainders = [share - count for share, count in zip(shares, counts, strict=True)]
    order = sorted(range(len(shares)), key=remainders.__getitem__, reverse=True)
    for i in order[: faces - sum(counts)]:
        counts[i] += 1
    return counts


def whole_part(number: Exact) -> int:
    """Returns the largest integer that is not above an exact number."""
    if not isinstance(number, Surd):
        whole: Any = floor(number)
        return int(whole)  # sympy has integers of its own
    guess = floor(float(number))  # one off at most, where rounding crosses an integer
    if number < guess:
        return guess - 1
    return guess + 1 if number >= guess + 1 else guess
