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


def sigma(m: LocalMap) -> float:
    """Returns the largest singular value of a map."""
    return sqrt(float(m.sigma_squared))


def failure_angle(m: LocalMap) -> float:
    """Returns how far the failure qubit of a half-cancelling map turns where t is empty."""
    return acos(m.floats[EMPTY * 2][EMPTY * 2] / sigma(m))


def kept_symbols(m: LocalMap) -> dict[str, float]:
    """Returns the amplitudes of a cancelling map by the symbol on the square that is kept."""
    return {c.strip(EMPTY): a for c, a in m.floats[m.met + EMPTY].items()}


def half_shiftflip_angle(b: Builder, m: LocalMap) -> float:
    """Returns how far the failure qubit of a half-shiftflip turns where S was at t.

    The sign of the new die that does not cancel is given to the whole state, so that the angle
    carries the relative one.
    """
    [free] = m.floats[EMPTY * 2].values()
    [both] = m.floats[m.met + EMPTY].values()
    if free < 0:
        b.negate()
        both = -both
    return acos(both / sigma(m))


EncodingT = TypeVar("EncodingT", bound=type[Encoding])


def register_encoding(cls: EncodingT) -> EncodingT:
    """Makes an encoding known by its name; use it as a class decorator."""
    registered[cls.name] = cls()
    return cls
