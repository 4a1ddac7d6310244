"""Encodings that are ``pair`` in other clothes: its two bits a square, mixed or with one more.

Where the code of an encoding is an invertible parity of the code of ``pair``, a few CX lead to
``pair`` and back, and the gates between them are the same. An encoding of this kind says only how.
"""

from __future__ import annotations

from abc import abstractmethod

from ..board import EMPTY, opponent
from ..builder import Builder
from ..maps import LocalMap
from .pair import Pair


class PairBased(Pair):
    """An encoding that goes to `Pair` and back.

    While a square is undressed, `symbol_wire` names the wires that are 1 for X and for O.
    """

    @abstractmethod
    def undress(self, b: Builder, square: int) -> None:
        """Turns the code of a square into that of `Pair`, on the wires that `symbol_wire` names."""

    @abstractmethod
    def dress(self, b: Builder, square: int) -> None:
        """Turns the code of `Pair` back into the encoding's."""

    def build(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of a map: to `Pair`, its gates, and back."""
        for square in m.squares:
            self.undress(b, square)
        if m.met and EMPTY * 2 in m.columns:
            # a met die of value 2 lies on a square that held its symbol or nothing
            b.know(self.symbol_wire(m.squares[0], opponent(m.met)), 0)
        super().build(b, m)
        for square in m.squares:
            self.dress(b, square)
