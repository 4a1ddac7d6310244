"""``gray``: ``spin`` with the spin of an empty square kept at 0.

E=00, X=10, O=11; 01 is invalid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..builder import Builder
from .base import Code, register_encoding
from .pair_based import PairBased


@register_encoding
class Gray(PairBased):
    """Occupation and spin; the occupation is the parity of the two bits of ``pair``."""

    name = "gray"
    bits = ("occ", "spin")
    codes: ClassVar[Mapping[str, Code]] = {"E": (0, 0), "X": (1, 0), "O": (1, 1)}

    def symbol_wire(self, square: int, symbol: str) -> str:
        """Returns the wire that is 1 for a symbol while the square is undressed."""
        return self.wire(square, "occ" if symbol == "X" else "spin")

    def undress(self, b: Builder, square: int) -> None:
        """Takes O out of the occupation."""
        occ, spin = self.wires(square)
        b.cx(spin, occ)

    def dress(self, b: Builder, square: int) -> None:
        """Counts O into the occupation again."""
        self.undress(b, square)
