"""Reading whether a preparation was undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from .base import Ancilla, Decoder, Factor, Reading

SAME, OTHER = "same", "other"


@dataclass(frozen=True)
class OverlapDecoder(Decoder):
    """Reads whether all board qubits are zero: ``same``, else ``other``.

    Attributes:
        board_bits: How many clbits hold board qubits; they come first.
        ancillas: The ancillas, as in the experiment that is compared.
    """

    kind: ClassVar[str] = "overlap"

    board_bits: int
    ancillas: tuple[Ancilla, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons that the ancillas have."""
        return tuple(dict.fromkeys(ancilla.reason for ancilla in self.ancillas))

    def read(self, bits: Sequence[int]) -> Reading:
        """Returns ``same`` or ``other``, or the reason of a rejection."""
        for ancilla in self.ancillas:
            if bits[ancilla.clbit] != ancilla.predicted:
                return Reading(False, ancilla.reason)
        return Reading(True, OTHER if any(bits[: self.board_bits]) else SAME)

    def used(self) -> tuple[int, ...]:
        """Returns the classical bits that it looks at."""
        return (*range(self.board_bits), *(ancilla.clbit for ancilla in self.ancillas))

    def to_json(self) -> dict[str, Any]:
        """Returns the decoder as JSON-able data."""
        return {"kind": self.kind, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> OverlapDecoder:
        """Returns the decoder that JSON data describe."""
        if type(data["board_bits"]) is not int or data["board_bits"] < 0:
            raise ValueError(f"a decoder of {data['board_bits']!r} bits")
        return cls(data["board_bits"], tuple(Ancilla(**ancilla) for ancilla in data["ancillas"]))

    def unchecked(self) -> OverlapDecoder:
        """Returns a decoder that does not look at the ancillas."""
        return OverlapDecoder(self.board_bits)

    def state(self, amplitudes: Mapping[str, complex]) -> Factor | None:
        """Returns the state in which every board qubit is zero, the only one with a name."""
        if not self.board_bits or amplitudes.keys() != {SAME}:
            return None
        vector = np.zeros(2**self.board_bits, dtype=np.complex128)
        vector[0] = 1
        return Factor(tuple(range(self.board_bits)), vector)
