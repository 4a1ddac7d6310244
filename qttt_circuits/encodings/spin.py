"""``spin``: is the square occupied, and by which spin. E=0·, X=10, O=11.

This is document 002's electron, spin up for X and down for O. The spin of an empty square is free
and not read, which is what makes the encoding cheap: spins need not be cleaned up.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, hypot, pi
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

SPIN = {"X": 0, "O": 1}


@register_encoding
class Spin(Encoding):
    """Occupation and spin; S and N name the met die's symbol and the other one."""

    name = "spin"
    bits = ("occ", "spin")
    codes: ClassVar[Mapping[str, Code]] = {"E": (0, None), "X": (1, 0), "O": (1, 1)}

    def classical(self, b: Builder, m: LocalMap) -> None:
        """No two-qubit gate: a constant."""
        [e] = m.squares
        occ_e, spin_e = self.wires(e)
        b.bring(occ_e)
        b.put(spin_e, SPIN[m.new])
        if m.floats[EMPTY][m.new] < 0:
            b.negate()

    def superposition(self, b: Builder, m: LocalMap) -> None:
        """One: the occupation is shared, each square has its constant spin."""
        (occ_p, spin_p), (occ_q, spin_q) = map(self.wires, m.squares)
        first, second = tuple(m.new)
        column = m.floats[EMPTY * 2]
        b.bring(occ_p)
        b.put(spin_p, SPIN[first])
        b.put(spin_q, SPIN[second])
        b.transfer(occ_p, occ_q, column[first + EMPTY], column[EMPTY + second])

    def entangling(self, b: Builder, m: LocalMap) -> None:
        """One: both squares are occupied, their spins opposite."""
        (_, spin_t), (occ_e, spin_e) = map(self.wires, m.squares)
        b.bring(occ_e)
        column = m.floats[m.met + EMPTY]
        self._opposite_spins(b, spin_t, spin_e, angle(column, m.met + m.new, m.new + m.met))

    def half_entangling(self, b: Builder, m: LocalMap) -> None:
        """Five: opposite spins, whatever is occupied; where N takes t, what was there goes to e.

        An empty square keeps spin S.
        """
        (occ_t, spin_t), (occ_e, spin_e) = map(self.wires, m.squares)
        b.bring(occ_e)
        column = m.floats[EMPTY * 2]
        self._opposite_spins(b, spin_t, spin_e, angle(column, EMPTY + m.new, m.new + EMPTY))
        b.both((spin_t, SPIN[m.new]), (occ_t, 0), occ_e)
        b.cx(occ_e, occ_t, on=0)
        for spin in (spin_t, spin_e):
            b.leave_idle(spin, SPIN[m.met])

    def half_entangled(self, b: Builder, m: LocalMap) -> None:
        """Five: N takes t or e, the other one of them holds S or nothing, and p holds the rest.

        With opposite spins at t and e, the spin at t says where N is; occupations t and e then each
        turn by it, and that of p is their parity.
        """
        (occ_p, spin_p), (occ_t, spin_t), (occ_e, spin_e) = map(self.wires, m.squares)
        at_p, n = tuple(m.new)
        (stay, move), (n_at_t, n_at_e) = half_entangled_amplitudes(m)
        b.put(spin_p, SPIN[at_p])
        b.put(spin_t, SPIN[m.met])
        self._opposite_spins(b, spin_t, spin_e, atan2(n_at_t, n_at_e))
        there, always = atan2(move, stay), pi / 2
        for occupied, symbol in ((occ_t, n), (occ_e, m.met)):
            turns = {SPIN[symbol]: always, 1 - SPIN[symbol]: there}
            b.turn(spin_t, occupied, turns[0], turns[1])
            b.cx(occupied, occ_p)
        for spin in (spin_t, spin_e):
            b.leave_idle(spin, SPIN[m.met])

    def cancelling(self, b: Builder, m: LocalMap) -> None:
        """None: the piece stands on the square that is not cancelled, its spin turned."""
        t, e = m.squares
        kept = t
        if m.cancels == (t,):
            b.swap_names(self.wire(t, "occ"), self.wire(e, "occ"))
            kept = e
        spin = self.wire(kept, "spin")
        b.put(spin, SPIN[m.met])
        b.tilt(spin, angle(kept_symbols(m), m.met, m.new))

    def half_cancelling(self, b: Builder, m: LocalMap) -> None:
        """Three: part of the piece moves; where it is not cancelled its spin is turned, for free.

        If pieces are conserved, the failed part becomes N at e.
        """
        t, _ = m.squares
        (occ_t, spin_t), (occ_e, spin_e) = map(self.wires, m.squares)
        fail_half_cancelling(b, m, occ_t)
        b.put(spin_e, SPIN[m.met])
        column = m.floats[m.met + EMPTY]
        if m.cancels == (t,):
            failed, s, n = column[m.met + EMPTY], column[EMPTY + m.met], column[EMPTY + m.new]
            b.transfer(occ_t, occ_e, failed, hypot(s, n))
            turned = atan2(n, s)
            b.leave_idle(spin_e, SPIN[m.met], turned)
            if b.conserving:
                b.turn(b.fail, spin_e, pi / 2, turned)
            else:
                b.tilt(spin_e, turned)
        else:
            failed, s, n = column[EMPTY + m.met], column[m.met + EMPTY], column[m.new + EMPTY]
            b.transfer(occ_t, occ_e, hypot(s, n), failed)
            turned = atan2(n, s)
            b.leave_idle(spin_t, SPIN[m.met], turned)
            b.tilt(spin_t, turned)
            if b.conserving:
                b.leave_idle(spin_e, SPIN[m.met])
                b.cx(b.fail, spin_e, on=0)
        if b.conserving:
            b.cx(b.fail, occ_e, on=0)

    def half_shiftflip(self, b: Builder, m: LocalMap) -> None:
        """Two: S at both squares where it was at t, N alone where it was not."""
        t, _ = m.squares
        (occ_t, spin_t), (occ_e, spin_e) = map(self.wires, m.squares)
        b.bring(occ_e)
        b.put(spin_e, SPIN[m.met])
        if m.cancels == (t,):
            was_there, spin = occ_t, spin_e
        else:
            b.swap_names(occ_t, occ_e)
            was_there, spin = occ_e, spin_t
            b.leave_idle(spin_e, SPIN[m.met])
        b.put(spin, SPIN[m.new])
        b.cx(was_there, spin)
        fail_half_shiftflip(b, m, was_there)
        if b.conserving:
            b.cx(b.fail, occ_e)

    def spreading(self, b: Builder, m: LocalMap) -> None:
        """Two: part of the piece moves to e."""
        (occ_t, _), (occ_e, spin_e) = map(self.wires, m.squares)
        column = m.floats[m.met + EMPTY]
        b.put(spin_e, SPIN[m.met])
        b.transfer(occ_t, occ_e, column[m.met + EMPTY], column[EMPTY + m.met])

    def off_board(self, b: Builder, m: LocalMap) -> None:
        """None: a constant."""
        b.remove(self.wire(m.squares[0], "occ"))
        if m.floats[m.met + EMPTY][EMPTY * 2] < 0:
            b.negate()

    def _opposite_spins(self, b: Builder, spin_t: str, spin_e: str, turned: float) -> None:
        b.tilt(spin_t, turned)
        b.put(spin_e, 1)
        b.cx(spin_t, spin_e)
