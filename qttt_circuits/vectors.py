"""Vectors over the squares, as moves and as what they are added, compared and projected with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import hypot
from typing import TYPE_CHECKING

from .amplitudes import ZERO, Amplitude, Real, parse_amplitude, recognised
from .errors import NotationError
from .moves import Move, integers

if TYPE_CHECKING:
    import sympy

SQUARES = range(1, 10)
TOLERANCE = 1e-9
"""How far norms and overlaps may be off."""
NORM = "norm:"
NEGLIGIBLE = 1e-12
"""Sums of amplitudes below this are what rounding left of 0."""
LARGEST = 1e100
"""The largest part of an amplitude; squares must not overflow."""
DIGITS = 12
"""The decimals of moves that are offered; far more than legality asks for."""
_HELP = "write squares with their amplitudes, such as '1:0.6,5:-0.8', or one such as '5'"

Vector = tuple[complex, ...]
"""A vector over the squares, the first one first."""


@dataclass(frozen=True, eq=False, repr=False)
class VectorMove(Move):
    """A vector over the squares.

    Two are equal if they give the same squares the same amplitudes, in whatever order.

    Attributes:
        entries: Squares with their amplitudes, in the order in which they were written.
        normalise: Whether the vector is divided by its length.
        text: How it was written.
    """

    entries: tuple[tuple[int, Amplitude], ...]
    normalise: bool = False
    text: str = ""

    def __post_init__(self) -> None:
        squares = integers("squares", [square for square, _ in self.entries])
        for square in squares:
            if squares.count(square) > 1:
                raise NotationError(f"{str(self) or squares!r} names square {square} twice")
        for _, amplitude in self.entries:
            if not max(abs(amplitude.real.value), abs(amplitude.imaginary.value)) <= LARGEST:
                raise NotationError(f"{str(amplitude)[:80]!r} is larger than {LARGEST:g}")
        if not self.text:
            body = ",".join(f"{square}:{amplitude}" for square, amplitude in self.entries)
            object.__setattr__(self, "text", f"{NORM if self.normalise else ''}{body}")
        if self.normalise and not self.length:
            raise NotationError(f"{self.text!r} has norm 0 and cannot be normalised")

    @classmethod
    def parse(cls, text: str) -> VectorMove:
        """Reads a move such as ``1:r1/2,5:-r1/2``, ``norm:1:3,5:4i`` or ``5``.

        Raises:
            NotationError: If the text is no move, or the move cannot be normalised.
        """
        body, entries = text.removeprefix(NORM), []
        for part in body.split(","):
            digits, colon, amplitude = part.partition(":")
            if re.fullmatch("[1-9][0-9]{0,2}|0", digits) is None or (not colon and "," in body):
                raise NotationError(f"{text[:80]!r} is not a move: {_HELP}")
            entries.append((int(digits), parse_amplitude(amplitude if colon else "1")))
        return cls(tuple(entries), body != text, text)

    @classmethod
    def of(cls, vector: Iterable[complex], *, simplify: bool = False) -> VectorMove:
        """Returns the move of a vector.

        Args:
            vector: The amplitudes of the squares in order.
            simplify: Whether numbers that are simple roots but for rounding become exact ones,
                and others are rounded to `DIGITS` decimals.
        """
        amplitudes = [complex(a) for a in vector]
        if simplify:
            exact = [recognised(a) for a in amplitudes]
            if all(a.exact for a in exact) and sum(a.squared for a in exact) == 1:
                return cls._of(exact)
            amplitudes = [complex(round(a.real, DIGITS), round(a.imag, DIGITS)) for a in amplitudes]
        # a part that is 0 is left out of the text, and so is exact when that is read again
        parts = ([Real(part) if part else ZERO for part in (a.real, a.imag)] for a in amplitudes)
        return cls._of(Amplitude(*both) for both in parts)

    @classmethod
    def _of(cls, plain: Iterable[Amplitude]) -> VectorMove:
        entries = tuple((s, a) for s, a in zip(SQUARES, plain, strict=True) if complex(a))
        classical = len(entries) == 1 and entries[0][1] == parse_amplitude("1")
        return cls(entries, text=str(entries[0][0]) if classical else "")

    @property
    def length(self) -> float:
        """The length of the vector as it was typed."""
        return hypot(*(abs(complex(a)) for _, a in self.entries))

    @property
    def exact(self) -> bool:
        """Whether every amplitude was typed exactly."""
        return all(a.exact for _, a in self.entries)

    @property
    def square(self) -> int | None:
        """The square of a classical move; None if it is none."""
        held = [s for s, a in self.entries if complex(a)]
        return held[0] if len(held) == 1 else None

    def vector(self) -> Vector:
        """Returns the amplitudes of the squares in order."""
        held = {square: complex(a) for square, a in self.entries}
        length = self.length if self.normalise else 1.0
        return tuple(held.get(square, 0j) / length for square in SQUARES)

    def exact_vector(self) -> list[sympy.Expr]:
        """Returns the same as expressions, if it was typed exactly."""
        import sympy

        squared = sum((a.squared for _, a in self.entries), Fraction(0))
        length = sympy.sqrt(sympy.Rational(squared.numerator, squared.denominator))
        held = {s: a.to_sympy() / (length if self.normalise else 1) for s, a in self.entries}
        return [held.get(square, sympy.Integer(0)) for square in SQUARES]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VectorMove):
            return NotImplemented
        return (set(self.entries), self.normalise) == (set(other.entries), other.normalise)

    def __hash__(self) -> int:
        return hash((frozenset(self.entries), self.normalise))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"VectorMove.parse({self.text!r})"


def added(vectors: Iterable[Vector]) -> Vector:
    """Returns the sum of vectors."""
    return tuple(map(sum, zip(*vectors, strict=True))) or (0j,) * len(SQUARES)


def inner(left: Vector, right: Vector) -> complex:
    """Returns ⟨left|right⟩."""
    return sum(a.conjugate() * b for a, b in zip(left, right, strict=True))


def beside(vector: Vector, others: Sequence[Vector]) -> Vector | None:
    """Returns the unit vector along the part of a vector that is orthogonal to others.

    Args:
        vector: The vector.
        others: Orthonormal vectors.

    Returns:
        The unit vector, or None if the vector is in the span of the others.
    """
    for least in (0.0, TOLERANCE):  # once more for what rounding left
        length = hypot(*map(abs, vector))
        if length <= least:
            return None
        vector = tuple(a / length for a in vector)
        for other in others:
            part = inner(other, vector)
            vector = tuple(a - part * b for a, b in zip(vector, other, strict=True))
    length = hypot(*map(abs, vector))
    return tuple(a / length for a in vector)


def distance(left: Vector, right: Vector) -> float:
    """Returns the largest difference of two vectors in one square."""
    return max(abs(a - b) for a, b in zip(left, right, strict=True))
