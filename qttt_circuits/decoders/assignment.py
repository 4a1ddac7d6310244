"""Reading which square each spooky move takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ..errors import OptionError
from .base import Ancilla, Decoder, Factor, Reading

EXCLUSIVITY = "exclusivity"


@dataclass(frozen=True)
class Location:
    """Where one move may be, and the bit that says where.

    Attributes:
        mark: The mark with its subscript.
        squares: The square that 0 stands for, and the one that 1 stands for.
        clbit: The classical bit, or None if it has no qubit.
        value: Its value if it is constant.
    """

    mark: str
    squares: tuple[int, int]
    clbit: int | None
    value: int = 0


@dataclass(frozen=True)
class AssignmentDecoder(Decoder):
    """Turns bits into an assignment of moves to squares, such as ``5=X3,6=O4``.

    A shot in which two moves take one square is rejected as ``exclusivity``.

    Attributes:
        moves: The moves.
        exclusive: Whether that is checked.
    """

    kind: ClassVar[str] = "assignment"
    outcomes: ClassVar[str] = "assignment"

    moves: tuple[Location, ...]
    exclusive: bool = True
    ancillas: tuple[Ancilla, ...] = field(default=(), init=False)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The only reason for which a shot is rejected."""
        return (EXCLUSIVITY,)

    def read(self, bits: Sequence[int]) -> Reading:
        """Returns the assignment of a shot or the reason to reject it."""
        taken = [
            (move.squares[move.value if move.clbit is None else bits[move.clbit]], move.mark)
            for move in self.moves
        ]
        if self.exclusive and len({square for square, _ in taken}) < len(taken):
            return Reading(False, EXCLUSIVITY)
        return Reading(True, ",".join(f"{square}={mark}" for square, mark in sorted(taken)))

    def used(self) -> tuple[int, ...]:
        """Returns the classical bits that it looks at."""
        return tuple(move.clbit for move in self.moves if move.clbit is not None)

    def to_json(self) -> dict[str, Any]:
        """Returns the decoder as JSON-able data."""
        return {
            "kind": self.kind,
            "moves": [asdict(move) for move in self.moves],
            "exclusive": self.exclusive,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AssignmentDecoder:
        """Returns the decoder that JSON data describe."""
        moves = []
        for entry in data["moves"]:
            a, b = entry["squares"]
            move = Location(entry["mark"], (a, b), entry["clbit"], entry["value"])
            sound = isinstance(move.mark, str) and type(a) is type(b) is int and a != b
            if not sound or move.value not in (0, 1) or type(move.clbit) not in (int, type(None)):
                raise ValueError(f"a decoder of a move {entry!r}")
            moves.append(move)
        if not isinstance(data["exclusive"], bool):
            raise ValueError(f"a decoder that is {data['exclusive']!r} exclusive")
        return cls(tuple(moves), data["exclusive"])

    def unchecked(self) -> AssignmentDecoder:
        """Returns a decoder that lets two moves take one square."""
        return replace(self, exclusive=False)

    def state(self, amplitudes: Mapping[str, complex]) -> Factor | None:
        """Returns the state of the qubits in which assignments have given amplitudes.

        Raises:
            OptionError: If an assignment is not possible here, or all amplitudes are zero.
        """
        return self.factor(self.moves, amplitudes)

    def factor(self, moves: Iterable[Location], amplitudes: Mapping[str, complex]) -> Factor | None:
        """Returns the state of the qubits of some moves; see `state`."""
        moves = tuple(moves)
        held = [move for move in moves if move.clbit is not None]
        if not held:
            return None
        vector = np.zeros(2 ** len(held), dtype=np.complex128)
        for outcome, amplitude in amplitudes.items():
            taken = {
                mark: square for square, _, mark in (t.partition("=") for t in outcome.split(","))
            }
            if taken.keys() != {move.mark for move in moves} or not all(
                taken[move.mark] in map(str, move.squares) for move in moves
            ):
                raise OptionError(f"assignment {outcome!r} is not possible here")
            bits = [taken[move.mark] == str(move.squares[1]) for move in held]
            vector[sum(bit << i for i, bit in enumerate(bits))] += amplitude
        length = np.linalg.norm(vector)
        if not length:
            raise OptionError("a state without any amplitude")
        return Factor(tuple(m.clbit for m in held if m.clbit is not None), vector / length)
