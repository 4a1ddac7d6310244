"""``one-hot``: a qubit a symbol, E included. E=100, X=010, O=001; any other weight is invalid.

Three qubits a square, as a reference for the detection of errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..builder import Builder
from .base import Code, register_encoding
from .pair_based import PairBased


@register_encoding
class OneHot(PairBased):
    """The two qubits of ``pair`` and one that is 1 where both are 0."""

    name = "one-hot"
    bits = ("e", "x", "o")
    codes: ClassVar[Mapping[str, Code]] = {"E": (1, 0, 0), "X": (0, 1, 0), "O": (0, 0, 1)}

    def undress(self, b: Builder, square: int) -> None:
        """Sets the third qubit to 1."""
        empty, *marks = self.wires(square)
        for mark in marks:
            b.cx(mark, empty)
        b.know(empty, 1)

    def dress(self, b: Builder, square: int) -> None:
        """Takes from the third qubit what is on the square."""
        empty, *marks = self.wires(square)
        for mark in marks:
            b.cx(mark, empty)
