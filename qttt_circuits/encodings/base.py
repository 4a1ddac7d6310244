"""What an encoding says: its qubits a square, its codes, and the gate for each local map."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import acos, atan2, sqrt
from typing import ClassVar, TypeVar

from ..board import EMPTY
from ..builder import Builder
from ..maps import LocalMap

Code = tuple[int | None, ...]

registered: dict[str, Encoding] = {}
"""The encodings by name; filled as their modules are loaded."""


class Encoding(ABC):
    """A way to hold E, X or O in the qubits of a square, and to act on it.

    Methods named for a kind of map build the gate for it from the operations of `Builder`. They may
    rely on what holds wherever that kind of move is legal: a square that no move has touched since
    the last observation is known to be empty, and a met die of value 4 lies on a square that is
    known to hold its symbol.

    Attributes:
        name: The encoding's name.
        bits: The names of the qubits of a square.
        codes: For each symbol the value of each qubit; None for a qubit that is free then.
    """

    name: ClassVar[str]
    bits: ClassVar[tuple[str, ...]]
    codes: ClassVar[Mapping[str, Code]]

    def wire(self, square: int, bit: str) -> str:
        """Returns the name of a wire."""
        return f"sq{square}_{bit}"

    def wires(self, square: int) -> tuple[str, ...]:
        """Returns the names of the wires of a square, in the order of `bits`."""
        return tuple(self.wire(square, bit) for bit in self.bits)

    @property
    def empty(self) -> tuple[int, ...]:
        """The values that the qubits of a square start with."""
        return tuple(bit or 0 for bit in self.codes[EMPTY])

    def decode(self, bits: tuple[int, ...]) -> str | None:
        """Returns the symbol that the bits of a square stand for, or None if they are invalid.

        Args:
            bits: The values in the order of `bits`.
        """
        for symbol, code in self.codes.items():
            if all(c is None or c == b for c, b in zip(code, bits, strict=True)):
                return symbol
        return None

    def build(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of a map."""
        getattr(self, m.kind.replace("-", "_"))(b, m)

    @abstractmethod
    def classical(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of a classical move."""

    @abstractmethod
    def superposition(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of a superposition move."""

    @abstractmethod
    def entangling(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of an entangling move."""

    @abstractmethod
    def half_entangling(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of a half-entangling move."""

    @abstractmethod
    def half_entangled(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates that prepare a superposition with one half entangled, on empty squares.

        The map acts on ``(p, t, e)``: the piece's other square, and those of the half-entangling
        move. ``m.new`` is the symbol at p, then N. See `synthesis`.
        """

    @abstractmethod
    def cancelling(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of a cancelling move."""

    @abstractmethod
    def half_cancelling(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of a half-cancelling move."""

    @abstractmethod
    def half_shiftflip(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of a half-shiftflip move."""

    @abstractmethod
    def spreading(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of a spreading move."""

    @abstractmethod
    def off_board(self, b: Builder, m: LocalMap) -> None:
        """Emits the gates of a move that takes a piece off the board."""


def angle(column: Mapping[str, float], stay: str, move: str) -> float:
    """Returns the angle a with cos a : sin a as the amplitudes of two configurations."""
    return atan2(column[move], column[stay])


def kept_symbols(m: LocalMap) -> dict[str, float]:
    """Returns the amplitudes of a cancelling map by the symbol on the square that is kept."""
    return {c.strip(EMPTY): a for c, a in m.floats[m.met + EMPTY].items()}


def fail_half_cancelling(b: Builder, m: LocalMap, piece: str) -> None:
    """Turns the failure qubit of a half-cancelling map where t is empty.

    Args:
        b: The builder.
        m: The map; nothing is done if it is an isometry.
        piece: The wire that is 1 where the piece is at t.
    """
    if not m.unitary:
        b.turn(piece, b.fail, acos(m.floats[EMPTY * 2][EMPTY * 2] / _sigma(m)), 0)


def fail_half_shiftflip(b: Builder, m: LocalMap, piece: str) -> None:
    """Turns the failure qubit of a half-shiftflip where the piece is at t, and gives the signs.

    Args:
        b: The builder.
        m: The map; if it is an isometry only signs are given.
        piece: The wire that is 1 where the piece was at t.
    """
    [alone] = m.floats[EMPTY * 2].values()
    [both] = m.floats[m.met + EMPTY].values()
    if alone < 0:
        b.negate()
        both = -both
    if not m.unitary:
        b.turn(piece, b.fail, 0, acos(both / _sigma(m)))
    elif both < 0:
        b.z(piece)


def _sigma(m: LocalMap) -> float:
    return sqrt(float(m.sigma_squared))


def half_entangled_amplitudes(m: LocalMap) -> tuple[tuple[float, float], tuple[float, float]]:
    """Returns the amplitudes of the piece at p and at t, and those of N at t and at e.

    They are right up to one common factor; see `Encoding.half_entangled`.
    """
    at_p, n = tuple(m.new)
    column = m.floats[EMPTY * 3]
    stay, move = column[at_p + n + EMPTY], column[EMPTY + n + m.met]
    return (stay, move), (1.0, column[EMPTY + m.met + n] / move)


EncodingT = TypeVar("EncodingT", bound=type[Encoding])


def register_encoding(cls: EncodingT) -> EncodingT:
    """Makes an encoding known by its name; use it as a class decorator."""
    registered[cls.name] = cls()
    return cls
