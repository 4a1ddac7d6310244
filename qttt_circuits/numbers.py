"""Exact numbers a + b√2 with rational a and b.

Every amplitude and probability of the dice games is such a number, up to one square root of a norm
that is kept apart (`state.py`).
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sympy

Rational = int | Fraction
SQRT2 = sqrt(2)


class Surd:
    """The number ``rational + root * √2``; immutable, hashable, ordered by value.

    Args:
        rational: The rational part.
        root: The rational factor of √2.
    """

    __slots__ = ("rational", "root")

    rational: Fraction
    root: Fraction

    def __init__(self, rational: Rational | str = 0, root: Rational | str = 0) -> None:
        object.__setattr__(self, "rational", Fraction(rational))
        object.__setattr__(self, "root", Fraction(root))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Surd cannot be changed (setting {name!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Surd cannot be changed (deleting {name!r})")

    @staticmethod
    def of(value: Surd | Rational) -> Surd:
        """Returns a rational number or a `Surd` as a `Surd`.

        Raises:
            TypeError: If it is neither; floats and text are not taken for exact numbers.
        """
        if isinstance(value, Surd):
            return value
        if not isinstance(value, int | Fraction):
            raise TypeError(f"{value!r} is not an exact number a + b*sqrt(2)")
        return Surd(value)

    def __reduce__(self) -> tuple[type[Surd], tuple[Fraction, Fraction]]:
        return Surd, (self.rational, self.root)

    def __add__(self, other: Surd | Rational) -> Surd:
        other = Surd.of(other)
        return Surd(self.rational + other.rational, self.root + other.root)

    __radd__ = __add__

    def __neg__(self) -> Surd:
        return Surd(-self.rational, -self.root)

    def __sub__(self, other: Surd | Rational) -> Surd:
        return self + -Surd.of(other)

    def __rsub__(self, other: Rational) -> Surd:
        return Surd.of(other) - self

    def __mul__(self, other: Surd | Rational) -> Surd:
        other = Surd.of(other)
        return Surd(
            self.rational * other.rational + 2 * self.root * other.root,
            self.rational * other.root + self.root * other.rational,
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Surd | Rational) -> Surd:
        other = Surd.of(other)
        norm = other.rational**2 - 2 * other.root**2  # zero only for 0, as √2 is irrational
        if norm == 0:
            raise ZeroDivisionError(f"{self} divided by zero")
        return self * Surd(other.rational / norm, -other.root / norm)

    def __rtruediv__(self, other: Rational) -> Surd:
        return Surd.of(other) / self

    def __pow__(self, exponent: int) -> Surd:
        if exponent < 0:
            return 1 / self**-exponent
        power = Surd(1)
        for _ in range(exponent):
            power = power * self
        return power

    def sign(self) -> int:
        """Returns -1, 0 or 1, decided without rounding."""
        a, b = self.rational, self.root
        if a >= 0 and b >= 0:
            return int(a > 0 or b > 0)
        if a <= 0 and b <= 0:
            return -1
        larger_rational = a * a > 2 * b * b
        return 1 if (a > 0) == larger_rational else -1

    def __bool__(self) -> bool:
        return bool(self.rational) or bool(self.root)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, Fraction)):
            other = Surd(other)
        if not isinstance(other, Surd):
            return NotImplemented
        return self.rational == other.rational and self.root == other.root

    def __hash__(self) -> int:
        return hash((self.rational, self.root)) if self.root else hash(self.rational)

    def __lt__(self, other: Surd | Rational) -> bool:
        return (self - other).sign() < 0

    def __le__(self, other: Surd | Rational) -> bool:
        return (self - other).sign() <= 0

    def __gt__(self, other: Surd | Rational) -> bool:
        return (self - other).sign() > 0

    def __ge__(self, other: Surd | Rational) -> bool:
        return (self - other).sign() >= 0

    def __abs__(self) -> Surd:
        return -self if self.sign() < 0 else self

    def __float__(self) -> float:
        a, b = self.rational, self.root
        root = Fraction(SQRT2)
        if a.numerator * b.numerator >= 0:
            return float(a + b * root)
        # a and b√2 nearly cancel: divide the exact norm by the conjugate, which does not
        return float((a * a - 2 * b * b) / (a - b * root))

    def __str__(self) -> str:
        if not self.root:
            return str(self.rational)
        root = f"{abs(self.root)}*sqrt(2)"
        if not self.rational:
            return f"-{root}" if self.root < 0 else root
        return f"{self.rational} {'-' if self.root < 0 else '+'} {root}"

    def __repr__(self) -> str:
        return f"Surd({str(self.rational)!r}, {str(self.root)!r})"

    def to_sympy(self) -> sympy.Expr:
        """Returns the number as a sympy expression."""
        import sympy

        a = sympy.Rational(self.rational.numerator, self.rational.denominator)
        b = sympy.Rational(self.root.numerator, self.root.denominator)
        return a + b * sympy.sqrt(2)

    def _sympy_(self) -> sympy.Expr:  # what sympy.sympify asks for
        return self.to_sympy()


ZERO = Surd(0)
ONE = Surd(1)
ROOT2 = Surd(0, 1)
ROOT_HALF = Surd(0, Fraction(1, 2))
"""1/√2."""
