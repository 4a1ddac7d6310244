"""Reading which branch of a superposition is left, and whether the pieces agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ..encodings import encoding
from ..errors import OptionError
from .base import Ancilla, Decoder, Factor, Reading

INVALID_CODE, MERGE, DISAGREE = "invalid-code", "merge", "disagree"


@dataclass(frozen=True)
class BranchDecoder(Decoder):
    """Turns bits into the name of a branch.

    A shot is rejected for the first reason that applies: ``invalid-code`` (the bits of the branch
    stand for none), ``merge`` (the failed part of a merge), ``disagree`` (the positions of the
    pieces are not those of the branch, or the branch has merged into another).

    Attributes:
        encoding: The name of the qutrit's encoding.
        symbols: The symbol that stands for each branch of the last split.
        cells: For each bit of a code its classical bit, or None, and its value if it is constant.
        positions: For each branch that is left, the value of each bit of a position, by clbit.
        ancillas: The ancillas of the merges.
        agreeing: Whether positions are compared with the branch.
    """

    kind: ClassVar[str] = "branch"
    outcomes: ClassVar[str] = "branch"

    encoding: str
    symbols: Mapping[str, str]
    cells: tuple[tuple[int | None, int], ...]
    positions: Mapping[str, Mapping[int, int]]
    ancillas: tuple[Ancilla, ...] = ()
    agreeing: bool = True

    @property
    def reasons(self) -> tuple[str, ...]:
        """All reasons for which a shot can be rejected, in the order they are tested."""
        return (INVALID_CODE, MERGE, DISAGREE)

    def read(self, bits: Sequence[int]) -> Reading:
        """Returns the branch of a shot or the reason to reject it."""
        code = tuple(value if clbit is None else bits[clbit] for clbit, value in self.cells)
        symbol = encoding(self.encoding).decode(code)
        name = next((n for n, s in self.symbols.items() if s == symbol), None)
        if name is None:
            return Reading(False, INVALID_CODE)
        for ancilla in self.ancillas:
            if bits[ancilla.clbit] != ancilla.predicted:
                return Reading(False, ancilla.reason)
        if self.agreeing:
            expected = self.positions.get(name)
            if expected is None or any(bits[c] != value for c, value in expected.items()):
                return Reading(False, DISAGREE)
        return Reading(True, name)

    def used(self) -> tuple[int, ...]:
        """Returns the classical bits that it looks at."""
        cells = [clbit for clbit, _ in self.cells if clbit is not None]
        positions = dict.fromkeys(c for bits in self.positions.values() for c in bits)
        return (*cells, *positions, *(ancilla.clbit for ancilla in self.ancillas))

    def to_json(self) -> dict[str, Any]:
        """Returns the decoder as JSON-able data."""
        positions = {name: sorted(bits.items()) for name, bits in self.positions.items()}
        return {"kind": self.kind, **asdict(self), "positions": positions}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BranchDecoder:
        """Returns the decoder that JSON data describe."""
        code = encoding(data["encoding"])
        cells = tuple((clbit, value) for clbit, value in data["cells"])
        positions = {name: dict(bits) for name, bits in data["positions"].items()}
        symbols = dict(data["symbols"])
        sound = (
            len(cells) == len(code.bits)
            and all(value in (0, 1) for _, value in cells)
            and {*symbols.values()} <= {*code.codes}
            and {*positions} <= {*symbols}
            and all(
                v in (0, 1) and type(c) is int for b in positions.values() for c, v in b.items()
            )
            and isinstance(data["agreeing"], bool)
        )
        if not sound:
            raise ValueError("a decoder of branches that do not fit together")
        ancillas = tuple(Ancilla(**ancilla) for ancilla in data["ancillas"])
        return cls(data["encoding"], symbols, cells, positions, ancillas, data["agreeing"])

    def unchecked(self) -> BranchDecoder:
        """Returns a decoder that looks at the branch alone."""
        return replace(self, ancillas=(), agreeing=False)

    def state(self, amplitudes: Mapping[str, complex]) -> Factor | None:
        """Returns the state of branch and positions in which branches have given amplitudes.

        Raises:
            OptionError: If there is no such branch, or all amplitudes are zero.
        """
        clbits = sorted({c for c, _ in self.cells if c is not None} | {*self._position_bits()})
        if not clbits:
            return None
        codes = encoding(self.encoding).codes
        vector = np.zeros(2 ** len(clbits), dtype=np.complex128)
        for name, amplitude in amplitudes.items():
            if name not in self.positions:
                raise OptionError(f"there is no branch {name!r} here")
            values = dict(self.positions[name])
            for (clbit, _), bit in zip(self.cells, codes[self.symbols[name]], strict=True):
                if clbit is not None:
                    values[clbit] = bit or 0
            vector[sum(values[c] << i for i, c in enumerate(clbits))] += amplitude
        length = np.linalg.norm(vector)
        if not length:
            raise OptionError("a state without any amplitude")
        return Factor(tuple(clbits), vector / length)

    def _position_bits(self) -> set[int]:
        return {c for bits in self.positions.values() for c in bits}
