"""Reading the one square that a piece is on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ..errors import OptionError, UnknownNameError
from .base import Ancilla, Decoder, Factor, Reading

INVALID_CODE, INDEX = "invalid-code", "index"
ONE_HOT, BINARY = "one-hot", "binary"
ENCODINGS = (ONE_HOT, BINARY)
SQUARES = range(1, 10)
BITS = 4
"""The bits of a square's number less one."""


def codes(encoding: str) -> dict[int, tuple[int, ...]]:
    """Returns the code of each square: a bit a square, or the number less one, low bits first.

    Raises:
        UnknownNameError: If there is no such encoding.
    """
    if encoding == ONE_HOT:
        return {square: tuple(int(s == square) for s in SQUARES) for square in SQUARES}
    if encoding == BINARY:
        return {square: tuple((square - 1) >> i & 1 for i in range(BITS)) for square in SQUARES}
    raise UnknownNameError("encoding of squares", encoding, ENCODINGS)


@dataclass(frozen=True)
class SquareDecoder(Decoder):
    """Turns bits into the number of a square.

    A shot is rejected for the first reason that applies: ``invalid-code`` (the bits stand for no
    square), ``index`` (the register that selects a move is not in its uniform state).

    Attributes:
        encoding: ``one-hot`` or ``binary``.
        cells: For each bit of a code its classical bit, or None, and its value if it is constant.
        ancillas: The bits of the index, which must read 0.
    """

    kind: ClassVar[str] = "square"
    outcomes: ClassVar[str] = "square"

    encoding: str
    cells: tuple[tuple[int | None, int], ...]
    ancillas: tuple[Ancilla, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """All reasons for which a shot can be rejected, in the order they are tested."""
        return (INVALID_CODE, INDEX)

    def read(self, bits: Sequence[int]) -> Reading:
        """Returns the square of a shot or the reason to reject it."""
        code = tuple(value if clbit is None else bits[clbit] for clbit, value in self.cells)
        if self.encoding == ONE_HOT:
            square = code.index(1) + 1 if sum(code) == 1 else 0
        else:
            square = 1 + sum(bit << i for i, bit in enumerate(code))
        if square not in SQUARES:
            return Reading(False, INVALID_CODE)
        for ancilla in self.ancillas:
            if bits[ancilla.clbit] != ancilla.predicted:
                return Reading(False, ancilla.reason)
        return Reading(True, str(square))

    def used(self) -> tuple[int, ...]:
        """Returns the classical bits that it looks at."""
        cells = [clbit for clbit, _ in self.cells if clbit is not None]
        return (*cells, *(ancilla.clbit for ancilla in self.ancillas))

    def to_json(self) -> dict[str, Any]:
        """Returns the decoder as JSON-able data."""
        return {"kind": self.kind, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SquareDecoder:
        """Returns the decoder that JSON data describe."""
        cells = tuple((clbit, value) for clbit, value in data["cells"])
        if len(cells) != len(codes(data["encoding"])[1]) or any(v not in (0, 1) for _, v in cells):
            raise ValueError(f"a decoder of cells {cells!r}")
        return cls(data["encoding"], cells, tuple(Ancilla(**a) for a in data["ancillas"]))

    def unchecked(self) -> SquareDecoder:
        """Returns a decoder that does not look at the index."""
        return replace(self, ancillas=())

    def state(self, amplitudes: Mapping[str, complex]) -> Factor | None:
        """Returns the state of the qubits in which squares have given amplitudes.

        Raises:
            OptionError: If a square is not possible here, or all amplitudes are zero.
        """
        held = [i for i, (clbit, _) in enumerate(self.cells) if clbit is not None]
        qubits = tuple(clbit for clbit, _ in self.cells if clbit is not None)
        if not held:
            return None
        known = {str(square): code for square, code in codes(self.encoding).items()}
        vector = np.zeros(2 ** len(held), dtype=np.complex128)
        for square, amplitude in amplitudes.items():
            code = known.get(square, ())
            if not code or any(c is None and v != code[i] for i, (c, v) in enumerate(self.cells)):
                raise OptionError(f"square {square!r} is not possible here")
            vector[sum(code[i] << j for j, i in enumerate(held))] += amplitude
        length = np.linalg.norm(vector)
        if not length:
            raise OptionError("a state without any amplitude")
        return Factor(qubits, vector / length)
