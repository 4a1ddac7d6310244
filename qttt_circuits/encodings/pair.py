"""``pair``: one qubit for X and one for O. E=00, X=10, O=01; 11 is invalid."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, hypot
from typing import ClassVar

from ..board import EMPTY
from ..builder import Builder
from ..maps import LocalMap
from .base import (
    Code,
    Encoding,
    angle,
    fail_half_cancelling,
    fail_half_shiftflip,
    half_entangled_amplitudes,
    kept_symbols,
    register_encoding,
)


@register_encoding
class Pair(Encoding):
    """A qubit a symbol; S and N name the met die's symbol and the other one, a its presence."""

    name = "pair"
    bits: ClassVar[tuple[str, ...]] = ("x", "o")
    codes: ClassVar[Mapping[str, Code]] = {"E": (0, 0), "X": (1, 0), "O": (0, 1)}

    def symbol_wire(self, square: int, symbol: str) -> str:
        """Returns the wire that is 1 where a square holds a symbol."""
        return self.wire(square, symbol.lower())

    def classical(self, b: Builder, m: LocalMap) -> None:
        """No two-qubit gate: a constant."""
        [e] = m.squares
        b.bring(self.symbol_wire(e, m.new))
        if m.floats[EMPTY][m.new] < 0:
            b.negate()

    def superposition(self, b: Builder, m: LocalMap) -> None:
        """One: the piece starts on the first square, and part of it moves on."""
        (p, q), (first, second) = m.squares, tuple(m.new)
        column = m.floats[EMPTY * 2]
        source = self.symbol_wire(p, first)
        b.bring(source)
        stay, move = column[first + EMPTY], column[EMPTY + second]
        b.transfer(source, self.symbol_wire(q, second), stay, move)

    def entangling(self, b: Builder, m: LocalMap) -> None:
        """Three: the four qubits are a GHZ state."""
        s_t, n_t, s_e, n_e = self._four(m)
        b.bring(n_e)
        column = m.floats[m.met + EMPTY]
        b.tilt(s_t, angle(column, m.met + m.new, m.new + m.met))
        for w in (n_t, s_e, n_e):
            b.cx(s_t, w, on=0)

    def half_entangling(self, b: Builder, m: LocalMap) -> None:
        """Five: N takes either square; where it takes t, what was there goes to e."""
        s_t, n_t, s_e, n_e = self._four(m)
        b.bring(n_e)
        b.tilt(n_t, angle(m.floats[EMPTY * 2], EMPTY + m.new, m.new + EMPTY))
        b.cx(n_t, n_e)
        b.both((n_t, 1), (s_t, 1), s_e)
        b.cx(s_e, s_t)

    def half_entangled(self, b: Builder, m: LocalMap) -> None:
        """Five: N takes t or e, the other one of them holds S or nothing, and p holds the rest."""
        p, t, e = m.squares
        at_p, n = tuple(m.new)
        (stay, move), (n_at_t, n_at_e) = half_entangled_amplitudes(m)
        s_t, s_e, s_p = (
            self.symbol_wire(t, m.met), self.symbol_wire(e, m.met), self.symbol_wire(p, at_p)
        )  # fmt: skip
        n_t, n_e = self.symbol_wire(t, n), self.symbol_wire(e, n)
        b.tilt(n_t, atan2(n_at_t, n_at_e))
        b.put(n_e, 1)
        b.cx(n_t, n_e)
        there = atan2(move, stay)
        b.turn(n_t, s_t, there, 0)
        b.turn(n_t, s_e, 0, there)
        b.put(s_p, 1)
        b.cx(s_t, s_p)
        b.cx(s_e, s_p)

    def cancelling(self, b: Builder, m: LocalMap) -> None:
        """One: the piece stands on the square that is not cancelled, as S or N."""
        t, e = m.squares
        s_t, _, s_e, _ = self._four(m)
        kept = t
        if m.cancels == (t,):
            b.swap_names(s_t, s_e)
            kept = e
        column = kept_symbols(m)
        s, n = self.symbol_wire(kept, m.met), self.symbol_wire(kept, m.new)
        b.transfer(s, n, column[m.met], column[m.new])

    def half_cancelling(self, b: Builder, m: LocalMap) -> None:
        """Five: a three-way split where the piece is at t, a failure qubit where it is not."""
        t, _ = m.squares
        s_t, _, s_e, n_e = self._four(m)
        fail_half_cancelling(b, m, s_t)
        column = m.floats[m.met + EMPTY]
        if m.cancels == (t,):
            failed, s, n = column[m.met + EMPTY], column[EMPTY + m.met], column[EMPTY + m.new]
            b.transfer(s_t, s_e, failed, hypot(s, n))
            b.transfer(s_e, n_e, s, n)
        else:
            failed, s, n = column[EMPTY + m.met], column[m.met + EMPTY], column[m.new + EMPTY]
            b.transfer(s_t, s_e, hypot(s, n), failed)
            b.transfer(s_t, self.symbol_wire(t, m.new), s, n)
        if b.conserving:
            b.cx(b.fail, n_e, on=0)

    def half_shiftflip(self, b: Builder, m: LocalMap) -> None:
        """Three: S at both squares where it was at t, N alone where it was not."""
        t, _ = m.squares
        s_t, n_t, s_e, n_e = self._four(m)
        n = n_e if m.cancels == (t,) else n_t
        b.bring(n)
        b.cx(s_t, s_e)
        b.cx(s_t, n)
        fail_half_shiftflip(b, m, s_t)
        if b.conserving:
            b.cx(b.fail, s_e)

    def spreading(self, b: Builder, m: LocalMap) -> None:
        """Two: part of the piece moves to e."""
        s_t, _, s_e, _ = self._four(m)
        column = m.floats[m.met + EMPTY]
        b.transfer(s_t, s_e, column[m.met + EMPTY], column[EMPTY + m.met])

    def off_board(self, b: Builder, m: LocalMap) -> None:
        """None: a constant."""
        s_t, *_ = self._four(m)
        b.remove(s_t)
        if m.floats[m.met + EMPTY][EMPTY * 2] < 0:
            b.negate()

    def _four(self, m: LocalMap) -> tuple[str, str, str, str]:
        t, e = m.squares
        n = "O" if m.met == "X" else "X"
        wires = [self.symbol_wire(square, symbol) for square in (t, e) for symbol in (m.met, n)]
        return wires[0], wires[1], wires[2], wires[3]
