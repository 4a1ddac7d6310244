"""Amplitudes as people type them, read by a grammar and never evaluated.

0.6  -0.8  1e-3     a decimal: a float
3/5  -1             a fraction or an integer: exact
sqrt(1/2)  r1/2     a square root of one: exact
0.8i  -ri/2 is none, r1/2i is: any of these times i
3/5+4/5i            a real part and an imaginary part
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, isqrt, sqrt
from typing import TYPE_CHECKING

from .errors import NotationError

if TYPE_CHECKING:
    import sympy

_FRACTION = r"[0-9]{1,9}(?:/[0-9]{1,9})?"
_REAL = rf"sqrt\({_FRACTION}\)|r{_FRACTION}|[0-9]*\.?[0-9]+(?:e[+-]?[0-9]{{1,3}})?|{_FRACTION}"
_AMPLITUDE = re.compile(
    rf"(?P<sign>-?)(?P<first>{_REAL})?(?P<i>i?)(?:(?P<plus>[+-])(?P<second>{_REAL})?i)?"
)
_EXACT = re.compile(rf"(?P<root>sqrt\(|r|)(?P<fraction>{_FRACTION})\)?")
LONGEST = 80
"""The longest amplitude that is read, in characters."""
SIMPLE = 2000
"""The largest denominator of a fraction that a float is recognised as."""


@dataclass(frozen=True)
class Real:
    """A real number: a float, or exactly a fraction or the root of one.

    Attributes:
        value: The number.
        square: Its square with its own sign, if it is exact.
    """

    value: float
    square: Fraction | None = None

    @classmethod
    def of_square(cls, square: Fraction) -> Real:
        """Returns the number whose square this is, with the same sign."""
        root = sqrt(abs(square))
        return cls(-root if square < 0 else root, square)

    def to_sympy(self) -> sympy.Expr:
        """Returns an exact number as a sympy expression."""
        import sympy

        assert self.square is not None
        root = sympy.sqrt(sympy.Rational(abs(self.square.numerator), self.square.denominator))
        return -root if self.square < 0 else root

    def __str__(self) -> str:
        if self.square is None:
            return repr(self.value)
        sign, size = "-" * (self.square < 0), abs(self.square)
        over, under = isqrt(size.numerator), isqrt(size.denominator)
        if Fraction(over, under) ** 2 == size:
            return f"{sign}{Fraction(over, under)}"
        return f"{sign}r{size}"


ZERO = Real(0.0, Fraction(0))


@dataclass(frozen=True)
class Amplitude:
    """A complex amplitude.

    Attributes:
        real: The real part.
        imaginary: The imaginary part.
    """

    real: Real
    imaginary: Real = ZERO

    @property
    def exact(self) -> bool:
        """Whether it was typed exactly."""
        return self.real.square is not None and self.imaginary.square is not None

    @property
    def squared(self) -> Fraction:
        """The square of its absolute value, if it is exact."""
        assert self.real.square is not None
        assert self.imaginary.square is not None
        return abs(self.real.square) + abs(self.imaginary.square)

    def __complex__(self) -> complex:
        return complex(self.real.value, self.imaginary.value)

    def to_sympy(self) -> sympy.Expr:
        """Returns an exact amplitude as a sympy expression."""
        import sympy

        return self.real.to_sympy() + sympy.I * self.imaginary.to_sympy()

    def __str__(self) -> str:
        if not self.imaginary.value:
            return str(self.real)
        if not self.real.value:
            return f"{self.imaginary}i"
        imaginary = str(self.imaginary)
        return f"{self.real}{'' if imaginary.startswith('-') else '+'}{imaginary}i"


def parse_amplitude(text: str) -> Amplitude:
    """Reads an amplitude.

    Raises:
        NotationError: If the text is none, or is not finite.
    """
    match = _AMPLITUDE.fullmatch(text) if len(text) <= LONGEST else None
    if match is not None:
        first, second, i = match["first"], match["second"], bool(match["i"])
        whole = match["plus"] is not None
        if (first or i) and not (whole and (i or not first)):
            one = _real(text, match["sign"], first or "1")
            other = _real(text, match["plus"], second or "1") if whole else ZERO
            return Amplitude(ZERO, one) if i else Amplitude(one, other)
    raise NotationError(
        f"{text[:LONGEST]!r} is not an amplitude: write one such as '0.6', '3/5', 'r1/2' for the "
        "root of 1/2, '0.8i' or '3/5+4/5i', with at most nine digits above and below"
    )


def _real(text: str, sign: str, digits: str) -> Real:
    exact = _EXACT.fullmatch(digits)
    if exact is None:
        value = float(digits)
        if not isfinite(value):
            raise NotationError(f"{text!r} is not an amplitude: it is not finite")
        return Real(-value if sign == "-" else value)
    over, _, under = exact["fraction"].partition("/")
    if under and not int(under):
        raise NotationError(f"{text!r} is not an amplitude: it divides by zero")
    number = Fraction(int(over), int(under or 1))
    square = number if exact["root"] else number**2
    return Real.of_square(-square if sign == "-" else square)


def recognised(value: complex) -> Amplitude:
    """Returns a number with its parts exact where they are, but for rounding, simple roots."""
    return Amplitude(_recognised(value.real), _recognised(value.imag))


def _recognised(value: float) -> Real:
    square = Fraction(value * value).limit_denominator(SIMPLE)
    if abs(sqrt(square) - abs(value)) > 1e-14:
        return Real(value)
    return Real.of_square(-square if value < 0 else square)
