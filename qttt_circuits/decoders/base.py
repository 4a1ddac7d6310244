"""What a decoder says: what the bits of a shot mean, and why a shot is rejected."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.complex128]

registered: dict[str, type[Decoder]] = {}
"""The decoders by kind; filled as their modules are loaded."""


class Reading(NamedTuple):
    """What one shot means.

    Attributes:
        accepted: Whether post-selection keeps it.
        name: The outcome, or the reason of the rejection.
    """

    accepted: bool
    name: str


@dataclass(frozen=True)
class Ancilla:
    """A measured qubit that must read what the rules predict.

    Attributes:
        clbit: The index of its classical bit in the circuit.
        predicted: The value it must read.
        reason: The name of the rejection if it does not.
    """

    clbit: int
    predicted: int
    reason: str


@dataclass(frozen=True)
class Factor:
    """Qubits whose accepted state is a pure state of their own.

    Attributes:
        qubits: Their indices in the circuit.
        vector: The state, shape ``(2**len(qubits),)``, little-endian in ``qubits``.
    """

    qubits: tuple[int, ...]
    vector: Vector


class Decoder(ABC):
    """Turns the bits of a shot into what they mean, and amplitudes into the state to expect.

    A class with a ``kind`` registers itself, so that runs can be read back from their records.

    Attributes:
        kind: The name of the kind in records.
        outcomes: What an outcome is, in one word.
        ancillas: The ancillas that are measured.
    """

    kind: ClassVar[str] = ""
    outcomes: ClassVar[str] = "outcome"
    ancillas: tuple[Ancilla, ...]

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if cls.kind:
            registered[cls.kind] = cls

    @property
    @abstractmethod
    def reasons(self) -> tuple[str, ...]:
        """All reasons for which a shot can be rejected, in the order they are tested."""

    @abstractmethod
    def read(self, bits: Sequence[int]) -> Reading:
        """Returns what a shot means.

        Args:
            bits: The classical bits; index i is the circuit's i-th clbit.
        """

    def read_all(self, rows: NDArray[np.uint8]) -> list[Reading]:
        """Returns what shots mean, one a row; a kind that can do many at once overrides this.

        Args:
            rows: Shape ``(shots, clbits)``; column i is the circuit's i-th clbit.
        """
        return [self.read(bits) for bits in rows.tolist()]

    @abstractmethod
    def used(self) -> tuple[int, ...]:
        """Returns the classical bits that it looks at."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Returns the decoder as JSON-able data, from which it can be made again."""

    @classmethod
    @abstractmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Returns the decoder that JSON data describe.

        Raises:
            ValueError: If they describe none.
            KeyError: If a part is missing.
            TypeError: If a part is of the wrong kind.
        """

    @abstractmethod
    def unchecked(self) -> Decoder:
        """Returns a decoder of the same bits that rejects as little as it can."""

    @abstractmethod
    def state(self, amplitudes: Mapping[str, complex]) -> Factor | None:
        """Returns the state of all qubits that are not ancillas, or None if there are none.

        Args:
            amplitudes: The amplitude of each outcome; normalised here.
        """


def require_width(decoder: Decoder, clbits: int) -> None:
    """Raises an error if a decoder looks at bits that are not there.

    Raises:
        ValueError: Then.
    """
    if not all(0 <= clbit < clbits for clbit in decoder.used()):
        raise ValueError(f"a decoder of bits that are not among {clbits}")
